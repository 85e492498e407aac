package artifact

import (
	"bytes"
	"testing"
)

func TestSqueeze(t *testing.T) {
	far := bytes.Repeat([]byte{0}, 0)
	for i := range 70_000 { // no sequence of it comes back
		far = append(far, byte(i), byte(i>>8), byte(i>>16), byte(i*7>>3))
	}
	for name, b := range map[string][]byte{
		"nothing": nil, "a byte": {1}, "the shortest match": []byte("0123456789abcdef0123456789abcdef"), "one too short": []byte("0123456789abcde0123456789abcde"),
		"a match in itself": bytes.Repeat([]byte("x"), 1000), "far apart": append(append([]byte("a sequence that comes back"), far...), "a sequence that comes back"...),
	} {
		packed := squeeze(b)
		if got, err := expand(packed, 1<<20); err != nil || !bytes.Equal(got, b) {
			t.Errorf("%s: %d bytes come back as %d, %v", name, len(b), len(got), err)
		}
		if name == "far apart" && len(packed) > len(b)+headLength-10 {
			t.Errorf("%s: %d bytes of %d: the repetition was not found", name, len(packed), len(b))
		}
	}
	if _, err := expand(squeeze(make([]byte, 100)), 99); err == nil {
		t.Error("more was written than allowed")
	}
}

func FuzzSqueeze(f *testing.F) {
	f.Add([]byte("0123456789abcdef, 0123456789abcdef, 0123456789abcdefg"))
	f.Add(bytes.Repeat([]byte("abc"), 40))
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, err := expand(squeeze(b), len(b)); err != nil || !bytes.Equal(got, b) {
			t.Fatalf("%q comes back as %q, %v", b, got, err)
		}
		expand(b, 1<<16) // damaged bytes are an error and no panic
	})
}
