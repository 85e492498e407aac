package sqlstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/account"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

const decisionColumns = `d.workspace, d.agent, d.ask, d.id, d.person, d.line, d.revision, d.files, d.notes, d.made_at, d.effective_at, d.fate, d.ended_at, d.audit, d.seq`

func scanDecision(r sqldb.Scanner, m *store.Decision) error {
	var revision string
	var files []byte
	if err := r.Scan(&m.Workspace, &m.Agent, &m.Ask, &m.ID, &m.By, &m.Line, &revision, &files, &m.Notes, &m.At, &m.Effective, &m.State, &m.Ended, &m.Audit, &m.Seq); err != nil {
		return err
	}
	m.Ask, m.ID = sqldb.DecodeID(m.Ask), sqldb.DecodeID(m.ID)
	m.Saw.Revision, _ = store.ParseRevision(revision)
	if len(m.Notes) == 0 {
		m.Notes = nil
	}
	return json.Unmarshal(files, &m.Saw.Files)
}

// errRepeated means that the form was sent before.
var errRepeated = errors.New("sqlstore: the decision exists already")

// Decide implements store.Decisions.
func (s *Store) Decide(ctx context.Context, act store.Act, d store.DecisionInput) (decision store.Decision, err error) {
	if d.Effective == 0 {
		d.Effective = act.At + store.UndoWindow
	}
	if v, _, ok := jsonl.Parse(d.Notes); d.Key == "" || d.Notes != nil && (!ok || v.Kind != jsonl.Object) {
		return decision, errors.New("sqlstore: a decision needs a key, and its notes must be a JSON object")
	}
	// A double click is answered without waiting for other writers.
	if decision, err = repeatedDecision(ctx, s, act.By, &d); !errors.Is(err, store.ErrNotFound) {
		return decision, err
	}
	err = s.update(ctx, func(c *storeTx) error {
		decision, err = c.decide(ctx, act, &d)
		return err
	})
	if errors.Is(err, errRepeated) {
		return repeatedDecision(ctx, s, act.By, &d)
	}
	return decision, err
}

// repeatedDecision returns the decision that the same form has made.
func repeatedDecision(ctx context.Context, q sqldb.Queries, person string, d *store.DecisionInput) (decision store.Decision, err error) {
	err = scanDecision(q.Row(ctx, `SELECT `+decisionColumns+` FROM decisions d WHERE d.person = $1 AND d.form = $2`, sqldb.CleanText(person), store.Hash(d.Key)), &decision)
	if err == nil && (decision.Agent != d.Agent || decision.Ask != d.Ask) {
		return store.Decision{}, &store.TakenError{What: "form", Name: d.Key}
	}
	decision.Repeated = err == nil
	return decision, err
}

// decide checks a decision against the current data, and stores it.
func (c *storeTx) decide(ctx context.Context, act store.Act, d *store.DecisionInput) (decision store.Decision, err error) {
	a, err := c.lockAgent(ctx, d.Agent) // from here on the workspace is locked
	if err != nil {
		return decision, err
	}
	if a.workspace != d.Workspace {
		return decision, store.ErrNotFound
	}
	if _, err := repeatedDecision(ctx, c, act.By, d); !errors.Is(err, store.ErrNotFound) {
		if err == nil {
			err = errRepeated
		}
		return decision, err
	}
	ask, err := readAsk(ctx, c, d.Agent, d.Ask)
	if err != nil {
		return decision, err
	}
	if err := c.checkMayDecide(ctx, act.By, &a.agentRow, ask); err != nil {
		return decision, err
	}
	for _, check := range []func() error{
		func() error { return c.checkNotPending(ctx, d) },
		func() error { return checkTakesReply(ask, act.By) },
		func() error { return c.checkNotStale(ctx, d, ask) },
		func() error { return checkReply(d, ask) },
		func() error { return c.checkIDFree(ctx, d.Agent, newReply(act.At, d.Line).id) },
	} {
		if err := check(); err != nil {
			return decision, err
		}
	}
	return c.insertDecision(ctx, act, d, &a, factsOf(ask, "", d.Line, act.At))
}

// readAsk returns an ask with its thread.
func readAsk(ctx context.Context, q sqldb.Queries, agent, id string) (*store.Record, error) {
	rows, err := recordRows(ctx, q, agent, []recordKey{{sqldb.KindAsk, id}})
	if err != nil {
		return nil, err
	}
	row := rows[recordKey{sqldb.KindAsk, id}]
	if row == nil {
		return nil, store.ErrNotFound
	}
	had, err := trails(ctx, q, agent, []int64{row.no})
	if err != nil {
		return nil, err
	}
	byAsk, err := replies(ctx, q, agent, []string{id})
	if err != nil {
		return nil, err
	}
	ask := &store.Record{Agent: agent, File: figs.Asks, ID: id, Fold: row.fold, Versions: row.versions, Trail: had[row.no]}
	addState(ask, byAsk[id])
	return ask, nil
}

