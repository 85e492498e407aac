package sqlstore

import (
	"context"
	"strconv"

	"github.com/figs-web/figs-web/internal/cache"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// held is what the inboxes of a workspace show of open asks: every page counts what of it needs its viewer. It is cached by
// how often the workspace has changed by more than jobs, which are most of what agents push, and is read-only. Snoozes and
// claims that had ended by now are left out; whoever reads it leaves out those that have ended since.
type held struct {
	now      int64
	more     *cache.Cache[reportedQuery, struct{}, []entry] // of reported asks, where there are too many to be held
	asks     []entry                                        // that needed a human, longest wait first
	reported []entry                                        // that were only reported, as their tab shows them
	snoozes  []snooze
	claims   map[int64][]store.Claim // newest first, by the number of the ask
	pending  map[int64]*store.Decision
	past     pasts
}

const (
	// mostHeld and mostFaces bound the caches of the inboxes and the rosters, over all workspaces: about 70 MB and 20 MB.
	mostHeld  = 400_000  // asks
	mostFaces = 50_000   // agents and members
	mostPages = 32 << 20 // bytes of asks on pages of inboxes
	// heldBack is by how much the clocks of two requests may differ that use the same held.
	heldBack = 60_000_000
)

func (h *held) size() int {
	return 20 + len(h.asks) + len(h.reported) + len(h.snoozes) + len(h.claims) + len(h.pending)
}

// emptyCaches gives the store its caches.
func (s *Store) emptyCaches() {
	s.held = cache.New[string, int64](mostHeld, (*held).size)
	s.rosters = cache.New[string, int64](mostFaces, func(r *store.Roster) int { return 20 + len(r.Agents) + len(r.Names) })
	s.pages = cache.New[store.InboxQuery, pageVersion](mostPages, func(rows []inboxRow) int {
		n := 0
		for i := range rows {
			n += 1000 + 2*len(rows[i].item.Fold)
		}
		return n
	})
}

// forget drops what is cached of a workspace, so that nothing that was erased stays in memory.
func (s *Store) forget(workspace string) {
	s.held.Drop(func(of string, _ *held) bool { return of == workspace })
	s.pages.Drop(func(of store.InboxQuery, _ []inboxRow) bool { return of.Workspace == workspace })
	s.rosters.Drop(func(of string, _ *store.Roster) bool { return of == workspace })
}

// mostOpen is how many asks of a workspace are held: where there are more, each page asks again.
func (s *Store) mostOpen() int {
	if s.most != 0 {
		return s.most // of a test
	}
	return store.MaxReportedCount
}

// hold returns what a workspace has in its inboxes after so many changes, from the cache if it is there. If now is 0,
// it may lack what has ended.
func (s *Store) hold(ctx context.Context, workspace string, changes, now int64) (*held, error) {
	workspace = sqldb.CleanText(workspace)
	read := func(now int64) func() (*held, error) {
		return func() (*held, error) { return s.readHeld(ctx, workspace, now) }
	}
	from := now
	if now != 0 {
		from = now - heldBack
	}
	h, err := s.held.Get(ctx, workspace, changes, read(from))
	if err == nil && h.now > now && now != 0 { // of a clock that was far ahead
		return read(now)()
	}
	return h, err
}

func (s *Store) readHeld(ctx context.Context, workspace string, now int64) (*held, error) {
	h := &held{now: now, more: cache.New[reportedQuery, struct{}, []entry](mostReportedQueries, nil)}
	for _, read := range []func(context.Context, string, *held) error{s.readOpen, s.readReported, s.readSnoozes, s.readClaims, s.readPending} {
		if err := read(ctx, workspace, h); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// readOpen reads all that needs a human, or one more than are held.
func (s *Store) readOpen(ctx context.Context, workspace string, h *held) error {
	var text string
	if err := s.Row(ctx, `SELECT coalesce(string_agg(e.x, ','), '') FROM (SELECT `+entryText+` AS x FROM records r
		WHERE r.lane = 0 AND r.workspace = $1 ORDER BY r.since, r.no LIMIT `+strconv.Itoa(s.mostOpen()+1)+`) e`, workspace).Scan(&text); err != nil {
		return err
	}
	h.asks = readEntries(text, nil)
	return nil
}

// needing counts what needs a human and lists it as openAsks does, from memory where it is held.
func (s *Store) needing(ctx context.Context, in *store.Inbox, f *filter, n int) ([]entry, error) {
	sorted := f.q.LongestFirst && f.q.N >= 0 && (f.q.Tab == "" || f.q.Tab == store.TabNeeds)
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
