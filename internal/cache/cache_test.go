package cache

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var ctx = context.Background()

func gives[V any](v V) func() (V, error) { return func() (V, error) { return v, nil } }

func never() (string, error) { panic("produced what is kept") }

func TestEvictsLeastRecentlyUsed(t *testing.T) {
	c := New[int, int](3, func(s string) int { return len(s) })
	for i, s := range []string{"a", "b", "c"} {
		c.Get(ctx, i, 1, gives(s))
	}
	c.Get(ctx, 0, 1, never)
	c.Get(ctx, 3, 1, gives("d"))
	if got := c.All(); !slices.Equal(got, []string{"d", "a", "c"}) {
		t.Errorf("kept %q, want b evicted", got)
	}
	c.Get(ctx, 4, 1, gives("larger than all room"))
	c.Get(ctx, 5, 1, gives("ef"))
	if got := c.All(); !slices.Equal(got, []string{"ef", "d"}) || c.used != 3 {
		t.Errorf("kept %q of size %d, want ef and d", got, c.used)
	}
}

// A change of one key must not cost the others their values, however full the cache is.
func TestNewVersionReplacesOnlyItsKey(t *testing.T) {
	c := New[int, int, string](64, nil)
	for i := range 64 {
		c.Get(ctx, i, 1, gives("old"))
	}
	for v := range 10 {
		c.Get(ctx, 7, 2+v, gives(fmt.Sprint("new ", v)))
	}
	if got := c.All(); len(got) != 64 || got[0] != "new 9" || slices.Contains(got[1:], "new 8") {
		t.Errorf("%d are kept, the first is %q", len(got), got[0])
	}
}

func TestProducesOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New[string, int, int32](10, nil)
		var n, wrong atomic.Int32
		for range 20 {
			go func() {
				v, err := c.Get(ctx, "k", 1, func() (int32, error) {
					time.Sleep(time.Second)
					return n.Add(1), nil
				})
				if v != 1 || err != nil {
					wrong.Add(1)
				}
			}()
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if n.Load() != 1 || wrong.Load() != 0 {
			t.Errorf("produced %d times, %d got something else", n.Load(), wrong.Load())
		}
	})
}

// An error is shared and not kept; the end of the producer's context, or its panic, is nobody else's.
func TestErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New[string, int, int32](10, nil)
		broken := errors.New("broken")
		var n, failed atomic.Int32
		ask := func(ctx context.Context, key string, fail func() error) {
			defer func() { recover() }()
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			_, err := c.Get(ctx, key, 1, func() (int32, error) {
				time.Sleep(time.Second)
				if n.Add(1) == 1 {
					if key == "canceled" {
						cancel()
					}
					return 0, fail()
				}
				return 5, nil
			})
			if err != nil {
				failed.Add(1)
			}
		}
		for _, x := range []struct {
			what           string
			fail           func() error
			failed, called int32
		}{
			{"broken", func() error { return broken }, 3, 1},
			{"canceled", func() error { return errors.New("interrupted") }, 1, 2},
			{"panics", func() error { panic("oh") }, 0, 2},
		} {
			n.Store(0)
			failed.Store(0)
			for range 3 {
				go ask(ctx, x.what, x.fail)
				synctest.Wait()
			}
			time.Sleep(5 * time.Second)
			synctest.Wait()
			if n.Load() != x.called || failed.Load() != x.failed {
				t.Errorf("%s: produced %d times, %d failed; want %d and %d", x.what, n.Load(), failed.Load(), x.called, x.failed)
			}
		}
		over, cancel := context.WithCancel(ctx)
		go c.Get(ctx, "slow", 1, func() (int32, error) { time.Sleep(time.Hour); return 0, nil })
		synctest.Wait()
		cancel()
		if _, err := c.Get(over, "slow", 1, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("a canceled wait: %v", err)
		}
		time.Sleep(2 * time.Hour)
	})
}

// What began to be read before a newer value did, or before its key was dropped, is not kept.
func TestStaleIsNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New[string, int, string](10, nil)
		slow := func(key, value string) {
			c.Get(ctx, key, 1, func() (string, error) { time.Sleep(time.Second); return value, nil })
		}
		go slow("a", "old")
		go slow("b", "erased")
		synctest.Wait()
		c.Get(ctx, "a", 2, gives("new"))
		c.Get(ctx, "c", 1, gives("dropped"))
		c.Drop(func(key, value string) bool { return key == "b" || value == "dropped" })
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if got := c.All(); !slices.Equal(got, []string{"new"}) || c.used != 1 || len(c.kept) != 1 {
			t.Errorf("kept %q", got)
		}
	})
}
