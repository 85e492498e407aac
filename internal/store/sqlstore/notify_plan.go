package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/account"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// WorkspacesToPlan implements store.Notifications.
func (s *Store) WorkspacesToPlan(ctx context.Context, changed bool) ([]string, error) {
	query := `SELECT w.id FROM workspaces w LEFT JOIN notify_cursors c ON c.workspace = w.id WHERE w.deleted_at = 0`
	if changed {
		query += ` AND w.seq > coalesce(c.seq, 0)`
	}
	rows, err := s.Rows(ctx, query+` ORDER BY w.id`)
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, id *string) error { return r.Scan(id) })
}

const (
	microHour = 3_600_000_000
	// recent is the maximum age of an ask of which people are notified who are asked from now on.
	recentAsk = 72 * microHour
)

// reminderHours are the hours that a person can choose.
var reminderHours = [...]int64{4, 24, 72}

// PlanInput implements store.Notifications. It doesn't read a snapshot: what changes while it reads has a higher Seq and is
// read again next time.
func (s *Store) PlanInput(ctx context.Context, workspace string, at int64) (*store.PlanInput, error) {
	workspace = sqldb.CleanText(workspace)
	x := &store.PlanInput{Workspace: workspace, To: store.PlanCursor{At: at}}
	var rosterSeq int64
	if err := s.Row(ctx, `SELECT w.seq, w.roster, coalesce(c.seq, 0), coalesce(c.at, 0) FROM workspaces w LEFT JOIN notify_cursors c ON c.workspace = w.id WHERE w.id = $1 AND w.deleted_at = 0`,
		workspace).Scan(&x.To.Seq, &rosterSeq, &x.From.Seq, &x.From.At); err != nil {
		return nil, err
	}
	from := x.From
	if x.To.At = max(at, from.At); from.At == 0 {
		from.At = at // no time has passed yet
	}
	if err := s.planOpenAsks(ctx, x, from, rosterSeq > from.Seq); err != nil {
		return nil, err
	}
	if err := s.planUnconfirmed(ctx, x, from, rosterSeq > from.Seq); err != nil {
		return nil, err
	}
	if err := s.planLateReplies(ctx, x, from); err != nil {
		return nil, err
	}
	x.Week = endedWeek(x.From.At, x.To.At)
	if err := s.planChannels(ctx, x); err != nil {
		return nil, err
	}
	if x.Week == "" && len(x.Asks) == 0 && len(x.Unconfirmed) == 0 && len(x.Replies) == 0 && len(x.Settled) == 0 {
		return x, nil
	}
	return x, s.planRecipients(ctx, x)
}

// endedWeek returns the ISO week that ended last, if 06:00 UTC on the Monday after it is between two times.
func endedWeek(from, to int64) string {
	at := time.UnixMicro(to).UTC()
	monday := time.Date(at.Year(), at.Month(), at.Day()-int(at.Weekday()+6)%7, 6, 0, 0, 0, time.UTC)
	if monday.After(at) {
		monday = monday.AddDate(0, 0, -7)
	}
	if from == 0 || from >= monday.UnixMicro() {
		return ""
	}
	year, week := monday.AddDate(0, 0, -7).ISOWeek()
	return fmt.Sprintf("%d-W%02d", year, week)
}

// hourPassed selects the numbers of a table's rows whose time in a column lies one of the reminder hours before some moment
// after $2 and up to $3. Each hour has its own SELECT, because with OR the planner doesn't use the index on that column.
func hourPassed(table, where, column string) string {
	var each []string
	for _, h := range reminderHours {
		ago := strconv.FormatInt(h*microHour, 10)
		each = append(each, `SELECT h.no FROM `+table+` h WHERE h.workspace = $1 AND `+where+` AND h.`+column+` > $2 - `+ago+` AND h.`+column+` <= $3 - `+ago)
	}
	return strings.Join(each, " UNION ALL ")
}

const openAskColumns = `r.no, r.agent, r.id, ` + kindText + `, r.asked, r.round, r.changed_at, r.seq`

type openAskRow struct {
	no, seq int64
	asked   string
	ask     store.OpenAsk
}

func scanOpenAsk(r sqldb.Scanner, o *openAskRow) error {
	err := r.Scan(&o.no, &o.ask.Agent, &o.ask.Ask, &o.ask.Type, &o.asked, &o.ask.Round, &o.ask.Arrived, &o.seq)
	o.ask.Ask = sqldb.DecodeID(o.ask.Ask)
	return err
}

