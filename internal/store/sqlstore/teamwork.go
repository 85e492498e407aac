package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/account"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const askNoteColumns = `n.no, n.agent, n.ask, n.kind, n.person, n.people, n.note, n.at, n.holds`

func scanAskNote(r sqldb.Scanner, n *store.AskNote) error {
	var people string
	var holds int
	err := r.Scan(&n.No, &n.Agent, &n.Ask, (*string)(&n.Kind), &n.By, &people, &n.Text, &n.At, &holds)
	n.Ask, n.People, n.Holds = sqldb.DecodeID(n.Ask), peopleOf(people), holds != 0
	return err
}

// peopleOf reads user ids with spaces between; nil if there are none.
func peopleOf(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Fields(s)
}

// teamAsk is an ask as the changes of store.Teamwork need it.
type teamAsk struct {
	ref         store.AskRef // as the database has it
	id          string
	lane, round int
	agent       store.Agent
	handover    int64 // number of the one in force; 0 if none
	by, to      string
}

// readTeamAsk reads an ask of a workspace. The caller has locked the workspace.
func (c *storeTx) readTeamAsk(ctx context.Context, workspace string, ref store.AskRef) (a teamAsk, err error) {
	a.ref, a.id = store.AskRef{Agent: sqldb.CleanText(ref.Agent), Ask: sqldb.EncodeID(ref.Ask)}, ref.Ask
	if err := c.Flush(ctx); err != nil { // errors of earlier statements aren't about this query
		return a, err
	}
	return a, c.Row(ctx, `SELECT r.lane, r.round, a.manager, a.builder, coalesce(n.no, 0), coalesce(n.person, ''), coalesce(n.people, '') FROM records r JOIN agents a ON a.id = r.agent AND a.workspace = $1
		LEFT JOIN ask_notes n ON n.workspace = $1 AND n.agent = r.agent AND n.ask = r.id AND n.holds = 1 WHERE r.agent = $2 AND r.kind = 1 AND r.id = $3`,
		workspace, a.ref.Agent, a.ref.Ask).Scan(&a.lane, &a.round, &a.agent.Manager, &a.agent.Builder, &a.handover, &a.by, &a.to)
}

// may reports whether a person may do something to an ask.
func (c *storeTx) may(ctx context.Context, workspace, person string, a *teamAsk, action accounts.Action) (bool, error) {
	var role store.Role
	err := c.Row(ctx, `SELECT role FROM members WHERE workspace = $1 AND person = $2`, workspace, person).Scan((*string)(&role))
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil && accounts.Can(role, accounts.RelationTo(person, &a.agent), action), err
}

// newAskNote adds a row and an audit row, and returns its number.
func (c *storeTx) newAskNote(ctx context.Context, act store.Act, workspace string, a *teamAsk, kind store.AskNoteKind, people []string, text string) (int64, error) {
	numbers, err := c.Numbers(ctx, 1)
	if err != nil {
		return 0, err
	}
	return numbers[0], c.addAskNote(ctx, act, workspace, a, kind, people, text, numbers[0])
}

