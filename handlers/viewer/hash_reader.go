package viewer

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"

	"github.com/figs-web/figs-web/internal/blob"
)

// hashReader reads the bytes with a hash, and says in place of their end where they are others: what keeps them has
// changed them, or brings something else.
type hashReader struct {
	io.ReadCloser
	sum    hash.Hash
	sha256 string
}

// NewHashReader reads r and fails at its end when its hash is not want.
func NewHashReader(r io.ReadCloser, want string) *hashReader {
	return &hashReader{r, sha256.New(), want}
}

// Read implements io.Reader.
func (w *hashReader) Read(b []byte) (int, error) {
	n, err := w.ReadCloser.Read(b)
	w.sum.Write(b[:n])
	if err == io.EOF && hex.EncodeToString(w.sum.Sum(nil)) != w.sha256 {
		err = &blob.DamagedError{SHA256: w.sha256}
	}
	return n, err
}
