package pushapi

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"sync/atomic"
)

const (
	inMemory       = 8 << 20  // bytes of one body that stay in memory while it comes
	bodiesInMemory = 64 << 20 // of all bodies together
	firstPiece     = 512 << 10
)

// budget is memory that bodies share.
type budget struct{ left atomic.Int64 }

func newBudget(n int64) *budget {
	b := &budget{}
	b.give(n)
	return b
}

func (b *budget) take(n int64) bool {
	if b.left.Add(-n) < 0 {
		b.left.Add(n)
		return false
	}
	return true
}

func (b *budget) give(n int64) { b.left.Add(n) }

// spool is a body that was read whole: in memory, or in a temporary file when it is large or
// many come at once, so that slow senders hold little.
type spool struct {
	digest string // SHA-256 in hex
	size   int64
	memory []byte
	file   *os.File
	named  bool // the file has a name still
	budget *budget
	taken  int64 // of the budget
}

// spool reads everything. hint is how much that will be, as somebody says who may lie.
func (w *Wire) spool(from io.Reader, hint int64) (*spool, error) {
	s := &spool{budget: w.memory}
	if err := s.read(from, hint, w.Temp); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *spool) read(from io.Reader, hint int64, temp string) error {
	hash := sha256.New()
	var piece []byte // when the body goes on in a file
	for {
		room := piece
		if s.file == nil {
			if cap(s.memory)-len(s.memory) < 2 && !s.grow(hint) {
				if err := s.moveToFile(temp); err != nil {
					return err
				}
				piece = make([]byte, firstPiece)
				continue
			}
			room = s.memory[len(s.memory) : cap(s.memory)-1] // figs ends the body with a line break of its own
		}
		n, err := from.Read(room)
		hash.Write(room[:n])
		s.size += int64(n)
		if s.file == nil {
			s.memory = s.memory[:len(s.memory)+n]
		} else if _, err := s.file.Write(room[:n]); err != nil {
			return err
		}
		if err == io.EOF {
			s.digest = hex.EncodeToString(hash.Sum(nil))
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// grow gives the memory more room, and reports false when that is not to be.
func (s *spool) grow(hint int64) bool {
	next := int64(2 * cap(s.memory))
	switch {
	case next == 0 && hint > 0:
		next = min(hint+2, firstPiece)
	case next == 0:
		next = 16 << 10
	case hint+2 > int64(cap(s.memory)) && hint <= inMemory:
		next = hint + 2 // as much as was announced: enough of it has come to be believed
	}
	if next > inMemory+2 || !s.budget.take(next-s.taken) {
		return false
	}
	s.taken = next
	s.memory = append(make([]byte, 0, next), s.memory...)
	return true
}

func (s *spool) moveToFile(temp string) error {
	file, err := os.CreateTemp(temp, "figs-body-*")
	if err != nil {
		return err
	}
	s.file = file
	s.named = os.Remove(file.Name()) != nil // where a file that is open may go, nothing is left after a crash
	_, err = file.Write(s.memory)
	s.budget.give(s.taken)
	s.memory, s.taken = nil, 0
	return err
}

// Bytes is the whole body in memory.
func (s *spool) Bytes() ([]byte, error) {
	if s.file == nil {
		return s.memory, nil
	}
	b := make([]byte, s.size, s.size+1)
	_, err := s.file.ReadAt(b, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b, err
}

// Reader reads the body from its beginning.
func (s *spool) Reader() io.Reader { return io.NewSectionReader(readerAt{s}, 0, s.size) }

type readerAt struct{ s *spool }

func (r readerAt) ReadAt(b []byte, off int64) (int, error) {
	if r.s.file != nil {
		return r.s.file.ReadAt(b, off)
	}
	if off >= int64(len(r.s.memory)) {
		return 0, io.EOF
	}
	n := copy(b, r.s.memory[off:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// Close forgets the body.
func (s *spool) Close() {
	s.budget.give(s.taken)
	s.taken, s.memory = 0, nil
	if s.file != nil {
		s.file.Close()
		if s.named {
			os.Remove(s.file.Name())
		}
	}
}
