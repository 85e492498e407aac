//go:build unix

package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
	"github.com/figs-web/figs-web/internal/store/storejournal"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

// The data of TestPostgresPlans: three workspaces with this many agents, each with this many jobs and as many asks.
const (
	plannedWorkspaces = 3
	plannedAgents     = 12
	plannedJobs       = 500
)

// mostTouched is how many rows of a table a statement may read or sort: more than any agent of the test has, and a fraction
// of what a workspace has.
const mostTouched = 2000

// growing are the tables with many rows.
var growing = []string{"records", "trail", "messages", "mentions", "attachments", "audit", "decisions", "pulse", "search", "notify_outbox",
	"agents", "workspaces", "members", "users", "tokens", "sessions"}

// planExceptions are statements, by a part of their text, that may read more, and why; generic ones only if planned without
// parameters.
var planExceptions = []planException{
	{"FROM workspaces w LEFT JOIN notify_cursors c", false, "every workspace is asked for whether it has changed"},
	{"(hour + 72) / 168 AS week", false, "the chart shows twelve weeks of each agent"},
}

type planException struct {
	part    string
	generic bool
	why     string
}

// TestPostgresPlans lets PostgreSQL plan every statement of pages, the read API, search, syncs, pushes and decisions, with
// its parameters and without. No plan may scan a growing table, read all of a workspace, or sort it.
func TestPostgresPlans(t *testing.T) {
	s := openPostgres(t, storetest.SharedPostgres(t))
	x := fillPlanned(t, s)
	heard := s.recordStatements()
	x.read()
	x.change()
	conn, err := pgx.ConnectConfig(ctx, s.Config)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	x.fail(sqldb.ApplySettings(ctx, conn))
	n := 0
	for i, query := range heard.order {
		kind, _, _ := strings.Cut(strings.TrimSpace(query), " ")
		if !slices.Contains([]string{"SELECT", "INSERT", "UPDATE", "DELETE"}, kind) {
			continue
		}
		n++
		prepared := fmt.Sprint("q", i)
		if _, err := conn.Exec(ctx, "PREPARE "+prepared+" AS "+query, pgx.QueryExecModeSimpleProtocol); err != nil {
			t.Fatalf("%s\n%v", query, err)
		}
		for _, generic := range []bool{false, true} {
			if generic && heard.anew[query] {
				continue
			}
			plan := explain(t, conn, prepared, heard.args[query], generic, kind == "SELECT" && !strings.Contains(query, "nextval"))
			wrong := plan.wrong()
			if wrong == "" {
				continue
			}
			if slices.ContainsFunc(planExceptions, func(e planException) bool { return strings.Contains(query, e.part) && (generic || !e.generic) }) {
				continue
			}
			t.Errorf("%s\nwith %s (planned for any: %t): %s", query, sqldb.CutText(fmt.Sprint(heard.args[query]), 300), generic, wrong)
		}
	}
	for _, e := range planExceptions {
		if !slices.ContainsFunc(heard.order, func(query string) bool { return strings.Contains(query, e.part) }) {
			t.Errorf("no statement has the exception %q", e.part)
		}
	}
	if n < 140 {
		t.Errorf("only %d statements", n)
	}
}

// planNode is a node of a plan, as EXPLAIN (FORMAT JSON) writes it.
type planNode struct {
	Type      string     `json:"Node Type"`
	Relation  string     `json:"Relation Name"`
	Index     string     `json:"Index Name"`
	Condition string     `json:"Index Cond"`
	Estimated float64    `json:"Plan Rows"`
	Rows      float64    `json:"Actual Rows"`
	Loops     float64    `json:"Actual Loops"`
	Removed   float64    `json:"Rows Removed by Filter"`
	Rechecked float64    `json:"Rows Removed by Index Recheck"`
	Plans     []planNode `json:"Plans"`
}

