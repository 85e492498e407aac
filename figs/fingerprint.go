package figs

import (
	"math/bits"
	"unsafe"

	"github.com/figs-web/figs-web/figs/jsonl"
)

// FingerprintKey is the key of a print, 128 bits that nobody else knows: whoever knew it could write a line that prints like
// another.
type FingerprintKey [2]uint64

// Fingerprint tells the lines of a folder's ledgers apart without holding their text: a keyed hash of 62 bits for each
// physical line, blank ones too, without a byte order mark before the first, and two bits beside it, lineCR and lineVeil. Prints compare only with prints under the
// same key.
type Fingerprint struct {
	check   uint64 // tells the key apart from others
	blank   uint64 // what a blank line prints like
	ledgers [Ledgers]linePrint
}

// What stands beside the hash of a line, in its lowest bits.
const (
	// lineCR: it ends in CR LF. A checkout on another system makes it so, and not a word of the line is another: the CR is
	// not hashed.
	lineCR = 1 << iota
	// lineVeil: a placeholder stands in it where words were, as in a copy that was made to be shared.
	lineVeil
	lineBits = lineCR | lineVeil
)

// linePrint is the print of one ledger.
type linePrint struct {
	fed    bool
	torn   bool     // the last line was an incomplete text
	tail   int      // bytes of the last line when no line feed ends it
	lines  int      // that are not blank, as Folder.Lines counts them
	hashes []uint64 // of each line without its line feed, and its bits
	starts []int64  // where each begins; nil in a print that was kept
}

// Fingerprint makes the print of what was read. The folder must have been read with Options.Keep, and to its end.
func (f *Folder) Print(key FingerprintKey) *Fingerprint {
	p := &Fingerprint{check: key.hash([]byte(printMark)), blank: key.line(nil)}
	for i := range p.ledgers {
		l, to := &f.ledgers[i], &p.ledgers[i]
		to.fed, to.torn, to.lines = f.fed[i], l.tornEnd, l.lines.n
		var carry []byte
		begun := int64(0)
		for _, c := range l.chunks {
			for at := 0; ; {
				n := jsonl.IndexNewline(c.b[at:])
				if n < 0 {
					carry = append(carry, c.b[at:]...)
					break
				}
				line := c.b[at : at+n]
				if len(carry) > 0 {
					carry = append(carry, line...)
					line = carry
				}
				if begun == 0 {
					line = withoutMark(line)
				}
				to.add(key.line(line), begun)
				carry = carry[:0]
				at += n + 1
				begun = c.off + int64(at)
			}
		}
		if begun == 0 {
			carry = withoutMark(carry)
		}
		if to.tail = len(carry); to.tail > 0 {
			to.add(key.line(carry), begun)
		}
	}
	return p
}

func (p *linePrint) add(hash uint64, start int64) {
	p.hashes = append(p.hashes, hash)
	p.starts = append(p.starts, start)
}

// Lines returns how many physical lines of a ledger the print holds, blank ones too.
func (p *Fingerprint) Lines(file File) int { return len(p.ledgers[file].hashes) }

// PhysicalLine returns the bytes of line n of a ledger, from 1, without its line feed; p is the folder's own print.
func (f *Folder) PhysicalLine(p *Fingerprint, file File, n int) []byte {
	l := &p.ledgers[file]
	if n < 1 || n > len(l.starts) {
		return nil
	}
	start, end := l.starts[n-1], f.Size(file)
	if n < len(l.starts) {
		end = l.starts[n] - 1
	} else if l.tail == 0 {
		end--
	}
	return f.ledgers[file].bytes(start, int(end-start))
}

// line is the hash of a line with its bits.
func (k *FingerprintKey) line(b []byte) uint64 {
	bits := uint64(0)
	if n := len(b); n > 0 && b[n-1] == '\r' {
		b, bits = b[:n-1], lineCR
	}
	if onlySpace(b) {
		b = nil
	}
	if veiled(b) {
		bits |= lineVeil
	}
	return k.hash(b)&^lineBits | bits
}

// onlySpace reports whether a line holds nothing but spaces and tabs.
func onlySpace(b []byte) bool {
	for _, c := range b {
		if c != ' ' && c != '\t' {
			return false
		}
	}
	return true
}

// withoutMark is the beginning of a file without its byte order mark.
func withoutMark(b []byte) []byte {
	if len(b) >= 3 && b[0] == 0xef && b[1] == 0xbb && b[2] == 0xbf {
		return b[3:]
	}
	return b
}

// veiled reports whether a placeholder stands in a text: a rule's name in small letters and a number, "[email-1]".
func veiled(b []byte) bool {
	const ones, brackets = 0x0101010101010101, 0x5b5b5b5b5b5b5b5b
	p := unsafe.Pointer(unsafe.SliceData(b))
	for i := 0; i < len(b); i++ {
		for i+8 <= len(b) { // eight at once, as long as none of them is a bracket
			x := *(*uint64)(unsafe.Add(p, i)) ^ brackets
			if (x-ones)&^x&(ones<<7) != 0 {
				break
			}
			i += 8
		}
		if i < len(b) && b[i] == '[' && placeholder(b[i+1:]) {
			return true
		}
	}
	return false
}

// placeholder reports whether a text goes on as one behind its bracket.
func placeholder(b []byte) bool {
	n := 0
	for n < len(b) && (b[n]-'a' < 26 || b[n] == '-') {
		n++
	}
	end := n
	for end < len(b) && b[end]-'0' < 10 {
		end++
	}
	return n > 1 && b[0] != '-' && b[n-1] == '-' && end > n && end < len(b) && b[end] == ']'
}

