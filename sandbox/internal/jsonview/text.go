package jsonview

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns what a valid JSON string says, without its quotes and escapes. Two strings are
// equal for every reader exactly when their texts are: half of a surrogate pair stays the three
// bytes it would have, so that it equals nothing else.
func Text(quoted []byte) string {
	body := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(body, '\\') < 0 {
		return string(body)
	}
	out := make([]byte, 0, len(body))
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' {
			out = append(out, body[i])
			continue
		}
		i++
		if body[i] != 'u' {
			out = append(out, plainEscape(body[i]))
			continue
		}
		r := unit(body[i+1:])
		i += 4
		if utf16.IsSurrogate(r) && i+6 < len(body) && body[i+1] == '\\' && body[i+2] == 'u' {
			if pair := utf16.DecodeRune(r, unit(body[i+3:])); pair != utf8.RuneError {
				r = pair
				i += 6
			}
		}
		out = appendRune(out, r)
	}
	return string(out)
}

func plainEscape(c byte) byte {
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

// unit reads four hexadecimal digits.
func unit(hex []byte) rune {
	n, _ := strconv.ParseUint(string(hex[:4]), 16, 16)
	return rune(n)
}

// appendRune is utf8.AppendRune that spares half surrogates.
func appendRune(out []byte, r rune) []byte {
	if utf16.IsSurrogate(r) {
		return append(out, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
	}
	return utf8.AppendRune(out, r)
}
