package sqlstore

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// factsOf derives what reports count of a decision on an ask, whose thread may already contain it.
func factsOf(ask *store.Record, id string, line []byte, at int64) store.DecisionFacts {
	event := figs.Fold([][]byte{line})
	f := store.DecisionFacts{At: at, Outcome: outcomeOf(event), Round: ask.State.Round, Waited: -1, Unviewed: -1}
	place := slices.IndexFunc(ask.Thread, func(m store.Message) bool { return m.ID == id })
	if place >= 0 {
		f.Round = ask.Thread[place].Round
		for _, w := range ask.Waits {
			if w.Reply == place && w.From != figs.NoTime {
				f.Waited = max(0, w.To-w.From)
			}
		}
	} else if ask.State.Phase == figs.NeedsYou && ask.State.Since != figs.NoTime {
		f.Waited = max(0, at-ask.State.Since)
	}
	if f.Outcome == store.OutcomeApproved {
		f.Unviewed = unviewed(line)
	} else if f.Outcome != store.OutcomeAnswered && deniesApproval(ask, place, f.Round) {
		f.Outcome = store.OutcomeContradicted
	}
	return f
}

func outcomeOf(event figs.Object) store.DecisionOutcome {
	if event.Get("kind").Text() == "answer" {
		return store.OutcomeAnswered
	}
	switch event.Get("verdict").Text() {
	case "approved":
		return store.OutcomeApproved
	case "changes-requested":
		return store.OutcomeChanges
	case "rejected":
		return store.OutcomeDeclined
	}
	return store.OutcomeUnknown
}

// deniesApproval reports whether an agent had reported an approval in the round before the reply at place, or at all if
// place is -1, and it decided until then.
func deniesApproval(ask *store.Record, place, round int) bool {
	for i := range ask.Thread {
		m := &ask.Thread[i]
		if place >= 0 && (m.Received > ask.Thread[place].Received || i == place) {
			continue
		}
		if m.Round == round && !m.Verified && figs.Fold([][]byte{m.Line}).Get("verdict").Text() == "approved" {
			return true
		}
	}
	return false
}

// unviewed counts the attachments that an approval lists and that its author hadn't viewed; -1 if it lists none.
func unviewed(line []byte) int {
	var event struct {
		Reviewed []struct{ Opened bool }
	}
	if json.Unmarshal(line, &event) != nil || len(event.Reviewed) == 0 {
		return -1
	}
	n := 0
	for _, file := range event.Reviewed {
		if !file.Opened {
			n++
		}
	}
	return n
}

