package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/find/findtest"
	"github.com/figs-web/figs-web/internal/store"
)

func (w *fixture) inbox(q store.InboxQuery) []string {
	w.Helper()
	q.Workspace = w.workspace.ID
	in := must(w.s.Inbox(ctx, q))(w)
	var ids []string
	for _, i := range in.Items {
		ids = append(ids, itemID(&i))
	}
	if (q.Tab == "" || q.Tab == store.TabNeeds) && q.After == "" && in.Next == "" && (in.Total != len(ids) || len(ids) > 0 && in.Oldest != in.Items[0].Since) {
		w.Errorf("inbox %+v: total %d of %d", q, in.Total, len(ids))
	}
	return ids
}

func itemID(i *store.InboxItem) string { return figs.ReadAsk(figs.Fold([][]byte{i.Fold})).ID }

func ask(id, to, at string) string {
	return fmt.Sprintf(`{"id":%q,"type":"question","title":"T %s","to":%q,"ts":"2026-11-20T%s:00Z"}`, id, id, to, at)
}

func inbox(w *fixture) {
	w.push(pushBody{asks: []string{ask("m", "manager", "10:02"), ask("b", "builder", "10:01"), ask("any", "", "10:03"), anAsk, strings.Replace(aQuestion, `"q"`, `"done","status":"withdrawn"`, 1)}})
	w.ok(w.s.Assign(ctx, w.act(), w.agent, "", ""))
	w.same("longest wait first", w.inbox(store.InboxQuery{}), []string{"a", "b", "m", "any"})
	w.same("nobody is assigned: the owner's", w.inbox(store.InboxQuery{Mine: w.ana.ID}), []string{"a", "b", "m", "any"})
	w.same("not a member's", w.inbox(store.InboxQuery{Mine: w.bo.ID}), []string(nil))
	// Asks are in the inboxes of the people whom figs returns.
	carl := w.user("carl@acme.example", "Carl")
	w.ok(w.s.SetMember(ctx, w.act(), w.workspace.ID, carl.ID, store.Member))
	for _, who := range []figs.Addressees{{Manager: w.bo.ID, Builder: carl.ID}, {Manager: w.bo.ID}, {Builder: carl.ID}, {Manager: w.bo.ID, Builder: w.bo.ID}, {}} {
		w.ok(w.s.Assign(ctx, w.act(), w.agent, who.Manager, who.Builder))
		for _, person := range []string{w.ana.ID, w.bo.ID, carl.ID} {
			var want []string
			for _, x := range [][2]string{{"a", ""}, {"b", "builder"}, {"m", "manager"}, {"any", ""}} {
				people := figs.AskedOf(x[1], who)
				if slices.Contains(people, person) || len(people) == 0 && person == w.ana.ID {
					want = append(want, x[0])
				}
			}
			w.same(fmt.Sprintf("of %v, for %s", who, person), w.inbox(store.InboxQuery{Mine: person}), want)
		}
	}
	w.same("of a type", w.inbox(store.InboxQuery{Type: "sign-off"}), []string{"a"})
	w.same("to the builder", w.inbox(store.InboxQuery{To: "builder"}), []string{"b"})
	cut, _ := figs.ParseTime("2026-11-20T10:02:00Z")
	w.same("waiting since before", w.inbox(store.InboxQuery{SinceBefore: cut}), []string{"a", "b"})
	w.same("of another agent", w.inbox(store.InboxQuery{Agent: "0d4f2a3c-1111-4222-8333-000000000002"}), []string(nil))
	page := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Slice: store.Slice{N: 2}}))(w)
	w.same("a page", []any{itemID(&page.Items[0]), len(page.Items), page.Prev, page.Next != "", page.Total}, []any{"a", 2, "", true, 4})
	w.walkInbox("longest wait first", store.InboxQuery{})
	w.walkInbox("a person's", store.InboxQuery{Mine: w.ana.ID})
	for _, bad := range []string{"x", "0.0", "0.zz!.1", strings.Repeat("1", 3000)} {
		w.same("a cursor that can't be read", w.inbox(store.InboxQuery{Slice: store.Slice{After: bad}}), []string{"a", "b", "m", "any"})
	}
	w.same("closed", w.inbox(store.InboxQuery{Tab: store.TabClosed}), []string{"done"})
	w.reply("v", "m", `"kind":"answer","text":"t"`)
	w.same("answered", w.inbox(store.InboxQuery{Tab: store.TabWaiting}), []string{"m"})
	w.same("no longer owed", w.inbox(store.InboxQuery{}), []string{"a", "b", "any"})
	i := must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, Tab: store.TabWaiting}))(w).Items[0]
	w.same("a row", i, store.InboxItem{Agent: w.agent, Fold: []byte(ask("m", "manager", "10:02")), Ask: figs.ReadAsk(figs.Fold([][]byte{[]byte(ask("m", "manager", "10:02"))})), Phase: figs.Replied, Round: 1, Since: i.Since, AskedOf: []string{w.ana.ID},
		FollowUp: &store.FollowUp{Asked: i.FollowUp.Asked, Replied: w.clock, RepliedBy: w.ana.ID}})
	_, err := w.s.Inbox(ctx, store.InboxQuery{Workspace: store.NewID()})
	w.wantError(err, store.ErrNotFound)
}