// explain plans a prepared statement, and runs it if it only reads.
func explain(t *testing.T, conn *pgx.Conn, prepared string, args []any, generic, run bool) planNode {
	t.Helper()
	mode := map[bool]string{false: "force_custom_plan", true: "force_generic_plan"}[generic]
	if _, err := conn.Exec(ctx, "SET plan_cache_mode = "+mode); err != nil {
		t.Fatal(err)
	}
	query := "EXPLAIN (FORMAT JSON) EXECUTE " + prepared
	if run {
		query = "EXPLAIN (FORMAT JSON, ANALYZE, TIMING off) EXECUTE " + prepared
	}
	for i := range args {
		query += map[bool]string{true: " ($1", false: fmt.Sprint(", $", i+1)}[i == 0]
	}
	if len(args) > 0 {
		query += ")"
	}
	var text []byte
	if err := conn.QueryRow(ctx, query, append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...).Scan(&text); err != nil {
		t.Fatalf("%s with %s: %v", query, sqldb.CutText(fmt.Sprint(args), 300), err)
	}
	var plans []struct{ Plan planNode }
	if err := json.Unmarshal(text, &plans); err != nil || len(plans) != 1 {
		t.Fatal(err, string(text))
	}
	return plans[0].Plan
}

// wrong says what is wrong with a plan; "" if nothing is.
func (p *planNode) wrong() string {
	touched := (p.Rows + p.Removed + p.Rechecked) * max(p.Loops, 1)
	switch grows := slices.Contains(growing, p.Relation); {
	case grows && strings.HasSuffix(p.Type, "Seq Scan"):
		return "it goes through all of " + p.Relation
	case p.Condition == "" && (strings.HasPrefix(p.Type, "Index") && grows || p.Type == "Bitmap Index Scan") && !slices.Contains(fewRows, p.Index):
		return "it goes through all of the index " + p.Index
	case grows && touched > mostTouched:
		return fmt.Sprintf("it looks at %.0f rows of %s", touched, p.Relation)
	case p.Type == "Sort" && max(p.Estimated, p.Rows) > mostTouched:
		return fmt.Sprintf("it sorts %.0f rows", max(p.Estimated, p.Rows))
	}
	for i := range p.Plans {
		if wrong := p.Plans[i].wrong(); wrong != "" {
			return wrong
		}
	}
	return ""
}

// fewRows are indexes of the few rows that wait for a job that works on all workspaces.
var fewRows = []string{"decisions_due", "decisions_pending", "notify_outbox_due"}

// recordedStatements has every statement that was sent to the server, with its first parameters.
type recordedStatements struct {
	mu    sync.Mutex
	args  map[string][]any
	anew  map[string]bool // planned for its parameters each time, by the way in which it is sent
	order []string
}

// recordStatements records the statements of a store from now on.
func (s *Store) recordStatements() *recordedStatements {
	heard := &recordedStatements{args: map[string][]any{}, anew: map[string]bool{}}
	config := s.Config.Copy()
	config.Tracer = heard
	s.Write.Close()
	s.Write = stdlib.OpenDB(*config, stdlib.OptionAfterConnect(sqldb.ApplySettings))
	s.Read = s.Write
	return heard
}

func (s *recordedStatements) note(query string, args []any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, had := s.args[query]; had {
		return
	}
	s.order = append(s.order, query)
	s.args[query] = slices.DeleteFunc(slices.Clone(args), func(arg any) bool {
		switch arg.(type) {
		case pgx.QueryExecMode:
			s.anew[query] = true
			return true
		case pgx.QueryResultFormats, pgx.QueryResultFormatsByOID:
			return true
		}
		return false
	})
}

func (s *recordedStatements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceQueryStartData) context.Context {
	s.note(d.SQL, d.Args)
	return ctx
}

func (s *recordedStatements) TraceBatchQuery(_ context.Context, _ *pgx.Conn, d pgx.TraceBatchQueryData) {
	s.note(d.SQL, d.Args)
}

