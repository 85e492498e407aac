package changefeed

import (
	"slices"
	"sync"
)

// Seats limits how many streams one person holds at a time.
type Seats struct {
	most  int
	mu    sync.Mutex
	taken map[string][]*func() // by person, oldest first
}

// NewSeats gives everybody so many.
func NewSeats(most int) *Seats {
	return &Seats{most: most, taken: map[string][]*func(){}}
}

// Take takes a seat. lost is called, once, when the person has taken so many others since that this
// one, being the oldest, goes; it must neither wait nor call the seats. leave gives the seat back and
// may be called then too.
func (s *Seats) Take(person string, lost func()) (leave func()) {
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

func (s *Seats) leave(person string, seat *func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := slices.DeleteFunc(s.taken[person], func(other *func()) bool { return other == seat })
	if len(left) == 0 {
		delete(s.taken, person)
		return
	}
	s.taken[person] = left
}
