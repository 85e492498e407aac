//go:build unix

package sqlstore

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/export"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
	"github.com/figs-web/figs-web/internal/store/storejournal"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

// TestOneStateProperty generates histories of agents with several asks and jobs, cuts each into pushes that are folded as
// clients do, and pushes them: in order, some again, some from an older copy of the folder. After the last push the store
// must have what a reader of the folder shows: the state of each ask, its replies, who is asked, each job, the counts and
// the charter. If a push hides a raise under a later line, the round may be lower than the folder's, and an open ask may be
// open since then or later. FIGS_LONG=1 runs 5,000 histories on each database, FIGS_SEED those of an earlier run.
func TestOneStateProperty(t *testing.T) {
	sqlite, postgres := 250, 60
	if os.Getenv("FIGS_LONG") != "" {
		sqlite, postgres = 5000, 5000
	}
	t.Run("SQLite", func(t *testing.T) { pushHistories(t, openSQLite(t), sqlite) })
	t.Run("PostgreSQL", func(t *testing.T) { pushHistories(t, openPostgres(t, storetest.SharedPostgres(t)), postgres) })
}

// TestOneStateTies tests the states of histories within one second: in the folder, pushed once at the end, and pushed line
// by line. TestOneStateTiedHistories in figs explains them.
func TestOneStateTies(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) { pushTies(t, openSQLite(t)) })
	t.Run("PostgreSQL", func(t *testing.T) { pushTies(t, openPostgres(t, storetest.SharedPostgres(t))) })
}

func pushTies(t *testing.T, s *Store) {
	team := newTeam(t, s)
	w := team.workspace(0)
	for _, c := range []struct{ history, folder, once, byLine string }{
		{"raise A, approved", "replied 1", "replied 1", "replied 1"},
		{"raise A, rejected", "declined 1", "declined 1", "declined 1"},
		{"raise A, changes-requested", "being revised 1", "needs you 2", "needs you 2"},
		{"raise A, changes-requested, raise A", "needs you 2", "needs you 2", "needs you 2"},
		{"raise A, changes-requested, raise B", "needs you 2", "needs you 2", "needs you 3"},
		{"raise A, changes-requested, raise B, approved", "replied 2", "replied 2", "needs you 3"},
		{"raise A, approved, raise B", "needs you 2", "replied 1", "needs you 2"},
		{"raise A, rejected, raise B", "needs you 2", "declined 1", "needs you 2"},
		{"raise A, close", "resolved 1", "resolved 1", "resolved 1"},
		{"raise A, approved, close", "resolved 1", "resolved 1", "resolved 1"},
		{"raise A, close, approved", "resolved 1", "resolved 1", "resolved 1"},
		{"raise A, close, raise B", "needs you 2", "needs you 2", "needs you 2"},
		{"raise A, approved, close, raise B", "needs you 2", "needs you 2", "needs you 2"},
		{"raise A, close, raise B, approved", "needs you 2", "needs you 2", "needs you 2"},
		{"raise A, changes-requested, close, raise B", "needs you 2", "needs you 2", "needs you 3"},
	} {
		var got []string
		for _, each := range []bool{false, true} {
			h := newHistory(team, w, 0, 0)
			h.skew, h.clock = 0, h.clock-h.clock%1_000_000+1_000_000
			ts := h.ts()
			for _, what := range strings.Split(c.history, ", ") {
				switch title, raises := strings.CutPrefix(what, "raise "); {
				case raises:
					h.write(figs.Asks, "a", `{"id":"a","type":"sign-off","title":%q,"status":"open","ts":%q}`, title, ts)
				case what == "close":
					h.write(figs.Asks, "a", `{"id":"a","status":"resolved","resolution":{"ts":%q}}`, ts)
				default:
					h.write(figs.Messages, "", `{"id":%q,"kind":"verdict","ask":"a","by":"Ana","ts":%q,"verdict":%[1]q}`, what, ts)
				}
				if each {
					h.clock -= 490_000 // so that all pushes arrive within the second, in their order
					h.push(len(h.lines))
				}
			}
			if !each {
				h.push(len(h.lines))
				state := h.folder().State(0)
				got = append(got, fmt.Sprint(state.Phase, " ", state.Round))
			}
			stored, err := s.Record(ctx, h.agent, figs.Asks, "a")
			h.must(err)
			got = append(got, fmt.Sprint(stored.State.Phase, " ", stored.State.Round))
		}
		if want := []string{c.folder, c.once, c.byLine}; !slices.Equal(got, want) {
			t.Errorf("%s: folder, pushed once, pushed line by line: %q, want %q", c.history, got, want)
		}
	}
}

