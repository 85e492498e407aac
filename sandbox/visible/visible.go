// Package visible turns untrusted text into HTML text in which every character leaves a mark.
//
// Characters that show nothing, and those that turn the direction of what follows, become a
// small box with their code point. Pages mark the same set (components/agenttext): a reader sees
// the same marks inside and outside a frame.
package visible

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// BadByte replaces a byte that is not UTF-8.
const BadByte rune = -1

// RunLimit is how many hidden characters in a row are named one by one; one mark stands for
// the rest of the row.
const RunLimit = 4

// Append appends s to dst as HTML text for the inside of an element (not of an attribute):
// escaped, hidden characters as <span class="f-mark">. Line feeds, tabs and CR LF stay.
func Append(dst []byte, s string) []byte {
	Each(s, func(_ int, text string, hidden rune, run int) bool {
		dst = appendPart(dst, text, hidden, run)
		return true
	})
	return dst
}

// AppendMax is Append that stops before dst grows by more than max bytes. n is how many bytes
// of s stand in dst: len(s) when all of it does. It never splits a character.
func AppendMax(dst []byte, s string, max int) (out []byte, n int) {
	limit := len(dst) + max
	Each(s, func(at int, text string, hidden rune, run int) bool {
		if text != "" {
			var all bool
			dst, n, all = appendText(dst, text, at, limit)
			return all
		}
		before := len(dst)
		if dst = appendPart(dst, "", hidden, run); len(dst) > limit {
			dst = dst[:before]
			return false
		}
		n = at + width(s[at:])
		return true
	})
	return dst, n
}

// appendText appends text, which begins at at, as far as it fits below limit.
func appendText(dst []byte, text string, at, limit int) ([]byte, int, bool) {
	for i := 0; i < len(text); {
		size := width(text[i:])
		grows := size
		if size == 1 {
			grows = len(escape(text[i]))
		}
		if len(dst)+max(grows, 1) > limit {
			return dst, at + i, false
		}
		dst = appendEscaped(dst, text[i:i+size])
		i += size
	}
	return dst, at + len(text), true
}

func width(s string) int {
	_, size := utf8.DecodeRuneInString(s)
	return size
}

func appendPart(dst []byte, text string, hidden rune, run int) []byte {
	switch {
	case text != "":
		return appendEscaped(dst, text)
	case run <= RunLimit:
		return AppendMark(dst, hidden)
	case run == RunLimit+1:
		return append(dst, `<span class="f-mark" title="more hidden characters follow">…</span>`...)
	}
	return dst
}

// AppendMark appends the mark of one hidden character.
func AppendMark(dst []byte, r rune) []byte {
	dst = append(dst, `<span class="f-mark" title="`...)
	dst = append(dst, Name(r)...)
	dst = append(dst, `">`...)
	dst = append(dst, CodePoint(r)...)
	return append(dst, `</span>`...)
}

// escape returns how a byte is written in HTML text, or "" when it stands for itself.
func escape(c byte) string {
	switch c {
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '&':
		return "&amp;"
	case '"':
		return "&#34;"
	case '\'':
		return "&#39;"
	}
	return ""
}

func appendEscaped(dst []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); i++ {
		if e := escape(s[i]); e != "" {
			dst = append(append(dst, s[start:i]...), e...)
			start = i + 1
		}
	}
	return append(dst, s[start:]...)
}

// Each calls part for each stretch of visible text and for each hidden character of s, in
// order, until part returns false. at is where it begins. For a hidden character text is ""
// and run counts hidden characters in a row, from 1.
func Each(s string, part func(at int, text string, hidden rune, run int) bool) {
	start, run := 0, 0
	var last rune
	for i := 0; i < len(s); {
		r, size := decode(s[i:])
		if Hidden(r, last) {
			if start < i {
				if !part(start, s[start:i], 0, 0) {
					return
				}
				run = 0
			}
			run++
			if !part(i, "", r, run) {
				return
			}
			start = i + size
		}
		last = r
		i += size
	}
	if start < len(s) {
		part(start, s[start:], 0, 0)
	}
}

// decode returns the first character of s. A carriage return before a line feed reads as a
// space: together they are one line break.
func decode(s string) (rune, int) {
	if c := s[0]; c < utf8.RuneSelf && c != '\r' {
		return rune(c), 1
	}
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 {
		return BadByte, 1
	}
	if r == '\r' && strings.HasPrefix(s[1:], "\n") {
		return ' ', 1
	}
	return r, size
}

// CodePoint writes a character as U+200B.
func CodePoint(r rune) string {
	if r == BadByte {
		return "bad byte"
	}
	hex := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	return "U+" + strings.Repeat("0", max(0, 4-len(hex))) + hex
}