// inboxByTotalWait tests the order by waiting time of all rounds, whatever changes in between.
func inboxByTotalWait(w *fixture) {
	now := w.clock + 86_400_000_000
	costs := func(q store.InboxQuery) (told []string) {
		w.Helper()
		q.Workspace, q.LongestFirst, q.Now = w.workspace.ID, true, now
		in := must(w.s.Inbox(ctx, q))(w)
		for i := range in.Items {
			told = append(told, fmt.Sprintf("%s %d", itemID(&in.Items[i]), in.Items[i].EarlierWait/60_000_000))
		}
		w.same("how many", in.Total, 3)
		w.same("the oldest", in.Oldest, timeAt("10:10"))
		return told
	}
	w.push(pushBody{asks: []string{ask("old", "", "10:10"), ask("young", "", "10:40"), ask("twice", "", "10:00")},
		messages: []string{`{"id":"v1","kind":"verdict","ask":"twice","by":"Bo","ts":"2026-11-20T10:20:00Z","verdict":"changes-requested","text":"t"}`}})
	w.push(pushBody{asks: []string{`{"id":"twice","type":"question","title":"U","ts":"2026-11-20T10:35:00Z"}`}})
	w.same("twice has waited 20 minutes before", costs(store.InboxQuery{}), []string{"old 0", "twice 20", "young 0"})
	w.push(pushBody{messages: []string{`{"id":"v2","kind":"verdict","ask":"twice","by":"Bo","ts":"2026-11-20T10:47:00Z","verdict":"changes-requested","text":"t"}`}})
	w.push(pushBody{asks: []string{`{"id":"twice","type":"question","title":"W","ts":"2026-11-20T10:50:00Z"}`}})
	w.same("and 12 more", costs(store.InboxQuery{}), []string{"old 0", "twice 32", "young 0"})
	w.push(pushBody{messages: []string{`{"id":"v3","kind":"verdict","ask":"twice","by":"Bo","ts":"2026-11-20T10:59:00Z","verdict":"changes-requested","text":"t"}`}})
	w.push(pushBody{asks: []string{`{"id":"twice","type":"question","title":"X","ts":"2026-11-20T11:00:00Z"}`}})
	w.push(pushBody{asks: []string{`{"id":"young","type":"question","title":"Young, worded anew","ts":"2026-11-20T10:41:00Z"}`}})
	w.same("and nine more", costs(store.InboxQuery{}), []string{"old 0", "twice 41", "young 0"})
	w.walkInbox("longest total wait first", store.InboxQuery{LongestFirst: true, Now: now})
	w.same("by its agent", costs(store.InboxQuery{Agent: w.agent}), []string{"old 0", "twice 41", "young 0"})
	standing := func() (sum int64) {
		for _, i := range must(w.s.Inbox(ctx, store.InboxQuery{Workspace: w.workspace.ID, LongestFirst: true, Now: now}))(w).Items {
			sum += now - i.Since + i.EarlierWait
		}
		return sum
	}
	w.same("in all", must(w.s.WaitingTimes(ctx, w.workspace.ID, "", now))(w), []store.WaitingTime{{Agent: w.agent, Asks: 3, Sum: standing()}})
	w.same("of one agent", must(w.s.WaitingTimes(ctx, w.workspace.ID, w.agent, now))(w), []store.WaitingTime{{Agent: w.agent, Asks: 3, Sum: standing()}})
	w.same("of another", must(w.s.WaitingTimes(ctx, w.workspace.ID, otherAgent, now))(w), []store.WaitingTime(nil))
	w.same("of a type that is not held", costs(store.InboxQuery{Type: "question"}), []string{"old 0", "twice 41", "young 0"})
	w.same("longest wait first", w.inbox(store.InboxQuery{}), []string{"old", "young", "twice"})
	waits := w.record(figs.Asks, "twice").Waits
	w.same("its rounds", []any{len(waits), waits[3].Lasts, waits[3].From}, []any{4, true, timeAt("11:00")})
}

