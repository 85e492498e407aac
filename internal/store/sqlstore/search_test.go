//go:build unix

package sqlstore

import (
	"slices"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/find"
	"github.com/figs-web/figs-web/internal/store"
)

// FuzzSearch compares what any search finds on SQLite with what package find finds without an index.
func FuzzSearch(f *testing.F) {
	for _, seed := range []string{"statement", "rechnungen -überweisung", `"a b" OR c`, "NEAR(a b)", "scope:w", "body : x*", "a'b", `a"b`, "\x00", "\xff", "sss", "agent:recon status:warn", "is:needs ae", "on:2026-11 (", "{a b}:c ^d"} {
		f.Add(seed, "Prüfe die Rechnungen, Straße")
	}
	s := openSQLite(f)
	f.Fuzz(func(t *testing.T, text, title string) {
		if len(text) > 300 || len(title) > 300 {
			return
		}
		workspace := workspaceOf(t, s)
		agent := store.NewID()
		line := string(figs.AppendString([]byte(`{"id":"r","ts":"2026-11-20T10:00:00Z","title":`), title)) + `,"status":"warn","result":"98% matched"}`
		body := `{"workspaceId":"` + workspace + `","agent":{"id":"` + agent + `","name":"Reconciliation"},"runs":[` + line + `]}`
		if err := ingest(s, workspace, noonOfTests)([]byte(body), store.NewID()); err != nil {
			return // a record that isn't taken
		}
		folds, err := s.Folds(ctx, agent, figs.Runs, []string{"r"})
		if err != nil || len(folds) != 1 {
			return
		}
		q, fold := find.Parse(text), figs.Fold([][]byte{folds["r"]})
		it := find.Item{File: figs.Runs, ID: "r", Fold: fold, Outcome: figs.RunOutcome(fold), Folded: find.AppendRecord(nil, fold), Agent: find.FoldAgent("Reconciliation", agent)}
		it.At, _ = figs.ParseTime("2026-11-20T10:00:00Z")
		var want, got []string
		if !q.Empty() && q.Match(&it) {
			want = []string{"r"}
		}
		for _, of := range []string{agent, ""} {
			found, err := s.Search(ctx, store.SearchQuery{Workspace: workspace, Agent: of, Text: text, Count: true})
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			got = nil
			for _, h := range found.Hits {
				got = append(got, h.ID)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%q in %q finds %q, want %q", text, title, got, want)
			}
		}
	})
}
