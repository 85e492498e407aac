package clock

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// server is a clock elsewhere: off from the machine's, and some way off.
type server struct {
	mu     sync.Mutex
	off    time.Duration
	trip   time.Duration
	silent bool
}

func (s *server) set(off time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.off = off
}

func (s *server) Time(ctx context.Context) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.silent {
		return 0, errors.New("no answer")
	}
	time.Sleep(s.trip / 2)
	now := time.Now().Add(s.off).UnixMicro()
	time.Sleep(s.trip - s.trip/2)
	return now, nil
}

// off is how far a clock is from the server's.
func off(c *Clock, s *server) time.Duration { return c.Now().Sub(time.Now().Round(0).Add(s.off)) }

func TestShowsTheSource(t *testing.T) {
	for _, test := range []struct {
		name  string
		local time.Duration // how far this machine's clock is off
		trip  time.Duration
	}{
		{"right", 0, 0}, {"an_hour_ahead", time.Hour, time.Millisecond}, {"an_hour_behind", -time.Hour, 40 * time.Millisecond}, {"slow_line", time.Hour, time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var said bytes.Buffer
				s := &server{trip: test.trip}
				local := func() time.Time { return time.Now().Add(test.local) }
				c := Of(t.Context(), s, local, time.Minute, slog.New(slog.NewTextHandler(&said, nil)))
				for range 10 {
					if got := off(c, s); got.Abs() > test.trip/2+time.Microsecond {
						t.Fatalf("the clock is off by %v with a trip of %v", got, test.trip)
					}
					time.Sleep(17 * time.Second)
				}
				if want := min(int(test.local.Abs()/time.Hour), 1); strings.Count(said.String(), "the clock of this machine") != want {
					t.Errorf("the log says %q, want it told %d times", &said, want)
				}
			})
		})
	}
}

// Where the source turns out to be earlier, the clock goes on slowly and meets it; it never goes back.
func TestNeverBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		c := Of(t.Context(), s, time.Now, time.Minute, nil)
		s.set(-10 * time.Minute)
		before := c.Now()
		for range 60 * 60 { // an hour, of which the first twenty minutes are slow
			time.Sleep(time.Second)
			now := c.Now()
			if !now.After(before) {
				t.Fatalf("after %v comes %v", before, now)
			}
			before = now
		}
		if got := off(c, s); got != 0 {
			t.Errorf("after an hour it is off by %v", got)
		}
		s.set(10 * time.Minute)
		time.Sleep(time.Minute + time.Second) // a second behind the measurement
		if got := off(c, s); got != 0 {
			t.Errorf("a source that went ahead is followed at once, not off by %v", got)
		}
	})
}

// A source that is silent at first is asked again, and one that falls silent leaves the clock going.
func TestSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{silent: true, off: time.Hour}
		c := Of(t.Context(), s, time.Now, time.Minute, nil)
		if got := c.Now().Sub(time.Now().Round(0)); got != 0 {
			t.Errorf("with a silent source it is off this machine's by %v", got)
		}
		s.mu.Lock()
		s.silent = false
		s.mu.Unlock()
		time.Sleep(again + time.Second)
		if got := off(c, s); got != 0 {
			t.Errorf("the source answers, and the clock is off by %v", got)
		}
		s.mu.Lock()
		s.silent = true
		s.mu.Unlock()
		time.Sleep(time.Hour)
		if got := off(c, s); got != 0 {
			t.Errorf("an hour without an answer, and the clock is off by %v", got)
		}
	})
}

// Whoever sets this machine's clock while the program runs does not set this one.
func TestLocalClockIsSet(t *testing.T) {
	c := Of(t.Context(), &server{}, time.Now, time.Minute, nil)
	if at := c.at; at.String() == at.Round(0).String() {
		t.Errorf("it remembers %v, want a moment of the monotonic clock", at)
	}
}