func timeAt(clock string) int64 {
	at, _ := figs.ParseTime("2026-11-20T" + clock + ":00Z")
	return at
}

func lists(w *fixture) {
	var b pushBody
	for i, state := range []string{"ok", "warn", "fail", "ok"} {
		b.runs = append(b.runs, fmt.Sprintf(`{"id":"r%d","ts":"2026-11-20T10:0%d:00Z","status":%q,"title":"Statement %d"}`, i, i, state, i))
	}
	b.runs = append(b.runs, `{"id":"flying","ts":"2026-11-20T09:00:00Z","state":"in-flight"}`)
	b.asks = []string{ask("n1", "", "10:01"), ask("n0", "", "10:00"), ask("w", "", "10:02"), strings.Replace(ask("c", "", "10:03"), `"to"`, `"status":"withdrawn","to"`, 1)}
	b.asks[0] = strings.Replace(b.asks[0], `"to"`, `"run":"r1","to"`, 1)
	b.messages = []string{`{"id":"m","kind":"answer","ask":"w","text":"t","by":"Ana","ts":"2026-11-20T11:00:00Z"}`}
	w.push(b)
	list := func(q store.RecordQuery) []string {
		w.Helper()
		q.Agent = w.agent
		page, err := w.s.Records(ctx, q)
		w.ok(err)
		ids := []string{fmt.Sprint(page.Total)}
		for _, r := range page.Items {
			ids = append(ids, r.ID)
		}
		return ids
	}
	w.same("runs, newest first", list(store.RecordQuery{File: figs.Runs}), []string{"5", "r3", "r2", "r1", "r0", "flying"})
	w.same("settled OK", list(store.RecordQuery{File: figs.Runs, State: "ok"}), []string{"2", "r3", "r0"})
	w.same("in flight", list(store.RecordQuery{File: figs.Runs, State: "in-flight"}), []string{"1", "flying"})
	w.same("with words", list(store.RecordQuery{File: figs.Runs, Words: "STATEMENT 2"}), []string{"1", "r2"})
	w.same("asks by lane", list(store.RecordQuery{File: figs.Asks}), []string{"4", "n0", "n1", "w", "c"})
	w.same("waiting", list(store.RecordQuery{File: figs.Asks, State: "waiting"}), []string{"1", "w"})
	w.same("oldest first", list(store.RecordQuery{File: figs.Runs, Oldest: true}), []string{"5", "flying", "r0", "r1", "r2", "r3"})
	w.walk("runs", store.RecordQuery{File: figs.Runs})
	w.walk("oldest runs", store.RecordQuery{File: figs.Runs, Oldest: true})
	w.walk("settled runs", store.RecordQuery{File: figs.Runs, State: "ok"})
	w.walk("runs with words", store.RecordQuery{File: figs.Runs, Words: "statement"})
	w.walk("asks", store.RecordQuery{File: figs.Asks})
	for _, bad := range []string{"x", "0.0", "9.0.0", "0.zz!.1", "-1.", "0.OQ.MQ", strings.Repeat("1", 3000)} {
		w.same("a cursor that can't be read or is of another list", list(store.RecordQuery{File: figs.Asks, Slice: store.Slice{After: bad}}), []string{"4", "n0", "n1", "w", "c"})
	}
	days := must(w.s.DailyActivity(ctx, w.agent))(w)
	const today = noon / 86400_000000
	w.same("days", days, []store.DayCount{{Day: today, File: figs.Runs, N: 5}, {Day: today, File: figs.Asks, N: 4}, {Day: today, File: figs.Messages, N: 1}})
	byDay := must(w.s.ActivityByDay(ctx, w.workspace.ID, w.agent))(w)
	w.same("all activity by day", byDay, []store.HourCount{
		{Kind: store.ActivityRunLine, Hour: 24 * today, N: 5}, {Kind: store.ActivityAskLine, Hour: 24 * today, N: 4}, {Kind: store.ActivityReply, Hour: 24 * today, N: 1},
		{Kind: store.ActivitySettled, Outcome: figs.OutcomeOK, Hour: 24 * today, N: 2}, {Kind: store.ActivitySettled, Outcome: figs.OutcomeWarn, Hour: 24 * today, N: 1},
		{Kind: store.ActivitySettled, Outcome: figs.OutcomeFail, Hour: 24 * today, N: 1}, {Kind: store.ActivityRaised, Hour: 24 * today, N: 4}})
	waits := must(w.s.AskWaits(ctx, w.agent))(w)
	var waited []string
	for _, x := range waits {
		waited = append(waited, fmt.Sprint(x.ID, " ", x.Tab, " ", x.Round, " ", x.Answered != figs.NoTime, " ", x.Raised == waits[0].Raised+int64(len(waited))*60_000000))
	}
	w.same("waits", waited, []string{"n0 needs 1 false true", "n1 needs 1 false true", "w waiting 1 true true", "c closed 1 false true"})
	newest := func(workspace string, file figs.File, n int) (ids []string) {
		for _, line := range must(w.s.NewestLines(ctx, workspace, w.agent, file, n))(w) {
			ids = append(ids, figs.Fold([][]byte{line}).Get("id").Text())
		}
		return ids
	}
	w.same("newest lines of runs", newest(w.workspace.ID, figs.Runs, 2), []string{"r3", "r2"})
	w.same("newest lines of asks", newest(w.workspace.ID, figs.Asks, 3), []string{"n1", "n0", "w"})
	w.same("newest replies", newest(w.workspace.ID, figs.Messages, 3), []string{"m"})
	w.same("not of another workspace", len(newest(store.NewID(), figs.Runs, 2))+len(newest(store.NewID(), figs.Messages, 2)), 0)
	w.same("of a run", list(store.RecordQuery{File: figs.Asks, Run: "r1"}), []string{"1", "n1"})
}

