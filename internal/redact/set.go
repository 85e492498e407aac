package redact

import (
	"math"
	"strings"
)

// set is a set of bytes.
type set [4]uint64

func (s *set) has(c byte) bool { return s[c>>6]>>(c&63)&1 != 0 }

func (s *set) add(c byte) { s[c>>6] |= 1 << (c & 63) }

// setOf reads ranges, "a-z0-9_", in which a - that is meant itself stands last.
func setOf(ranges string) *set {
	s := new(set)
	for i := 0; i < len(ranges); i++ {
		from, to := ranges[i], ranges[i]
		if i+2 < len(ranges) && ranges[i+1] == '-' {
			to = ranges[i+2]
			i += 2
		}
		for c := int(from); c <= int(to); c++ {
			s.add(byte(c))
		}
	}
	return s
}

var (
	alnum    = setOf("A-Za-z0-9")
	word     = setOf("A-Za-z0-9_-")
	wordDot  = setOf("A-Za-z0-9_.-")
	base64s  = setOf("A-Za-z0-9+/_-")
	anyHex   = setOf("0-9a-fA-F")
	digits   = setOf("0-9")
	letters  = setOf("A-Za-z")
	mailUser = setOf("A-Za-z0-9.!#$%&'*+/=?^_`{|}~-")
	host     = setOf("A-Za-z0-9.-")
	ipSix    = setOf("0-9a-fA-F:.")
	pem      = setOf("A-Za-z0-9+/=:,. \t\r\n\\-")
	value    = setOf("A-Za-z0-9+/=_.~!@#$%^*?:-")
)

// run is where the bytes of a set end that begin at i, at most n of them.
func (s *set) run(b []byte, i, n int) int {
	for ; i < len(b) && n > 0 && s.has(b[i]); i++ {
		n--
	}
	return i
}

// longest is how many bytes of the set follow each other in b, at most.
func (s *set) longest(b []byte) (most int) {
	for i := 0; i < len(b); i++ {
		end := s.run(b, i, len(b))
		most = max(most, end-i)
		i = max(i, end-1)
	}
	return most
}

// wordSet has the words of a list. Written out as a map each of them would be code of its own, which browsers download.
func wordSet(list string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(list) {
		words[w] = true
	}
	return words
}

// at is a byte of b; 0 outside of it.
func at(b []byte, i int) byte {
	if i < 0 || i >= len(b) {
		return 0
	}
	return b[i]
}

func isAlnum(c byte) bool { return alnum.has(c) || c >= 0x80 }

// mix is what a value is made of.
type mix struct {
	lower, upper, digit, other, distinct int
	entropy                              float64 // bits per byte
}

func mixOf(b []byte) (m mix) {
	var count [256]int
	for _, c := range b {
		count[c]++
		switch {
		case c >= 'a' && c <= 'z':
			m.lower++
		case c >= 'A' && c <= 'Z':
			m.upper++
		case c >= '0' && c <= '9':
			m.digit++
		default:
			m.other++
		}
	}
	for _, n := range count {
		if n > 0 {
			m.distinct++
			p := float64(n) / float64(len(b))
			m.entropy -= p * math.Log2(p)
		}
	}
	return m
}

// classes is how many kinds of characters there are.
func (m mix) classes() (n int) {
	for _, count := range [...]int{m.lower, m.upper, m.digit, m.other} {
		if count > 0 {
			n++
		}
	}
	return n
}
