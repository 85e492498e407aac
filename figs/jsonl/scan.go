package jsonl

import (
	"math/bits"
	"unsafe"
)

// MaxDepth is how deep arrays and objects may nest; it is the limit of encoding/json.
const MaxDepth = 10_000

// Status says what a line turned out to be.
type Status uint8

const (
	// Whole is one JSON object; its members are in Scanner.Members.
	Whole Status = iota
	// Blank holds nothing but what JavaScript's trim removes.
	Blank
	// NotObject is a valid JSON value of another kind.
	NotObject
	// Incomplete is the beginning of a JSON text that ends too early.
	Incomplete
	// Broken is no beginning of any JSON text.
	Broken
	// TooDeep nests deeper than MaxDepth.
	TooDeep
)

// Line is one line of a buffer. All positions are indexes into that buffer.
type Line struct {
	Status     Status
	NonASCII   bool // a byte of the line may be outside ASCII, or DEL; never false when one is
	Escaped    bool // a string of the line may have a backslash
	Stray      bool // of Follow: a comma or full stop may begin a string, or follow a space or an opening bracket in one
	Start, End int  // the trimmed text
	Next       int  // where the next line starts
	At         int  // where reading failed, for Incomplete, Broken and TooDeep
}

// Member is one member of the line's object. Positions are indexes into the buffer; the key
// stands without its quotes, the value as written.
type Member struct {
	KeyStart, KeyEnd     uint32
	ValueStart, ValueEnd uint32
	Kind                 Kind
	KeyEscaped           bool
	Escaped              bool // the value is a string with a backslash
}

// Scanner reads lines. Its zero value is ready; it may be used for many buffers, one at a
// time. Members belongs to the last line that was scanned.
type Scanner struct {
	Members []Member
	stack   []bool               // true: object; only below nested
	high    uint64               // bits of all string bytes of the line, for NonASCII
	escaped bool                 // the last string had a backslash
	slashes bool                 // some string of the line had one
	shape   *shape               // of the last line, if it was followed
	ends    [maxSlots + 1]uint32 // where its slots end
}

const (
	ones   = 0x0101010101010101
	highs  = 0x8080808080808080
	slants = ones * '\\'
)

// at reads b[i] without a bounds check. Scanning never passes the newline that ends the
// buffer: no branch goes on after one.
func at(p unsafe.Pointer, i int) byte { return *(*byte)(unsafe.Add(p, i)) }

// special marks, in the high bit of its byte, the first quote, backslash or control character of w;
// what it marks above that one means nothing.
func special(w uint64) uint64 {
	const bit, next = ones * ('"' ^ ' '), ones * (' ' + 1) // a quote without this bit is a space; below are control characters
	return (((w ^ bit) - next) | ((w ^ slants) - ones)) &^ w & highs
}

func load8(p unsafe.Pointer, i int) uint64 { return *(*uint64)(unsafe.Add(p, i)) }

// Scan reads the line that starts at i. The buffer must end in a newline and be smaller
// than 4 GiB; i must be inside it.
func (s *Scanner) Scan(b []byte, i int) Line {
	if b[len(b)-1] != '\n' || i < 0 || i >= len(b) {
		panic("jsonl: Scan outside a buffer that ends in a newline")
	}
	p, n := unsafe.Pointer(unsafe.SliceData(b)), len(b)
	s.Members = s.Members[:0]
	s.high, s.slashes, s.shape = 0, false, nil
	i = skipSpace(p, i)
	if at(p, i) != '{' {
		i = trimLeft(b, i)
		if at(p, i) != '{' {
			return s.scanOther(b, i)
		}
	}
	start := i
	end, st := s.object(p, n, i)
	if st != Whole {
		return s.failed(b, start, end, st)
	}
	next := skipSpace(p, end)
	if at(p, next) != '\n' {
		next = trimLeft(b, next)
		if at(p, next) != '\n' {
			return s.failed(b, start, next, Broken)
		}
	}
	return Line{Status: Whole, NonASCII: s.high&highs != 0, Escaped: s.slashes, Start: start, End: end, Next: next + 1}
}