// walk goes through a list page by page, and back, and compares with the whole list.
func (w *fixture) walk(what string, q store.RecordQuery) {
	w.Helper()
	q.Agent = w.agent
	ids := func(part store.Slice) (list []string, page *store.Page[store.Record]) {
		q.Slice = part
		page = must(w.s.Records(ctx, q))(w)
		for _, r := range page.Items {
			list = append(list, r.ID)
		}
		return list, page
	}
	all, _ := ids(store.Slice{})
	for n := 1; n <= len(all); n++ {
		walkPages(w, fmt.Sprintf("%s, %d on a page", what, n), n, all, func(part store.Slice) ([]string, string, string) {
			list, page := ids(part)
			return list, page.Prev, page.Next
		})
	}
}

// walkInbox goes through a tab of the inbox page by page, and back, and compares with the whole tab.
func (w *fixture) walkInbox(what string, q store.InboxQuery) {
	w.Helper()
	q.N = 200
	all := w.inbox(q)
	for _, n := range []int{1, 2, 3, 7} {
		walkPages(w, fmt.Sprintf("inbox, %s, %d on a page", what, n), n, all, func(part store.Slice) (ids []string, prev, next string) {
			q.Workspace, q.Slice = w.workspace.ID, part
			page := must(w.s.Inbox(ctx, q))(w)
			for i := range page.Items {
				ids = append(ids, itemID(&page.Items[i]))
			}
			return ids, page.Prev, page.Next
		})
	}
}

