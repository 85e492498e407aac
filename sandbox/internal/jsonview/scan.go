package jsonview

import (
	"strconv"

	"github.com/figs-web/figs-web/sandbox/report"
)

// Kind is the kind of a JSON value.
type Kind byte

// The kinds of values.
const (
	Object  Kind = '{'
	Array   Kind = '['
	String  Kind = '"'
	Number  Kind = '0'
	Literal Kind = 't' // true, false, null
)

// sink takes the parts of a text in order. Positions are bytes of the text.
type sink interface {
	key(start, end int)               // with its quotes
	scalar(kind Kind, start, end int) // as written
	open(kind Kind, start int)
	close(end int) // of the container that is open
}

// scanner reads JSON exactly as RFC 8259 has it, and repairs nothing.
type scanner struct {
	src   []byte
	at    int
	depth int // limit
	stack []Kind
	out   sink
	fault *report.Notice
}

// scan reads one value and returns what is wrong with the text, or nil.
func scan(src []byte, depth int, out sink) *report.Notice {
	s := scanner{src: src, depth: depth, out: out}
	for s.value() && s.after() {
	}
	return s.fault
}

// fail notes the first fault.
func (s *scanner) fail(code report.Code, what string, at int) bool {
	if s.fault == nil {
		s.fault = &report.Notice{Code: code, Text: what, At: int64(at)}
	}
	return false
}

// expected fails with what should stand here.
func (s *scanner) expected(what string) bool {
	line, at := place(s.src, s.at)
	sentence := "This is not valid JSON: on line " + line + ", at byte " + at + ", " + what + " is expected."
	if s.at >= len(s.src) {
		sentence = "This is not valid JSON: at its end, on line " + line + ", at byte " + at + ", " + what + " is expected."
	}
	return s.fail(report.NotParsed, sentence, s.at)
}

// place returns the line of an offset and the byte in that line, both from 1.
func place(src []byte, at int) (line, column string) {
	n, begin := 1, 0
	for i, c := range src[:min(at, len(src))] {
		if c == '\n' {
			n, begin = n+1, i+1
		}
	}
	return strconv.Itoa(n), strconv.Itoa(at - begin + 1)
}

func (s *scanner) space() {
	for s.at < len(s.src) {
		switch s.src[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

// next returns the byte after white space, or 0 at the end.
func (s *scanner) next() byte {
	s.space()
	if s.at == len(s.src) {
		return 0
	}
	return s.src[s.at]
}

// value reads a scalar, or opens a container and goes on to its first value. It reports
// whether a value has just ended.
func (s *scanner) value() bool {
	for {
		switch c := s.next(); c {
		case '{', '[':
			if len(s.stack) == s.depth {
				return s.fail(report.TooDeep, "This JSON nests more than "+strconv.Itoa(s.depth)+" levels deep.", s.at)
			}
			s.stack = append(s.stack, Kind(c))
			s.out.open(Kind(c), s.at)
			s.at++
			if s.closes() {
				return true
			}
			if c == '{' && !s.member() {
				return false
			}
		default:
			return s.scalar(c)
		}
	}
}

// closes reads the end of the innermost container, if it stands here.
func (s *scanner) closes() bool {
	top := s.stack[len(s.stack)-1]
	if s.next() != byte(top)+2 { // { and }, [ and ] are two apart
		return false
	}
	s.at++
	s.stack = s.stack[:len(s.stack)-1]
	s.out.close(s.at)
	return true
}

// member reads a key and its colon.
func (s *scanner) member() bool {
	if s.next() != '"' {
		return s.expected("a key in quotes")
	}
	start := s.at
	if !s.text() {
		return false
	}
	s.out.key(start, s.at)
	if s.next() != ':' {
		return s.expected("a colon after the key")
	}
	s.at++
	return true
}

// after reads what follows a value, until another value must begin.
func (s *scanner) after() bool {
	for len(s.stack) > 0 {
		if s.closes() {
			continue
		}
		object := s.stack[len(s.stack)-1] == Object
		if s.next() != ',' {
			if object {
				return s.expected("a comma or }")
			}
			return s.expected("a comma or ]")
		}
		s.at++
		return !object || s.member()
	}
	if s.next(); s.at < len(s.src) {
		return s.expected("nothing more")
	}
	return false
}

func (s *scanner) scalar(c byte) bool {
	start, kind, ok := s.at, Literal, false
	switch {
	case c == '"':
		kind, ok = String, s.text()
	case c == '-' || c >= '0' && c <= '9':
		kind, ok = Number, s.number()
	default:
		ok = s.literal()
	}
	if ok {
		s.out.scalar(kind, start, s.at)
	}
	return ok
}

func (s *scanner) literal() bool {
	rest := s.src[s.at:]
	for _, word := range []string{"true", "false", "null"} {
		if len(rest) >= len(word) && string(rest[:len(word)]) == word {
			s.at += len(word)
			return true
		}
	}
	return s.expected("a value")
}

func (s *scanner) number() bool {
	if s.src[s.at] == '-' {
		s.at++
	}
	if s.at < len(s.src) && s.src[s.at] == '0' {
		s.at++
	} else if !s.digits() {
		return false
	}
	if s.at < len(s.src) && s.src[s.at] == '.' {
		s.at++
		if !s.digits() {
			return false
		}
	}
	if s.at < len(s.src) && s.src[s.at]|0x20 == 'e' {
		s.at++
		if s.at < len(s.src) && (s.src[s.at] == '+' || s.src[s.at] == '-') {
			s.at++
		}
		return s.digits()
	}
	return true
}

func (s *scanner) digits() bool {
	start := s.at
	for s.at < len(s.src) && s.src[s.at] >= '0' && s.src[s.at] <= '9' {
		s.at++
	}
	return s.at > start || s.expected("a digit")
}

// text reads a string with its quotes.
func (s *scanner) text() bool {
	for s.at++; s.at < len(s.src); s.at++ {
		switch c := s.src[s.at]; {
		case c == '"':
			s.at++
			return true
		case c < 0x20:
			return s.expected("no bare control character; it is written as an escape")
		case c == '\\':
			s.at++
			if !s.escape() {
				return false
			}
		}
	}
	return s.expected("a closing quote")
}

// escape reads the rest of an escape; the last byte of it stays for the caller to pass.
func (s *scanner) escape() bool {
	if s.at == len(s.src) {
		return s.expected("the rest of an escape")
	}
	switch s.src[s.at] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		for range 4 {
			s.at++
			if s.at == len(s.src) || !isHex(s.src[s.at]) {
				return s.expected("a hexadecimal digit")
			}
		}
		return true
	}
	return s.expected(`one of " \ / b f n r t u after a backslash`)
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}
