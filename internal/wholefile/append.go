package wholefile

import (
	"errors"
	"io"
	"os"
)

// Appender appends to ledgers. Its zero value is ready.
type Appender struct {
	Write func(*os.File, []byte) (int, error) // by one call of the system; nil: the system's own
}

// ErrPartialLine says that a write failed in the middle, and that its part could not be taken back.
var ErrPartialLine = errors.New("a part of a line is left at the end of the file")

// Append appends whole lines to a file that is open for appending, and waits until the disk has them. When a write
// fails, what it wrote is cut off again, unless another program has written behind it: the error is ErrPartialLine then.
// The caller holds the ledger's lock. n is how many bytes of b are in the file at the end.
func (a Appender) Append(f *os.File, b []byte) (n int, err error) {
	before, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if err := reserve(f, int64(len(b))); IsFull(err) {
		return 0, err // and nothing is written
	}
	write := a.Write
	if write == nil {
		write = writeOnce
	}
	for n < len(b) { // one call writes all, as long as there is room
		k, err := write(f, b[n:])
		n += max(0, k)
		if err == nil && k <= 0 {
			err = io.ErrShortWrite
		}
		if err == nil && n < len(b) {
			err = follows(f, before.Size()+int64(n))
		}
		if err != nil && n < len(b) {
			return takeBack(f, before.Size(), n, err)
		}
	}
	return n, f.Sync()
}

// follows checks that the next write would stand right behind the last one.
func follows(f *os.File, end int64) error {
	now, err := f.Stat()
	if err == nil && now.Size() != end {
		err = errors.New("another program writes to the file without its lock")
	}
	return err
}

func takeBack(f *os.File, size int64, n int, cause error) (int, error) {
	if n == 0 {
		return 0, cause
	}
	if err := follows(f, size+int64(n)); err != nil {
		return n, errors.Join(ErrPartialLine, cause, err)
	}
	if err := errors.Join(f.Truncate(size), f.Sync()); err != nil {
		return n, errors.Join(ErrPartialLine, cause, err)
	}
	return 0, cause
}
