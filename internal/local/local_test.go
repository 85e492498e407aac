package local_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/journal/journaltest"
	"github.com/figs-web/figs-web/internal/local"
)

var ctx = context.Background()

// clock stands still until it is moved.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func noon() *clock { return &clock{time.Date(2026, 11, 20, 19, 0, 0, 0, time.UTC)} }

// open opens the one .figs folder of dir; keep is the bound up to which bytes stay in memory.
func open(t *testing.T, dir string, keep int64, c *clock) *local.Folders {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	l, err := local.Open(ctx, root.FS(), []local.Agent{{Path: ".figs", Contents: folder.List(root.FS(), ".figs")}}, local.Options{Now: c.now, Keep: keep})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// copied is a copy of the sample, which a test may change.
func copied(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../static/samples/reconciliation")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestJournal(t *testing.T) {
	l := open(t, "../../static/samples/reconciliation", 1<<20, noon())
	journaltest.Run(t, func(t *testing.T, page string) journal.Journal { return ask(t, l, page) })
}

func ask(t *testing.T, l *local.Folders, page string) journal.Journal {
	t.Helper()
	j, err := l.Journal(ctx, page)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// Ledgers too large for memory give the same pages; only searches find less, as the engine says.
func TestJournalOfPositions(t *testing.T) {
	const sample = "../../static/samples/reconciliation"
	kept, again := open(t, sample, 1<<20, noon()), open(t, sample, 0, noon())
	for page, question := range map[string]func(journal.Journal) (any, error){
		"/1":                  func(j journal.Journal) (any, error) { return j.Overview(ctx, "1") },
		"/1/jobs/1":           func(j journal.Journal) (any, error) { return j.Job(ctx, "1", "1") },
		"/1/asks/2":           func(j journal.Journal) (any, error) { return j.Ask(ctx, "1", "2") },
		"/1/messages":         func(j journal.Journal) (any, error) { return j.Messages(ctx, "1", journal.Query{}) },
		"/1/lines/asks.jsonl": func(j journal.Journal) (any, error) { return j.Lines(ctx, "1", figs.Asks, journal.Query{}) },
	} {
		want, err := question(ask(t, kept, page))
		if err != nil {
			t.Fatal(err)
		}
		got, err := question(ask(t, again, page))
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: %v\n%s", page, err, cmp.Diff(want, got))
		}
	}
}

func jobs(t *testing.T, l *local.Folders) int {
	t.Helper()
	a, err := ask(t, l, "/1/jobs").Agent(ctx, "1")
	if err != nil {
		t.Fatal(err)
	}
	return a.Counts.Jobs
}

// What the agent writes meanwhile is on the next page; within one second nothing is looked at.
func TestFoldersAreReadAgain(t *testing.T) {
	for name, keep := range map[string]int64{"kept": 1 << 20, "read again": 0} {
		t.Run(name, func(t *testing.T) {
			dir, c := copied(t), noon()
			l := open(t, dir, keep, c)
			ledger := filepath.Join(dir, ".figs", "runs.jsonl")
			before, err := os.ReadFile(ledger)
			if err != nil {
				t.Fatal(err)
			}
			more := append(before[:len(before):len(before)], `{"id":"new","ts":"2026-11-20T18:59:00Z","title":"New"}`+"\n"...)
			if err := os.WriteFile(ledger, more, 0o600); err != nil {
				t.Fatal(err)
			}
			if n := jobs(t, l); n != 2 {
				t.Errorf("at once: %d jobs, want the 2 that were read", n)
			}
			c.at = c.at.Add(2 * time.Second)
			if n := jobs(t, l); n != 3 {
				t.Errorf("two seconds later: %d jobs, want 3", n)
			}
			if err := os.Truncate(ledger, 0); err != nil {
				t.Fatal(err)
			}
			if n := jobs(t, l); keep == 0 && n != 0 {
				t.Errorf("cut short: %d jobs, want 0, as no line can be read again", n)
			}
		})
	}
}
