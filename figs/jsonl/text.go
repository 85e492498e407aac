package jsonl

import (
	"unicode/utf8"
	"unsafe"
)

// AppendText decodes a JSON string, given with its quotes, and appends it as valid UTF-8:
// lone surrogates and invalid bytes read as U+FFFD, as a browser reads them.
//
//go:noinline
func AppendText(dst, raw []byte) []byte { return appendString(dst, raw, false) }

// AppendKey is AppendText for comparing: a lone surrogate keeps its own three bytes, so that
// two different ones stay different as they do in JavaScript.
//
//go:noinline
func AppendKey(dst, raw []byte) []byte { return appendString(dst, raw, true) }

// Text returns the decoded string of a value, and "" when it is no string.
//
//go:noinline
func (v Value) Text() string {
	if v.Kind != String {
		return ""
	}
	return string(AppendText(nil, v.Raw))
}

func appendString(dst, raw []byte, surrogates bool) []byte {
	s := raw[1 : len(raw)-1]
	for i := 0; i < len(s); {
		if n := plainBytes(s[i:]); n > 0 {
			dst = append(dst, s[i:i+n]...)
			i += n
			continue
		}
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			r, n := decodeRune(s[i:])
			if r == utf8.RuneError {
				dst = append(dst, "\uFFFD"...)
			} else {
				dst = append(dst, s[i:i+n]...)
			}
			i += n
		case c != '\\':
			dst = append(dst, c)
			i++
		case s[i+1] == 'u':
			r := hex4(s[i+2:])
			i += 6
			if r >= 0xD800 && r < 0xDC00 && i+6 <= len(s) && s[i] == '\\' && s[i+1] == 'u' {
				if low := hex4(s[i+2:]); low >= 0xDC00 && low < 0xE000 {
					r = 0x10000 + (r-0xD800)<<10 + (low - 0xDC00)
					i += 6
				}
			}
			if r >= 0xD800 && r < 0xE000 && surrogates {
				dst = append(dst, 0xED, byte(0x80|r>>6&0x3F), byte(0x80|r&0x3F))
			} else {
				dst = utf8.AppendRune(dst, r)
			}
		default:
			dst = append(dst, unescaped(s[i+1]))
			i += 2
		}
	}
	return dst
}

// plainBytes counts the bytes at the start of s that are ASCII and no backslash, in words of
// eight: what is left over is for the caller.
func plainBytes(s []byte) int {
	p, i := unsafe.Pointer(unsafe.SliceData(s)), 0
	for i+8 <= len(s) {
		w := load8(p, i)
		if (((w^slants)-ones)|w)&highs != 0 {
			break
		}
		i += 8
	}
	return i
}

func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

func hex4(s []byte) rune {
	var r rune
	for _, c := range s[:4] {
		switch {
		case c <= '9':
			c -= '0'
		default:
			c = c&^0x20 - 'A' + 10
		}
		r = r<<4 | rune(c)
	}
	return r
}

// decodeRune is utf8.DecodeRune, but an invalid sequence is as long as the longest prefix
// of a valid one, as in browsers, and not always one byte.
func decodeRune(s []byte) (rune, int) {
	r, n := utf8.DecodeRune(s)
	if r != utf8.RuneError || n != 1 {
		return r, n
	}
	// The second byte's range depends on the first; every later one is 80..BF.
	lo, hi, want := byte(0x80), byte(0xBF), 0
	switch c := s[0]; {
	case c >= 0xC2 && c <= 0xDF:
		want = 1
	case c >= 0xE0 && c <= 0xEF:
		want = 2
		if c == 0xE0 {
			lo = 0xA0
		} else if c == 0xED {
			hi = 0x9F
		}
	case c >= 0xF0 && c <= 0xF4:
		want = 3
		if c == 0xF0 {
			lo = 0x90
		} else if c == 0xF4 {
			hi = 0x8F
		}
	}
	n = 1
	for n <= want && n < len(s) && s[n] >= lo && s[n] <= hi {
		lo, hi = 0x80, 0xBF
		n++
	}
	return utf8.RuneError, n
}

// InvalidUTF8 returns the index of the first byte of b that is no valid UTF-8, or -1.
func InvalidUTF8(b []byte) int {
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// AppendValid appends b as valid UTF-8: invalid bytes become U+FFFD, as a browser reads them.
func AppendValid(dst, b []byte) []byte {
	for {
		bad := InvalidUTF8(b)
		if bad < 0 {
			return append(dst, b...)
		}
		_, n := decodeRune(b[bad:])
		dst = append(append(dst, b[:bad]...), "\uFFFD"...)
		b = b[bad+n:]
	}
}
