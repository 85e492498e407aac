package cli

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// kept is a folder with one agent in it.
func kept(t *testing.T) string {
	t.Helper()
	ctx, dir := context.Background(), filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	data, err := openFolder(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	w := store.Workspace{ID: store.NewID(), Slug: "acme", Name: "Acme"}
	if err := data.Store.AddWorkspace(ctx, store.Act{At: 1}, w, ""); err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":"0d4f2a3c-1111-4222-8333-000000000001","name":"N"},"runs":[{"id":"r","ts":"2026-11-20T10:00:0%dZ","result":"step %d"}],"asks":[{"id":"a","type":"question","title":"T","ts":"2026-11-20T10:00:00Z"}]}`, w.ID, n, n))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := data.Store.Push(ctx, store.Push{Workspace: w.ID, Act: store.Act{At: int64(n) + 1}, Body: body}); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestReindex(t *testing.T) {
	dir := kept(t)
	got := run(t, "reindex", "--data", dir)
	lines := strings.Split(got.stdout, "\n")
	if got.code != 0 || len(lines) < 4 || len(lines[0]) != len("before  ")+64 || lines[0][8:] != lines[1][8:] || !strings.HasPrefix(lines[2], "Identical") || lines[3] != "No ask changed." {
		t.Errorf("reindex = %d %q %q, want the same hash twice", got.code, got.stdout, got.stderr)
	}
	var said struct {
		Before, After string
		Identical     bool
		Asks          *int `json:"asks_changed"`
		Agents        []any
	}
	for _, args := range [][]string{{"--agent", "reindex", "--data", dir}, {"reindex", "--json", "--data", dir}} {
		got := run(t, args...)
		if err := json.Unmarshal([]byte(got.stdout), &said); err != nil || !said.Identical || said.Before != lines[0][8:] || said.After != said.Before || said.Asks == nil || *said.Asks != 0 || said.Agents == nil || got.code != 0 {
			t.Errorf("%q = %d %q", args, got.code, got.stdout)
		}
	}
}

// What was damaged is mended, and told.
func TestReindexDamaged(t *testing.T) {
	dir := kept(t)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "figs.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`UPDATE records SET fold = '{"id":"r","result":"another"}'`); err != nil {
		t.Fatal(err)
	}
	db.Close()
	got := run(t, "reindex", "--data", dir)
	if got.code != 1 {
		t.Errorf("reindex of a damaged folder = %d %q %q", got.code, got.stdout, got.stderr)
	}
	messages.Check(t, "reindex: damaged", got.refusal(dir))
	if got := run(t, "reindex", "--data", dir); got.code != 0 {
		t.Errorf("reindex of a mended folder = %d %q", got.code, got.stderr)
	}
}

// TestReindexAsks: asks that an older version derived otherwise are repaired, counted, and listed by agent. That is no damage.
func TestReindexAsks(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		dir := kept(t)
		db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "figs.db"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(`UPDATE records SET round = 7 WHERE kind = 1`); err != nil {
			t.Fatal(err)
		}
		db.Close()
		args := []string{"reindex", "--data", dir}
		want := [2]string{"1 ask changed (state, round, waiting time or who is asked):\n  N in acme: 1\n", "No ask changed.\n"}
		if asJSON {
			args = append([]string{"--agent"}, args...)
			want = [2]string{`"asks_changed":1,"agents":[{"id":"0d4f2a3c-1111-4222-8333-000000000001","name":"N","workspace":"acme","asks_changed":1}]`, `"asks_changed":0,"agents":[]`}
		}
		for _, want := range want {
			if got := run(t, args...); got.code != 0 || !strings.Contains(got.stdout, want) {
				t.Errorf("%q = %d %q %q, want %q", args, got.code, got.stdout, got.stderr, want)
			}
		}
	}
}

// A folder that no server was started with is told apart from one that holds nothing yet.
func TestReindexNothing(t *testing.T) {
	for name, dir := range map[string]string{"missing": filepath.Join(t.TempDir(), "nowhere"), "empty": t.TempDir()} {
		got := run(t, "reindex", "--data", dir)
		if got.code != 2 || !strings.Contains(got.stderr, "figs-web serve --data") {
			t.Errorf("reindex of a folder that is %s = %d %q", name, got.code, got.stderr)
		}
		if entries, _ := os.ReadDir(dir); len(entries) > 0 {
			t.Errorf("reindex makes %v", entries)
		}
	}
	if got := run(t, "reindex"); got.code != 2 || !strings.Contains(got.stderr, "--data") {
		t.Errorf("reindex of nothing = %d %q", got.code, got.stderr)
	}
}