// deriveDecisions derives the facts of decisions that were made before there were such columns.
func (s *Store) deriveDecisions(ctx context.Context) error {
	for {
		rows, err := s.Rows(ctx, `SELECT d.no, d.agent, d.ask, d.id, d.line, d.made_at FROM decisions d WHERE d.round = 0 ORDER BY d.agent, d.ask LIMIT 500`)
		type row struct {
			no, at         int64
			agent, ask, id string
			line           []byte
		}
		all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *row) error { return r.Scan(&x.no, &x.agent, &x.ask, &x.id, &x.line, &x.at) })
		if err != nil || len(all) == 0 {
			return err
		}
		err = s.update(ctx, func(c *storeTx) error {
			for _, x := range all {
				f := store.DecisionFacts{Outcome: store.OutcomeUnknown, Round: 1, Waited: -1, Unviewed: -1}
				switch ask, err := readAsk(ctx, c, x.agent, sqldb.DecodeID(x.ask)); err {
				case nil:
					f = factsOf(ask, sqldb.DecodeID(x.id), x.line, x.at)
				case store.ErrNotFound:
				default:
					return err
				}
				if _, err := c.Exec(ctx, `UPDATE decisions SET outcome = $2, round = $3, waited = $4, unviewed = $5 WHERE no = $1`, x.no, int(f.Outcome), max(1, f.Round), f.Waited, f.Unviewed); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// lines is the SQL of a text with a line for each row, of fields separated by spaces; one long text passes through the
// driver faster than as many rows. Only the last field can contain spaces. No field can contain a newline, which EncodeID
// escapes.
func lines(fields string) string {
	return `coalesce(string_agg(concat_ws(' ', ` + fields + `), '` + "\n" + `'), '')`
}

// DecisionFacts implements store.Reports.
func (s *Store) DecisionFacts(ctx context.Context, workspace string, from, to int64) ([]store.DecisionFacts, error) {
	var text string
	if err := s.Row(ctx, `SELECT `+lines(`made_at, no, outcome, round, waited, unviewed, agent, person, CASE outcome WHEN 2 THEN run ELSE '' END`)+`
		FROM decisions WHERE fate = 1 AND workspace = $1 AND made_at >= $2 AND made_at < $3`, sqldb.CleanText(workspace), from, to).Scan(&text); err != nil || text == "" {
		return nil, err
	}
	all := make([]store.DecisionFacts, 0, strings.Count(text, "\n")+1)
	jobs := make(map[int]agentJob)
	for part := range strings.SplitSeq(text, "\n") {
		var n [6]int64
		for i := range n {
			var field string
			field, part, _ = strings.Cut(part, " ")
			n[i], _ = strconv.ParseInt(field, 10, 64)
		}
		f := store.DecisionFacts{At: n[0], No: n[1], Outcome: store.DecisionOutcome(n[2]), Round: int(n[3]), Waited: n[4], Unviewed: int(n[5])}
		f.Agent, part, _ = strings.Cut(part, " ")
		var job string
		if f.Person, job, _ = strings.Cut(part, " "); job != "" {
			jobs[len(all)] = agentJob{f.Agent, job}
		}
		all = append(all, f)
	}
	if len(jobs) > 0 {
		failed, err := s.failedSince(ctx, workspace, from)
		if err != nil {
			return nil, err
		}
		for i, job := range jobs {
			at, ok := failed[job]
			all[i].JobFailed = ok && at > all[i].At
		}
	}
	slices.SortFunc(all, func(a, b store.DecisionFacts) int {
		if a.At != b.At {
			return compareInt64(a.At, b.At)
		}
		return compareInt64(a.No, b.No)
	})
	return all, nil
}

type agentJob struct{ agent, id string }

// failedSince returns when jobs failed that failed at a time or later. The state isn't a parameter, because failed jobs have
// their own index.
func (s *Store) failedSince(ctx context.Context, workspace string, from int64) (map[agentJob]int64, error) {
	var text string
	err := s.Row(ctx, `SELECT `+lines(`at, agent, id`)+` FROM records WHERE workspace = $1 AND kind = 0 AND state = 2 AND at >= $2`, sqldb.CleanText(workspace), from).Scan(&text)
	if err != nil || text == "" {
		return nil, err
	}
	failed := make(map[agentJob]int64, strings.Count(text, "\n")+1)
	for line := range strings.SplitSeq(text, "\n") {
		at, line, _ := strings.Cut(line, " ")
		var job agentJob
		job.agent, job.id, _ = strings.Cut(line, " ")
		failed[job], _ = strconv.ParseInt(at, 10, 64)
	}
	return failed, nil
}

// JobCounts implements store.Reports, from the counts of each day. The kinds aren't parameters, because settled jobs have
// their own index.
func (s *Store) JobCounts(ctx context.Context, workspace string, agents []string, from, to int64) ([]store.JobCount, error) {
	w := sqldb.Where{SQL: `SELECT agent, CAST(sum(n) AS BIGINT), CAST(sum(CASE WHEN what = 12 THEN n ELSE 0 END) AS BIGINT) FROM pulse WHERE what IN (10, 11, 12, 14)`}
	w.And(` AND workspace = $%d`, sqldb.CleanText(workspace))
	w.And(` AND hour >= $%d`, floorDiv(from, hour))
	w.And(` AND hour < $%d`, floorDiv(to, hour))
	if agents == nil {
		w.SQL += ` AND what >= 10 AND agent <> ''`
	} else {
		w.SQL += ` AND agent ` + s.TextsIn(len(w.Args)+1)
		w.Args = append(w.Args, sqldb.JSONList(agents))
	}
	rows, err := s.Rows(ctx, w.SQL+` GROUP BY agent ORDER BY agent`, w.Args...)
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, c *store.JobCount) error { return r.Scan(&c.Agent, &c.Settled, &c.Failed) })
}

// FailedJobs implements store.Reports.
func (s *Store) FailedJobs(ctx context.Context, workspace string, from, to int64) ([]store.JobCount, error) {
	rows, err := s.Rows(ctx, `SELECT agent, CAST(sum(n) AS BIGINT) FROM pulse WHERE workspace = $1 AND what >= 10 AND what = 12 AND hour >= $2 AND hour < $3 AND agent <> ''
		GROUP BY agent HAVING sum(n) > 0 ORDER BY 2 DESC, agent`, sqldb.CleanText(workspace), floorDiv(from, hour), floorDiv(to, hour))
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, c *store.JobCount) error { return r.Scan(&c.Agent, &c.Failed) })
}

