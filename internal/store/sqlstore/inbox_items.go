package sqlstore

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// snooze is a snoozed ask that hasn't changed since.
type snooze struct {
	inboxEntry // kind is the ask's type, unchanged
	person     string
	until      int64
}

// isUnchanged is the condition that the ask r hasn't changed since snooze z.
const isUnchanged = `r.versions = z.versions AND z.replies = (SELECT count(*) FROM messages m WHERE m.agent = z.agent AND m.ask = z.ask)`

// readSnoozes reads the active snoozes.
func (s *Store) readSnoozes(ctx context.Context, workspace string, h *inboxData) error {
	rows, err := s.Rows(ctx, `SELECT z.person, z.until, r.no, r.since, r.agent, r.asked, r.type FROM snoozes z JOIN records r ON r.no = z.record
		WHERE z.workspace = $1 AND z.until > $2 AND `+isUnchanged+` ORDER BY z.until, r.no`, workspace, h.now)
	h.snoozes, err = sqldb.Collect(rows, err, func(r sqldb.Scanner, z *snooze) error {
		return r.Scan(&z.person, &z.until, &z.no, &z.since, &z.agent, &z.asked, &z.kind)
	})
	return err
}

// snoozedBy returns a person's snoozes that end after now, ordered by their ends.
func (h *inboxData) snoozedBy(person string, now int64) (list []snooze) {
	for _, z := range h.snoozes {
		if z.until > now && z.person == person {
			list = append(list, z)
		}
	}
	return list
}

// snoozedAsks returns what Viewer has snoozed, whoever is asked.
func (f *inboxFilter) snoozedAsks() (all []inboxEntry) {
	for i := range f.snoozes {
		if e := &f.snoozes[i].inboxEntry; f.matches(e) && f.includesAgent(f.roster.Agent(e.agent)) {
			all = append(all, *e)
			all[len(all)-1].at = f.snoozes[i].until
		}
	}
	return all
}

// readClaims reads the active claims.
func (s *Store) readClaims(ctx context.Context, workspace string, h *inboxData) error {
	rows, err := s.Rows(ctx, `SELECT r.no, c.agent, c.ask, c.person, c.at, c.until FROM claims c JOIN records r ON r.agent = c.agent AND r.kind = 1 AND r.id = c.ask
		WHERE c.workspace = $1 AND c.until > $2 ORDER BY c.at DESC, c.person`, workspace, h.now)
	type numbered struct {
		no int64
		store.Claim
	}
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, c *numbered) error {
		err := r.Scan(&c.no, &c.Agent, &c.Ask, &c.By, &c.At, &c.Until)
		c.Ask = sqldb.DecodeID(c.Ask)
		return err
	})
	h.claims = make(map[int64][]store.Claim, len(all))
	for _, c := range all {
		h.claims[c.no] = append(h.claims[c.no], c.Claim)
	}
	return err
}

// readPending reads the pending decisions.
func (s *Store) readPending(ctx context.Context, workspace string, h *inboxData) error {
	rows, err := s.Rows(ctx, `SELECT r.no, `+decisionColumns+` FROM decisions d JOIN records r ON r.agent = d.agent AND r.kind = 1 AND r.id = d.ask
		WHERE d.fate = 0 AND d.workspace = $1 ORDER BY d.effective_at DESC, d.no DESC`, workspace)
	type numbered struct {
		no       int64
		decision store.Decision
	}
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, d *numbered) error {
		return scanDecision(sqldb.ColumnBefore(r, &d.no), &d.decision)
	})
	h.pending = make(map[int64]*store.Decision, len(all))
	for i := range all {
		h.pending[all[i].no] = &all[i].decision // the one that is effective first
	}
	return err
}

// addActivity adds the pending decision, claim and snooze of an ask to its item.
func (f *inboxFilter) addActivity(no int64, item *store.InboxItem) {
	if decision := f.data.pending[no]; decision != nil {
		copied := *decision
		item.Pending = &copied
	}
	for _, c := range f.data.claims[no] {
		if c.Until > f.q.Now {
			item.Claim = &c
			break
		}
	}
	if at := slices.IndexFunc(f.snoozes, func(z snooze) bool { return z.no == no }); at >= 0 {
		item.Snoozed = f.snoozes[at].until
	}
}

// pendingOf returns a person's pending decisions, ordered by Effective.
func (h *inboxData) pendingOf(person string) (list []store.Decision) {
	for _, decision := range h.pending {
		if decision.By == person {
			list = append(list, *decision)
		}
	}
	slices.SortFunc(list, func(a, b store.Decision) int {
		return cmp.Or(cmp.Compare(a.Effective, b.Effective), strings.Compare(a.ID, b.ID))
	})
	return list
}

