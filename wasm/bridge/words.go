package bridge

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// The words by which lists of records, files and findings are narrowed.

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
	low, high, n := word[0], word[0], len(text)-len(word)
	if low >= 'a' && low <= 'z' {
		high = low &^ 0x20
	}
	for i := 0; i <= n; i++ {
		if c := text[i]; c != low && c != high {
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
