package handlers

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// rowsOf is a body with n jobs and n asks, which are not the first ones, and a reply in a member's name to every third.
func (w *town) rowsOf(agent string, from, n int, title string) *figs.Push {
	w.t.Helper()
	name := "Agent of " + agent
	if agent == acmeAgent {
		name = "Closer"
	}
	var runs, asks, messages []string
	for i := from; i < from+n; i++ {
		runs = append(runs, fmt.Sprintf(`{"id":"job-%d","ts":"2026-11-20T11:00:00Z","state":"settled","status":"ok","result":"done","title":%q,"attachments":["file-%d.html"]}`, i, title, i))
		asks = append(asks, fmt.Sprintf(`{"id":"ask-%d","ts":"2026-11-20T11:00:00Z","type":"question","to":"manager","title":%q,"status":"open","run":"job-%d"}`, i, title, i))
		if i%3 == 0 {
			messages = append(messages, fmt.Sprintf(`{"id":"said-%d","ask":"ask-%d","kind":"answer","by":"The member","text":%q,"ts":"2026-11-20T11:30:00Z"}`, i, i, title))
		}
	}
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":%q},"runs":[%s],"asks":[%s],"messages":[%s]}`,
		w.acme.ID, agent, name, strings.Join(runs, ","), strings.Join(asks, ","), strings.Join(messages, ",")))
	w.ok(err)
	return body
}

// queries is how many queries something asks.
func (w *town) queries(f func()) int64 {
	before := w.s.Queries()
	f()
	return w.s.Queries() - before
}

func (w *town) pushes(body *figs.Push, at int64) int64 {
	return w.queries(func() {
		_, err := w.s.Push(context.Background(), store.Push{Workspace: w.acme.ID, Act: store.Act{By: w.people["owner"].ID, At: at}, Body: body,
			Report: func() *figs.Report { return &figs.Report{} }})
		w.ok(err)
	})
}

// decideAll answers n asks and lets the answers count.
func (w *town) decideAll(agent string, from, n int) {
	ctx := context.Background()
	for i := from; i < from+n; i++ {
		id, by := fmt.Sprint("ask-", i), w.people[[]string{"owner", "admin"}[i%2]]
		ask, err := w.s.Record(ctx, agent, figs.Asks, id)
		w.ok(err)
		line, wrong := figs.Answer(figs.Fold([][]byte{ask.Fold}), figs.ReplyInput{ID: fmt.Sprint(agent, "-reply-", i), By: by.Name, TS: "2026-11-20T12:00:00Z", Text: "Yes."})
		if wrong != figs.ReplyOK {
			w.t.Fatal(wrong)
		}
		made, err := w.s.Decide(ctx, store.Act{By: by.ID, At: hostedNow.UnixMicro() - 60_000_000 + int64(i)}, store.DecisionInput{Workspace: w.acme.ID, Agent: agent, Ask: id, Line: line,
			Key: fmt.Sprint(agent, i), Saw: store.View{Revision: store.RevisionOf(ask)}})
		w.ok(err)
		_, err = w.s.Settle(ctx, made.Effective)
		w.ok(err)
	}
}

// However many rows a page has or a push brings, it takes the same number of queries.
func TestQueriesDoNotGrowWithRows(t *testing.T) {
	agent := func(i int) string { return fmt.Sprintf("0d4f2a3c-1111-4222-8333-%012d", i) }
	now := hostedNow.UnixMicro()
	pages, pushed := map[int]map[string]int64{}, map[int]map[string]int64{}
	for _, n := range []int{12, 45} { // more than the shortest list shows, and less than a page
		w := newTown(t)
		pushed[n] = map[string]int64{"new records": w.pushes(w.rowsOf(acmeAgent, 0, n, "The first"), now-3_000_000_000)}
		pushed[n]["changed records"] = w.pushes(w.rowsOf(acmeAgent, 0, n, "The second"), now-2_000_000_000)
		for i := range n { // many agents, too
			w.pushes(w.rowsOf(agent(100+i), 0, 3, "Theirs"), now-1_000_000_000)
		}
		w.decideAll(acmeAgent, 0, n)
		w.decideAll(agent(100), 1, 2)
		pages[n] = map[string]int64{}
		for _, page := range []string{"inbox?everybody=1", "inbox?tab=waiting&everybody=1", "inbox?tab=reported&everybody=1", "inbox", "decisions", "", "agents/" + acmeAgent,
			"agents/" + acmeAgent + "/jobs", "agents/" + acmeAgent + "/asks", "agents/" + acmeAgent + "/messages", "agents/" + acmeAgent + "/files", "activity", "search?q=second",
			"settings", "news", "agents/" + acmeAgent + "/asks/ask-1", "agents/" + acmeAgent + "/jobs/job-1"} {
			pages[n][page] = w.queries(func() {
				if r := w.ask(http.MethodGet, strings.TrimSuffix("/w/acme/"+page, "/"), "owner", ""); r.StatusCode != http.StatusOK {
					t.Errorf("%s = %d", page, r.StatusCode)
				}
			})
		}
	}
	for _, counted := range []map[int]map[string]int64{pages, pushed} {
		for what, few := range counted[12] {
			if many := counted[45][what]; many > few {
				t.Errorf("%s: %d queries with few rows, %d with many", what, few, many)
			}
			t.Logf("%s: %d", what, few)
		}
	}
}