// planOpenAsks reads the open asks about which there may be something to notify.
func (s *Store) planOpenAsks(ctx context.Context, x *store.PlanInput, from store.PlanCursor, rosterChanged bool) error {
	asks, err := s.openAskRows(ctx, x, from, rosterChanged)
	if err != nil || len(asks) == 0 {
		return err
	}
	roster, at, err := s.rosterAt(ctx, x.Workspace)
	if err != nil {
		return err
	}
	held, err := s.cachedInbox(ctx, x.Workspace, at.changes, x.To.At)
	if err != nil {
		return err
	}
	back, err := s.endedSnoozes(ctx, x.Workspace, from.At, x.To.At)
	if err != nil {
		return err
	}
	var again []int64 // numbers of asks with changes in a later round
	for i := range asks {
		o := &asks[i]
		o.ask.New = o.seq > from.Seq || rosterChanged && o.ask.Arrived > x.To.At-recentAsk
		if o.ask.New && o.ask.Round > 1 {
			again = append(again, o.no)
		}
	}
	changesBy, err := s.changeRequests(ctx, x.Workspace, again)
	if err != nil {
		return err
	}
	off := map[int64][]string{}
	for _, z := range held.snoozes {
		if z.until > x.To.At {
			off[z.no] = append(off[z.no], z.person)
		}
	}
	for _, o := range asks {
		o.ask.AskedOf = roster.AskedOf(o.ask.Agent, o.asked)
		if h := held.handovers[o.no]; h != nil && roster.MayReply(h.To, o.ask.Agent) && !slices.Contains(o.ask.AskedOf, h.To) {
			o.ask.AskedOf = append(slices.Clone(o.ask.AskedOf), h.To)
		}
		o.ask.SnoozeEndedFor = back[o.no]
		o.ask.SnoozedBy = off[o.no]
		o.ask.ChangesBy = changesBy[o.no]
		x.Asks = append(x.Asks, o.ask)
	}
	return nil
}

// openAskRows reads each open ask that meets one of planConditions, once, in the order of these conditions.
func (s *Store) openAskRows(ctx context.Context, x *store.PlanInput, from store.PlanCursor, rosterChanged bool) ([]openAskRow, error) {
	// The workspace is given twice, so that the planner scans its agents and not everyone's.
	const of = ` FROM records r JOIN agents a ON a.id = r.agent AND a.workspace = r.workspace AND a.archived_at = 0 WHERE r.lane = 0 AND r.kind = 1 AND r.workspace`
	var found []openAskRow
	seen := map[int64]bool{}
	for _, c := range planConditions(from, x.To.At, rosterChanged) {
		rows, err := s.Rows(ctx, `SELECT `+openAskColumns+of+c.sql+` ORDER BY r.no`, append([]any{x.Workspace}, c.args...)...)
		all, err := sqldb.Collect(rows, err, scanOpenAsk)
		if err != nil {
			return nil, err
		}
		for _, o := range all {
			if !seen[o.no] {
				seen[o.no] = true
				found = append(found, o)
			}
		}
	}
	return found, nil
}

// planCondition is a condition on records, which continues r.workspace; its parameters are $1, the workspace, and following.
type planCondition struct {
	sql  string
	args []any
}

// planConditions are the conditions for a notification about an ask: it has changed, reminder hours have passed, someone is
// asked from now on, or a snooze has ended.
func planConditions(from store.PlanCursor, to int64, rosterChanged bool) []planCondition {
	all := []planCondition{{` = $1 AND r.seq > $2`, []any{from.Seq}}}
	if from.At < to {
		all = append(all, planCondition{` || '' = $1 AND r.no IN (` + hourPassed(`records`, `h.lane = 0 AND h.kind = 1`, `changed_at`) + `)`, []any{from.At, to}})
	}
	if rosterChanged {
		all = append(all, planCondition{` = $1 AND r.changed_at > $2`, []any{to - recentAsk}})
	}
	return append(all, planCondition{` || '' = $1 AND r.no IN (SELECT z.record FROM snoozes z WHERE z.workspace = $1 AND z.until > $2 AND z.until <= $3)`, []any{from.At, to}})
}

