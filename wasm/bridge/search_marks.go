package bridge

import (
	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// Marks stand for how words begin and which stand together. A block of records keeps a bit for each mark of its texts; what a
// search looks for has marks of its own, and where one of them is missing nothing of the block can match. The beginnings of one
// and two ASCII letters have bits of their own, because nothing else tells about so short a word; all others share bits by
// their hashes.
const (
	exact  = 36 + 36*36
	shared = 1 << 16
	basis  = 2166136261 // of FNV-1a
)

// marked reports whether the beginning of a word has a mark, by its length in bytes: in all, those of long words are few.
func marked(n int) bool { return n <= 12 || n <= 32 && n%4 == 0 }

func mix(h uint32, c byte) uint32 { return (h ^ uint32(c)) * 16777619 }

func spread(h uint32) uint32 { return exact + h*0x9E3779B1>>16 }

var digits = digitTable()

// digitTable numbers small letters and digits from 0; -1 is what is none.
func digitTable() (t [256]int8) {
	for i := range t {
		switch c := byte(i); {
		case c >= '0' && c <= '9':
			t[i] = int8(c - '0')
		case c >= 'a' && c <= 'z':
			t[i] = int8(c-'a') + 10
		default:
			t[i] = -1
		}
	}
	return t
}

// appendMarks writes the marks of folded texts: of each word its beginnings, and with the word before it in the same text its
// first one, two and three bytes.
func appendMarks(dst []uint32, folded []byte) []uint32 {
	word, pair := uint32(basis), uint32(0)
	n, first := 0, 0
	follows := false // another word of the same text
	for i, c := range folded {
		if c == ' ' {
			if follows = n > 0; follows {
				pair = mix(word, ' ')
			}
			word, n = basis, 0
			if i+1 < len(folded) && folded[i+1] == ' ' {
				follows = false
			}
			continue
		}
		word = mix(word, c)
		if n++; !marked(n) {
			continue
		}
		d := int(digits[c])
		switch {
		case n == 1:
			if first = d; d >= 0 {
				dst = append(dst, uint32(d))
			} else {
				dst = append(dst, spread(word))
			}
		case n == 2 && first >= 0 && d >= 0:
			dst = append(dst, uint32(36+first*36+d))
		default:
			dst = append(dst, spread(word))
		}
		if follows && n <= 3 {
			pair = mix(pair, c)
			dst = append(dst, spread(pair))
		}
	}
	return dst
}

// need is what must stand in one text of a record: words that follow each other.
type need struct {
	words  [][]byte // each folded
	whole  bool     // the last one ends there
	plain  bool     // they are ASCII
	folded []byte   // as they stand in folded texts
	marks  []uint32
	other  *need // what will do instead; nil
}

func needOf(words, other string, whole bool) (n need) {
	if other != "" {
		o := needOf(other, "", false)
		n.other = &o
	}
	n.whole, n.plain = whole, true
	n.folded = append(append(n.folded, ' '), words...)
	n.marks = appendMarks(nil, n.folded)
	if whole {
		n.folded = append(n.folded, ' ')
	}
	for from, i := 0, 0; i <= len(words); i++ {
		if i == len(words) || words[i] == ' ' {
			n.words = append(n.words, []byte(words[from:i]))
			from = i + 1
		} else if words[i] >= 0x80 {
			n.plain = false
		}
	}
	return n
}

// may reports whether the words can stand in one of the texts of a line. It says yes to keys as well, and to what a later
// line says otherwise.
func (n *need) may(line []byte) bool {
	if n.other != nil && n.other.may(line) {
		return true
	}
	if n.plain && n.inPlain(line) {
		return true
	}
	return !jsonl.Plain(line) && index(find.AppendFolded(nil, plainText(line)), n.folded) >= 0
}

// marked reports whether a block has all marks of the words, so that they can stand in it.
func (n *need) marked(bits []uint64) bool {
	for _, m := range n.marks {
		if bits[m>>6]&(1<<(m&63)) == 0 {
			return n.other != nil && n.other.marked(bits)
		}
	}
	return true
}

// inPlain looks for ASCII words in a line as it is written. In one without escapes a quote ends every text.
func (n *need) inPlain(line []byte) bool {
	low := n.words[0][0]
	high := low
	if low >= 'a' {
		high = low &^ 0x20
	}
	end := len(line) - len(n.words[0])
	for i := 0; i <= end; i++ {
		if c := line[i]; c != low && c != high {
			continue
		}
		if (i == 0 || !alphanumeric(line[i-1])) && n.at(line[i:]) {
			return true
		}
	}
	return false
}

func (n *need) at(line []byte) bool {
	i := 0
	for k, word := range n.words {
		if k > 0 {
			begun := i
			for i < len(line) && line[i] != '"' && !alphanumeric(line[i]) {
				i++
			}
			if i == begun {
				return false
			}
		}
		if len(line)-i < len(word) {
			return false
		}
		for j, c := range word {
			if lowerByte(line[i+j]) != c {
				return false
			}
		}
		i += len(word)
	}
	return !n.whole || i == len(line) || !alphanumeric(line[i])
}

func alphanumeric(c byte) bool { return digits[lowerByte(c)] >= 0 }
