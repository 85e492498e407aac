package folder_test

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/figs-web/figs-web/figs/folder"
)

func TestSameBytes(t *testing.T) {
	const block = 64 << 10
	for _, n := range []int{0, 1, block - 1, block, block + 1, 3*block + 7} {
		a := bytes.Repeat([]byte("figs"), n)[:n]
		if same, err := folder.SameBytes(bytes.NewReader(a), iotest.HalfReader(bytes.NewReader(a))); !same || err != nil {
			t.Errorf("%d bytes: %v, %v", n, same, err)
		}
		if same, err := folder.SameBytes(bytes.NewReader(a), bytes.NewReader(append(bytes.Clone(a), 'x'))); same || err != nil {
			t.Errorf("%d bytes and one more: %v, %v", n, same, err)
		}
		for _, at := range []int{0, n / 2, n - 1} {
			if at < 0 || at >= n {
				continue
			}
			b := bytes.Clone(a)
			b[at] ^= 1
			if same, err := folder.SameBytes(bytes.NewReader(a), bytes.NewReader(b)); same || err != nil {
				t.Errorf("%d bytes, other at %d: %v, %v", n, at, same, err)
			}
		}
	}
	broken := errors.New("broken")
	if _, err := folder.SameBytes(bytes.NewReader([]byte("abc")), io.MultiReader(bytes.NewReader([]byte("abc")), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}
