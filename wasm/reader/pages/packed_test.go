package pages

import (
	"bytes"
	"testing"
)

// FuzzPacked takes bytes for packed pieces, and cuts them into pieces that are packed: both ways lead back.
func FuzzPacked(f *testing.F) {
	f.Add([]byte{}, 1)
	f.Add(pack([]byte("a"), nil, []byte("bc")), 2)
	f.Add([]byte{255, 255, 255, 255, 0}, 3)
	f.Add([]byte{0, 0, 0}, 0)
	f.Fuzz(func(t *testing.T, b []byte, size int) {
		if pieces, ok := unpack(b); ok && !bytes.Equal(pack(pieces...), b) {
			t.Errorf("pack(unpack(%x)) = %x", b, pack(pieces...))
		}
		var cut [][]byte
		for rest := b; len(rest) > 0; {
			n := min(max(0, size)%len(rest), len(rest))
			cut, rest = append(cut, rest[:n]), rest[max(1, n):]
		}
		got, ok := unpack(pack(cut...))
		if !ok || len(got) != len(cut) {
			t.Fatalf("%d pieces come back as %d, %t", len(cut), len(got), ok)
		}
		for i := range cut {
			if !bytes.Equal(got[i], cut[i]) {
				t.Errorf("piece %d is %x, want %x", i, got[i], cut[i])
			}
		}
	})
}

// TestUnpackRefuses what is cut off.
func TestUnpackRefuses(t *testing.T) {
	whole := pack([]byte("one"), []byte("two"))
	for n := range whole {
		if pieces, ok := unpack(whole[:n]); ok && n != 0 && n != 7 {
			t.Errorf("%d of %d bytes are %q", n, len(whole), pieces)
		}
	}
}
