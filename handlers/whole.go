package handlers

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"

	"github.com/figs-web/figs-web/internal/blob"
)

// whole reads the bytes with a hash, and says in place of their end where they are others: what keeps them has
// changed them, or brings something else.
type whole struct {
	io.ReadCloser
	sum    hash.Hash
	sha256 string
}

func newWhole(r io.ReadCloser, want string) *whole { return &whole{r, sha256.New(), want} }

// Read implements io.Reader.
func (w *whole) Read(b []byte) (int, error) {
	n, err := w.ReadCloser.Read(b)
	w.sum.Write(b[:n])
	if err == io.EOF && hex.EncodeToString(w.sum.Sum(nil)) != w.sha256 {
		err = &blob.Damaged{SHA256: w.sha256}
	}
	return n, err
}
