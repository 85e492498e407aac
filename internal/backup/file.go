package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
)

// reader ends with its context, and counts what was read of it.
type reader struct {
	ctx context.Context
	r   io.Reader
	n   func(int)
}

func (r *reader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := r.r.Read(b)
	if r.n != nil {
		r.n(n)
	}
	return n, err
}

// hashed copies to w, which may be nil, and tells what was copied.
func hashed(w io.Writer, r io.Reader) (hash string, size int64, err error) {
	h := sha256.New()
	if w == nil {
		size, err = io.Copy(h, r)
	} else {
		size, err = io.Copy(io.MultiWriter(w, h), r)
	}
	return hex.EncodeToString(h.Sum(nil)), size, err
}

// hashFile is hashed of a file that is on the disk.
func hashFile(ctx context.Context, name string, n func(int)) (hash string, size int64, err error) {
	f, err := os.Open(name)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	return hashed(nil, &reader{ctx, f, n})
}

// flushFile waits until the disk has a file.
func flushFile(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// readSome reads a file that is not expected to be large.
func readSome(r io.Reader, most int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(b)) > most {
		err = errors.New("it is too large")
	}
	return b, err
}
