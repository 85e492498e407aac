package handlers

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/testenv"
)

// settler counts how often time is let pass, and fails when it is told to.
type settler struct {
	*sqlStore
	calls atomic.Int64
	err   error
}

func (s *settler) Settle(ctx context.Context, now int64) (store.SettleResult, error) {
	s.calls.Add(1)
	if s.err != nil {
		return store.SettleResult{}, s.err
	}
	return s.sqlStore.Settle(ctx, now)
}

// Reading asks the store to settle once at first, and then only when something is due.
func TestSettlesWhenDue(t *testing.T) {
	c := newCouncil(t)
	s := &settler{sqlStore: c.store}
	c.h.Store = s
	changes, leave := c.h.Live.Subscribe(c.acme.ID)
	defer leave()
	bo := c.as(c.bo)
	for range 3 {
		bo.get("/w/acme")
	}
	if n := s.calls.Load(); n != 1 {
		t.Errorf("settled %d times with nothing to settle", n)
	}
	c.decide(bo, "which", "chosen", "Daily")
	c.wait(9 * time.Second)
	bo.get("/w/acme")
	if n := s.calls.Load(); n != 1 {
		t.Errorf("settled %d times before anything was due", n)
	}
	c.wait(time.Second)
	s.err = errors.New("the disk is full")
	bo.get("/w/acme").says(t, 200)
	bo.get("/w/acme").says(t, 200)
	if n := s.calls.Load(); n != 2 || len(c.replies("which")) != 0 {
		t.Errorf("settled %d times while it fails", n)
	}
	s.err = nil
	c.wait(time.Second)
	bo.get("/w/acme").says(t, 200)
	bo.get("/w/acme").says(t, 200)
	if n := s.calls.Load(); n != 3 || len(c.replies("which")) != 1 {
		t.Errorf("settled %d times, %d replies", n, len(c.replies("which")))
	}
	w, err := c.store.Workspace(context.Background(), c.acme.ID)
	c.must(err)
	for told := int64(0); told < w.Seq; {
		select {
		case told = <-changes:
		case <-time.After(5 * time.Second):
			t.Fatalf("pages were told of %d, the workspace is at %d", told, w.Seq)
		}
	}
}

// What another process decided counts here without anybody asking for a page.
func TestKeepsSettling(t *testing.T) {
	c := newCouncil(t)
	bo := c.as(c.bo)
	c.decide(bo, "which", "chosen", "Daily")
	c.wait(time.Minute)
	stopping, stop := context.WithCancel(context.Background())
	ended := make(chan bool)
	go func() { newApp(c.h).keepSettling(stopping); close(ended) }()
	testenv.Eventually(t, 5*time.Second, "the decision to count", func() bool { return len(c.replies("which")) > 0 })
	stop()
	select {
	case <-ended:
	case <-time.After(5 * time.Second):
		t.Error("it goes on after the server was stopped")
	}
}
