package sqlstore

import (
	"context"
	"strconv"

	"github.com/figs-web/figs-web/internal/cache"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// inboxData is what the inboxes of a workspace show of open asks, because every page counts those that need its viewer. It
// is cached by the number of changes of the workspace that weren't only to jobs, which are most of what agents push, and
// must not be modified. It has no snoozes and claims that had ended by now; its users skip those that have ended since.
type inboxData struct {
	now          int64
	asks         []inboxEntry // that need a human, longest wait first
	snoozes      []snooze
	claims       map[int64][]store.Claim // newest first, by number of the ask
	pending      map[int64]*store.Decision
	handovers    map[int64]*handover // in force, whether or not they count, by number of the ask
	earlierWaits earlierWaits
}

const (
	// Limits of the caches of inboxes and rosters, over all workspaces: about 75 MB, 50 MB and 20 MB.
	maxInboxAsks     = 400_000  // asks
	maxReportedAsks  = 400_000  // reported asks, in each query that selects them
	maxRosterEntries = 50_000   // agents and members
	maxPageBytes     = 32 << 20 // bytes of asks on inbox pages
	// clockTolerance is how far the clocks of two requests that use the same inboxData may differ.
	clockTolerance = 60_000_000
)

func (h *inboxData) size() int {
	return 20 + len(h.asks) + len(h.snoozes) + len(h.claims) + len(h.pending) + len(h.handovers)
}

// initCaches creates the caches.
func (s *Store) initCaches() {
	s.inboxes = cache.New[string, int64](maxInboxAsks, (*inboxData).size)
	s.reported = cache.New[reportedQuery, reportedVersion](maxReportedAsks, func(list *reportedList) int { return 20 + len(list.all) })
	s.rosters = cache.New[string, int64](maxRosterEntries, func(r *store.Roster) int { return 20 + len(r.Agents) + len(r.Names) })
	s.figures = cache.New[string, int64](maxRosterEntries, func(f map[string]store.AgentFigures) int { return 20 + len(f) })
	s.pages = cache.New[store.InboxQuery, pageVersion](maxPageBytes, func(rows []inboxRow) int {
		n := 0
		for i := range rows {
			n += 1000 + 2*len(rows[i].item.Fold)
		}
		return n
	})
}

// dropCaches removes a workspace from the caches, so that nothing erased stays in memory.
func (s *Store) dropCaches(workspace string) {
	s.inboxes.Drop(func(of string, _ *inboxData) bool { return of == workspace })
	s.reported.Drop(func(of reportedQuery, _ *reportedList) bool { return of.workspace == workspace })
	s.pages.Drop(func(of store.InboxQuery, _ []inboxRow) bool { return of.Workspace == workspace })
	s.figures.Drop(func(of string, _ map[string]store.AgentFigures) bool { return of == workspace })
	s.rosters.Drop(func(of string, _ *store.Roster) bool { return of == workspace })
}

// maxCachedAsks is how many asks of a workspace are cached. If there are more, every page queries the database.
func (s *Store) maxCachedAsks() int {
	if s.maxOpen != 0 {
		return s.maxOpen // set by a test
	}
	return store.MaxReportedCount
}

// cachedInbox returns the inbox data of a workspace after that number of changes, from the cache if possible. If now is 0,
// snoozes and claims that have ended may be missing.
func (s *Store) cachedInbox(ctx context.Context, workspace string, changes, now int64) (*inboxData, error) {
	workspace = sqldb.CleanText(workspace)
	read := func(now int64) func() (*inboxData, error) {
		return func() (*inboxData, error) { return s.readInboxData(ctx, workspace, now) }
	}
	from := now
	if now != 0 {
		from = now - clockTolerance
	}
	h, err := s.inboxes.Get(ctx, workspace, changes, read(from))
	if err == nil && h.now > now && now != 0 { // cached by a clock that was far ahead
		return read(now)()
	}
	return h, err
}

func (s *Store) readInboxData(ctx context.Context, workspace string, now int64) (*inboxData, error) {
	h := &inboxData{now: now}
	for _, read := range []func(context.Context, string, *inboxData) error{s.readOpen, s.readSnoozes, s.readClaims, s.readPending, s.readHandovers} {
		if err := read(ctx, workspace, h); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// readOpen reads the asks that need a human, up to one more than are cached.
func (s *Store) readOpen(ctx context.Context, workspace string, h *inboxData) error {
	var text string
	if err := s.Row(ctx, `SELECT coalesce(string_agg(e.x, ','), '') FROM (SELECT `+entryText+` AS x FROM records r
		WHERE r.lane = 0 AND r.workspace = $1 ORDER BY r.since, r.no LIMIT `+strconv.Itoa(s.maxCachedAsks()+1)+`) e`, workspace).Scan(&text); err != nil {
		return err
	}
	h.asks = readEntries(text, nil)
	return nil
}

// openAsks is queryOpenAsks, from the cache if possible.
func (s *Store) openAsks(ctx context.Context, in *store.Inbox, f *inboxFilter, w window, n int) ([]inboxEntry, error) {
	sorted := f.q.LongestFirst && f.q.N >= 0 && (f.q.Tab == "" || f.q.Tab == store.TabNeeds)
	if sorted {
		w, n = window{}, 1<<40 // sorting needs all of them
	}
	var all []inboxEntry
	var err error
	if f.isOtherType() || len(f.data.asks) > s.maxCachedAsks() {
		all, err = s.queryOpenAsks(ctx, in, f, w, n)
	} else {
		all = f.cachedOpenAsks(in, w, n)
	}
	if err == nil && sorted {
		all, err = s.sortByTotalWait(ctx, f, all)
	}
	return all, err
}

// cachedOpenAsks counts the asks that need a human and returns the n nearest to the window's cursor, from the cache.
func (f *inboxFilter) cachedOpenAsks(in *store.Inbox, w window, n int) (all []inboxEntry) {
	far := 0
	for i := range f.data.asks {
		e := &f.data.asks[i]
		if !f.matches(e) || !f.includes(e) {
			continue
		}
		if in.Total == 0 {
			in.Oldest = e.since
		}
		in.Total++
		switch {
		case w.at != nil && !w.includes(placeIn(firstGroup, e.since, e.no)):
		case len(all) < n:
			all = append(all, *e)
		case w.back:
			all[far], far = *e, (far+1)%n // in place of the one farthest from the cursor
		}
	}
	return all
}
