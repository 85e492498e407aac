package dense

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// scattered are bytes in which nothing comes back.
func scattered(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestPack(t *testing.T) {
	far := scattered(1<<20 + 300_000) // over a segment and windows
	for name, b := range map[string][]byte{
		"nothing": nil, "a byte": {1}, "two": {7, 7}, "every byte": scattered(4096), "one byte again and again": bytes.Repeat([]byte("x"), 1<<20+3),
		"a period": bytes.Repeat([]byte("abc"), 100_000), "far apart": append(append([]byte("a sequence that comes back"), far...), "a sequence that comes back"...),
		"ends with a match": append(far[:1<<20:1<<20], far[:4096]...), "a whole segment again": append(far[:1<<20:1<<20], far[:1<<20]...),
	} {
		packed := Pack(b)
		got, err := Unpack(packed, len(b))
		if err != nil || !bytes.Equal(got, b) {
			t.Errorf("%s: %d bytes come back as %d, %v", name, len(b), len(got), err)
		}
		if again := Pack(b); !bytes.Equal(packed, again) {
			t.Errorf("%s: packed twice it differs", name)
		}
		if len(b) > 0 {
			if _, err := Unpack(packed, len(b)-1); err == nil {
				t.Errorf("%s: more was written than allowed", name)
			}
			if got, err := Unpack(packed[:len(packed)*3/4], len(b)); err == nil && bytes.Equal(got, b) && len(packed) > 400 {
				t.Errorf("%s: a quarter was missing and nobody noticed", name)
			}
		}
	}
	if n := len(Pack(append(far[:1<<20:1<<20], far[:1<<20]...))); n > 1<<20+32<<10 {
		t.Errorf("a segment that comes back takes %d bytes", n)
	}
}

// FuzzPack gives any bytes: they come back, and damaged ones are an error or other bytes, and no panic.
func FuzzPack(f *testing.F) {
	f.Add([]byte("0123456789abcdef, 0123456789abcdef, 0123456789abcdefg"), uint16(9))
	f.Add(bytes.Repeat([]byte("abc"), 40), uint16(0))
	f.Add(scattered(300), uint16(77))
	f.Fuzz(func(t *testing.T, b []byte, at uint16) {
		packed := Pack(b)
		if got, err := Unpack(packed, len(b)); err != nil || !bytes.Equal(got, b) {
			t.Fatalf("%q comes back as %q, %v", b, got, err)
		}
		if i := int(at) % (len(packed) * 8); i >= 32 { // past the size, which is no secret of the format
			packed[i/8] ^= 1 << (i % 8)
			Unpack(packed, len(b))
		}
		Unpack(b, 1<<16)
	})
}
