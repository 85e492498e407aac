// Package lock keeps programs apart that work on the same files. A lock ends with the program that
// holds it, however that ends, and leaves nothing behind that would have to be cleared away.
package lock

import (
	"context"
	"errors"
	"os"
	"time"
)

// ErrHeld says that another program holds the lock.
var ErrHeld = errors.New("lock: another program holds it")

// ErrUnable says that the file system knows no locks, as some of other machines do not.
var ErrUnable = errors.New("lock: the file system knows no locks")

// ErrShared says that a folder is no folder of this user alone: a link, another user's, or one that others
// may write to.
var ErrShared = errors.New("lock: the folder is not this user's alone")

// Create opens a file for this program alone, and makes it when it is not there. The lock ends
// when the file is closed. It returns ErrHeld when another program has it.
func Create(name string) (*os.File, error) { return create(name) }

// Folder locks a folder that is there, until the file is closed. Where the system can, the lock is the folder's
// own: there is no file in it that somebody could remove or plant. It returns ErrHeld when another program has
// it, ErrShared when others have a say in the folder, and fs.ErrNotExist also when it was removed meanwhile.
func Folder(name string) (*os.File, error) { return folder(name) }

// Try takes the lock of an open file at once, until the file is closed, or returns ErrHeld.
func Try(f *os.File) error { return try(f) }

// retry is how soon a lock that is held is tried again.
const retry = 5 * time.Millisecond

// Wait takes the lock of an open file, which ends when the file is closed, and waits for it until
// ctx ends. Whoever does not ask for the lock reads and writes the file as if there was none.
func Wait(ctx context.Context, f *os.File) error {
	for {
		if err := try(f); !errors.Is(err, ErrHeld) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(ErrHeld, ctx.Err())
		case <-time.After(retry):
		}
	}
}
