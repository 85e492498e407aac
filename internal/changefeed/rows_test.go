package changefeed

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// rowStore is a store of one workspace, each of whose changes is of one row; "" is of anything.
type rowStore struct {
	mu    sync.Mutex
	log   []string // by seq - 1
	asked int
	down  bool
	slow  time.Duration
}

func (s *rowStore) seq(context.Context, string) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int64(len(s.log)), nil
}

func (s *rowStore) rows(_ context.Context, _ string, since int64) (int64, []string, error) {
	time.Sleep(s.slow)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	if s.down {
		return 0, nil, errors.New("the database does not answer")
	}
	rows := []string{}
	for _, row := range s.log[since:] {
		if row == "" {
			return int64(len(s.log)), nil, nil
		}
		rows = append(rows, row)
	}
	return int64(len(s.log)), rows, nil
}

// change commits a change and tells the broker.
func (s *rowStore) change(b *Broker, row string) {
	s.mu.Lock()
	s.log = append(s.log, row)
	seq := int64(len(s.log))
	s.mu.Unlock()
	b.Changed("w", seq)
}

// page is an open page: what it was told, and the rows that it knows to be old.
type page struct {
	r     *Rows
	seen  int64
	told  int64
	leave func()
}

func (r *Rows) page(seen int64) *page {
	p := &page{r: r, seen: seen}
	p.leave = r.Watch("w", seen, func(seq int64) { p.told = seq })
	return p
}

// event is what its stream sends, without the fields that every event has.
func (p *page) event() string {
	synctest.Wait()
	if p.told <= p.seen {
		return ""
	}
	text := string(p.r.Text("w", p.seen, p.told))
	p.seen = p.told
	_, data, _ := strings.Cut(text, "data: ")
	return strings.TrimSpace(data)
}

func TestRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &rowStore{log: []string{"a:1"}}
		b := New(s.seq, time.Second)
		r := NewRows(b, 3, s.rows)
		expect := func(what string, p *page, want string) {
			t.Helper()
			if got := p.event(); got != want {
				t.Errorf("%s: told %q, want %q", what, got, want)
			}
		}
		one, late := r.page(1), r.page(1)
		expect("nothing", one, "")
		s.change(b, "a:1")
		expect("a change", one, "2 a:1")
		asked := s.asked
		s.change(b, "a:2")
		expect("another", one, "3 a:2")
		if s.asked != asked+1 {
			t.Errorf("two pages had %d questions asked about one change", s.asked-asked)
		}
		expect("two at once", late, "3 a:1 a:2")
		s.change(b, "a:2")
		synctest.Wait()
		s.change(b, "a:2")
		expect("one row twice", one, "5 a:2")
		s.change(b, "")
		expect("anything", one, "6")
		expect("anything, and more", late, "6")
		second := r.page(6)
		for _, row := range []string{"a:1", "a:2", "a:3"} {
			s.change(b, row)
			synctest.Wait()
		}
		expect("three rows", one, "9 a:1 a:2 a:3")
		s.change(b, "a:4")
		expect("one more than an event has", second, "10")
		expect("the fourth", one, "10 a:4")

		s.slow = time.Second
		asked = s.asked
		for range 5 {
			s.change(b, "a:1")
		}
		time.Sleep(5 * time.Second)
		expect("changes while it was asked", one, "15 a:1")
		if n := s.asked - asked; n > 2 {
			t.Errorf("five changes were asked about %d times", n)
		}
		s.slow, s.down = 0, true
		s.change(b, "a:1")
		expect("a store that does not answer", one, "16")
		s.down = false
		s.change(b, "a:1")
		expect("one that does again", one, "17 a:1")

		old := r.page(0)
		expect("a page from before all of it", old, "17")
		lost := r.page(17)
		for range maxSpans + 1 {
			s.change(b, "a:1")
			synctest.Wait()
		}
		expect("one that missed too many", lost, "82")
		for _, p := range []*page{one, late, second, old, lost} {
			p.leave()
			p.leave()
		}
		synctest.Wait()
		if len(r.watched)+len(b.watched) != 0 {
			t.Errorf("left over: %d and %d watched", len(r.watched), len(b.watched))
		}
		again := r.page(80)
		expect("one that comes when all have left", again, "82 a:1")
		again.leave()
	})
}

// TestRowsTogether lets pages come and go while rows change, for the race detector. Every page is told of every row that changed
// since it came.
func TestRowsTogether(t *testing.T) {
	s := &rowStore{}
	b := New(s.seq, time.Millisecond)
	r := NewRows(b, 100, s.rows)
	var all sync.WaitGroup
	for _, row := range []string{"a:1", "a:2", "a:3", "a:4"} {
		all.Go(func() {
			for range 100 {
				seen, _ := s.seq(t.Context(), "w")
				told := make(chan int64, 1)
				leave := r.Watch("w", seen, func(seq int64) {
					select {
					case <-told:
					default:
					}
					told <- seq
				})
				s.change(b, row)
				for found := false; !found; {
					select {
					case seq := <-told:
						_, data, _ := strings.Cut(string(r.Text("w", seen, seq)), "data: ")
						found = !strings.Contains(data, "a:") || strings.Contains(data, row)
					case <-time.After(10 * time.Second):
						t.Errorf("%s was never told of", row)
						found = true
					}
				}
				leave()
			}
		})
	}
	all.Wait()
	if len(r.watched)+len(b.watched) != 0 {
		t.Errorf("left over: %d and %d watched", len(r.watched), len(b.watched))
	}
}
