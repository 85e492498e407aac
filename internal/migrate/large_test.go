//go:build unix

package migrate

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

// TestCopyLarge moves what many agents have pushed to PostgreSQL and back; with FIGS_LONG it is 1 GB. It tells how long that takes.
func TestCopyLarge(t *testing.T) {
	size := int64(8 << 20)
	if os.Getenv("FIGS_LONG") != "" {
		size = 1 << 30
	}
	file := filepath.Join(t.TempDir(), "figs.db")
	from, err := sqlstore.OpenSQLite(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	begun := time.Now()
	generate(t, from, size)
	t.Logf("made %s in %s", megabytes(t, from), time.Since(begun).Round(time.Second))
	there, err := sqlstore.OpenPostgres(ctx, storetest.StartPostgres(t).Database(t), sqlstore.PostgresOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close()
	back := openFile(t)
	first := timed(t, "to PostgreSQL", from, there)
	second := timed(t, "and back", there, back)
	if diff := cmp.Diff(first.Tables, second.Tables); diff != "" || first.State != second.State {
		t.Errorf("the state is %s and %s (-there +back):\n%s", first.State, second.State, diff)
	}
	if hash, err := from.StateHash(ctx); err != nil || hash != second.State {
		t.Errorf("the state was %s, %v, and came back as %s", hash, err, second.State)
	}
}

func timed(t *testing.T, way string, from, to *sqlstore.Store) *Moved {
	t.Helper()
	begun := time.Now()
	var took []string
	var last Stage
	since := begun
	moved, err := Run(ctx, Options{From: from, To: to, Progress: func(s Stage, _, _ int64) {
		if s != last {
			took = append(took, fmt.Sprintf("rows copied, indexed and read back %s", time.Since(since).Round(100*time.Millisecond)))
			last, since = s, time.Now()
		}
	}})
	if err != nil {
		t.Fatalf("%s: %v", way, err)
	}
	took = append(took, fmt.Sprintf("both asked for their state and audit %s", time.Since(since).Round(100*time.Millisecond)))
	all := time.Since(begun)
	t.Logf("%s: %d rows in %s (%.0f rows/s), %s; there it is %s", way, moved.Went, all.Round(100*time.Millisecond), float64(moved.Went)/all.Seconds(), strings.Join(took, ", "), megabytes(t, to))
	return moved
}

func megabytes(t *testing.T, s *sqlstore.Store) string {
	t.Helper()
	n, err := s.Bytes(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

// generate pushes until the database has that size: agents with runs in two versions, asks and replies.
func generate(t *testing.T, s *sqlstore.Store, size int64) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 5000)
	for i := range words {
		words[i] = fmt.Sprintf("%c%c%s", 'a'+i%26, 'a'+i/26%26, strings.Repeat(string(rune('a'+i/676%26)), 2+i%7))
	}
	text := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(words[random.IntN(len(words))])
			b.WriteByte(' ')
		}
		return b.String()
	}
	w := store.Workspace{ID: store.NewID(), Slug: "large", Name: "Large"}
	if err := s.AddWorkspace(ctx, store.Act{At: 1}, w, ""); err != nil {
		t.Fatal(err)
	}
	for agent := 0; ; agent++ {
		for version := range 2 {
			var runs, asks, messages []string
			for i := range 500 {
				runs = append(runs, fmt.Sprintf(`{"id":"r%d","ts":"2026-11-20T10:00:00Z","title":"Run %d","result":"%d %s"}`, i, i, version, text(60)))
				if i%5 == 0 {
					asks = append(asks, fmt.Sprintf(`{"id":"a%d","type":"question","title":"Ask %d","ts":"2026-11-20T10:00:00Z","run":"r%d","need":"%s"}`, i, version, i, text(80)))
					messages = append(messages, fmt.Sprintf(`{"id":"m%d-%d","kind":"answer","ask":"a%d","text":"%s","by":"Ana","ts":"2026-11-20T11:00:00Z"}`, i, version, i, text(30)))
				}
			}
			body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":"0d4f2a3c-1111-4222-8333-%012d","name":"Agent %d"},"runs":[%s],"asks":[%s],"messages":[%s]}`,
				w.ID, agent, agent, strings.Join(runs, ","), strings.Join(asks, ","), strings.Join(messages, ",")))
			if err == nil {
				_, err = s.Push(ctx, store.Push{Workspace: w.ID, Act: store.Act{At: int64(2*agent + version + 1)}, Body: body})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if n, err := s.Bytes(ctx); err != nil || n >= size {
			if err != nil {
				t.Fatal(err)
			}
			return
		}
	}
}
