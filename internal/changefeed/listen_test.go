package changefeed

import (
	"context"
	"errors"
	"maps"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// database is one that two processes change, and that tells of changes to whoever listens.
type database struct {
	mu    sync.Mutex
	seqs  map[string]int64
	asked map[string]int
	down  bool
	ears  []*ear
}

type ear struct {
	changed func(string, int64)
	lost    func()
	deaf    bool
}

func newDatabase() *database { return &database{seqs: map[string]int64{}, asked: map[string]int{}} }

func (d *database) seq(ctx context.Context, workspace string) (int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked[workspace]++
	if d.down {
		return 0, errors.New("the database does not answer")
	}
	return d.seqs[workspace], nil
}

// hints implements Listen.
func (d *database) hints(ctx context.Context, changed func(string, int64), lost func()) error {
	d.mu.Lock()
	d.ears = append(d.ears, &ear{changed: changed, lost: lost})
	d.mu.Unlock()
	lost()
	<-ctx.Done()
	return ctx.Err()
}

// change commits one, of which those hear who are not deaf.
func (d *database) change(workspace string) int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seqs[workspace]++
	for _, e := range d.ears {
		if !e.deaf {
			e.changed(workspace, d.seqs[workspace])
		}
	}
	return d.seqs[workspace]
}

// deafen cuts all connections, or brings them back.
func (d *database) deafen(deaf bool) {
	d.mu.Lock()
	ears := d.ears
	for _, e := range ears {
		e.deaf = deaf
	}
	d.mu.Unlock()
	for _, e := range ears {
		if !deaf {
			e.lost()
		}
	}
}

func (d *database) questions() map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.asked)
}

// node is a broker that listens.
func (d *database) node(t *testing.T) *Broker {
	b := New(d.seq, time.Second)
	ctx, stop := context.WithCancel(context.Background())
	go b.Listen(ctx, d.hints)
	synctest.Wait()
	t.Cleanup(stop)
	return b
}

// told holds that a subscriber is told a number, and how soon: 0 is at once.
func told(t *testing.T, what string, changes <-chan int64, want int64, within time.Duration) {
	t.Helper()
	begun := time.Now()
	for {
		select {
		case got := <-changes:
			if got > want {
				t.Fatalf("%s: told %d, want %d", what, got, want)
			}
			if got < want {
				continue
			}
			if took := time.Since(begun); took > within {
				t.Errorf("%s: told after %s, want within %s", what, took, within)
			}
			return
		case <-time.After(time.Hour):
			t.Fatalf("%s: nothing was told, want %d", what, want)
		}
	}
}

// TestListen holds that changes of another node are told at once and in order without being asked for,
// and that none is lost with a hint, a connection, or between a page and its subscription.
func TestListen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDatabase()
		one, other := d.node(t), d.node(t)
		changes, leave := one.Subscribe("w")
		defer leave()
		elsewhere, leaveElsewhere := other.Subscribe("w")
		defer leaveElsewhere()
		synctest.Wait()

		before := d.questions()["w"]
		for range 100 {
			n := d.change("w")
			told(t, "a hint", changes, n, 0)
			told(t, "a hint elsewhere", elsewhere, n, 0)
		}
		time.Sleep(safety / 2)
		if n := d.questions()["w"] - before; n != 0 {
			t.Errorf("it was asked %d times what was heard", n)
		}

		d.mu.Lock()
		d.seqs["w"]++ // a change of which no hint comes
		n := d.seqs["w"]
		d.mu.Unlock()
		told(t, "a hint that was lost", changes, n, safety)
		told(t, "a hint that was lost, elsewhere", elsewhere, n, safety)

		d.deafen(true)
		n = d.change("w")
		time.Sleep(time.Second)
		d.deafen(false)
		told(t, "a cut connection", changes, n, 0)

		n = d.change("fresh") // after its page was made, and before anybody watches
		fresh, leaveFresh := one.Subscribe("fresh")
		told(t, "one who came between", fresh, n, 0)
		leaveFresh()
		d.change("fresh")
		n = d.change("fresh")
		fresh, leaveFresh = one.Subscribe("fresh")
		defer leaveFresh()
		told(t, "one who came back", fresh, n, 0)

		d.mu.Lock()
		d.down = true
		d.mu.Unlock()
		late, leaveLate := one.Subscribe("late")
		defer leaveLate()
		time.Sleep(5 * time.Second)
		n = 3
		d.mu.Lock()
		d.down, d.seqs["late"] = false, n
		d.mu.Unlock()
		told(t, "after the database was down", late, n, time.Second)
	})
}

// TestListenBetween cuts the connection while an answer is under way that is older than the cut.
func TestListenBetween(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDatabase()
		slow := make(chan struct{})
		b := New(func(ctx context.Context, workspace string) (int64, error) {
			seq, err := d.seq(ctx, workspace)
			<-slow
			return seq, err
		}, time.Second)
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		go b.Listen(ctx, d.hints)
		synctest.Wait()
		changes, leave := b.Subscribe("w")
		defer leave()
		synctest.Wait() // asked, and not answered
		d.deafen(true)
		n := d.change("w")
		d.deafen(false)
		close(slow)
		told(t, "a change after the question", changes, n, 0)
	})
}

// TestListenNot holds that a broker whose database tells nobody, or has stopped telling, asks.
func TestListenNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDatabase()
		b := New(d.seq, time.Second)
		nobody := errors.New("tells nobody")
		if err := b.Listen(context.Background(), func(context.Context, func(string, int64), func()) error { return nobody }); err != nobody {
			t.Errorf("Listen = %v, want what hints returned", err)
		}
		changes, leave := b.Subscribe("w")
		defer leave()
		told(t, "by asking", changes, d.change("w"), time.Second)
		ctx, stop := context.WithCancel(context.Background())
		go b.Listen(ctx, d.hints)
		synctest.Wait()
		told(t, "by a hint", changes, d.change("w"), 0)
		stop()
		d.deafen(true)
		told(t, "by asking again", changes, d.change("w"), time.Second)
	})
}

// TestHearElsewhere holds that the listener to everything is told of other nodes' changes too, later and once.
func TestHearElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDatabase()
		b := d.node(t)
		heard := b.Hear()
		begun := time.Now()
		for range 10 {
			d.change("unwatched")
		}
		<-heard
		if took := time.Since(begun); took != joined {
			t.Errorf("told after %s, want %s", took, joined)
		}
		time.Sleep(time.Minute)
		select {
		case <-heard:
			t.Error("told once more")
		default:
		}
		changes, leave := b.Subscribe("unwatched")
		defer leave()
		told(t, "the first number", changes, 10, 0)
		time.Sleep(2 * joined)
		for len(heard) > 0 {
			<-heard
		}
		time.Sleep(3 * safety) // looking finds nothing new
		if len(heard) > 0 {
			t.Error("told of nothing")
		}
	})
}
