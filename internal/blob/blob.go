// Package blob keeps the bytes of attachments by their SHA-256: what a person approves is named
// by what it holds, so that it cannot become something else. It knows no names, agents or
// workspaces; who may read what is for whoever asks.
package blob

import (
	"context"
	"errors"
	"io"
)

// ErrNotFound says that there are no bytes with that hash.
var ErrNotFound = errors.New("blob: not found")

// ErrTooLarge says that a writer gave more bytes than it was allowed; nothing of them is kept.
var ErrTooLarge = errors.New("blob: too large")

// ErrUnavailable says that whatever keeps the bytes cannot be reached, or fails, at this moment: they
// are not lost, and asking again later may do.
var ErrUnavailable = errors.New("blob: not to be had at this moment")

// DamagedError says that what is kept under a hash holds other bytes.
type DamagedError struct{ SHA256 string }

func (d *DamagedError) Error() string {
	return "blob: the file stored as " + d.SHA256 + " has different bytes"
}

// Store keeps bytes. Its methods may be called from several goroutines and several programs.
type Store interface {
	// Put reads everything and keeps it, at most max bytes, and returns its hash in lower-case
	// hex and its size. When it returns, the bytes survive a loss of power, wherever they are
	// kept. An error keeps nothing. Bytes that are there already are not written again.
	Put(ctx context.Context, r io.Reader, max int64) (sha256 string, size int64, err error)
	// Open begins to read the bytes with that hash, or returns ErrNotFound. Over a network, a Read
	// may also fail with ErrUnavailable, *DamagedError, or the error of ctx. A caller that shows the
	// bytes to a person must compare them with the hash.
	Open(ctx context.Context, sha256 string) (r io.ReadSeekCloser, size int64, err error)
	// Remove takes the bytes with that hash away, for good; where there are none it does nothing.
	// Whoever reads them at that moment reads them to their end, or gets ErrNotFound.
	Remove(ctx context.Context, sha256 string) error
}

// Valid reports whether a hash is 64 lower-case hex digits, so that it can be part of a path.
func Valid(hash string) bool {
	if len(hash) != 64 {
		return false
	}
	for i := range len(hash) {
		if c := hash[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