// OpenAskFacts implements store.Reports, from the cached inbox data.
func (s *Store) OpenAskFacts(ctx context.Context, workspace string, now int64) ([]store.OpenAskFacts, error) {
	q := store.InboxQuery{Workspace: workspace, Now: now}
	roster, at, err := s.rosterAt(ctx, workspace)
	if err != nil {
		return nil, err
	}
	held, err := s.cachedInbox(ctx, workspace, at.changes, now)
	if err != nil {
		return nil, err
	}
	f := newFilter(&q, roster, held)
	entries, err := s.openAsks(ctx, &store.Inbox{}, &f, window{}, 1<<40)
	if err != nil {
		return nil, err
	}
	all := make([]store.OpenAskFacts, len(entries))
	for i, e := range entries {
		people := roster.AskedOf(e.agent, e.asked)
		if h := held.handovers[e.no]; h != nil && roster.MayReply(h.To, e.agent) && !slices.Contains(people, h.To) {
			people = append(slices.Clone(people), h.To)
		}
		all[i] = store.OpenAskFacts{No: e.no, Since: e.since, Agent: e.agent, People: people}
	}
	return all, nil
}

// DecisionTitles implements store.Reports.
func (s *Store) DecisionTitles(ctx context.Context, workspace string, numbers []int64) (map[int64]store.ReportTitle, error) {
	return s.askTitles(ctx, `SELECT d.no, d.ask, coalesce(r.title, ''), d.line FROM decisions d LEFT JOIN records r ON r.agent = d.agent AND r.kind = 1 AND r.id = d.ask WHERE d.workspace = $1 AND d.no `, workspace, numbers)
}

// AskTitles implements store.Reports.
func (s *Store) AskTitles(ctx context.Context, workspace string, numbers []int64) (map[int64]store.ReportTitle, error) {
	return s.askTitles(ctx, `SELECT r.no, r.id, r.title, '' FROM records r WHERE r.workspace || '' = $1 AND r.kind = 1 AND r.no `, workspace, numbers)
}

func (s *Store) askTitles(ctx context.Context, query, workspace string, numbers []int64) (map[int64]store.ReportTitle, error) {
	found := make(map[int64]store.ReportTitle, len(numbers))
	if len(numbers) == 0 {
		return found, nil
	}
	rows, err := s.Rows(ctx, query+s.NumbersIn(2), sqldb.CleanText(workspace), sqldb.JSONList(numbers))
	type row struct {
		no int64
		store.ReportTitle
		line []byte
	}
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *row) error { return r.Scan(&x.no, &x.Ask, &x.Title, &x.line) })
	for _, x := range all {
		x.Ask = sqldb.DecodeID(x.Ask)
		if x.Title == "" {
			x.Title = x.Ask
		}
		x.Note = figs.Fold([][]byte{x.line}).Get("text").Text()
		found[x.no] = x.ReportTitle
	}
	return found, err
}
