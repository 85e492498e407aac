package storejournal_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
	"github.com/figs-web/figs-web/internal/store/storejournal"
)

// countingStore counts how often it reads full records, and can report another size of the agent.
type countingStore struct {
	*sqlstore.Store
	reads    int
	tooLarge bool
	onRead   func() // called before the first read; may be nil
}

func (s *countingStore) FullRecords(ctx context.Context, agent string, file figs.File, ids []string) ([]store.Record, error) {
	if s.onRead != nil {
		s.onRead()
	}
	s.reads++
	return s.Store.FullRecords(ctx, agent, file, ids)
}

func (s *countingStore) ExportSize(ctx context.Context, workspace, agent string) (store.ExportSize, error) {
	size, err := s.Store.ExportSize(ctx, workspace, agent)
	if s.tooLarge {
		size.LineBytes = storejournal.MaxLoadBytes + 1
	}
	return size, err
}

// TestAsOfReadsOnce tests that the pages of a list at a point in time read the agent once, until it changes, and that an
// agent that is too large isn't read at all.
func TestAsOfReadsOnce(t *testing.T) {
	o := newTestWorkspace(t)
	o.pushDay()
	at := o.clock
	s, pasts := &countingStore{Store: o.s}, storejournal.NewPastCache()
	page := func(at int64, from int) (*journal.Page[journal.Job], error) {
		j := storejournal.New(s, o.workspace, now.UnixMicro()).WithPastCache(pasts)
		return j.AsOf(at).Jobs(ctx, first, journal.Query{From: from, N: 1})
	}
	pages := func() (ids []string) {
		t.Helper()
		for from := range 3 {
			list := noError(page(at, from))(o)
			ids = append(ids, list.Items[0].Run.ID)
		}
		return ids
	}
	want := pages()
	once := s.reads
	o.same("the same pages again", pages(), want)
	if once == 0 || s.reads != once {
		t.Errorf("six pages read the agent %d times, one %d times", s.reads, once)
	}
	o.push(first, matching, `,"runs":[{"id":"r4","ts":"2026-11-20T10:00:00Z"}]`)
	o.same("after a change", pages(), want)
	if s.reads != 2*once {
		t.Errorf("read %d times after a change, want %d", s.reads, 2*once)
	}
	ctx, done := context.WithTimeout(ctx, time.Second)
	defer done()
	s.onRead = func() {
		s.onRead = nil
		waiting, done := context.WithTimeout(ctx, 10*time.Millisecond)
		defer done()
		j := storejournal.New(s, o.workspace, now.UnixMicro()).WithPastCache(pasts)
		_, err := j.AsOf(now.UnixMicro()+1).Jobs(waiting, first, journal.Query{N: 1})
		if before := s.reads; !errors.Is(err, context.DeadlineExceeded) || before != 2*once {
			t.Errorf("an instant ahead, while another one is read: %v, read %d times", err, before-2*once)
		}
	}
	noError(page(now.UnixMicro()+2, 0))(o)
	s.onRead, s.reads, s.tooLarge = nil, 2*once, true
	_, err := page(at-1, 0)
	var missing *journal.Missing
	if !errors.As(err, &missing) || !missing.TooLarge || s.reads != 2*once {
		t.Errorf("of a large agent: %v, read %d times", err, s.reads-2*once)
	}
}
