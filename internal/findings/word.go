package findings

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// eachWord calls do for every run of letters, marks, numbers and underscores.
func eachWord(s string, do func(word string)) {
	start := -1
	for i, r := range s {
		if isWord(r) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			do(s[start:i])
		}
		start = -1
	}
	if start >= 0 {
		do(s[start:])
	}
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N)
}

// containsWord reports whether s has a name that is not part of a longer one; hyphens, too, make a name longer.
func containsWord(s, word string) bool {
	for from := 0; ; {
		at := strings.Index(s[from:], word)
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(s[:at])
		after, _ := utf8.DecodeRuneInString(s[at+len(word):])
		if (at == 0 || !isWord(before) && before != '-') && (at+len(word) == len(s) || !isWord(after) && after != '-') {
			return true
		}
		from = at + len(word)
	}
}

// isKeyword reports whether a word of a text says what it is about: it has at least three letters and is none that
// every English text has.
func isKeyword(word string) bool {
	if utf8.RuneCountInString(word) < 3 {
		return false
	}
	switch word {
	case "about", "after", "all", "and", "any", "are", "because", "been", "before", "but", "can", "did", "does", "for", "from", "had", "has",
		"have", "how", "into", "its", "more", "must", "not", "only", "our", "should", "than", "that", "the", "their", "them", "then", "there",
		"these", "they", "this", "was", "were", "what", "when", "where", "which", "who", "why", "will", "with", "would", "you", "your":
		return false
	}
	return true
}