// object reads the members of the object that opens at i and returns the index after it.
func (s *Scanner) object(p unsafe.Pointer, n, i int) (int, Status) {
	i = skipJSONSpace(p, i+1)
	if at(p, i) == '}' {
		return i + 1, Whole
	}
	var high, w uint64
	for {
		if at(p, i) != '"' {
			return i, Broken
		}
		keyStart := i + 1
		keyEscaped := false
		i, w = plain(p, n, keyStart)
		high |= w
		if at(p, i) == '"' {
			i++
		} else {
			if i = s.str(p, n, i); i < 0 {
				return -i, Broken
			}
			keyEscaped = s.escaped
		}
		keyEnd := i - 1
		if at(p, i) != ':' {
			i = skipJSONSpace(p, i)
			if at(p, i) != ':' {
				return i, Broken
			}
		}
		i++
		c := at(p, i)
		if c <= ' ' {
			i = skipJSONSpace(p, i)
			c = at(p, i)
		}
		value, kind := i, kinds[c]
		s.escaped = false
		switch kind {
		case String:
			i, w = plain(p, n, i+1)
			high |= w
			if at(p, i) == '"' {
				i++
			} else {
				i = s.str(p, n, i)
			}
		case Number:
			i = number(p, i)
		case Array, Object:
			var st Status
			if i, st = s.nested(p, n, i); st == TooDeep {
				return i, st
			}
		case None:
			return i, Broken
		default:
			i = literal(p, i, kind)
		}
		if i < 0 {
			return -i, Broken
		}
		s.Members = append(s.Members, Member{uint32(keyStart), uint32(keyEnd), uint32(value), uint32(i), kind, keyEscaped, s.escaped})
		c = at(p, i)
		if c <= ' ' {
			i = skipJSONSpace(p, i)
			c = at(p, i)
		}
		switch c {
		case ',':
			i++
			if at(p, i) <= ' ' {
				i = skipJSONSpace(p, i)
			}
		case '}':
			s.high |= high
			return i + 1, Whole
		default:
			return i, Broken
		}
	}
}

// plain passes the bytes from i on that need no look, eight at a time, and returns them ored
// together. It stops at a quote, backslash or control character, or near the end of the buffer.
func plain(p unsafe.Pointer, n, i int) (int, uint64) {
	var high uint64
	for ; i+8 <= n; i += 8 {
		w := load8(p, i)
		high |= w | (w + ones) // the sum lifts DEL, the one unseen character of ASCII, above it
		if m := special(w); m != 0 {
			return i + bits.TrailingZeros64(m)>>3, high
		}
	}
	return i, high
}

// str reads a string whose first byte after the quote is at i. It returns the index after
// the closing quote, or minus the index where reading failed.
func (s *Scanner) str(p unsafe.Pointer, n, i int) int {
	s.escaped = false
	for {
		var high uint64
		i, high = plain(p, n, i)
		s.high |= high
		c := at(p, i)
		for c != '"' && c != '\\' && c >= ' ' {
			s.high |= uint64(c) | (uint64(c) + 1)
			i++
			c = at(p, i)
		}
		if c == '"' {
			return i + 1
		}
		if c != '\\' {
			return -i
		}
		s.escaped, s.slashes = true, true
		switch at(p, i+1) {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			i += 2
		case 'u':
			for k := i + 2; k < i+6; k++ {
				if !isHex[at(p, k)] {
					return -k
				}
			}
			i += 6
		default:
			return -(i + 1)
		}
	}
}

// number reads a number at i; the result is as for str.
func number(p unsafe.Pointer, i int) int {
	if at(p, i) == '-' {
		i++
	}
	switch c := at(p, i); {
	case c == '0':
		i++
	case isDigit(c):
		i = digits(p, i)
	default:
		return -i
	}
	if at(p, i) == '.' {
		if !isDigit(at(p, i+1)) {
			return -(i + 1)
		}
		i = digits(p, i+1)
	}
	if c := at(p, i); c|0x20 == 'e' {
		i++
		if c = at(p, i); c == '+' || c == '-' {
			i++
		}
		if !isDigit(at(p, i)) {
			return -i
		}
		i = digits(p, i)
	}
	return i
}

func digits(p unsafe.Pointer, i int) int {
	for isDigit(at(p, i)) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return c-'0' < 10 }

// literal reads true, false or null at i; the result is as for str.
func literal(p unsafe.Pointer, i int, kind Kind) int {
	word := "null"
	switch kind {
	case True:
		word = "true"
	case False:
		word = "false"
	}
	for k := 0; k < len(word); k++ {
		if at(p, i+k) != word[k] {
			return -(i + k)
		}
	}
	return i + len(word)
}