// addAskNote adds a row with a number of c.Numbers, and an audit row.
func (c *storeTx) addAskNote(ctx context.Context, act store.Act, workspace string, a *teamAsk, kind store.AskNoteKind, people []string, text string, no int64) error {
	holds := kind == store.KindHandover
	if _, err := c.Exec(ctx, `INSERT INTO ask_notes (no, workspace, agent, ask, kind, person, people, note, at, holds) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		no, workspace, a.ref.Agent, a.ref.Ask, string(kind), sqldb.CleanText(act.By), strings.Join(people, " "), sqldb.CleanText(text), act.At, sqldb.BoolInt(holds)); err != nil {
		return err
	}
	if kind != store.KindNote { // notes have a limit of their own
		if _, err := c.Exec(ctx, `DELETE FROM ask_notes WHERE agent = $1 AND ask = $2 AND kind <> 'note' AND holds = 0 AND no <= coalesce((SELECT n.no FROM ask_notes n WHERE n.agent = $1 AND n.ask = $2 AND n.kind <> 'note'
			ORDER BY n.no DESC LIMIT 1 OFFSET $3), 0)`, a.ref.Agent, a.ref.Ask, store.MaxAskNotes); err != nil {
			return err
		}
	}
	subject := a.ref.Agent + " " + a.ref.Ask + " " + strings.Join(people, ",")
	return c.Audit(ctx, act, workspace, auditActions[kind], subject)
}

// auditActions are the actions of audit rows. Their subjects are the ids of the agent, the ask and, with commas, the people.
var auditActions = map[store.AskNoteKind]string{store.KindNote: "ask.note", store.KindHandover: "ask.handover", store.KindTakeBack: "ask.takeback", store.KindNudge: "ask.nudge"}

// agentsOf returns the agents of asks, each once.
func agentsOf(asks []store.AskRef) (agents []string) {
	for _, ask := range asks {
		if id := sqldb.CleanText(ask.Agent); !slices.Contains(agents, id) {
			agents = append(agents, id)
		}
	}
	return agents
}

// HandOver implements store.Teamwork.
func (s *Store) HandOver(ctx context.Context, act store.Act, workspace string, asks []store.AskRef, h store.HandoverInput) (outcomes []error, seq int64, err error) {
	workspace, h.To = sqldb.CleanText(workspace), sqldb.CleanText(h.To)
	err = ignoreNoChange(s.update(ctx, func(c *storeTx) error {
		outcomes, seq = make([]error, len(asks)), 0
		next, err := c.NextSeqOf(ctx, workspace, agentsOf(asks)...)
		if err != nil {
			return err
		}
		var done []teamAsk
		first := int64(0)
		for i, ref := range asks {
			a, err := c.readTeamAsk(ctx, workspace, ref)
			if err == nil {
				outcomes[i], err = c.checkHandover(ctx, act, workspace, &a, h)
			} else if errors.Is(err, store.ErrNotFound) {
				outcomes[i], err = err, nil
			}
			if err != nil {
				return err
			}
			if outcomes[i] != nil {
				continue
			}
			no, err := c.handOver(ctx, act, workspace, &a, h)
			if err != nil {
				return err
			}
			if done = append(done, a); first == 0 {
				first = no
			}
		}
		if len(done) == 0 {
			return errNoChange
		}
		seq = next
		n := store.Notification{Workspace: workspace, Event: store.EventHandedOver, Name: fmt.Sprint("handed ", first), At: act.At}
		if len(done) == 1 {
			n.Agent, n.Ask, n.Round = done[0].ref.Agent, done[0].id, done[0].round
		}
		_, err = account.NotifyPerson(ctx, c.Tx, h.To, n)
		return err
	}))
	return outcomes, seq, err
}

// checkHandover says why an ask can't be handed over.
func (c *storeTx) checkHandover(ctx context.Context, act store.Act, workspace string, a *teamAsk, h store.HandoverInput) (why, err error) {
	for _, check := range []struct {
		person string
		why    error
		action accounts.Action
	}{{act.By, store.ErrForbidden, accounts.HandOverAsk}, {h.To, store.ErrCannotReply, accounts.ReplyToAsk}} {
		can, err := c.may(ctx, workspace, check.person, a, check.action)
		if err != nil || !can {
			return check.why, err
		}
	}
	switch {
	case a.lane != laneNeeds:
		return store.ErrNotWaiting, nil
	case h.Seen != store.AnyHandover && h.Seen != a.handover:
		return &store.HandedOverError{By: a.by, To: a.to}, nil
	case a.to != h.To:
		return nil, nil
	}
	var note string
	if err := c.Row(ctx, `SELECT note FROM ask_notes WHERE no = $1`, a.handover).Scan(&note); err != nil {
		return nil, err
	}
	if note == sqldb.CleanText(h.Note) {
		return store.ErrUnchanged, nil
	}
	return nil, nil
}

// handOver replaces the hand-over of an ask.
func (c *storeTx) handOver(ctx context.Context, act store.Act, workspace string, a *teamAsk, h store.HandoverInput) (int64, error) {
	if _, err := c.Exec(ctx, `UPDATE ask_notes SET holds = 0 WHERE no = $1`, a.handover); err != nil {
		return 0, err
	}
	return c.newAskNote(ctx, act, workspace, a, store.KindHandover, []string{h.To}, h.Note)
}

// TakeBack implements store.Teamwork.
func (s *Store) TakeBack(ctx context.Context, act store.Act, workspace string, ask store.AskRef, seen int64) (seq int64, err error) {
	workspace = sqldb.CleanText(workspace)
	err = s.update(ctx, func(c *storeTx) error {
		if seq, err = c.NextSeqOf(ctx, workspace, sqldb.CleanText(ask.Agent)); err != nil {
			return err
		}
		a, err := c.readTeamAsk(ctx, workspace, ask)
		if err != nil {
			return err
		}
		can, err := c.may(ctx, workspace, act.By, &a, accounts.HandOverAsk)
		switch {
		case err != nil:
			return err
		case !can:
			return store.ErrForbidden
		case a.handover == 0:
			return store.ErrUnchanged
		case seen != a.handover:
			return &store.HandedOverError{By: a.by, To: a.to}
		}
		if _, err := c.Exec(ctx, `UPDATE ask_notes SET holds = 0 WHERE no = $1`, a.handover); err != nil {
			return err
		}
		_, err = c.newAskNote(ctx, act, workspace, &a, store.KindTakeBack, []string{a.to}, "")
		return err
	})
	if err != nil {
		seq = 0
	}
	return seq, err
}

// sameNote is how soon the same note of the same person is the same click, in microseconds.
const sameNote = 60_000000

// AddAskNote implements store.Teamwork.
func (s *Store) AddAskNote(ctx context.Context, act store.Act, workspace string, ask store.AskRef, text string, mentions []string) (seq int64, err error) {
	workspace = sqldb.CleanText(workspace)
	err = ignoreNoChange(s.update(ctx, func(c *storeTx) error {
		next, err := c.NextSeqOf(ctx, workspace, sqldb.CleanText(ask.Agent))
		if err != nil {
			return err
		}
		seq = 0
		a, err := c.readTeamAsk(ctx, workspace, ask)
		if err != nil {
			return err
		}
		if can, err := c.may(ctx, workspace, act.By, &a, accounts.NoteAsk); err != nil || !can {
			return firstError(err, store.ErrForbidden)
		}
		var notes, same int
		if err := c.Row(ctx, `SELECT count(*), coalesce(sum(CASE WHEN person = $3 AND note = $4 AND at > $5 THEN 1 ELSE 0 END), 0) FROM ask_notes WHERE agent = $1 AND ask = $2 AND kind = 'note'`,
			a.ref.Agent, a.ref.Ask, sqldb.CleanText(act.By), sqldb.CleanText(text), act.At-sameNote).Scan(&notes, &same); err != nil {
			return err
		}
		switch {
		case same > 0:
			return errNoChange
		case notes >= store.MaxAskNotes:
			return store.ErrLimitReached
		}
		for i := range mentions {
			mentions[i] = sqldb.CleanText(mentions[i])
			if can, err := c.may(ctx, workspace, mentions[i], &a, accounts.ReadWorkspace); err != nil || !can {
				return firstError(err, store.ErrNotMember)
			}
		}
		no, err := c.newAskNote(ctx, act, workspace, &a, store.KindNote, mentions, text)
		if err != nil {
			return err
		}
		seq = next
		for _, person := range mentions {
			if person == act.By {
				continue
			}
			n := store.Notification{Workspace: workspace, Event: store.EventMention, Name: fmt.Sprint("mention ", no), Agent: a.ref.Agent, Ask: a.id, Round: a.round, At: act.At}
			if _, err := account.NotifyPerson(ctx, c.Tx, person, n); err != nil {
				return err
			}
		}
		return nil
	}))
	if err != nil {
		seq = 0
	}
	return seq, err
}

// firstError returns err, or otherwise if err is nil.
func firstError(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

// Nudge implements store.Teamwork.
func (s *Store) Nudge(ctx context.Context, act store.Act, workspace string, ask store.AskRef) (told []string, seq int64, err error) {
	workspace = sqldb.CleanText(workspace)
	err = ignoreNoChange(s.update(ctx, func(c *storeTx) error {
		told, seq = nil, 0
		next, err := c.NextSeqOf(ctx, workspace, sqldb.CleanText(ask.Agent))
		if err != nil {
			return err
		}
		a, err := c.readTeamAsk(ctx, workspace, ask)
		if err != nil {
			return err
		}
		if can, err := c.may(ctx, workspace, act.By, &a, accounts.NudgeAgent); err != nil || !can {
			return firstError(err, store.ErrForbidden)
		}
		f, err := followUp(ctx, c, a.ref.Agent, a.ref.Ask)
		if err != nil {
			return err
		}
		switch since := f.Stuck(); {
		case a.lane == laneClosed || since == 0 || since > act.At-store.NudgeAfter:
			return store.ErrNothingToNudge
		case f.Nudged > act.At-store.NudgeInterval:
			return &store.NudgedError{By: f.NudgedBy, Next: f.Nudged + store.NudgeInterval}
		}
		numbers, err := c.Numbers(ctx, 1)
		if err != nil {
			return err
		}
		for _, person := range slices.Compact([]string{a.agent.Manager, a.agent.Builder}) {
			can, err := c.may(ctx, workspace, person, &a, accounts.ReplyToAsk)
			if err != nil {
				return err
			}
			if person == "" || person == act.By || !can {
				continue
			}
			n := store.Notification{Workspace: workspace, Event: store.EventNudge, Name: fmt.Sprint("nudge ", numbers[0]), Agent: a.ref.Agent, Ask: a.id, Round: a.round, At: act.At}
			places, err := account.NotifyPerson(ctx, c.Tx, person, n)
			if err != nil {
				return err
			}
			if places > 0 {
				told = append(told, person)
			}
		}
		if len(told) == 0 {
			return errNoChange
		}
		seq = next
		return c.addAskNote(ctx, act, workspace, &a, store.KindNudge, told, "", numbers[0])
	}))
	if err != nil {
		told, seq = nil, 0
	}
	return told, seq, err
}

// AskNotes implements store.Teamwork.
func (s *Store) AskNotes(ctx context.Context, agent, ask string) ([]store.AskNote, error) {
	rows, err := s.Rows(ctx, `SELECT `+askNoteColumns+` FROM ask_notes n WHERE n.agent = $1 AND n.ask = $2 ORDER BY n.no`, sqldb.CleanText(agent), sqldb.EncodeID(ask))
	return sqldb.Collect(rows, err, scanAskNote)
}

// NumberedAskNotes implements store.Teamwork.
func (s *Store) NumberedAskNotes(ctx context.Context, workspace string, numbers []int64) (map[int64]store.AskNote, error) {
	found := map[int64]store.AskNote{}
	if len(numbers) == 0 {
		return found, nil
	}
	rows, err := s.Rows(ctx, `SELECT `+askNoteColumns+` FROM ask_notes n WHERE n.workspace = $1 AND n.no `+s.NumbersIn(2), sqldb.CleanText(workspace), sqldb.JSONList(numbers))
	all, err := sqldb.Collect(rows, err, scanAskNote)
	for _, n := range all {
		found[n.No] = n
	}
	return found, err
}

// MarkAskNotificationsRead implements store.Teamwork.
func (s *Store) MarkAskNotificationsRead(ctx context.Context, person, workspace string, asks []store.AskRef, at int64) (n int64, err error) {
	err = s.update(ctx, func(c *storeTx) error {
		n = 0
		for _, a := range asks {
			marked, err := c.Exec(ctx, `UPDATE notify_outbox SET read_at = $5 WHERE person = $1 AND workspace = $2 AND read_at = 0 AND agent = $3 AND ask = $4`,
				sqldb.CleanText(person), sqldb.CleanText(workspace), sqldb.CleanText(a.Agent), sqldb.EncodeID(a.Ask), at)
			if err != nil {
				return err
			}
			n += marked
		}
		return nil
	})
	return n, err
}

// eraseAskNotes deletes the text that people wrote about asks, because it can quote what is erased. Who did what remains.
func (c *storeTx) eraseAskNotes(ctx context.Context, agent, asks string, args ...any) error {
	if _, err := c.Exec(ctx, `DELETE FROM ask_notes WHERE agent = $1 AND kind = 'note' AND ask `+asks, append([]any{agent}, args...)...); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `UPDATE ask_notes SET note = '' WHERE agent = $1 AND ask `+asks, append([]any{agent}, args...)...)
	return err
}
