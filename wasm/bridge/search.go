package bridge

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// splitWords returns the words of a search in lower case.
func splitWords(s string) (words [][]byte) {
	var word []byte
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] > ' ' {
			word = append(word, lowerByte(s[i]))
		} else if len(word) > 0 {
			words = append(words, word)
			word = nil
		}
	}
	return words
}

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// index finds a word in a text, ASCII letters folded; -1 when it is not there.
func index(text, word []byte) int {
	for i := 0; i+len(word) <= len(text); i++ {
		if lowerByte(text[i]) != word[0] {
			continue
		}
		k := 1
		for k < len(word) && lowerByte(text[i+k]) == word[k] {
			k++
		}
		if k == len(word) {
			return i
		}
	}
	return -1
}

func containsAll(text string, words [][]byte) bool {
	for _, w := range words {
		if index([]byte(text), w) < 0 {
			return false
		}
	}
	return true
}

// matches reports whether a record's id and lines hold all words. When the engine keeps no
// bytes only ids are searched.
func (x *selector) matches(file figs.File, record int, words [][]byte) bool {
	left := strike(words, []byte(x.f.ID(file, record)))
	if len(left) == 0 || !x.e.keep {
		return len(left) == 0
	}
	trail := x.f.Trail(file, record)
	for i := 0; i < len(trail) && len(left) > 0; i++ {
		left = strike(left, plainText(x.f.Bytes(file, trail[i])))
	}
	return len(left) == 0
}

// strike returns the words that are not in a text.
func strike(words [][]byte, text []byte) (left [][]byte) {
	for _, w := range words {
		if index(text, w) < 0 {
			left = append(left, w)
		}
	}
	return left
}

// plainText resolves the escapes of a line, so that words are found however they are written.
func plainText(line []byte) []byte {
	for _, c := range line {
		if c == '\\' {
			quoted := make([]byte, 0, len(line)+2)
			quoted = append(append(append(quoted, '"'), line...), '"')
			return jsonl.AppendText(nil, quoted)
		}
	}
	return line
}

// search takes a page of the records that hold all words: jobs, asks, then replies.
func (x *selector) search() {
	words := splitWords(x.r.text("text"))
	if len(words) == 0 {
		return
	}
	for _, file := range [...]figs.File{figs.Asks, figs.Runs, figs.Messages} {
		order := x.a.asks
		switch file {
		case figs.Runs:
			order = x.a.jobs
		case figs.Messages:
			order = backwards(x.f.Records(file))
		}
		for _, i := range order {
			if x.matches(file, i, words) && x.onPage() {
				x.hit(Ref{file, i}, words[0])
			}
		}
	}
}

// hit adds a found record with the place of a word in its newest line that holds it.
func (x *selector) hit(r Ref, word []byte) {
	x.hits.ref(r)
	x.record(r)
	trail := x.f.Trail(r.File, r.Record)
	var start, end, mark int
	for i := len(trail) - 1; i >= 0 && start == end; i-- {
		if at := index(x.f.Bytes(r.File, trail[i]), word); at >= 0 {
			start = int(trail[i].Offset)
			end, mark = start+trail[i].Len, start+at
		}
	}
	x.excerpt(r.File, start, end, mark, len(word), false)
}