// hash is SipHash-2-4, which stays unforgeable for whoever does not know the key.
func (k *FingerprintKey) hash(b []byte) uint64 {
	v0, v1, v2, v3 := k[0]^0x736f6d6570736575, k[1]^0x646f72616e646f6d, k[0]^0x6c7967656e657261, k[1]^0x7465646279746573
	p, n := unsafe.Pointer(unsafe.SliceData(b)), len(b)
	last := uint64(n) << 56
	for i := n &^ 7; i < n; i++ {
		last |= uint64(b[i]) << (8 * (i & 7))
	}
	for i := 0; i <= n; i += 8 {
		m := last
		if i+8 <= n {
			m = *(*uint64)(unsafe.Add(p, i))
		}
		v3 ^= m
		for range 2 {
			v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
		}
		v0 ^= m
	}
	v2 ^= 0xff
	for range 4 {
		v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	}
	return v0 ^ v1 ^ v2 ^ v3
}

func sipRound(v0, v1, v2, v3 uint64) (uint64, uint64, uint64, uint64) {
	v0 += v1
	v1 = bits.RotateLeft64(v1, 13) ^ v0
	v0 = bits.RotateLeft64(v0, 32)
	v2 += v3
	v3 = bits.RotateLeft64(v3, 16) ^ v2
	v0 += v3
	v3 = bits.RotateLeft64(v3, 21) ^ v0
	v2 += v1
	v1 = bits.RotateLeft64(v1, 17) ^ v2
	v2 = bits.RotateLeft64(v2, 32)
	return v0, v1, v2, v3
}

// printMark begins a print that is kept, and names its form.
const printMark = "figs-print 2\n"

// AppendFingerprint appends a print as it is kept: eight bytes that tell its key apart, eight for a blank line, then per ledger a byte of flags, three numbers of four bytes, the lowest byte
// first (lines that are not blank, bytes of an unfinished last line, physical lines), then eight bytes for each line.
func AppendFingerprint(dst []byte, p *Fingerprint) []byte {
	dst = appendLittle(appendLittle(append(dst, printMark...), p.check), p.blank)
	for i := range p.ledgers {
		l := &p.ledgers[i]
		flags := byte(0)
		if l.fed {
			flags = 1
		}
		if l.torn {
			flags |= 2
		}
		dst = append(dst, flags)
		for _, n := range [...]int{l.lines, l.tail, len(l.hashes)} {
			dst = append(dst, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
		}
		for _, h := range l.hashes {
			dst = appendLittle(dst, h)
		}
	}
	return dst
}

func appendLittle(dst []byte, v uint64) []byte {
	return append(dst, byte(v), byte(v>>8), byte(v>>16), byte(v>>24), byte(v>>32), byte(v>>40), byte(v>>48), byte(v>>56))
}

// ReadFingerprint reads what AppendFingerprint wrote; ok is false for anything else.
func ReadFingerprint(b []byte) (p *Fingerprint, ok bool) {
	if len(b) < len(printMark)+16 || string(b[:len(printMark)]) != printMark {
		return nil, false
	}
	b = b[len(printMark):]
	p = &Fingerprint{check: little(b[:8]), blank: little(b[8:16])}
	b = b[16:]
	for i := range p.ledgers {
		if len(b) < 13 {
			return nil, false
		}
		l := &p.ledgers[i]
		l.fed, l.torn = b[0]&1 != 0, b[0]&2 != 0
		l.lines, l.tail = int(little(b[1:5])), int(little(b[5:9]))
		n := int(little(b[9:13]))
		b = b[13:]
		if n > len(b)/8 {
			return nil, false
		}
		l.hashes = make([]uint64, n)
		for j := range l.hashes {
			l.hashes[j] = little(b[8*j : 8*j+8])
		}
		b = b[8*n:]
	}
	return p, len(b) == 0
}

// Fits reports whether two fingerprints were made with the same key.
func (p *Fingerprint) Fits(q *Fingerprint) bool { return p.check == q.check }

// Equal reports whether two prints with the same key are of the same bytes, as far as hashes tell.
func (p *Fingerprint) Equal(q *Fingerprint) bool {
	for i := range p.ledgers {
		a, b := &p.ledgers[i], &q.ledgers[i]
		if a.fed != b.fed || a.tail != b.tail || len(a.hashes) != len(b.hashes) {
			return false
		}
		for j := range a.hashes {
			if a.hashes[j] != b.hashes[j] {
				return false
			}
		}
	}
	return true
}

// Begins reports whether the lines of p may be the beginning of those of q, blank ones aside: a last line without an end
// may have become any other.
func (p *Fingerprint) Begins(q *Fingerprint) bool {
	for i := range p.ledgers {
		a, at := p.ledgers[i].records(p.blank)
		b, _ := q.ledgers[i].records(q.blank)
		n := len(a)
		if n > 0 && p.ledgers[i].tail > 0 && numberOf(at, n) == len(p.ledgers[i].hashes) {
			n--
		}
		if n > len(b) {
			return false
		}
		for j := range n {
			if (a[j]^b[j])&^lineBits != 0 {
				return false
			}
		}
	}
	return true
}

func little(b []byte) (v uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		v = v<<8 | uint64(b[i])
	}
	return v
}