// pushHistories pushes that many histories, up to 25 agents per workspace, and compares each with its folder.
func pushHistories(t *testing.T, s *Store, histories int) {
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("FIGS_SEED"); text != "" {
		if _, err := fmt.Sscan(text, &seed); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("seed %d", seed)
	team := newTeam(t, s)
	done := map[string]int{}
	for n := 0; n < histories; n += 25 {
		w := team.workspace(n)
		var all []*history
		for i := range min(25, histories-n) {
			h := newHistory(team, w, seed, n+i)
			h.generate()
			all = append(all, h)
		}
		team.compare(w, all, done)
	}
	if changed, err := s.Reindex(ctx); err != nil || len(changed) > 0 {
		t.Errorf("deriving everything again changes asks: %+v, %v", changed, err)
	}
	t.Logf("%d histories, of which %d went wrong: %v", histories, done["wrong"], done)
}

// folder returns the agent's folder.
func (h *history) folder() *figs.Folder {
	f := figs.New(figs.Options{Keep: true})
	f.Feed(figs.AgentJSON, []byte("{"+h.charter+"}"))
	for _, l := range h.lines {
		f.Feed(l.file, append(slices.Clone(l.text), '\n'))
	}
	f.Finish()
	return f
}

// compare compares all agents of a workspace with their folders.
func (x *team) compare(w string, all []*history, done map[string]int) {
	asked := x.asked(w)
	for _, h := range all {
		wrong := h.differences(asked, done)
		if len(wrong) == 0 {
			continue
		}
		if done["wrong"]++; done["wrong"] <= 3 {
			var lines []string
			for _, l := range h.lines {
				lines = append(lines, string(l.text))
			}
			x.Errorf("FIGS_SEED=%d, history %d:\n%s\nlines:\n%s\n%s", h.seed, h.n, strings.Join(wrong, "\n"), strings.Join(lines, "\n"), strings.Join(h.log, "\n"))
		}
	}
	if done["wrong"] > 0 {
		x.Fail()
	}
}

// asked returns, for each ask, who has it in their "For me" inbox, who is asked according to everyone's inbox, and who is
// notified.
func (x *team) asked(w string) map[string][3][]string {
	x.Helper()
	all := map[string][3][]string{}
	add := func(agent, ask string, which int, people ...string) {
		list := all[agent+" "+ask]
		list[which] = append(list[which], people...)
		slices.Sort(list[which])
		all[agent+" "+ask] = list
	}
	for i, person := range append([]string{""}, x.people...) {
		in, err := x.s.Inbox(ctx, store.InboxQuery{Workspace: w, Mine: person, Slice: store.Slice{N: 1000}, Now: x.clock})
		x.must(err)
		for _, item := range in.Items {
			ask := figs.ReadAsk(figs.Fold([][]byte{item.Fold})).ID
			if i == 0 {
				add(item.Agent, ask, 1, item.AskedOf...)
			} else {
				add(item.Agent, ask, 0, person)
			}
		}
	}
	news, err := x.s.PlanInput(ctx, w, x.clock)
	x.must(err)
	for _, a := range news.Asks {
		add(a.Agent, a.Ask, 2, a.AskedOf...)
	}
	for _, a := range news.Unconfirmed {
		add(a.Agent, a.Ask, 2, a.Confirmers...)
	}
	return all
}

// differences returns how the store differs from the folder.
func (h *history) differences(asked map[string][3][]string, done map[string]int) (wrong []string) {
	f := h.folder()
	done["pushes"] += len(h.pushed)
	done["replies given here"] += len(h.minted)
	say := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	agent, err := h.s.Agent(ctx, h.agent)
	h.must(err)
	if !figs.SameValue(object(agent.Charter), object([]byte(fmt.Sprintf(`{%s,"id":%q}`, h.charter, h.agent)))) {
		say("the charter is %s", agent.Charter)
	}
	var counts store.Counts
	counts.Messages = f.Records(figs.Messages)
	for i := range counts.Messages {
		counts.Orphans += sqldb.BoolInt(f.AskOf(i) < 0)
	}
	for _, a := range h.asks {
		rec := f.Find(figs.Asks, a.id)
		if rec < 0 {
			continue
		}
		done["asks"]++
		counts.Asks++
		want := f.State(rec)
		*[...]*int{&counts.NeedsYou, &counts.Waiting, &counts.Closed}[laneOf(want.Phase)]++
		h.diffAsk(f, a, rec, asked[h.agent+" "+a.id], done, say)
	}
	for _, id := range h.jobs {
		rec := f.Find(figs.Runs, id)
		if rec < 0 {
			continue
		}
		done["jobs"]++
		counts.Jobs++
		want := f.Outcome(rec)
		switch want {
		case figs.OutcomeInFlight:
			counts.InFlight++
		case figs.OutcomeWarn:
			counts.Warned++
		case figs.OutcomeFail:
			counts.Failed++
		}
		h.diffJob(f, id, rec, say)
	}
	h.diffWhole(f, &agent, say)
	if counts.Files, counts.Refused = agent.Counts.Files, agent.Counts.Refused; agent.Counts != counts {
		say("the counts are %+v, the folder's %+v", agent.Counts, counts)
	}
	return wrong
}

func (h *history) diffAsk(f *figs.Folder, a *generatedAsk, rec int, asked [3][]string, done map[string]int, say func(string, ...any)) {
	want, thread := f.State(rec), f.Thread(rec)
	var decides figs.Message
	if want.Reply >= 0 {
		m, _, _ := f.Ends(figs.Messages, thread[want.Reply].Message)
		decides = figs.ReadMessage(figs.Fold([][]byte{f.Bytes(figs.Messages, m)}))
		want.Reported = !h.minted[decides.ID] // which a folder cannot tell
	}
	got, err := h.s.Record(ctx, h.agent, figs.Asks, a.id)
	h.must(err)
	lists, err := h.s.Records(ctx, store.RecordQuery{Agent: h.agent, File: figs.Asks, Slice: store.Slice{N: 100}})
	h.must(err)
	list := lists.Items
	listed := list[slices.IndexFunc(list, func(r store.Record) bool { return r.ID == a.id })].State
	if s := got.State; listed.Phase != s.Phase || listed.Round != s.Round || listed.Reported != s.Reported || listed.Since != s.Since {
		say("%s: the list says %+v, its page %+v", a.id, listed, s)
	}
	if h.hidden[a.id] {
		done["hidden"]++
	}
	same := got.State.Phase == want.Phase && got.State.Reply == want.Reply && got.State.Reported == want.Reported
	if h.hidden[a.id] {
		same = same && got.State.Round <= want.Round && (want.Phase.Closed() || got.State.Since >= want.Since)
	} else {
		same = same && got.State.Round == want.Round && got.State.Since == want.Since
	}
	if got.State.Phase != want.Phase {
		done["wrong phases"]++
	}
	if !same {
		say("%s, hidden %v: the folder shows %+v, the store %+v", a.id, h.hidden[a.id], want, got.State)
	}
	for i, m := range got.Thread {
		if i >= len(thread) || m.Earlier != thread[i].Earlier || !h.hidden[a.id] && m.Round != thread[i].Round || m.At != thread[i].At {
			say("%s, hidden %v: reply %d is of round %d, earlier %v, at %d, in the folder %+v", a.id, h.hidden[a.id], i, m.Round, m.Earlier, m.At, thread[i])
			break
		}
	}
	if !h.hidden[a.id] && !slices.Equal(got.Waits, f.Waits(rec)) {
		say("%s: the waits are %+v, in the folder %+v", a.id, got.Waits, f.Waits(rec))
	}
	page, err := storejournal.New(h.s, h.w, h.clock).Ask(ctx, journal.Segment(h.agent), journal.Segment(a.id))
	h.must(err)
	if job := f.JobOf(rec); page.State != got.State || (page.JobKey != "") != (job >= 0) {
		say("%s: the journal says %+v, the store %+v, job %q", a.id, page.State, got.State, page.JobKey)
	} else if job >= 0 && (h.events || !h.hidden[f.ID(figs.Runs, job)]) && !slices.Equal(page.Flights, f.Flights(job)) {
		say("%s: its job was in flight %v, in the folder %v", a.id, page.Flights, f.Flights(job))
	}
	var lines [][]byte
	for _, ref := range f.Trail(figs.Asks, rec) {
		lines = append(lines, f.Bytes(figs.Asks, ref))
	}
	fold := figs.Fold(lines)
	if !figs.SameValue(object(got.Fold), object(figs.AppendObject(nil, fold))) {
		say("%s: the fold is %s", a.id, got.Fold)
	}
	var of []string
	switch {
	case want.Phase == figs.NeedsYou:
		if of = figs.AskedOf(fold.Get("to").Text(), figs.Addressees{Manager: h.manager, Builder: h.builder}); len(of) == 0 {
			of = []string{h.people[0]}
		}
	case want.Reported:
		of = []string{map[string]string{"Person 1": h.people[1], "person 2": h.people[2], "Ana": h.people[0]}[decides.By]}
		asked[1] = of // it names no confirmers
	}
	slices.Sort(of)
	for i, got := range asked {
		if !slices.Equal(got, of) {
			say("%s: asked of %q by %s, by the folder of %q", a.id, got, [...]string{"own inboxes", "everybody's inbox", "the news"}[i], of)
		}
	}
}

func (h *history) diffJob(f *figs.Folder, id string, rec int, say func(string, ...any)) {
	got, err := h.s.Record(ctx, h.agent, figs.Runs, id)
	h.must(err)
	_, last, _ := f.Ends(figs.Runs, rec)
	if got.Outcome != f.Outcome(rec) || got.At != last.TS {
		say("%s is %d at %d, in the folder %d at %d", id, got.Outcome, got.At, f.Outcome(rec), last.TS)
	}
}

// diffWhole compares what is derived from all lines, and the folder of an export, if no push hid a line.
func (h *history) diffWhole(f *figs.Folder, agent *store.Agent, say func(string, ...any)) {
	for id, hidden := range h.hidden {
		if id != "" && hidden {
			return
		}
	}
	first, oldest, file := int64(figs.NoTime), int64(figs.NoTime), figs.Runs
	for k := range figs.File(figs.Ledgers) {
		if _, i, _ := f.Dated(k); i >= 0 {
			if at := f.Line(k, i).TS; first == figs.NoTime || at < first {
				first, file = at, k
			}
		}
	}
	for i := range f.Records(figs.Asks) {
		if s := f.State(i); s.Phase == figs.NeedsYou && (oldest == figs.NoTime || s.Since < oldest) {
			oldest = s.Since
		}
	}
	if agent.First != first || agent.FirstFile != file || agent.OldestNeed != oldest {
		say("the first line is of %v at %d, the oldest need of %d; in the folder %v at %d, %d", agent.FirstFile, agent.First, agent.OldestNeed, file, first, oldest)
	}
	days, err := h.s.DailyActivity(ctx, h.agent)
	h.must(err)
	lines := 0
	for _, d := range days {
		lines += d.N
	}
	if lines != len(h.lines) {
		say("the calendar has %d lines, the folder %d", lines, len(h.lines))
	}
	files, err := h.s.Files(ctx, h.agent, "", store.Slice{N: 100})
	h.must(err)
	var names, named []string
	for _, x := range files.Items {
		names = append(names, x.Name)
	}
	for _, x := range f.Attachments() {
		named = append(named, x.Name)
	}
	slices.Sort(names)
	if slices.Sort(named); !slices.Equal(names, named) {
		say("the files are %q, in the folder %q", names, named)
	}
	x, err := export.Read(ctx, h.s, h.w, h.agent, figs.Options{})
	h.must(err)
	for i := range x.Records(figs.Asks) {
		rec := f.Find(figs.Asks, x.ID(figs.Asks, i))
		if x.State(i) != f.State(rec) || !slices.Equal(x.Waits(i), f.Waits(rec)) {
			say("%s exported is %+v, in the folder %+v", x.ID(figs.Asks, i), x.State(i), f.State(rec))
		}
	}
	for i := range x.Records(figs.Runs) {
		rec := f.Find(figs.Runs, x.ID(figs.Runs, i))
		if x.Outcome(i) != f.Outcome(rec) || !slices.Equal(x.Flights(i), f.Flights(rec)) {
			say("%s exported is %v, %v, in the folder %v, %v", x.ID(figs.Runs, i), x.Outcome(i), x.Flights(i), f.Outcome(rec), f.Flights(rec))
		}
	}
}