func (s *recordedStatements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (s *recordedStatements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (s *recordedStatements) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// filledDB is a database with many rows, and the ids that the statements are about.
type filledDB struct {
	t                        *testing.T
	s                        *Store
	workspace, agent, person string
}

// plannedAgent returns the agent of the k-th workspace that pushes; the others are copies of it.
func plannedAgent(k int) string { return fmt.Sprintf("0d4f2a3c-1111-4222-8333-%012d", k*1000+1) }

func (x *filledDB) fail(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

func (x *filledDB) run(query string, args ...any) {
	x.t.Helper()
	if _, err := x.s.Write.ExecContext(ctx, query, args...); err != nil {
		x.t.Fatalf("%v in %s", err, query)
	}
}

// fillPlanned fills a database: one agent of each workspace pushes, people work on its asks, and then everything is copied
// to the other agents.
func fillPlanned(t *testing.T, s *Store) *filledDB {
	t.Helper()
	x := &filledDB{t: t, s: s, agent: plannedAgent(0), person: store.NewID()}
	x.fail(s.AddUser(ctx, store.Act{At: 1}, store.User{ID: x.person, Email: "ana@example.com", Name: "Ana", Created: 1}))
	for k := range plannedWorkspaces {
		id := workspaceOf(t, s)
		if k == 0 {
			x.workspace = id
		}
		x.fail(s.SetMember(ctx, store.Act{At: 1}, id, x.person, store.Owner))
		body := strings.ReplaceAll(string(pushBody(id, 2*plannedJobs, 0, 0)), plannedAgent(0), plannedAgent(k))
		x.fail(ingest(s, id, noonOfTests)([]byte(body), fmt.Sprint(k)))
	}
	var words string // the index of words, which is made at once, of all
	x.fail(s.Row(ctx, `SELECT pg_get_indexdef(CAST('search_body' AS regclass))`).Scan(&words))
	x.run(`DROP INDEX search_body`)
	// Each day there was a job and an ask. Of the asks 5 need a human, 5 wait for the agent, and 10 are only reported;
	// three jobs are in flight.
	const day = "place * 86400000000"
	x.run(`UPDATE records SET at = at - ` + day + `, state = CASE WHEN place <= 3 THEN 3 ELSE state END WHERE kind = 0`)
	x.run(`UPDATE records SET lane = CASE WHEN place <= 5 THEN 0 WHEN place <= 10 THEN 1 ELSE 2 END, reported = CASE WHEN place BETWEEN 8 AND 17 THEN 1 ELSE 0 END,
		named_key = CASE WHEN place BETWEEN 8 AND 17 THEN 'ana' ELSE '' END, at = at - ` + day + `, since = since - ` + day + `, raised = raised - ` + day + `,
		answered = CASE WHEN place <= 5 THEN answered ELSE at + 1000000 - ` + day + ` END WHERE kind = 1`)
	x.run(`INSERT INTO messages (no, agent, id, place, ask, line, mark, verified, at, received_at, pushed_by, handed_at, confirmed_at, seq)
		SELECT nextval('row_no'), agent, 'reply-' || place, place, id,
		'{"id":"reply-' || place || '","kind":"answer","ask":"' || id || '","by":"Ana","ts":"2026-11-20T12:00:00Z","text":"Send it"}',
		no, place % 2, at, received_at, $1, CASE WHEN place < 495 THEN 1 ELSE 0 END, CASE WHEN place < 495 THEN 1 ELSE 0 END, seq
		FROM records WHERE kind = 1 AND place > 10`, x.person)
	x.run(`INSERT INTO decisions (no, workspace, agent, ask, id, person, form, line, revision, files, notes, made_at, effective_at, fate, ended_at, audit, seq)
		SELECT nextval('row_no'), a.workspace, m.agent, m.ask, m.id, $1, m.agent || m.id, m.line, '1.1.0.' || repeat('0', 64), '[]', '', m.at, m.at, 1, m.at, '', m.seq
		FROM messages m JOIN agents a ON a.id = m.agent WHERE m.verified = 1`, x.person)
	x.run(`INSERT INTO attachments (no, agent, workspace, name, sha256, size, words, uploaded_at, pushed_by, seq)
		SELECT nextval('row_no'), r.agent, r.workspace, m.name, md5(m.name), 10, '', r.received_at, '', r.seq
		FROM mentions m JOIN records r ON r.no = m.record WHERE r.kind = 1`)
	x.run(`INSERT INTO pulse (workspace, agent, what, hour, n) SELECT workspace, id, what, 496704 + day * 24, 3
		FROM agents, generate_series(0, 80) day, unnest(ARRAY[0, 10, 11, 20]) what ON CONFLICT DO NOTHING`)
	// The person's notifications: the oldest by email, all others on the page, many of them unread.
	x.run(`INSERT INTO notify_outbox (id, place, person, workspace, event, name,
		agent, ask, round, at, state, tries, next_at, lease, leased_to, answer, ended_at, replayed, read_at)
		SELECT gen_random_uuid(), CASE WHEN place <= 450 THEN $1 ELSE 'mail' END, $1, workspace, CASE WHEN place % 4 = 0 THEN 'picked' ELSE 'ask' END, 'ask ' || agent || ' ' || id,
		agent, id, 1, at, 'sent', 0, at, '', 0, '', at, 0,
		CASE WHEN place > 450 THEN -1 WHEN place <= 300 THEN 0 ELSE at END FROM records WHERE kind = 1`, x.person)
	x.run(`INSERT INTO audit (workspace, n, at, actor, action, subject, hash) SELECT w.id, 1000 + n, n, $1, 'ask.reply', '', ''
		FROM workspaces w, generate_series(1, 3000) n`, x.person)
	x.run(`INSERT INTO users (id, email, name, password, created_at) SELECT gen_random_uuid(), n || '@example.com', 'N', '', 1 FROM generate_series(1, 3000) n`)
	x.run(`INSERT INTO tokens (id, person, name, hash, created_at, used_at, revoked_at) SELECT id, id, 'T', md5(id), 1, 1, 0 FROM users`)
	x.run(`INSERT INTO sessions (hash, person, data, agent, created_at, expires_at) SELECT md5(id), id, '', '', 1, 2 FROM users`)
	x.run(`CREATE FUNCTION other(agent TEXT, k INT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
		SELECT overlay(agent placing lpad(CAST(k + CAST(right(agent, 12) AS BIGINT) AS TEXT), 12, '0') from 25) $$`)
	for _, c := range []struct{ table, set, which string }{
		{"agents", "id = other(id, k); digest = digest || k; name = name || k", ""},
		{"records", "agent = other(agent, k); no = no + k * 1000000; at = at + k; since = since + k", ""},
		{"trail", "record = record + k * 1000000", ""},
		{"mentions", "agent = other(agent, k); record = record + k * 1000000", ""},
		{"messages", "agent = other(agent, k); no = no + k * 1000000", ""},
		{"decisions", "agent = other(agent, k); no = no + k * 1000000; form = form || ' ' || k; made_at = made_at + k", ""},
		{"attachments", "agent = other(agent, k); no = no + k * 1000000", ""},
		// The first workspace has the oldest documents.
		{"search", "agent = other(agent, k); no = no + k * 1000000 + CASE workspace WHEN '" + x.workspace + "' THEN 0 ELSE 1000000000 END", ""},
		{"pulse", "agent = other(agent, k)", "WHERE agent <> ''"},
		{"notify_outbox", "agent = other(agent, k); id = gen_random_uuid(); name = name || ' ' || k", ""},
	} {
		x.copy(c.table, c.set, c.which)
	}
	x.run(words)
	// Each of the other people has a workspace with one agent.
	x.run(`INSERT INTO workspaces (id, slug, name, seq, roster, created_at, deleted_at) SELECT id, 'w-' || id, 'W', 1, 1, 1, 0 FROM users WHERE name = 'N'`)
	x.run(`INSERT INTO members (workspace, person, role, since) SELECT id, id, 'owner', 1 FROM users WHERE name = 'N'`)
	x.run(`INSERT INTO agents SELECT p.* FROM agents a, users u,
		jsonb_populate_record(a, jsonb_build_object('id', u.id, 'workspace', u.id, 'digest', u.id)) p WHERE a.id = $1 AND u.name = 'N'`, x.agent)
	x.run(`UPDATE agents SET messages = 500, needs = 5, waiting = 5, closed = 490, in_flight = 3`)
	x.run(`ANALYZE`)
	return x
}

// copy copies rows of the agents that pushed to the others of their workspaces, with some columns changed.
func (x *filledDB) copy(table, set, which string) {
	x.t.Helper()
	var columns string
	x.fail(x.s.Row(ctx, `SELECT string_agg(column_name, ', ') FROM information_schema.columns WHERE table_name = $1`, table).Scan(&columns))
	values := strings.Split(columns, ", ")
	for part := range strings.SplitSeq(set, "; ") {
		column, value, _ := strings.Cut(part, " = ")
		values[slices.Index(values, column)] = value
	}
	x.run(fmt.Sprintf(`INSERT INTO %s (%s) SELECT %s FROM %[1]s, generate_series(1, %[4]d) k %[5]s`,
		table, columns, strings.Join(values, ", "), plannedAgents-1, which))
}

// read runs the queries of pages and of the read API.
func (x *filledDB) read() {
	s, workspace, agent, person := x.s, x.workspace, x.agent, x.person
	j := storejournal.New(s, workspace, noonOfTests+4*hour)
	q := journal.Query{Text: "statement"}
	inbox := func(list ...journal.InboxQuery) {
		for _, q := range list {
			x.fail(second(j.Inbox(ctx, q)))
		}
	}
	type of = journal.InboxQuery
	inbox(of{}, of{Mine: person}, of{Everybody: true, Agent: agent, Type: "question", To: "manager", MinWaitHours: 1}, of{Department: "D"}, of{Type: "other"},
		of{Tab: journal.TabWaiting}, of{Tab: journal.TabReported, Mine: person}, of{Tab: journal.TabReported, Type: "other"}, of{Tab: journal.TabSnoozed, Viewer: person},
		of{Tab: journal.TabClosed}, of{Tab: journal.TabClosed, Mine: person}, of{Tab: journal.TabClosed, Agent: agent}, of{Tab: journal.TabClosed, Type: "sign-off"})
	s.initCaches()
	s.maxOpen = 50 // fewer than there are, so that the database is queried
	inbox(of{}, of{Mine: person}, of{Tab: journal.TabReported, Mine: person}, of{Tab: journal.TabReported, Agent: agent})
	s.maxOpen = 0
	s.initCaches()
	runs := func(q store.RecordQuery) error {
		q.Agent = agent
		_, err := s.Records(ctx, q)
		return err
	}
	token := store.Hash("a token")
	for what, err := range map[string]error{
		"chart": second(j.Chart(ctx, journal.ChartQuery{})), "trends": second(j.Trends(ctx, journal.TrendsQuery{})),
		"trends of one": second(j.Trends(ctx, journal.TrendsQuery{Agent: agent})), "everywhere": second(j.SearchAll(ctx, q)),
		"refusals": second(j.Refusals(ctx, agent)), "overview": second(j.Overview(ctx, agent)), "activity": second(j.Activity(ctx, agent)),
		"jobs": second(j.Jobs(ctx, agent, q)), "asks": second(j.Asks(ctx, agent, journal.Query{})), "job": second(j.Job(ctx, agent, "acme-2026-00001")),
		"ask": second(j.Ask(ctx, agent, "ask-00001")), "decided ask": second(j.Ask(ctx, agent, "ask-00016")), "messages": second(j.Messages(ctx, agent, q)),
		"files": second(j.Files(ctx, agent, journal.Query{})), "some files": second(j.Files(ctx, agent, journal.Query{Text: "acme-1"})),
		"file": second(j.File(ctx, agent, "acme-1.html")), "search": second(j.Search(ctx, agent, q)),
		"folds": second(s.Folds(ctx, agent, figs.Runs, []string{"a"})), "by bytes": second(s.AttachmentsBySHA(ctx, workspace, "x")),
		"failed": runs(store.RecordQuery{File: figs.Runs, State: "fail"}), "flying": runs(store.RecordQuery{File: figs.Runs, State: "in-flight"}),
		"asks of a job": runs(store.RecordQuery{File: figs.Asks, Run: "acme-2026-00001"}), "audit": second(s.Audit(ctx, workspace, store.AuditQuery{N: 0})),
		"pending": second(s.PendingIn(ctx, workspace)), "delivery": second(s.Delivery(ctx, agent, "reply-499")),
		"names": second(s.UserNames(ctx, []string{person})), "places": second(s.Destinations(ctx, person)), "sendings": second(s.SentNotifications(ctx, person, 0, 0)),
		"unread": second(s.UnreadNotifications(ctx, person, workspace)), "opened": second(s.AttachmentViews(ctx, workspace, person, []string{"a"})),
		"claims": second(s.Claims(ctx, agent, "ask-00001", 1)), "snoozed": second(s.Snoozed(ctx, person, agent, "ask-00002", 1)),
		"erasures": second(s.Erasures(ctx, agent)), "last": second(s.LastChange(ctx)), "workspace": second(s.Workspace(ctx, workspace)),
		"role": second(s.Role(ctx, workspace, person)), "memberships": second(s.Memberships(ctx, person)), "members": second(s.Members(ctx, workspace)),
		"user": second(s.User(ctx, person)), "address": second(s.UserByEmail(ctx, "ana@example.com")), "tokens": second(s.ListTokens(ctx, person)),
		"sessions":    second(s.ListSessions(ctx, person, 1)),
		"add a token": s.AddToken(ctx, store.Act{At: 1}, store.Token{ID: store.NewID(), User: person, Name: "T", Hash: token, Created: 1}),
		"news":        second(s.WorkspacesToPlan(ctx, true)),
		"ask notes":   second(s.AskNotes(ctx, agent, "ask-00001")),
		"follow-up":   second(s.FollowUp(ctx, agent, "ask-00016")),
		"some notes":  second(s.NumberedAskNotes(ctx, workspace, []int64{1, 2})),
	} {
		if err != nil {
			x.t.Errorf("%s: %v", what, err)
		}
	}
	x.fail(second(s.ListDecisions(ctx, workspace, "", "", 50)))
	x.fail(second(s.ListDecisionDetails(ctx, workspace, store.DecisionQuery{})))
	x.fail(second(s.AskRecords(ctx, workspace, []store.AskRef{{Agent: agent, Ask: "ask-00001"}, {Agent: agent, Ask: "ask-00016"}})))
	x.fail(second(s.changeRequests(ctx, workspace, []int64{1, 2})))
	x.fail(second(s.ListDecisions(ctx, workspace, agent, "ask-00016", 0)))
	x.fail(second(s.ListNotifications(ctx, person, workspace, store.NotificationQuery{})))
	x.fail(second(s.ListFeedback(ctx, workspace)))
	x.fail(second(s.AsksByTitle(ctx, workspace, "ask", 8)))
	x.fail(second(s.AsksByTitle(ctx, workspace, "ask-00007", 8)))
	for _, text := range []string{"acme-2026-00007", "statement", "status:fail", "by:ana"} {
		x.fail(second(s.Search(ctx, store.SearchQuery{Workspace: workspace, Text: text, Count: true})))
	}
	x.fail(second(s.SearchScope(ctx, store.SearchQuery{Workspace: workspace, Text: "nowhere"})))
	x.fail(second(s.UseToken(ctx, token, "", 1)))
	x.fail(third(s.SyncSeq(ctx, token, agent, 1)))
	x.fail(third(s.MessagesSeq(ctx, agent)))
	x.fail(second(s.Messages(ctx, agent)))
}

// change does what agents and people do.
func (x *filledDB) change() {
	s, workspace, agent, person := x.s, x.workspace, x.agent, x.person
	act := store.Act{By: person, At: noonOfTests}
	push := func(n, changed, version int, messages string) {
		body := strings.ReplaceAll(string(pushBody(workspace, n, changed, version)), plannedAgent(0), agent)
		x.fail(ingest(s, workspace, noonOfTests)([]byte(body[:len(body)-1]+messages+"}"), fmt.Sprint("change ", version)))
	}
	push(20, 3, 1, `,"messages":[
		{"id":"t","kind":"answer","ask":"ask-00004","by":"Ana","ts":"2026-11-20T12:00:00Z","source":"chat","text":"t"}]`)
	push(2*plannedJobs, 2*plannedJobs/3, 2, "")
	x.fail(second(s.Attach(ctx, act, store.Attachment{Agent: agent, Name: "new.html", SHA256: "abc", Size: 5}, "words")))
	x.fail(second(s.RemoveBlob(ctx, "abc", func() error { return nil })))
	x.fail(second(s.Reply(ctx, act, agent, []byte(`{"id":"r","kind":"answer","ask":"ask-00000","by":"Ana","ts":"2026-11-20T12:00:00Z","source":"app","text":"r"}`))))
	x.fail(second(s.Erase(ctx, act, store.Erasure{Workspace: workspace, Agent: agent, Kind: store.EraseAsk, ID: "ask-00400", Why: "w"})))
	x.fail(second(s.Erase(ctx, act, store.Erasure{Workspace: workspace, Agent: agent, Kind: store.EraseAttachment, ID: "acme-401.html", Why: "w"})))
	x.fail(s.Assign(ctx, act, agent, person, ""))
	x.fail(s.Archive(ctx, act, plannedAgent(1), true))
	x.fail(second(s.MarkPickedUp(ctx, agent, 1<<40, 5)))
	x.fail(s.AddAttachmentView(ctx, store.AttachmentView{Workspace: workspace, Person: person, SHA256: "a"}))
	x.fail(second(s.Claim(ctx, act, workspace, agent, "ask-00001", 2*noonOfTests)))
	x.fail(second(s.Snooze(ctx, act, workspace, agent, "ask-00002", 2*noonOfTests)))
	x.fail(s.SaveDraft(ctx, store.Draft{Person: person, Workspace: workspace, Agent: agent, Ask: "ask-00003", Text: "t", At: noonOfTests}))
	x.fail(second(s.Draft(ctx, person, agent, "ask-00003")))
	for i := range 2 {
		id := fmt.Sprint("v", i)
		r, err := s.Record(ctx, agent, figs.Asks, "ask-00003")
		x.fail(err)
		f, err := s.File(ctx, agent, "acme-3.html")
		x.fail(err)
		d := store.DecisionInput{Workspace: workspace, Agent: agent, Ask: "ask-00003", Key: id,
			Saw:  store.View{Revision: store.RevisionOf(r), Files: []store.ViewedFile{{Name: f.Name, SHA256: f.SHA256}}},
			Line: fmt.Appendf(nil, `{"id":%q,"kind":"verdict","ask":"ask-00003","by":"Ana","ts":"2026-11-20T12:00:00Z","source":"app","verdict":"approved","text":"t"}`, id)}
		x.fail(second(s.Decide(ctx, act, d)))
		x.fail(second(storejournal.New(s, workspace, noonOfTests).Inbox(ctx, journal.InboxQuery{})))
		x.fail(second(s.Pending(ctx, agent, "ask-00003")))
		if i == 0 {
			x.fail(second(s.Undo(ctx, act, agent, id)))
		}
	}
	x.fail(second(s.Settle(ctx, 2*noonOfTests)))
	for _, hours := range []int64{5, 50} {
		news, err := s.PlanInput(ctx, workspace, noonOfTests+hours*hour)
		x.fail(err)
		x.fail(second(s.PlanNotifications(ctx, workspace, news.From, news.To, nil)))
	}
	x.fail(s.AddNotification(ctx, store.Notification{ID: store.NewID(), Destination: "mail", Person: person, Workspace: workspace,
		Event: store.EventAsk, Name: "n", Agent: agent, Ask: "ask-00001", At: 5, Next: 5}))
	x.fail(second(s.ClaimNotifications(ctx, "lease", noonOfTests, noonOfTests+1, 10)))
	x.fail(s.MarkNotificationsRead(ctx, person, workspace, 5, 5))
	x.work()
	x.fail(s.SweepNotifications(ctx, 5))
}

// work does what people do together about an ask.
func (x *filledDB) work() {
	s, workspace, person := x.s, x.workspace, x.person
	act, ref := store.Act{By: person, At: noonOfTests}, store.AskRef{Agent: x.agent, Ask: "ask-00001"}
	for _, note := range []string{"n", "m"} {
		outcomes, seq, err := s.HandOver(ctx, act, workspace, []store.AskRef{ref}, store.HandoverInput{To: person, Note: note, Seen: store.AnyHandover})
		if err != nil || outcomes[0] != nil || seq == 0 {
			x.t.Errorf("handing over: %v, %v", outcomes, err)
		}
	}
	notes, err := s.AskNotes(ctx, x.agent, ref.Ask)
	x.fail(err)
	x.fail(second(s.TakeBack(ctx, act, workspace, ref, notes[len(notes)-1].No)))
	x.fail(second(s.AddAskNote(ctx, act, workspace, ref, "t", []string{person})))
	if _, _, err := s.Nudge(ctx, store.Act{By: person, At: 3 * noonOfTests}, workspace, store.AskRef{Agent: x.agent, Ask: "ask-00003"}); err != nil {
		x.t.Errorf("reminding: %v", err)
	}
	x.fail(second(s.MarkAskNotificationsRead(ctx, person, workspace, []store.AskRef{ref}, 5)))
}

func third[T, U any](_ T, _ U, err error) error { return err }
