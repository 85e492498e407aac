package storetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/internal/store"
)

// found returns the ids of all hits, page by page, and the counts of the first page.
func (w *fixture) found(q store.SearchQuery) (ids []string, counts *store.SearchCounts) {
	w.Helper()
	for range 100 {
		r := must(w.s.Search(ctx, q))(w)
		if counts == nil {
			counts = r.Counts
		}
		for _, h := range r.Hits {
			ids = append(ids, h.ID)
		}
		if q.Before = r.Next; r.Next == 0 {
			return ids, counts
		}
	}
	w.Errorf("the pages of %q have no end", q.Text)
	return ids, counts
}

// searchPages tests that pages contain each hit once, and what is counted on each.
func searchPages(w *fixture) {
	var runs, asks []string
	for i := range 30 {
		status := []string{"ok", "fail"}[i%2]
		runs = append(runs, fmt.Sprintf(`{"id":"r%02d","ts":"2026-%02d-20T10:00:00Z","title":"Rechnung %d","status":%q}`, i, 1+i%3, i, status))
		asks = append(asks, fmt.Sprintf(`{"id":"a%02d","type":"question","title":"Welche Rechnungen?","ts":"2026-11-20T10:30:00Z","options":["x","y"]}`, i))
	}
	w.push(pushBody{runs: runs, asks: asks})
	w.push(pushBody{agent: secondAgent, name: "Other", runs: runs[:5]})
	for _, text := range []string{"rechnungen", "in:jobs", "status:fail", "status:fail rechnung", "is:needs", "r", "-zebra", "on:2026-02", "agent:other", "agent:" + secondAgent + " status:fail"} {
		all, counts := w.found(store.SearchQuery{Workspace: w.workspace.ID, Text: text, N: 200, Count: true})
		by7, again := w.found(store.SearchQuery{Workspace: w.workspace.ID, Text: text, N: 7, Count: true})
		w.same(text+", in pages of seven", by7, all)
		w.same(text+", counted", []any{counts.Hits, counts.More, again.Hits, again.More}, []any{len(all), false, len(all), false})
		if len(all) == 0 {
			w.Errorf("%s finds nothing", text)
		}
		for part, n := range counts.States {
			some, _ := w.found(store.SearchQuery{Workspace: w.workspace.ID, Text: text + " " + part})
			w.same(text+" "+part, len(some), n)
		}
		for month, n := range counts.Months {
			some, _ := w.found(store.SearchQuery{Workspace: w.workspace.ID, Text: text + " on:" + month})
			w.same(text+" on:"+month, len(some), n)
		}
		for agent, n := range counts.Agents {
			some, _ := w.found(store.SearchQuery{Workspace: w.workspace.ID, Text: text + ` agent:"` + agent + `"`})
			w.same(text+" of "+agent, len(some), n)
		}
	}
	far := must(w.s.Search(ctx, store.SearchQuery{Workspace: w.workspace.ID, Text: "rechnung", Before: 1, Count: true}))(w)
	w.same("behind the last page", []any{len(far.Hits), far.Next, far.Counts.Hits}, []any{0, int64(0), 65})
}