// checkMayDecide returns store.ErrForbidden unless the person may reply to the agent's ask.
func (c *storeTx) checkMayDecide(ctx context.Context, person string, a *agentRow, ask *store.Record) error {
	var at store.Agent
	var role string
	if err := c.Row(ctx, `SELECT manager, builder FROM agents WHERE id = $1`, a.id).Scan(&at.Manager, &at.Builder); err != nil {
		return err
	}
	err := c.Row(ctx, `SELECT role FROM members WHERE workspace = $1 AND person = $2`, a.workspace, sqldb.CleanText(person)).Scan(&role)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if accounts.Can(store.Role(role), accounts.RelationTo(person, &at), accounts.ReplyToAsk) {
		return nil
	}
	if !ask.State.Reported || !accounts.Can(store.Role(role), accounts.AgentRelation{}, accounts.ConfirmReport) {
		return store.ErrForbidden
	}
	// A member may confirm or deny what was reported in their name.
	report := &ask.Thread[ask.State.Reply]
	who, err := memberNamed(ctx, c, a.workspace, figs.Fold([][]byte{report.Line}).Get("by").Text(), report.Received)
	if err == nil && (who == "" || who != person) {
		err = store.ErrForbidden
	}
	return err
}

// memberNamed returns whom a report names. It is called rarely, so it reads all members.
func memberNamed(ctx context.Context, q sqldb.Queries, workspace, by string, arrived int64) (string, error) {
	rows, err := q.Rows(ctx, account.MembershipQuery+`WHERE m.workspace = $1`, workspace)
	members, err := sqldb.Collect(rows, err, account.ScanMembership)
	users := make([]store.User, len(members))
	for i := range members {
		users[i] = members[i].User
	}
	return store.MemberNamed(by, arrived, users), err
}

// MemberNamed implements store.Decisions.
func (s *Store) MemberNamed(ctx context.Context, workspace, by string, arrived int64) (string, error) {
	return memberNamed(ctx, s, sqldb.CleanText(workspace), by, arrived)
}

// checkNotPending returns *store.PendingError if a decision on the ask is pending.
func (c *storeTx) checkNotPending(ctx context.Context, d *store.DecisionInput) error {
	decision, err := pendingDecision(ctx, c, d.Agent, d.Ask)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err == nil {
		err = &store.PendingError{By: decision.By, Effective: decision.Effective}
	}
	return err
}

// checkTakesReply returns *store.ReplyRejectedError if the ask takes no reply from that person.
func checkTakesReply(ask *store.Record, person string) error {
	by, fold := store.LatestReplier(ask), figs.ReadAsk(figs.Fold([][]byte{ask.Fold}))
	if bar := figs.CheckDecidable(&fold, ask.State, by != "", by == person); bar != figs.NotBlocked {
		return &store.ReplyRejectedError{Bar: bar, Phase: ask.State.Phase, By: by}
	}
	return nil
}

// checkNotStale returns *store.StaleError if the ask has changed since the person saw it.
func (c *storeTx) checkNotStale(ctx context.Context, d *store.DecisionInput, ask *store.Record) error {
	stale := &store.StaleError{Now: store.RevisionOf(ask)}
	seen := make(map[string]string, len(d.Saw.Files))
	names := figs.AttachmentNames(figs.Fold([][]byte{ask.Fold}))
	for _, f := range d.Saw.Files {
		seen[sqldb.CleanText(f.Name)] = f.SHA256
		names = append(names, f.Name)
	}
	for i := range names {
		names[i] = sqldb.CleanText(names[i])
	}
	rows, err := c.Rows(ctx, `SELECT name, sha256 FROM attachments WHERE agent = $1 AND name `+c.s.TextsIn(2), d.Agent, sqldb.JSONList(names))
	stored, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, f *store.ViewedFile) error { return r.Scan(&f.Name, &f.SHA256) })
	if err != nil {
		return err
	}
	hashes := make(map[string]string, len(stored))
	for _, f := range stored {
		hashes[f.Name] = f.SHA256
	}
	listed := map[string]bool{}
	for _, name := range names {
		if listed[name] {
			continue
		}
		listed[name] = true
		stale.Files = append(stale.Files, store.ViewedFile{Name: name, SHA256: hashes[name]})
		if seen[name] != hashes[name] {
			stale.Changed = append(stale.Changed, name)
		}
	}
	if stale.Now != d.Saw.Revision || len(stale.Changed) > 0 {
		return stale
	}
	return nil
}

