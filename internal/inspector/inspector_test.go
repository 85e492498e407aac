package inspector

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/andybalholm/brotli"
)

// TestCarried holds with and without the modules: either all of it is there and agrees, or
// every question is answered with ErrMissing.
func TestCarried(t *testing.T) {
	file, err := File()
	if errors.Is(err, ErrMissing) {
		if _, err := Brotli(); !errors.Is(err, ErrMissing) {
			t.Errorf("Brotli() = %v, want ErrMissing as from File", err)
		}
		if _, err := Policy(); !errors.Is(err, ErrMissing) {
			t.Errorf("Policy() = %v, want ErrMissing as from File", err)
		}
		return
	}
	r, err := Check(file)
	if err != nil || !r.Carried || len(r.Problems) > 0 {
		t.Errorf("Check(File()) = %+v, %v, want the carried file without a problem; if the page was changed, run make wasm first", r, err)
	}
	small, err := Brotli()
	if err != nil {
		t.Fatalf("Brotli() = %v", err)
	}
	plain, err := io.ReadAll(brotli.NewReader(bytes.NewReader(small)))
	if err != nil || !bytes.Equal(plain, file) {
		t.Errorf("Brotli() does not hold File() (%v)", err)
	}
}
