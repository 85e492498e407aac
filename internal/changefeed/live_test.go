package changefeed

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// silent is a store in which nothing ever happens.
func silent(context.Context, string) (int64, error) { return 0, nil }

func TestNewestOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(silent, time.Second)
		watch := func(workspace string) <-chan int64 {
			changes, cancel := b.Subscribe(workspace)
			t.Cleanup(cancel)
			return changes
		}
		one, other := watch("w"), watch("elsewhere")
		for seq := range int64(1000) {
			b.Changed("w", seq)
		}
		b.Changed("w", 7) // late, and older than what was told
		if got := <-one; got != 999 {
			t.Errorf("told %d, want the newest alone, 999", got)
		}
		if got := <-watch("w"); got != 999 {
			t.Errorf("who comes later is told %d, want 999", got)
		}
		select {
		case got := <-one:
			t.Errorf("told %d once more", got)
		case got := <-other:
			t.Errorf("another workspace told of %d", got)
		default:
		}
	})
}

// TestHear holds that who listens to all is told once of many changes, watched or not.
func TestHear(t *testing.T) {
	b := New(silent, time.Second)
	b.Changed("before", 1)
	heard := b.Hear()
	b.Changed("w", 1)
	b.Changed("elsewhere", 1)
	<-heard
	select {
	case <-heard:
		t.Error("told twice of what came before it looked")
	default:
	}
	b.Changed("w", 1)
	<-heard
}

// TestOtherProcess changes the store behind the broker's back, and looks at whom it asks.
func TestOtherProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seq, asked atomic.Int64
		seq.Store(4)
		b := New(func(_ context.Context, workspace string) (int64, error) {
			if workspace != "w" {
				t.Errorf("asked about %q, which nobody watches", workspace)
			}
			if asked.Add(1) == 3 {
				return 0, errors.New("the disk is busy")
			}
			return seq.Load(), nil
		}, time.Second)
		b.Changed("unwatched", 1)
		time.Sleep(time.Minute)
		if n := asked.Load(); n != 0 {
			t.Errorf("asked %d times while nobody watched", n)
		}
		changes, cancel := b.Subscribe("w")
		if got := <-changes; got != 4 {
			t.Errorf("first told %d, want 4", got)
		}
		seq.Store(6)
		before := time.Now()
		if got := <-changes; got != 6 || time.Since(before) > time.Second {
			t.Errorf("told %d after %s, want 6 within a second", got, time.Since(before))
		}
		time.Sleep(10 * time.Second) // one of these answers fails
		seq.Store(7)
		if got := <-changes; got != 7 {
			t.Errorf("told %d after a fault, want 7", got)
		}
		cancel()
		cancel()
		synctest.Wait()
		n := asked.Load()
		time.Sleep(time.Minute)
		if asked.Load() != n {
			t.Error("it goes on asking when nobody watches any more")
		}
	})
}

// TestTogether lets everything happen at once, for the race detector.
func TestTogether(t *testing.T) {
	var seq atomic.Int64
	b := New(func(context.Context, string) (int64, error) { return seq.Load(), nil }, time.Millisecond)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				changes, cancel := b.Subscribe("w")
				b.Changed("w", seq.Add(1))
				last := int64(0)
				for range 2 {
					select {
					case got := <-changes:
						if got <= last {
							t.Errorf("told %d after %d", got, last)
						}
						last = got
					case <-time.After(5 * time.Millisecond):
					}
				}
				cancel()
			}
		})
	}
	all.Wait()
	if len(b.watched) != 0 || b.asking != nil {
		t.Errorf("left over: %d watched, asking %v", len(b.watched), b.asking != nil)
	}
}

func TestSeats(t *testing.T) {
	s := NewStreamLimit(2)
	lost := map[string]int{}
	take := func(person, seat string) (leave func()) { return s.Acquire(person, func() { lost[seat]++ }) }
	leaveFirst, leaveSecond := take("ann", "first"), take("ann", "second")
	leaveOther, leaveThird := take("ben", "other"), take("ann", "third")
	if len(lost) != 1 || lost["first"] != 1 {
		t.Errorf("lost: %v, want only the oldest, once", lost)
	}
	leaveFirst()
	leaveSecond()
	leaveFourth := take("ann", "fourth")
	if len(lost) != 1 {
		t.Errorf("lost: %v: a seat was taken although one was free", lost)
	}
	for _, leave := range []func(){leaveThird, leaveFourth, leaveOther, leaveThird} {
		leave()
	}
	if len(s.taken) != 0 {
		t.Errorf("%d people keep seats that all were given back", len(s.taken))
	}
}