// walkPages goes forward through a list by cursors, and back.
func walkPages(w *fixture, what string, n int, all []string, read func(store.Slice) (items []string, prev, next string)) {
	w.Helper()
	var forward, back []string
	items, prev, next := read(store.Slice{N: n})
	w.same(what+": nothing before the first page", prev, "")
	for forward = items; next != "" && len(forward) <= len(all); forward = append(forward, items...) {
		items, prev, next = read(store.Slice{After: next, N: n})
	}
	w.same(what, forward, all)
	for back = items; prev != "" && len(back) <= len(all); back = append(items[:len(items):len(items)], back...) {
		items, prev, next = read(store.Slice{Before: prev, N: n})
		w.same(what+": there is a page after an earlier one", next != "", true)
	}
	w.same(what+", backwards", back, all)
}

func attachments(w *fixture) {
	a := store.Attachment{Agent: w.agent, Name: "report.html", SHA256: store.Hash("bytes"), Size: 5}
	_, err := w.s.Attach(ctx, w.act(), a, "")
	w.wantError(err, store.ErrNotFound)
	w.push(pushBody{runs: []string{aRun}})
	unchanged := must(w.s.Attach(ctx, w.act(), a, "October statement"))(w)
	seq := must(w.s.Seq(ctx, w.workspace.ID))(w)
	again := must(w.s.Attach(ctx, w.act(), a, "October statement"))(w)
	w.same("unchanged", []bool{unchanged, again}, []bool{false, true})
	w.same("which changes nothing", must(w.s.Seq(ctx, w.workspace.ID))(w), seq)
	other := a
	other.SHA256 = store.Hash("other bytes")
	var differs *store.AttachmentConflictError
	if _, err := w.s.Attach(ctx, w.act(), other, ""); !errors.As(err, &differs) || differs.SHA256 != a.SHA256 {
		w.Errorf("the name with other bytes: %v, want *OtherBytes", err)
	}
	a.Name = "REPORT.html"
	must(w.s.Attach(ctx, w.act(), a, ""))(w)
	found := must(w.s.AttachmentsBySHA(ctx, w.workspace.ID, a.SHA256))(w)
	if len(found) != 2 || found[0].Name != "report.html" || found[0].PushedBy != w.ana.ID || found[0].Size != 5 {
		w.Errorf("by their bytes: %+v, want both names", found)
	}
	w.same("not from another workspace", len(must(w.s.AttachmentsBySHA(ctx, store.NewID(), a.SHA256))(w)), 0)
	w.same("all", len(must(w.s.Attachments(ctx, w.agent))(w)), 2)
	w.same("counted", must(w.s.Agent(ctx, w.agent))(w).Counts.Files, 2)
}

func files(w *fixture) {
	w.push(pushBody{runs: []string{`{"id":"r","ts":"2026-11-20T10:00:00Z","title":"October","attachments":["b.html","a_1.csv","b.html","../x"]}`}, asks: []string{`{"id":"a","type":"question","title":"T","refs":[{"label":"l","artifact":"b.html"}]}`}})
	w.push(pushBody{runs: []string{`{"id":"r","ts":"2026-11-20T10:05:00Z","attachments":["c.txt"]}`}})
	for _, name := range []string{"b.html", "loose.txt"} {
		must(w.s.Attach(ctx, w.act(), store.Attachment{Agent: w.agent, Name: name, SHA256: store.Hash(name), Size: 7}, ""))(w)
	}
	list := func(words string) []string {
		w.Helper()
		page, err := w.s.Files(ctx, w.agent, words, store.Slice{})
		w.ok(err)
		names := []string{fmt.Sprint(page.Total)}
		for _, f := range page.Items {
			names = append(names, fmt.Sprintf("%s %d %d", f.Name, f.Size, len(f.Mentions)))
		}
		return names
	}
	all := []string{"4", "b.html 7 2", "a_1.csv -1 1", "c.txt -1 1", "loose.txt 7 0"}
	w.same("all", list(""), all)
	for n := 1; n <= 4; n++ {
		walkPages(w, fmt.Sprintf("%d files on a page", n), n, []string{"b.html", "a_1.csv", "c.txt", "loose.txt"}, func(part store.Slice) (names []string, prev, next string) {
			page := must(w.s.Files(ctx, w.agent, "", part))(w)
			for _, f := range page.Items {
				names = append(names, f.Name)
			}
			return names, page.Prev, page.Next
		})
	}
	w.same("with words", list("A_"), []string{"1", all[2]})
	must(w.s.Attach(ctx, w.act(), store.Attachment{Agent: w.agent, Name: "Größe Ö.txt", SHA256: store.Hash("o"), Size: 7}, ""))(w)
	w.same("beyond ASCII", list("GRöße Ö"), []string{"1", "Größe Ö.txt 7 0"})
	all = []string{"5", all[1], all[2], all[3], "Größe Ö.txt 7 0", all[4]}
	f := must(w.s.File(ctx, w.agent, "b.html"))(w)
	w.same("first mention", f.Mentions[0], store.Mention{File: figs.Runs, ID: "r", N: 1, At: f.Mentions[0].At, TS: "2026-11-20T10:05:00Z", Title: "October"})
	_, err := w.s.File(ctx, w.agent, "../x")
	w.wantError(err, store.ErrNotFound)
	w.reindex()
	w.same("after reindexing", list(""), all)
}

