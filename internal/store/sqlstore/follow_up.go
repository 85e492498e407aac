package sqlstore

import (
	"context"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// readHandovers reads the hand-overs in force of asks that aren't closed.
func (s *Store) readHandovers(ctx context.Context, workspace string, h *inboxData) error {
	rows, err := s.Rows(ctx, `SELECT r.no, `+askNoteColumns+` FROM ask_notes n JOIN records r ON r.agent = n.agent AND r.kind = 1 AND r.id = n.ask
		WHERE n.workspace = $1 AND n.holds = 1 AND r.lane + 0 <> `+laneClosedText, workspace)
	type numbered struct {
		no   int64
		note store.AskNote
	}
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *numbered) error {
		return scanAskNote(sqldb.ColumnBefore(r, &x.no), &x.note)
	})
	h.handovers = make(map[int64]*handover, len(all))
	for i := range all {
		h.handovers[all[i].no] = &handover{agent: all[i].note.Agent, Handover: HandoverOf(&all[i].note)}
	}
	return err
}

const laneClosedText = `2`

// handover is a hand-over in force, as it is stored.
type handover struct {
	agent string
	store.Handover
}

// HandoverOf returns the hand-over that a note is.
func HandoverOf(n *store.AskNote) store.Handover {
	return store.Handover{No: n.No, By: n.By, To: strings.Join(n.People, " "), Note: n.Text, At: n.At}
}

// handedTo reports whether an ask is handed to a person who may reply to it.
func (f *inboxFilter) handedTo(no int64, agent, person string) bool {
	h := f.data.handovers[no]
	return h != nil && h.To == person && f.roster.MayReply(person, agent)
}

// handover returns the hand-over of an ask; nil if there is none.
func (f *inboxFilter) handover(no int64, agent string) *store.Handover {
	h := f.data.handovers[no]
	if h == nil {
		return nil
	}
	copied := h.Handover
	copied.CanReply = f.roster.MayReply(h.To, agent)
	return &copied
}

// handingAgents adds the agents of which asks are handed to Mine.
func (f *inboxFilter) handingAgents(ids []string) []string {
	known := make(map[string]bool, len(ids))
	for _, id := range ids {
		known[id] = true
	}
	for no, h := range f.data.handovers {
		if f.q.Mine != "" && !known[h.agent] && f.includesAgent(f.roster.Agent(h.agent)) && f.handedTo(no, h.agent, f.q.Mine) {
			ids, known[h.agent] = append(ids, h.agent), true
		}
	}
	return ids
}

// isUnconfirmed is the condition that message m is a reply that no push has brought back. Without an id to compare, SQLite
// takes an index of all messages of an agent for as good as that of these.
const isUnconfirmed = `m.id >= '' AND m.verified = 1 AND m.confirmed_at = 0`

// stuckAsks returns the asks that wait for their agent with a reply that no push has brought back, longest wait first.
func (s *Store) stuckAsks(ctx context.Context, f *inboxFilter) ([]inboxEntry, error) {
	w := sqldb.Where{SQL: `SELECT r.no, min(m.received_at), r.agent, r.asked FROM agents a JOIN messages m ON m.agent = a.id AND ` + isUnconfirmed + `
		JOIN records r ON r.agent = m.agent AND r.kind = 1 AND r.id = m.ask AND r.lane + 0 = 1 AND r.reported = 0 WHERE 1 = 1`}
	w.And(` AND a.workspace = $%d`, sqldb.CleanText(f.q.Workspace))
	f.addConditions(&w)
	rows, err := s.Rows(ctx, w.SQL+` GROUP BY r.no, r.agent, r.asked ORDER BY 2, 1`, w.Args...)
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, e *inboxEntry) error { return r.Scan(&e.no, &e.since, &e.agent, &e.asked) })
	kept := all[:0]
	for i := range all {
		if f.includes(&all[i]) {
			kept = append(kept, all[i])
		}
	}
	return kept, err
}

// waitingAsks returns asks that wait for their agent, at least those of a window: first those with a reply that no push has
// brought back, longest wait first, then the others, newest first.
func (s *Store) waitingAsks(ctx context.Context, q *store.InboxQuery, f *inboxFilter, w window) ([]placedAsk, error) {
	stuck, err := s.stuckAsks(ctx, f)
	if err != nil {
		return nil, err
	}
	f.skip = make(map[int64]bool, len(stuck))
	for _, e := range stuck {
		f.skip[e.no] = true
	}
	rows := w.nearest(longestFirst(stuck, firstGroup))
	if w.at != nil && w.at.Key.Text == firstGroup {
		if w.back {
			return rows, nil
		}
		w.at = nil // all others come after it
	}
	if !w.back && len(rows) > w.N {
		return rows, nil
	}
	others, err := s.otherAsks(ctx, q, f, w, secondGroup)
	return append(rows, others...), err
}