// inboxRow is an ask as every viewer's inbox shows it. It is cached and must not be modified.
type inboxRow struct {
	no   int64
	item store.InboxItem
}

// pageVersion is what the rows of a page depend on: the workspace's Seq, and which asks are on it.
type pageVersion struct {
	seq     int64
	numbers string
}

// pageKey returns the query without times and viewer, so that a page replaces its older versions in the cache.
func pageKey(q *store.InboxQuery) store.InboxQuery {
	key := *q
	key.Workspace, key.Viewer, key.Now, key.SinceBefore = sqldb.CleanText(q.Workspace), "", 0, 0
	return key
}

// readPage reads the rows of some asks.
func (s *Store) readPage(ctx context.Context, numbers []int64) ([]inboxRow, error) {
	// Small numbers are packed into one column, because reading a column through the driver is expensive.
	rows, err := s.Rows(ctx, `SELECT r.no, r.fold, r.since, coalesce(j.title, ''), ((r.round * 16 + coalesce(j.state, 15)) * 16 + r.state) * 2 + CASE WHEN r.reported = 0 THEN 0 ELSE 1 END
		FROM records r LEFT JOIN records j ON j.agent = r.agent AND j.kind = 0 AND j.id = r.run AND r.run <> '' WHERE r.no `+s.NumbersIn(1), sqldb.JSONList(numbers))
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, x *inboxRow) error { return scanInboxItem(sqldb.ColumnBefore(r, &x.no), &x.item) })
}

// inboxItems returns the items of entries, in order. seq is the workspace's Seq.
func (s *Store) inboxItems(ctx context.Context, seq int64, asks []inboxEntry, f *inboxFilter) ([]store.InboxItem, error) {
	if len(asks) == 0 {
		return nil, nil
	}
	numbers := make([]int64, len(asks))
	place := make(map[int64]int, len(asks))
	for i, e := range asks {
		numbers[i], place[e.no] = e.no, i
	}
	// Small numbers are packed into one column, because reading a column through the driver is expensive.
	found, err := s.pages.Get(ctx, pageKey(f.q), pageVersion{seq, sqldb.JSONList(numbers)}, func() ([]inboxRow, error) { return s.readPage(ctx, numbers) })
	if err != nil {
		return nil, err
	}
	items := make([]store.InboxItem, len(asks))
	reported := map[int64]*store.InboxItem{}
	for i := range found {
		no := found[i].no
		at := place[no]
		item := &items[at]
		*item = found[i].item
		item.Agent, item.EarlierWait = asks[at].agent, asks[at].earlierWait
		item.AskedOf = f.roster.AskedOf(asks[at].agent, asks[at].asked)
		f.addActivity(no, item)
		item.Handover = f.handover(no, asks[at].agent)
		if item.Reported {
			reported[no] = item
		}
	}
	if err := s.setReported(ctx, f.roster, reported); err != nil {
		return nil, err
	}
	if f.q.Tab == store.TabWaiting {
		if err := s.addFollowUps(ctx, numbers, items, place); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(items, func(i store.InboxItem) bool { return i.Agent == "" }), nil
}

// setReported sets ReportedBy and AskedOf of reported asks. Nobody is asked to confirm a report that was denied.
func (s *Store) setReported(ctx context.Context, roster *store.Roster, items map[int64]*store.InboxItem) error {
	if len(items) == 0 {
		return nil
	}
	numbers := make([]int64, 0, len(items))
	for no := range items {
		numbers = append(numbers, no)
	}
	rows, err := s.Rows(ctx, `SELECT r.no, r.named, r.reported, r.named_key, `+reportArrived+` FROM records r WHERE r.no `+s.NumbersIn(1), sqldb.JSONList(numbers))
	type named struct {
		by       string
		reported int
		inboxEntry
	}
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *named) error {
		return r.Scan(&x.no, &x.by, &x.reported, &x.nameKey, &x.arrived)
	})
	for _, x := range all {
		item := items[x.no]
		if item.ReportedBy, item.AskedOf = x.by, nil; x.reported != reportedDenied {
			item.AskedOf = roster.Confirmers(item.Agent, x.nameKey, x.arrived)
		}
	}
	return err
}

func scanInboxItem(r sqldb.Scanner, i *store.InboxItem) error {
	var packed int
	err := r.Scan(&i.Fold, &i.Since, &i.JobTitle, &packed)
	job := packed >> 5 & 15
	i.Reported, i.Phase, i.Round = packed&1 != 0, figs.Phase(packed>>1&15), packed>>9
	i.HasJob, i.JobInFlight = job != 15, job == int(figs.OutcomeInFlight)
	i.Ask = figs.ReadAsk(figs.Fold([][]byte{i.Fold}))
	return err
}
