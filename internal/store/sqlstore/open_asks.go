package sqlstore

import (
	"context"
	"strconv"
	"sync"

	"github.com/figs-web/figs-web/internal/store"
)

// opens remembers what the inboxes of a few workspaces show of open asks. Every page shows how
// much of it is asked of who looks; whether what is held still holds, the workspace's number says,
// less the changes that were to jobs alone: most of what agents push.
type opens struct {
	mu   sync.Mutex
	held map[string]*held
	most int
}

// held is what a workspace had when it had changed so often by more than jobs. Nobody changes it: what ends by time alone
// is left out by who reads it, so that of that no more is needed than had not ended by now.
type held struct {
	more     mores
	changes  int64
	now      int64
	asks     []entry // that needed a human, longest wait first
	reported []entry // that were only reported, as their tab shows them
	snoozes  []snooze
	claims   map[int64][]store.Claim // newest first, by the number of the ask
	pending  map[int64]*store.Made
	past     pasts
}

// mostOpens is how many workspaces are held.
const mostOpens = 64

// mostOpen is how many asks of a workspace are held: where there are more, each page asks again.
func (s *Store) mostOpen() int {
	if s.opens.most != 0 {
		return s.opens.most // of a test
	}
	return store.MostReported
}

// hold returns what is held of a workspace, read again where it does not hold any more.
func (s *Store) hold(ctx context.Context, workspace string, changes, now int64) (*held, error) {
	workspace = clean(workspace)
	s.opens.mu.Lock()
	h := s.opens.held[workspace]
	s.opens.mu.Unlock()
	if h != nil && h.changes == changes && (h.now <= now || now == 0) {
		return h, nil
	}
	h = &held{changes: changes, now: now}
	for _, read := range []func(context.Context, string, *held) error{s.readOpen, s.readReported, s.readSnoozes, s.readClaims, s.readPending} {
		if err := read(ctx, workspace, h); err != nil {
			return nil, err
		}
	}
	s.opens.mu.Lock()
	defer s.opens.mu.Unlock()
	if s.opens.held == nil || len(s.opens.held) >= mostOpens {
		s.opens.held = map[string]*held{}
	}
	s.opens.held[workspace] = h
	return h, nil
}

// readOpen reads all that needs a human, or one more than are held.
func (s *Store) readOpen(ctx context.Context, workspace string, h *held) error {
	var text string
	if err := s.row(ctx, `SELECT coalesce(string_agg(e.x, ','), '') FROM (SELECT `+entryText+` AS x FROM records r
		WHERE r.lane = 0 AND r.workspace = $1 ORDER BY r.since, r.no LIMIT `+strconv.Itoa(s.mostOpen()+1)+`) e`, workspace).Scan(&text); err != nil {
		return err
	}
	h.asks = readEntries(text, nil)
	return nil
}

// needing counts what needs a human and lists it as openAsks does, from memory where it is held.
func (s *Store) needing(ctx context.Context, in *store.Inbox, f *filter, n int) ([]entry, error) {
	sorted := f.q.Cost && f.q.N >= 0 && (f.q.Tab == "" || f.q.Tab == store.Needs)
	wanted := n
	if sorted {
		n = 1 << 40 // the first of them is known when all are
	}
	var all []entry
	var err error
	if f.kindUnknown() || len(f.held.asks) > s.mostOpen() {
		all, err = s.openAsks(ctx, in, f, n)
	} else {
		all = f.heldAsks(in, n)
	}
	if err == nil && sorted {
		all, err = s.costly(ctx, f, all)
		all = all[:min(len(all), wanted)]
	}
	return all, err
}

// heldAsks counts what needs a human and lists the first n of it, from memory.
func (f *filter) heldAsks(in *store.Inbox, n int) (all []entry) {
	for i := range f.held.asks {
		e := &f.held.asks[i]
		if !f.fits(e) || !f.takes(e) {
			continue
		}
		if in.Total == 0 {
			in.Oldest = e.since
		}
		in.Total++
		if len(all) < n {
			all = append(all, *e)
		}
	}
	return all
}