// checkReply returns *store.InvalidReplyError if the ask doesn't take a reply of this form.
func checkReply(d *store.DecisionInput, ask *store.Record) error {
	event := figs.Fold([][]byte{d.Line})
	wrong := figs.CheckReply(figs.Fold([][]byte{ask.Fold}), event)
	if wrong == figs.ReplyOK && event.Get("ask").Text() != d.Ask {
		wrong = figs.ProblemAsk
	}
	if wrong != figs.ReplyOK {
		return &store.InvalidReplyError{Misfit: wrong}
	}
	return nil
}

// insertDecision stores a decision and its audit row.
func (c *storeTx) insertDecision(ctx context.Context, act store.Act, d *store.DecisionInput, a *lockedAgent, f store.DecisionFacts) (decision store.Decision, err error) {
	row := newReply(act.At, d.Line)
	saw := d.Saw
	if saw.Files == nil {
		saw.Files = []store.ViewedFile{}
	}
	files, err := json.Marshal(saw.Files)
	if err != nil {
		return decision, err
	}
	notes, revision := jsonl.AppendValid(nil, d.Notes), saw.Revision.String()
	hash, err := c.AuditLink(ctx, act, a.workspace, "decision.make", fmt.Sprint(a.id, " ", sqldb.EncodeID(d.Ask), " ", row.id, " ", store.Hash(string(row.line)), " ", revision, " ",
		store.Hash(string(files)+"\n"+string(notes))))
	if err != nil {
		return decision, err
	}
	numbers, err := c.Numbers(ctx, 1)
	if err != nil {
		return decision, err
	}
	_, err = c.Exec(ctx, `INSERT INTO decisions (no, workspace, agent, ask, id, person, form, line, revision, files, notes, made_at, effective_at, fate, ended_at, audit, seq, outcome, round, waited, unviewed, run)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 0, 0, $14, $15, $16, $17, $18, $19,
		coalesce((SELECT run FROM records WHERE agent = $3 AND kind = 1 AND id = $4), ''))`,
		numbers[0], a.workspace, a.id, sqldb.EncodeID(d.Ask), sqldb.EncodeID(row.id), act.By, store.Hash(d.Key), string(row.line), revision, string(files), string(notes), act.At, d.Effective, hash, a.seq, int(f.Outcome), f.Round, f.Waited, f.Unviewed)
	if c.s.IsUniqueViolation(err) { // by a concurrent transaction in another workspace
		return decision, &store.TakenError{What: "form", Name: d.Key}
	}
	if err != nil {
		return decision, err
	}
	if err := c.endReviewActivity(ctx, act.By, a.id, d.Ask); err != nil {
		return decision, err
	}
	return decisionByID(ctx, c, a.id, row.id)
}

// pendingDecision returns the pending decision on an ask.
func pendingDecision(ctx context.Context, q sqldb.Queries, agent, ask string) (decision store.Decision, err error) {
	return decision, scanDecision(q.Row(ctx, `SELECT `+decisionColumns+` FROM decisions d WHERE d.fate = 0 AND d.workspace = (SELECT workspace FROM agents WHERE id = $1)
		AND d.agent = $1 AND d.ask = $2 ORDER BY d.effective_at, d.no LIMIT 1`, sqldb.CleanText(agent), sqldb.EncodeID(ask)), &decision)
}

// decisionByID returns a decision by the id of its event.
func decisionByID(ctx context.Context, q sqldb.Queries, agent, id string) (decision store.Decision, err error) {
	return decision, scanDecision(q.Row(ctx, `SELECT `+decisionColumns+` FROM decisions d WHERE d.agent = $1 AND d.id = $2`, sqldb.CleanText(agent), sqldb.EncodeID(id)), &decision)
}

// Pending implements store.Decisions.
func (s *Store) Pending(ctx context.Context, agent, ask string) (store.Decision, error) {
	return pendingDecision(ctx, s, agent, ask)
}

// PendingIn implements store.Decisions.
func (s *Store) PendingIn(ctx context.Context, workspace string) ([]store.Decision, error) {
	rows, err := s.Rows(ctx, `SELECT `+decisionColumns+` FROM decisions d WHERE d.fate = 0 AND d.workspace = $1 ORDER BY d.effective_at, d.no`, sqldb.CleanText(workspace))
	return sqldb.Collect(rows, err, scanDecision)
}

// Decision implements store.Decisions.
func (s *Store) Decision(ctx context.Context, agent, id string) (store.Decision, error) {
	return decisionByID(ctx, s, agent, id)
}