// nested reads an array or object at i, however deep, without recursion.
func (s *Scanner) nested(p unsafe.Pointer, n, i int) (int, Status) {
	s.stack = s.stack[:0]
	var high, w uint64
	wantKey := false
	for {
		// One value, or the end of a container that has just opened.
		c := at(p, i)
		if c <= ' ' {
			i = skipJSONSpace(p, i)
			c = at(p, i)
		}
		if wantKey {
			if c != '"' {
				return -i, Broken
			}
			i, w = plain(p, n, i+1)
			high |= w
			if at(p, i) == '"' {
				i++
			} else if i = s.str(p, n, i); i < 0 {
				return i, Broken
			}
			if at(p, i) != ':' {
				if i = skipJSONSpace(p, i); at(p, i) != ':' {
					return -i, Broken
				}
			}
			i++
			c = at(p, i)
			if c <= ' ' {
				i = skipJSONSpace(p, i)
				c = at(p, i)
			}
		}
		switch kind := kinds[c]; kind {
		case String:
			i, w = plain(p, n, i+1)
			high |= w
			if at(p, i) == '"' {
				i++
			} else {
				i = s.str(p, n, i)
			}
		case Number:
			i = number(p, i)
		case Array, Object:
			if len(s.stack) >= MaxDepth-1 {
				return i, TooDeep
			}
			s.stack = append(s.stack, kind == Object)
			i = skipJSONSpace(p, i+1)
			if at(p, i) != c+2 { // ']' and '}' stand two after '[' and '{'
				wantKey = kind == Object
				continue
			}
			s.stack = s.stack[:len(s.stack)-1]
			i++
		case None:
			return -i, Broken
		default:
			i = literal(p, i, kind)
		}
		if i < 0 {
			return i, Broken
		}
		// After a value: close what ends here, then go on with the next one.
		for {
			if len(s.stack) == 0 {
				s.escaped = false
				s.high |= high
				return i, Whole
			}
			wantKey = s.stack[len(s.stack)-1]
			c = at(p, i)
			if c <= ' ' {
				i = skipJSONSpace(p, i)
				c = at(p, i)
			}
			if c == ',' {
				i++
				break
			}
			if wantKey && c != '}' || !wantKey && c != ']' {
				return -i, Broken
			}
			s.stack = s.stack[:len(s.stack)-1]
			i++
		}
	}
}

// scanOther reads a line that starts with anything but an object.
func (s *Scanner) scanOther(b []byte, i int) Line {
	p := unsafe.Pointer(unsafe.SliceData(b))
	c := at(p, i)
	if c == '\n' {
		return Line{Status: Blank, Start: i, End: i, Next: i + 1}
	}
	start, kind := i, kinds[c]
	st := Whole
	switch kind {
	case String:
		i = s.str(p, len(b), i+1)
	case Number:
		i = number(p, i)
	case Array:
		i, st = s.nested(p, len(b), i)
	case None:
		i = -i
	default:
		i = literal(p, i, kind)
	}
	switch {
	case st == TooDeep:
		return s.failed(b, start, i, TooDeep)
	case i <= 0:
		return s.failed(b, start, -i, Broken)
	}
	end := i
	if i = trimLeft(b, i); at(p, i) != '\n' {
		return s.failed(b, start, i, Broken)
	}
	return Line{Status: NotObject, NonASCII: s.high&highs != 0, Escaped: s.slashes, Start: start, End: end, Next: i + 1}
}

// failed describes a line that could not be read beyond at. A text of which only white
// space is left there was cut off; any other is broken.
func (s *Scanner) failed(b []byte, start, at int, st Status) Line {
	s.Members = s.Members[:0]
	nl := at + IndexNewline(b[at:])
	if st == Broken && trimLeft(b, at) == nl {
		st = Incomplete
	}
	end := trimRight(b, start, nl)
	return Line{Status: st, NonASCII: true, Escaped: true, Start: start, End: end, Next: nl + 1, At: min(at, end)}
}

func skipSpace(p unsafe.Pointer, i int) int {
	for isSpace[at(p, i)] {
		i++
	}
	return i
}

func skipJSONSpace(p unsafe.Pointer, i int) int {
	for c := at(p, i); c == ' ' || c == '\t' || c == '\r'; c = at(p, i) {
		i++
	}
	return i
}

var kinds = [256]Kind{'"': String, '{': Object, '[': Array, 't': True, 'f': False, 'n': Null, '-': Number,
	'0': Number, '1': Number, '2': Number, '3': Number, '4': Number, '5': Number, '6': Number, '7': Number, '8': Number, '9': Number}

// isSpace holds the ASCII part of what JavaScript's trim removes, but for the newline.
var isSpace = [256]bool{' ': true, '\t': true, '\r': true, '\v': true, '\f': true}

var isHex = [256]bool{'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true,
	'a': true, 'b': true, 'c': true, 'd': true, 'e': true, 'f': true, 'A': true, 'B': true, 'C': true, 'D': true, 'E': true, 'F': true}

// IndexNewline returns the index of the first newline, or -1.
func IndexNewline(b []byte) int {
	p, i := unsafe.Pointer(unsafe.SliceData(b)), 0
	for ; i+8 <= len(b); i += 8 {
		w := load8(p, i) ^ ones*'\n'
		if m := (w - ones) &^ w & highs; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for ; i < len(b); i++ {
		if b[i] == '\n' {
			return i
		}
	}
	return -1
}