func search(w *fixture) {
	w.push(pushBody{runs: []string{aRun}, asks: []string{anAsk, aQuestion}, messages: []string{strings.Replace(anAnswer, `"chosen"`, `"text":"Strip the Größe prefix","chosen"`, 1)}})
	must(w.s.Attach(ctx, w.act(), store.Attachment{Agent: w.agent, Name: "notes.txt", SHA256: "s", Size: 1}, "the bridge rule for october"))(w)
	find := func(workspace, agent, words string) string {
		w.Helper()
		found, err := w.s.Search(ctx, store.SearchQuery{Workspace: workspace, Agent: agent, Text: words, N: 10})
		w.ok(err)
		var all []string
		for _, h := range found.Hits {
			all = append(all, h.File.String()+" "+h.ID)
		}
		slices.Sort(all)
		if found.Next != 0 {
			all = append(all, "more")
		}
		return strings.Join(all, ", ")
	}
	in := w.workspace.ID
	w.same("everywhere", find(in, "", "october"), " notes.txt, runs.jsonl r")
	w.same("all words", find(in, "", "october BRIDGE"), " notes.txt")
	w.same("of an agent", find(in, w.agent, "größe strip"), "messages.jsonl m")
	w.same("nothing", find(in, "", "nowhere"), "")
	w.same("another workspace", find(store.NewID(), "", "october"), "")
	w.same("another workspace, an agent of ours", find(store.NewID(), w.agent, "october"), "")
	w.push(pushBody{runs: []string{strings.Replace(aRun, "October", "November", 1)}})
	w.same("as it is now", find(in, "", "october"), " notes.txt")
	w.same("by the new word", find(in, "", "november"), "runs.jsonl r")
	found, err := w.s.Search(ctx, store.SearchQuery{Workspace: in, Text: "q", N: 1})
	w.ok(err)
	w.same("first page", []any{len(found.Hits), found.Next != 0}, []any{1, true})
}

// searchTable runs the conformance cases of search. The order is the store's: latest arrival first.
func searchTable(w *fixture) {
	for _, l := range findtest.Lines {
		switch l.File {
		case "runs.jsonl":
			w.push(pushBody{runs: []string{l.Text}})
		case "asks.jsonl":
			w.push(pushBody{asks: []string{l.Text}})
		default:
			w.push(pushBody{messages: []string{l.Text}})
		}
	}
	for _, name := range findtest.Names() {
		must(w.s.Attach(ctx, w.act(), store.Attachment{Agent: w.agent, Name: name, SHA256: store.Hash(name), Size: 1}, findtest.Files[name]))(w)
	}
	for _, again := range []string{"", ", indexed again"} {
		for _, c := range findtest.Cases {
			found, err := w.s.Search(ctx, store.SearchQuery{Workspace: w.workspace.ID, Agent: w.agent, Text: c.Search})
			w.ok(err)
			var ids []string
			for _, h := range found.Hits {
				ids = append(ids, h.ID)
			}
			w.same(c.Search+again, strings.Join(ids, " "), findtest.Arrived(c.Found))
		}
		w.reindex()
	}
}