// searchRights tests that neither hits nor counts contain what isn't meant: of other workspaces, of archived agents, or erased.
func searchRights(w *fixture) {
	other := store.Workspace{ID: store.NewID(), Slug: "search-rights-other", Name: "Other"}
	w.ok(w.s.AddWorkspace(ctx, w.act(), other, w.ana.ID))
	w.push(pushBody{runs: []string{aRun}, asks: []string{anAsk, aQuestion}, messages: []string{anAnswer}})
	w.push(pushBody{agent: secondAgent, name: "Other", runs: []string{aRun}, asks: []string{anAsk}})
	texts := []string{"october", "o", "in:jobs", "status:warn", "status:warn october", "-zebra", "on:2026-11", "agent:other", "agent:" + secondAgent, "-agent:other in:jobs"}
	agents := func(q store.SearchQuery) (all []string) {
		w.Helper()
		q.Count = true
		r := must(w.s.Search(ctx, q))(w)
		hits := 0
		for _, h := range r.Hits {
			if hits++; !slices.Contains(all, h.Agent) {
				all = append(all, h.Agent)
			}
		}
		if r.Counts != nil {
			w.same("counted of "+q.Text, []int{r.Counts.Hits, len(r.Counts.Agents)}, []int{hits, len(all)})
		}
		slices.Sort(all)
		return all
	}
	for _, text := range texts {
		for _, agent := range []string{"", w.agent, secondAgent, store.NewID()} {
			for _, in := range []string{other.ID, store.NewID(), ""} {
				w.same(fmt.Sprintf("%s of %s elsewhere", text, agent), agents(store.SearchQuery{Workspace: in, Agent: agent, Text: text, Archived: true}), []string(nil))
			}
			if found := agents(store.SearchQuery{Workspace: w.workspace.ID, Agent: agent, Text: text}); agent != "" && len(found) > 0 && found[0] != agent {
				w.Errorf("%s of %s finds %v", text, agent, found)
			}
		}
	}
	w.ok(w.s.Archive(ctx, w.act(), secondAgent, true))
	for _, text := range texts {
		if found := agents(store.SearchQuery{Workspace: w.workspace.ID, Text: text}); slices.Contains(found, secondAgent) {
			w.Errorf("%s finds something of an archived agent", text)
		}
	}
	w.same("archived ones too", agents(store.SearchQuery{Workspace: w.workspace.ID, Text: "october", Archived: true}), []string{w.agent, secondAgent})
	w.same("the archived one", agents(store.SearchQuery{Workspace: w.workspace.ID, Agent: secondAgent, Text: "october"}), []string{secondAgent})
	w.same("searched", []store.SearchScope{must(w.s.SearchScope(ctx, store.SearchQuery{Workspace: w.workspace.ID, Text: "x"}))(w), must(w.s.SearchScope(ctx, store.SearchQuery{Workspace: w.workspace.ID, Text: "x", Archived: true}))(w),
		must(w.s.SearchScope(ctx, store.SearchQuery{Workspace: other.ID, Text: "x", Archived: true}))(w), must(w.s.SearchScope(ctx, store.SearchQuery{Workspace: other.ID, Agent: w.agent, Text: "x"}))(w)},
		[]store.SearchScope{{Agents: 1, Records: 3, Replies: 1}, {Agents: 2, Records: 5, Replies: 1}, {}, {}})
	w.erase(store.EraseRun, "r")
	for _, text := range []string{"october", "matched", "98"} {
		if found := agents(store.SearchQuery{Workspace: w.workspace.ID, Text: text}); len(found) > 0 {
			w.Errorf("%s finds what is erased, of %v", text, found)
		}
	}
}

// searchWords are words in all the ways in which an index may fold or cut them.
var searchWords = strings.Fields(`Rechnung rechnungen Überweisung Ueberweisungen ÜBERWEISEN Straße strasse Größe groesse grösse gro Verträge Vertrag invoices Invoice invoicing
	a ae ä aes äs oe ö ue ü s ss ß sß Masse Maße aeoeuess äöüß ääää aeaeaeaeaeae 1,204 x-y PO-1177 café Ω ё 日本語 quer Quelle zebra zebras`)

// searchAsPlain tests that the index hides nothing and adds nothing: what is found is what package find finds without one.
func searchAsPlain(w *fixture) {
	var runs []string
	for i, word := range searchWords {
		runs = append(runs, fmt.Sprintf(`{"id":"r%d","title":%q,"result":"%s %s"}`, i, word, searchWords[(i*7)%len(searchWords)], searchWords[(i*11+3)%len(searchWords)]))
	}
	w.push(pushBody{runs: runs})
	texts := slices.Clone(searchWords)
	for i, word := range searchWords {
		letters := []rune(word)
		next := searchWords[(i+1)%len(searchWords)]
		texts = append(texts, string(letters[:(len(letters)+1)/2]), `"`+word+`"`, word+" "+next, word+"-"+next, `"`+word+" "+next+`"`, "in:jobs -"+word)
	}
	texts = append(texts, `"`, `'`, `a'b`, `a"b`, `a\b`, "*", "a*", "NEAR(a b)", "a AND b", "a OR", "NOT", "scope:w", "body : a", "^a", "a & b | !c", "<->", ":*", "a:b", "{a}", "(", "a)", "\x00", "a\x00b", "\xff", strings.Repeat("ä", 300), strings.Repeat("ae", 300),
		strings.Repeat("a ", 40), strings.Repeat("x", 900), "%", "_", "$1", "--", ";", "agent:ä", "agent:\"a", "is:needs -is:needs")
	for _, text := range texts {
		q := find.Parse(text)
		var want []string
		for _, line := range runs {
			fold := figs.Fold([][]byte{[]byte(line)})
			it := find.Item{File: figs.Runs, ID: fold.Get("id").Text(), Fold: fold, At: figs.NoTime, Outcome: figs.RunOutcome(fold), Folded: find.AppendRecord(nil, fold), Agent: find.FoldAgent("Reconciliation", w.agent)}
			if !q.Empty() && q.Match(&it) {
				want = append(want, it.ID)
			}
		}
		slices.Reverse(want)
		got, _ := w.found(store.SearchQuery{Workspace: w.workspace.ID, Text: text})
		w.same(text, got, want)
	}
}