const followUpColumns = `r.no, r.received_at, CASE WHEN r.lane = 2 THEN r.closed_at ELSE 0 END, coalesce(m.received_at, 0), coalesce(m.pushed_by, ''), coalesce(m.handed_at, 0), coalesce(m.confirmed_at, 0), coalesce(n.at, 0), coalesce(n.person, ''), coalesce(n.people, '')`

// followUpTables join an ask r, its newest verified reply m and its newest reminder n.
const followUpTables = ` FROM records r
	LEFT JOIN messages m ON m.no = (SELECT x.no FROM messages x WHERE x.agent = r.agent AND x.ask = r.id AND x.verified = 1 ORDER BY x.received_at DESC, x.no DESC LIMIT 1)
	LEFT JOIN ask_notes n ON n.no = (SELECT y.no FROM ask_notes y WHERE y.agent = r.agent AND y.ask = r.id AND y.kind = 'nudge' ORDER BY y.no DESC LIMIT 1)`

func scanFollowUp(r sqldb.Scanner, no *int64, f *store.FollowUp) error {
	var reminded string
	err := r.Scan(no, &f.Asked, &f.Closed, &f.Replied, &f.RepliedBy, &f.PickedUp, &f.Confirmed, &f.Nudged, &f.NudgedBy, &reminded)
	f.Reminded = peopleOf(reminded)
	return err
}

// followUp reads how far an ask has got, by its id as the database has it.
func followUp(ctx context.Context, q sqldb.Queries, agent, ask string) (f store.FollowUp, err error) {
	var no int64
	var fold []byte
	if err := scanFollowUp(sqldb.ColumnBefore(q.Row(ctx, `SELECT r.fold, `+followUpColumns+followUpTables+` WHERE r.agent = $1 AND r.kind = 1 AND r.id = $2`, agent, ask), &fold), &no, &f); err != nil {
		return f, err
	}
	return f, addViews(ctx, q, []askViews{{agent, figs.AttachmentNames(figs.Fold([][]byte{fold})), &f}})
}

// FollowUp implements store.Teamwork.
func (s *Store) FollowUp(ctx context.Context, agent, ask string) (store.FollowUp, error) {
	return followUp(ctx, s, sqldb.CleanText(agent), sqldb.EncodeID(ask))
}

// askViews is an ask for addViews: its attachments, and where to set when one was viewed.
type askViews struct {
	agent string
	names []string
	f     *store.FollowUp
}

// addViews sets when someone first viewed or downloaded an attachment of each ask after the ask had arrived.
func addViews(ctx context.Context, q sqldb.Queries, asks []askViews) error {
	type file struct{ agent, name string }
	of := map[file][]*store.FollowUp{}
	var agents, names []string
	for _, a := range asks {
		for _, name := range a.names {
			name = sqldb.CleanText(name)
			of[file{a.agent, name}] = append(of[file{a.agent, name}], a.f)
			agents, names = append(agents, a.agent), append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(agents)
	rows, err := q.Rows(ctx, `SELECT a.agent, a.name, o.at FROM attachments a JOIN opened o ON o.workspace = a.workspace AND o.sha256 = a.sha256 AND o.how IN ('screen', 'alone', 'download')
		WHERE a.agent `+q.TextsIn(1)+` AND a.name `+q.TextsIn(2), sqldb.JSONList(slices.Compact(agents)), sqldb.JSONList(names))
	type view struct {
		file
		at int64
	}
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, v *view) error { return r.Scan(&v.agent, &v.name, &v.at) })
	for _, v := range all {
		for _, f := range of[v.file] {
			if v.at >= f.Asked && (f.Viewed == 0 || v.at < f.Viewed) {
				f.Viewed = v.at
			}
		}
	}
	return err
}

// addFollowUps sets how far the asks of a page have got. place is the item of each number.
func (s *Store) addFollowUps(ctx context.Context, numbers []int64, items []store.InboxItem, place map[int64]int) error {
	rows, err := s.Rows(ctx, `SELECT `+followUpColumns+followUpTables+` WHERE r.no `+s.NumbersIn(1), sqldb.JSONList(numbers))
	type numbered struct {
		no int64
		f  store.FollowUp
	}
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *numbered) error { return scanFollowUp(r, &x.no, &x.f) })
	if err != nil {
		return err
	}
	views := make([]askViews, len(all))
	for i := range all {
		item := &items[place[all[i].no]]
		item.FollowUp = &all[i].f
		views[i] = askViews{item.Agent, item.Ask.Attachments, item.FollowUp}
	}
	return addViews(ctx, s, views)
}
