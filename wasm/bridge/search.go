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

func containsAll(text []byte, words [][]byte) bool {
	for _, w := range words {
		if index(text, w) < 0 {
			return false
		}
	}
	return true
}

// matches reports whether a record's id and lines hold all words. When the engine keeps no
// bytes only ids are searched.
func (x *selector) matches(file figs.File, record int, words [][]byte) bool {
	left := make([]bool, len(words))
	n := len(words)
	try := func(text []byte) {
		for i, w := range words {
			if !left[i] && index(text, w) >= 0 {
				left[i] = true
				n--
			}
		}
	}
	try([]byte(x.a.f.ID(file, record)))
	if n == 0 || !x.e.keep {
		return n == 0
	}
	for _, ln := range x.a.f.Trail(file, record) {
		if try(plainText(x.a.f.Bytes(file, ln))); n == 0 {
			return true
		}
	}
	return false
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
	replies := make([]int, x.a.f.Records(figs.Messages))
	for i := range replies {
		replies[i] = len(replies) - 1 - i
	}
	for _, part := range [...]struct {
		file  figs.File
		order []int
	}{{figs.Asks, x.a.asks}, {figs.Runs, x.a.jobs}, {figs.Messages, replies}} {
		for _, i := range part.order {
			if !x.matches(part.file, i, words) {
				continue
			}
			if x.s.Total >= x.s.From && x.s.Total < x.s.From+x.n {
				x.hit(Ref{part.file, i}, words[0])
			}
			x.s.Total++
		}
	}
}

// hit adds a found record with the place of a word in its newest line that holds it.
func (x *selector) hit(r Ref, word []byte) {
	x.s.Hits = append(x.s.Hits, r)
	x.record(r)
	trail := x.a.f.Trail(r.File, r.Record)
	var ex Excerpt
	for i := len(trail) - 1; i >= 0; i-- {
		text := x.a.f.Bytes(r.File, trail[i])
		if at := index(text, word); at >= 0 {
			ex = frame(0, int64(len(text)), int64(at), len(word))
			cutText(&ex, text, int(ex.span.offset))
			break
		}
	}
	ex.span.n = 0 // found only in kept bytes: nothing is left for the caller to read
	x.s.Excerpts = append(x.s.Excerpts, ex)
}