// endedSnoozes returns the people whose snoozes ended in between, by the ask's number.
func (s *Store) endedSnoozes(ctx context.Context, workspace string, from, to int64) (map[int64][]string, error) {
	rows, err := s.Rows(ctx, `SELECT z.record, z.person FROM snoozes z JOIN records r ON r.no = z.record
		WHERE z.workspace = $1 AND z.until > $2 AND z.until <= $3 AND `+isUnchanged, workspace, from, to)
	type one struct {
		no     int64
		person string
	}
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, o *one) error { return r.Scan(&o.no, &o.person) })
	back := map[int64][]string{}
	for _, o := range all {
		back[o.no] = append(back[o.no], o.person)
	}
	return back, err
}

// changeRequests returns who requested changes of asks, by the ask's number, if that was the last decision on the ask.
func (s *Store) changeRequests(ctx context.Context, workspace string, asks []int64) (map[int64]string, error) {
	if len(asks) == 0 {
		return nil, nil
	}
	rows, err := s.Rows(ctx, `SELECT r.no, d.person, d.line FROM records r JOIN decisions d ON d.no = (SELECT e.no FROM decisions e
		WHERE e.workspace = $1 AND e.agent = r.agent AND e.ask = r.id AND e.fate = 1 ORDER BY e.made_at DESC, e.no DESC LIMIT 1) WHERE r.no `+s.NumbersIn(2),
		workspace, sqldb.JSONList(asks))
	type decided struct {
		no     int64
		person string
		line   []byte
	}
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, d *decided) error { return r.Scan(&d.no, &d.person, &d.line) })
	wanted := map[int64]string{}
	for _, d := range all {
		if figs.Fold([][]byte{d.line}).Get("verdict").Text() == "changes-requested" {
			wanted[d.no] = d.person
		}
	}
	return wanted, err
}

// planUnconfirmed reads unconfirmed reports that have changed since the cursor, and recent ones if the roster has changed,
// because someone else may be asked to confirm them now.
func (s *Store) planUnconfirmed(ctx context.Context, x *store.PlanInput, from store.PlanCursor, rosterChanged bool) error {
	of, args := `r.reported + 0 = 1 AND r.seq > $2`, []any{x.Workspace, from.Seq} // + 0, so that the planner searches by seq
	if rosterChanged {
		of, args = `r.lane IN (0, 1, 2) AND r.reported = 1`, args[:1]
	}
	rows, err := s.Rows(ctx, `SELECT r.agent, r.id, r.round, r.since, r.named_key, r.state, r.seq, r.fold, `+reportArrived+` FROM records r JOIN agents a ON a.id = r.agent AND a.workspace = r.workspace AND a.archived_at = 0
		WHERE r.workspace = $1 AND r.kind + 0 = 1 AND `+of+` ORDER BY r.no`, args...)
	type row struct {
		store.UnconfirmedReply
		key     string
		state   int
		seq     int64
		fold    []byte
		arrived int64
	}
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, o *row) error {
		err := r.Scan(&o.Agent, &o.Ask, &o.Round, &o.Since, &o.key, &o.state, &o.seq, &o.fold, &o.arrived)
		o.Ask = sqldb.DecodeID(o.Ask)
		return err
	})
	if err != nil || len(all) == 0 {
		return err
	}
	roster, err := s.Roster(ctx, x.Workspace)
	if err != nil {
		return err
	}
	for _, o := range all {
		if o.seq <= from.Seq && o.arrived <= x.To.At-recentAsk {
			continue
		}
		o.New = o.seq > from.Seq
		o.Confirmers = roster.Confirmers(o.Agent, o.key, o.arrived)
		ask := figs.ReadAsk(figs.Fold([][]byte{o.fold}))
		switch phase := figs.Phase(o.state); phase {
		case figs.BeingRevised, figs.Declined, figs.Rejected:
		default:
			o.Approves, o.Steps = ask.Type == "sign-off", ask.OnApprove
		}
		x.Unconfirmed = append(x.Unconfirmed, o.UnconfirmedReply)
	}
	return nil
}

