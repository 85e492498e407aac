package live

import (
	"slices"
	"sync"
)

// Seats limits how many streams one person holds at a time.
type Seats struct {
	most  int
	mu    sync.Mutex
	taken map[string][]chan struct{} // by person, oldest first
}

// NewSeats gives everybody so many.
func NewSeats(most int) *Seats {
	return &Seats{most: most, taken: map[string][]chan struct{}{}}
}

// Take takes a seat. lost is closed when the person has taken so many others since that this
// one, being the oldest, goes; leave gives it back and may be called then too.
func (s *Seats) Take(person string) (lost <-chan struct{}, leave func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seat := make(chan struct{})
	all := append(s.taken[person], seat)
	if len(all) > s.most {
		close(all[0])
		all = slices.Delete(all, 0, 1)
	}
	s.taken[person] = all
	return seat, func() { s.leave(person, seat) }
}

func (s *Seats) leave(person string, seat chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := slices.DeleteFunc(s.taken[person], func(other chan struct{}) bool { return other == seat })
	if len(left) == 0 {
		delete(s.taken, person)
		return
	}
	s.taken[person] = left
}
