package storejournal_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
	"github.com/figs-web/figs-web/internal/store/storejournal"
)

// testWorkspace is a workspace of Ana, its owner, and Bo.
type testWorkspace struct {
	*testing.T
	s         *sqlstore.Store
	j         *storejournal.Journal
	workspace string
	ana, bo   journal.Person
	clock     int64
}

const (
	first  = "0d4f2a3c-1111-4222-8333-000000000001"
	second = "0d4f2a3c-1111-4222-8333-000000000002"
)

func newTestWorkspace(t *testing.T) *testWorkspace {
	t.Helper()
	s, err := sqlstore.OpenSQLite(ctx, filepath.Join(t.TempDir(), "figs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	o := &testWorkspace{T: t, s: s, workspace: store.NewID(), clock: now.UnixMicro() - int64(time.Hour/time.Microsecond)}
	for _, p := range []struct {
		to   *journal.Person
		name string
	}{{&o.ana, "Ana"}, {&o.bo, "Bo"}} {
		*p.to = journal.Person{ID: store.NewID(), Name: p.name}
		o.ok(s.AddUser(ctx, store.Act{At: 1}, store.User{ID: p.to.ID, Email: p.name + "@acme.example", Name: p.name}))
	}
	o.ok(s.AddWorkspace(ctx, o.act(), store.Workspace{ID: o.workspace, Slug: "acme", Name: "Acme"}, o.ana.ID))
	o.ok(s.SetMember(ctx, o.act(), o.workspace, o.bo.ID, store.Member))
	o.j = storejournal.New(s, o.workspace, now.UnixMicro())
	return o
}

func (o *testWorkspace) ok(err error) {
	o.Helper()
	if err != nil {
		o.Fatal(err)
	}
}

func (o *testWorkspace) same(what string, got, want any) {
	o.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		o.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func (o *testWorkspace) act() store.Act {
	o.clock += 1_000_000
	return store.Act{By: o.ana.ID, At: o.clock}
}

// push sends a push; rest is further fields of its body.
func (o *testWorkspace) push(agent, charter, rest string) store.PushResult {
	o.Helper()
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,%s}%s}`, o.workspace, agent, charter, rest))
	o.ok(err)
	done, err := o.s.Push(ctx, store.Push{Workspace: o.workspace, Act: o.act(), Body: body})
	o.ok(err)
	return done
}

const (
	matching = `"name":"Reconciliation","role":"Matches","org":{"department":"Finance"},"avatar":{"seed":"s1"}`
	auditing = `"name":"Audit"`
)

// pushDay pushes a day of two agents.
func (o *testWorkspace) pushDay() {
	o.push(first, matching, `,"runs":[
		{"id":"r/1","ts":"2026-11-20T10:00:00Z","title":"October","state":"in-flight"},
		{"id":"r2","ts":"2026-11-19T10:00:00Z","title":"September","status":"warn","session":{"tokens":{"input":10,"output":1}}},
		{"id":"r3","ts":"2026-11-10T10:00:00Z"}],
	"asks":[
		{"id":"a/1","type":"sign-off","title":"Send it","run":"r/1","to":"manager","ts":"2026-11-20T10:00:00Z","attachments":["x.html"]},
		{"id":"a2","type":"question","title":"Which bridge?","ts":"2026-11-20T11:00:00Z","run":"none"},
		{"id":"a3","type":"question","title":"Done","status":"withdrawn","ts":"2026-11-20T09:00:00Z"}],
	"messages":[{"id":"m1","kind":"answer","ask":"a3","text":"the Bridge rule","by":"Ana","ts":"2026-11-20T09:30:00Z"},{"id":"m2","kind":"answer","ask":"gone","text":"t","by":"Ana","ts":"2026-11-20T09:30:00Z"}]`)
	o.push(second, auditing, `,"asks":[{"id":"a/1","type":"question","title":"Theirs","ts":"2026-11-20T08:00:00Z"}]`)
	o.ok(o.s.Assign(ctx, o.act(), first, o.bo.ID, o.ana.ID))
}

func noError[T any](x T, err error) func(*testWorkspace) T {
	return func(o *testWorkspace) T {
		o.Helper()
		o.ok(err)
		return x
	}
}

func TestChart(t *testing.T) {
	o := newTestWorkspace(t)
	o.same("an empty one", len(noError(o.j.Chart(ctx, journal.ChartQuery{}))(o).Items), 0)
	o.pushDay()
	chart := noError(o.j.Chart(ctx, journal.ChartQuery{}))(o)
	var cards []string
	for _, c := range chart.Items {
		s := c.Agent.Charter.Department + ": " + c.Agent.DisplayName()
		if c.InFlight != nil {
			s += ", " + c.InFlight.Key + " flies"
		}
		if c.Last != nil {
			s += ", " + c.Last.Run.ID + " was last at " + c.Last.Last.TS
		}
		cards = append(cards, fmt.Sprintf("%s %v", s, c.Weeks[9:]))
	}
	o.same("cards", cards, []string{"Finance: Reconciliation, ~ci8x flies, r2 was last at 2026-11-19T10:00:00Z [{0 0 0 0} {1 0 0 0} {0 1 0 0}]",
		": Audit [{0 0 0 0} {0 0 0 0} {0 0 0 0}]"})
	o.same("needs", []any{chart.Needs, chart.Seq}, []any{3, noError(o.j.Seq(ctx))(o)})
	a := chart.Items[0].Agent
	o.same("hosted", *a.Hosted, journal.Hosted{Manager: o.bo, Builder: o.ana, PushedBy: o.ana, Pushed: a.Hosted.Pushed, Registered: a.Hosted.Pushed})
	o.same("since, orphans", []any{a.Since, a.Counts.Orphans}, []any{journal.Position{File: figs.Runs, TS: "2026-11-10T10:00:00Z"}, 1})
	if _, err := storejournal.New(o.s, store.NewID(), 0).Chart(ctx, journal.ChartQuery{}); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("of a workspace that is not there: %v", err)
	}
}

func TestInbox(t *testing.T) {
	o := newTestWorkspace(t)
	o.pushDay()
	list := func(q journal.InboxQuery) []string {
		t.Helper()
		in := noError(o.j.Inbox(ctx, q))(o)
		var all []string
		for _, i := range in.Items {
			all = append(all, fmt.Sprintf("%s/%s %s mine %v blocks %v %q job %q", i.Agent.DisplayName(), i.Ask.Key, i.Department, i.Mine, i.Blocks, i.JobTitle, i.Ask.JobKey))
		}
		if q.Tab == "" && len(all) != in.Needs {
			t.Errorf("%+v: needs %d", q, in.Needs)
		}
		return all
	}
	theirs := `Audit/~YS8x  mine false blocks false "" job ""`
	signOff := `Reconciliation/~YS8x Finance mine true blocks true "October" job "~ci8x"`
	which := `Reconciliation/a2 Finance mine true blocks false "" job ""`
	o.same("everybody's, as Bo sees it", list(journal.InboxQuery{Mine: o.bo.ID, Everybody: true}), []string{theirs, signOff, which})
	o.same("the same without a filter", list(journal.InboxQuery{Viewer: o.bo.ID}), []string{theirs, signOff, which})
	o.same("Bo's", list(journal.InboxQuery{Mine: o.bo.ID}), []string{signOff, which})
	o.same("of an agent", list(journal.InboxQuery{Mine: o.bo.ID, Everybody: true, Agent: second}), []string{theirs})
	o.same("of a department", list(journal.InboxQuery{Mine: o.bo.ID, Everybody: true, Department: "Finance", Type: "question"}), []string{which})
	o.same("to the manager", list(journal.InboxQuery{Mine: o.bo.ID, To: "manager"}), []string{signOff})
	o.same("of an age", list(journal.InboxQuery{Mine: o.bo.ID, Everybody: true, MinWaitHours: 9}), []string{theirs, signOff})
	closed := noError(o.j.Inbox(ctx, journal.InboxQuery{Tab: journal.TabClosed, Mine: o.ana.ID}))(o)
	// Ana built the first agent and owns the workspace; she also built its second agent.
	o.same("closed", []any{len(closed.Items), closed.Items[0].Ask.Ask.ID, closed.Items[0].Ask.State.Phase, closed.Needs}, []any{1, "a3", figs.Withdrawn, 2})
	in := noError(o.j.Inbox(ctx, journal.InboxQuery{Everybody: true, N: 1}))(o)
	since, _ := figs.ParseTime("2026-11-20T08:00:00Z")
	o.same("a page", []any{len(in.Items), in.Next != "", in.Needs, in.Oldest, in.Departments, len(in.Agents), in.Agents[1].Charter.AvatarSeed, in.Items[0].Ask.Ask.Title, in.Items[0].Since},
		[]any{1, true, 3, since, []string{"Finance"}, 2, "s1", "Theirs", since})
	for _, key := range []string{"~", "a/b", "nobody", store.NewID(), "~YWNtZQ"} {
		if _, err := o.j.Inbox(ctx, journal.InboxQuery{Agent: key}); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("of agent %q: %v, want ErrNotFound", key, err)
		}
	}
}

func TestTrends(t *testing.T) {
	o := newTestWorkspace(t)
	o.pushDay()
	x := noError(o.j.Trends(ctx, journal.TrendsQuery{}))(o)
	first := time.UnixMicro(x.First).UTC()
	o.same("the period", []any{first, len(x.Days), x.Jobs}, []any{time.Date(2026, 10, 24, 0, 0, 0, 0, time.UTC), 28, 2})
	o.same("its last days", x.Days[26:], []journal.TrendDay{{Week: journal.Week{Warned: 1}}, {Raised: 4, Replied: 2}})
	o.same("answers", x.Answers, []int64{30 * 60_000_000})
	o.same("tokens", []any{x.Tokens, x.TokenJobs}, []any{int64(11), 1})
	o.same("a Friday at 9 and 10", x.Hours[4][9:11], []int{3, 2})
	o.same("the oldest waits", []any{len(x.Waits), x.Waits[0].Ask.Ask.Title, len(x.Agents)}, []any{3, "Theirs", 2})
	o.same("heat", []any{len(x.Heat.Days), x.Heat.Days[len(x.Heat.Days)-1], x.Heat.Before + x.Heat.After}, []any{369, journal.Day{Jobs: 1, Asks: 4, Replies: 2}, 0})
	theirs := noError(o.j.Trends(ctx, journal.TrendsQuery{Days: 91, Agent: second}))(o)
	o.same("of an agent", []any{len(theirs.Days), theirs.Jobs, len(theirs.Waits), theirs.Days[90].Raised}, []any{91, 0, 1, 1})
	if _, err := o.j.Trends(ctx, journal.TrendsQuery{Agent: "nobody"}); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("of nobody: %v", err)
	}
	empty := newTestWorkspace(t)
	x = noError(empty.j.Trends(ctx, journal.TrendsQuery{Days: 364}))(empty)
	o.same("of nothing", []any{len(x.Days), x.Jobs, len(x.Heat.Days)}, []any{364, 0, 0})
}

func TestSearchAll(t *testing.T) {
	o := newTestWorkspace(t)
	o.pushDay()
	_, err := o.s.Attach(ctx, o.act(), store.Attachment{Agent: first, Name: "x y.txt", SHA256: "s"}, "cross the BRIDGE at Größe")
	o.ok(err)
	find := func(words string) []string {
		t.Helper()
		var all []string
		for _, i := range noError(o.j.SearchAll(ctx, journal.Query{Text: words}))(o).Items {
			all = append(all, fmt.Sprintf("%s %s %q marks %q", i.Agent.DisplayName(), i.Hit.Owner, i.Hit.Title, i.Hit.Excerpt.Marked))
		}
		return all
	}
	o.same("a word", find("bridge"), []string{`Reconciliation files/~eCB5LnR4dA "x y.txt" marks "BRIDGE"`, `Reconciliation messages/m1 "the Bridge rule" marks "Bridge"`,
		`Reconciliation asks/a2 "Which bridge?" marks "bridge"`})
	o.same("beyond ASCII", find("GRÖßE"), []string{`Reconciliation files/~eCB5LnR4dA "x y.txt" marks "Größe"`})
	o.same("of the other", find("theirs"), []string{`Audit asks/~YS8x "Theirs" marks "Theirs"`})
	o.same("nothing", find(""), []string(nil))
	var owners []string
	q := journal.Query{Text: "bridge", N: 1}
	for range 4 {
		page := noError(o.j.SearchAll(ctx, q))(o)
		for _, i := range page.Items {
			owners = append(owners, i.Hit.Owner)
		}
		o.same("counted on each page", []any{page.Report.Total, page.Report.More, *page.Report.Counts}, []any{3, false, journal.HitCounts{Asks: 1, Replies: 1, Files: 1}})
		if q.After = page.Report.Next; q.After == "" {
			break
		}
	}
	o.same("page by page", owners, []string{"files/~eCB5LnR4dA", "messages/m1", "asks/a2"})
	facets := noError(o.j.SearchAll(ctx, journal.Query{Text: "bridge"}))(o).Report.Facets
	o.same("facets", []any{len(facets.Agents), facets.Agents[0].Part, facets.Agents[0].Count, facets.States[0].Count}, []any{1, `agent:"` + first + `"`, 3, 1})
	for _, list := range [][]journal.SearchFacet{facets.Agents, facets.States, facets.Months} {
		for _, f := range list {
			o.same(f.Part, len(noError(o.j.SearchAll(ctx, journal.Query{Text: "bridge " + f.Part}))(o).Items), f.Count)
		}
	}
	for _, after := range []string{"-1", "0", "zzzzzzzzzzzzzzzzz", "'; DROP", strings.Repeat("9", 400)} {
		o.same("an unreadable place "+after, len(noError(o.j.SearchAll(ctx, journal.Query{Text: "bridge", After: after}))(o).Items), 3)
	}
	none := noError(o.j.SearchAll(ctx, journal.Query{Text: "xylophone"}))(o).Report.Scope
	if none == nil || none.Agents != 2 || none.Records == 0 || none.Files != 1 {
		t.Errorf("searched %+v", none)
	}
}

func TestRefusals(t *testing.T) {
	o := newTestWorkspace(t)
	o.push(first, matching, `,"asks":[{"id":"t/1","type":"question","title":"T","status":"rejected"}]`)
	o.push(first, matching, `,"asks":[{"id":"t/1","type":"question","title":"T","status":"open","ts":"2026-11-20T23:00:00Z"}]`)
	list := noError(o.j.Refusals(ctx, first))(o)
	if len(list) != 1 || list[0].ID != "t/1" || list[0].Reason != figs.RefusedTerminal || list[0].PushedBy != o.ana || list[0].At != o.clock {
		t.Errorf("refusals %+v", list)
	}
	o.same("counted", noError(o.j.Agent(ctx, first))(o).Hosted.Refused, 1)
	if _, err := o.j.Refusals(ctx, "nobody"); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("of nobody: %v", err)
	}
}

// TestKeys tests that keys are plain whatever ids an agent chooses, and lead back to the records.
func TestKeys(t *testing.T) {
	o := newTestWorkspace(t)
	ids := []string{"a/b", "..", "../agent.json", "🍇", "é", "e\u0301", "a\nb", "CON.md", "%2F", "~YS9i", "~", " ", "-x", strings.Repeat("長", 100), "\u202egnp", "a?b#c", "\u0000"}
	var runs, asks, messages []string
	for _, id := range ids {
		q := string(figs.AppendString(nil, id))
		runs = append(runs, `{"id":`+q+`,"ts":"2026-11-20T10:00:00Z","attachments":["n `+journal.Segment(id)[:1]+`.txt"]}`)
		asks = append(asks, `{"id":`+q+`,"type":"question","title":"T","run":`+q+`,"ts":"2026-11-20T10:00:00Z"}`)
		messages = append(messages, `{"id":`+q+`,"kind":"answer","ask":`+q+`,"text":"t","by":"Ana","ts":"2026-11-20T10:30:00Z"}`)
	}
	list := func(l []string) string { return "[" + strings.Join(l, ",") + "]" }
	long := strings.Repeat("x", 10_000)
	done := o.push(first, `"name":"`+long+`"`, `,"runs":`+list(append(runs, `{"id":"`+long+`"}`))+`,"asks":`+list(asks)+`,"messages":`+list(messages))
	o.same("10 kB of an id", []any{len(done.Refused), done.Runs, done.Asks, done.Messages}, []any{1, len(ids), len(ids), len(ids)})
	plain := regexp.MustCompile(`^[A-Za-z0-9~][A-Za-z0-9._-]*$`)
	seen := map[string]bool{}
	for _, x := range noError(o.j.Jobs(ctx, first, journal.Query{N: 200}))(o).Items {
		job := noError(o.j.Job(ctx, first, x.Key))(o)
		if job.Run.ID != x.Run.ID || !plain.MatchString(x.Key) || len(job.Asks) != 1 || job.Asks[0].Ask.ID != x.Run.ID {
			t.Errorf("%q is at %q: %q with %d asks", x.Run.ID, x.Key, job.Run.ID, len(job.Asks))
		}
		seen[job.Run.ID] = true
		for _, f := range job.Trail[0].Files {
			file := noError(o.j.File(ctx, first, f.Key))(o)
			if file.Name != f.Name || file.Size != -1 || !plain.MatchString(f.Key) {
				t.Errorf("file %q at %q: %+v", f.Name, f.Key, file)
			}
		}
	}
	for _, x := range noError(o.j.Asks(ctx, first, journal.Query{N: 200}))(o).Items {
		ask := noError(o.j.Ask(ctx, first, x.Key))(o)
		if ask.Ask.ID != x.Ask.ID || len(ask.Thread) != 1 || ask.Thread[0].AskKey != x.Key || ask.JobKey != x.Key || ask.Thread[0].PushedBy != o.ana {
			t.Errorf("%q is at %q: %+v", x.Ask.ID, x.Key, ask)
		}
	}
	for _, id := range ids {
		if !seen[id] {
			t.Errorf("no address leads to %q", id)
		}
		if _, isKey := journal.ParseSegment(id); isKey {
			continue
		}
		if _, err := o.j.Job(ctx, first, id); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("the id %q itself is an address: %v", id, err)
		}
	}
}

// TestTrailEntries tests that trail entries show when they arrived and who pushed them, and that missing files are marked.
func TestTrailEntries(t *testing.T) {
	o := newTestWorkspace(t)
	o.push(first, matching, `,"runs":[{"id":"r","ts":"2026-11-20T10:00:00Z","state":"in-flight","result":"half","attachments":["a.txt"]}]`)
	came := o.clock
	o.push(first, matching, `,"runs":[{"id":"r","ts":"2026-11-20T10:00:00Z","result":"all","attachments":["a.txt","b.txt"]}]`)
	_, err := o.s.Attach(ctx, o.act(), store.Attachment{Agent: first, Name: "b.txt", SHA256: "s", Size: 3}, "")
	o.ok(err)
	job := noError(o.j.Job(ctx, first, "r"))(o)
	m := job.Trail
	o.same("the first", []any{len(m), m[0].Received, m[0].PushedBy, fileNames(m[0].Files)}, []any{2, came, o.ana, []string{"a.txt(-1 1)"}})
	o.same("the second", []any{m[1].Received, m[1].Changed, fileNames(m[1].Files)}, []any{came + 1_000_000, []string{"result", "attachments"}, []string{"a.txt(-1 1)", "b.txt(3 1)"}})
}

// TestLongTrail tests that a trail of a thousand checkpoints keeps its beginning and its end.
func TestLongTrail(t *testing.T) {
	o := newTestWorkspace(t)
	var runs, asks []string
	for i := range 1000 {
		runs = append(runs, fmt.Sprintf(`{"id":"r","ts":"2026-11-20T10:%02d:%02dZ","state":"in-flight","n%d":%d,"result":"%d"}`, i/60, i%60, i, i, i))
		asks = append(asks, fmt.Sprintf(`{"id":"a","type":"question","title":"T%d","ts":"2026-11-20T10:%02d:%02dZ"}`, i, i/60, i%60))
	}
	o.push(first, matching, `,"runs":[`+strings.Join(runs, ",")+`],"asks":[`+strings.Join(asks, ",")+`],"messages":[{"id":"m","kind":"answer","ask":"a","text":"t","by":"Ana","ts":"2026-11-20T10:01:00Z"}]`)
	job := noError(o.j.Job(ctx, first, "r"))(o)
	o.same("moments", []any{job.Lines, len(job.Trail), job.Trail[99].Folded, job.Trail[100].Folded, job.Trail[101].Folded, len(job.Lanes[0].Marks)}, []any{1000, 301, 0, 700, 0, 301})
	o.same("the middle", []any{len(job.Trail[100].Changed), job.Trail[100].Run.Result, job.Trail[101].Run.Result, job.Trail[300].Run.Result}, []any{701, "799", "800", "999"})
	ask := noError(o.j.Ask(ctx, first, "a"))(o)
	o.same("of an ask", []any{ask.Lines, len(ask.Trail), ask.Trail[100].Folded, ask.Trail[300].Ask.Title, ask.Trail[300].Round}, []any{1000, 301, 700, "T999", ask.State.Round})
	noError(o.j.Overview(ctx, first))(o)
}

// TestFindingExcerpts tests that findings show the current value that they are about.
func TestFindingExcerpts(t *testing.T) {
	o := newTestWorkspace(t)
	const line = `{"id":"r/1","title":"October","status":"perhaps","details":[1,{"a/b":"` + "長" + `"}]}`
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,%s,"units":[{"id":"u"}]},"runs":[%s],"messages":[{"id":"m","kind":"answer","ask":"none"}]}`, o.workspace, first, matching, line))
	o.ok(err)
	report := func() *figs.Report {
		f := figs.New(figs.Options{Now: now.Format(time.RFC3339), Loose: true})
		f.Feed(figs.Runs, []byte(line+"\n"))
		f.Feed(figs.Messages, []byte(`{"id":"m","kind":"answer","ask":"none"}`+"\n"))
		return f.Finish()
	}
	_, err = o.s.Push(ctx, store.Push{Workspace: o.workspace, Act: o.act(), Body: body, Report: report})
	o.ok(err)
	f := noError(o.j.Findings(ctx, first, journal.Query{}))(o)
	marks := map[string]string{}
	for i, x := range f.Items {
		marks[x.Code.String()] = fmt.Sprintf("%s|%s|%s", f.Excerpts[i].Before, f.Excerpts[i].Marked, f.Excerpts[i].After)
	}
	o.same("of a value", marks["run_status_unknown"], `{"id":"r/1","title":"October","status":|"perhaps"|,"details":[1,{"a/b":"長"}]}`)
	o.same("of what is missing", marks["run_ts_missing"], "||"+line)
	if m := marks["message_by_missing"]; !strings.Contains(m, `"ask":"none"`) {
		t.Errorf("of a reply: %q in %v", m, marks)
	}
}