// planLateReplies reads the replies that no sync has picked up.
func (s *Store) planLateReplies(ctx context.Context, x *store.PlanInput, from store.PlanCursor) error {
	if from.At >= x.To.At {
		return nil
	}
	rows, err := s.Rows(ctx, `SELECT d.agent, d.ask, d.id, d.person, d.ended_at FROM decisions d JOIN agents a ON a.id = d.agent AND a.workspace = d.workspace AND a.archived_at = 0
		JOIN messages m ON m.agent = d.agent AND m.id = d.id AND m.handed_at = 0 AND m.confirmed_at = 0
		WHERE d.no IN (`+hourPassed(`decisions`, `h.fate = 1`, `ended_at`)+`) ORDER BY d.no`, x.Workspace, from.At, x.To.At)
	x.Replies, err = sqldb.Collect(rows, err, func(r sqldb.Scanner, l *store.LateReply) error {
		err := r.Scan(&l.Agent, &l.Ask, &l.ID, &l.Person, &l.At)
		l.Ask, l.ID = sqldb.DecodeID(l.Ask), sqldb.DecodeID(l.ID)
		return err
	})
	return err
}

// planRecipients reads the members and their settings.
func (s *Store) planRecipients(ctx context.Context, x *store.PlanInput) error {
	rows, err := s.Rows(ctx, `SELECT m.person, m.since, coalesce(h.open, $2), coalesce(h.picked, $3) FROM members m LEFT JOIN notify_hours h ON h.person = m.person
		WHERE m.workspace = $1 ORDER BY m.person`, x.Workspace, store.DefaultReminderHours.Open, store.DefaultReminderHours.PickedUp)
	x.Recipients, err = sqldb.Collect(rows, err, func(r sqldb.Scanner, t *store.Recipient) error {
		t.Settings = map[store.NotificationSetting]bool{}
		return r.Scan(&t.Person, &t.Since, &t.Hours.Open, &t.Hours.PickedUp)
	})
	if err != nil {
		return err
	}
	of := func(person string) *store.Recipient {
		i, ok := slices.BinarySearchFunc(x.Recipients, person, func(t store.Recipient, p string) int { return compareText(t.Person, p) })
		if !ok {
			return nil
		}
		return &x.Recipients[i]
	}
	rows, err = s.Rows(ctx, `SELECT `+destinationColumns+` FROM notify_places p JOIN members m ON m.person = p.person AND m.workspace = $1
		WHERE p.confirmed_at <> 0 AND p.disabled_at = 0 ORDER BY p.created_at, p.id`, x.Workspace)
	places, err := sqldb.Collect(rows, err, scanDestination)
	if err != nil {
		return err
	}
	for _, p := range places {
		if t := of(p.Person); t != nil {
			t.Destinations = append(t.Destinations, p)
		}
	}
	rows, err = s.Rows(ctx, `SELECT w.person, w.place, w.workspace, w.event, w.wanted FROM notify_wishes w JOIN members m ON m.person = w.person AND m.workspace = $1 WHERE w.workspace = $1`, x.Workspace)
	type setting struct {
		person string
		wanted int
		store.NotificationSetting
	}
	settings, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, w *setting) error {
		return r.Scan(&w.person, &w.Destination, &w.Workspace, (*string)(&w.Event), &w.wanted)
	})
	for _, w := range settings {
		w.Wanted = w.wanted != 0
		if t := of(w.person); t != nil {
			t.Settings[w.NotificationSetting] = true
		}
	}
	return err
}

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// PlanNotifications implements store.Notifications.
func (s *Store) PlanNotifications(ctx context.Context, workspace string, from, to store.PlanCursor, notifications []store.Notification) (n int, err error) {
	err = s.update(ctx, func(c *storeTx) error {
		n = 0
		// Writing first locks the row, so that concurrent calls run one after the other.
		if _, err := c.Exec(ctx, `INSERT INTO notify_cursors (workspace, seq, at) VALUES ($1, 0, 0) ON CONFLICT (workspace) DO UPDATE SET seq = notify_cursors.seq`, sqldb.CleanText(workspace)); err != nil {
			return err
		}
		if err := c.ExecOne(ctx, `UPDATE notify_cursors SET seq = $4, at = $5 WHERE workspace = $1 AND seq = $2 AND at = $3`, sqldb.CleanText(workspace), from.Seq, from.At, to.Seq, to.At); err != nil {
			return err
		}
		for i := range notifications {
			added, err := account.AddNotification(ctx, c.Tx, &notifications[i])
			if err != nil {
				return err
			}
			n += int(added)
		}
		return nil
	})
	return n, err
}

// AddNotification implements store.Notifications.
func (s *Store) AddNotification(ctx context.Context, n store.Notification) error {
	return s.update(ctx, func(c *storeTx) error {
		_, err := account.AddNotification(ctx, c.Tx, &n)
		return err
	})
}
