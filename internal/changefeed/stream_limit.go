package changefeed

import (
	"slices"
	"sync"
)

// StreamLimit limits how many streams one person holds at a time.
type StreamLimit struct {
	most  int
	mu    sync.Mutex
	taken map[string][]*func() // by person, oldest first
}

// NewStreamLimit gives everybody so many.
func NewStreamLimit(most int) *StreamLimit {
	return &StreamLimit{most: most, taken: map[string][]*func(){}}
}

// Acquire takes a seat. lost is called, once, when the person has taken so many others since that this
// one, being the oldest, goes; it must neither wait nor call the seats. leave gives the seat back and
// may be called then too.
func (s *StreamLimit) Acquire(person string, lost func()) (leave func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := append(s.taken[person], &lost)
	if len(all) > s.most {
		(*all[0])()
		all = slices.Delete(all, 0, 1)
	}
	s.taken[person] = all
	return func() { s.leave(person, &lost) }
}

func (s *StreamLimit) leave(person string, seat *func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := slices.DeleteFunc(s.taken[person], func(other *func()) bool { return other == seat })
	if len(left) == 0 {
		delete(s.taken, person)
		return
	}
	s.taken[person] = left
}
