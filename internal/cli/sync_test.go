package cli

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/figs-web/figs-web/internal/cli/tree"
	"github.com/figs-web/figs-web/internal/journal"
)

// listOf makes a folder whose messages are these lines, and returns the path of its list.
func listOf(t *testing.T, file string, lines ...string) (list string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".figs")
	if err := os.MkdirAll(filepath.Join(dir, "artifacts"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"agent.json": `{"name":"A","mandate":"M"}`, file: strings.Join(lines, "\n") + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir + "/agents/1/" + strings.TrimSuffix(file, ".jsonl")
}

func answerLine(i int) string {
	return fmt.Sprintf(`{"id":"m%d","kind":"answer","ask":"a","by":"B","ts":"2026-11-20T10:00:00Z","source":"chat","text":"%s"}`, i, strings.Repeat("x", 200))
}

// A message need not say its source. What cannot stand in a ledger is refused, and never counted as the same.
func TestSyncTellsWhatItRefuses(t *testing.T) {
	list := listOf(t, "messages.jsonl",
		`{"id":"plain","kind":"answer","ask":"a","by":"B","ts":"2026-11-20T10:00:00Z","text":"no source"}`,
		`{"id":"nobody","kind":"answer","ask":"a","ts":"2026-11-20T10:00:00Z","text":"x"}`,
		`{"id":"odd","kind":"answer","ask":"a","by":"B","source":"pigeon","ts":"2026-11-20T10:00:00Z","text":"x"}`)
	to := t.TempDir()
	got := remotely(t, "sync", "--from", list, "--to", to)
	if got.code != 1 || !strings.Contains(got.stdout, `"synced":1,"skipped":0,"refused":2,"errors":0`) || !strings.Contains(got.stdout, `"id":"nobody","reason":"It has no by."`) {
		t.Errorf("= %+v", got)
	}
	if text, _ := os.ReadFile(filepath.Join(to, "messages.jsonl")); strings.Count(string(text), "\n") != 1 || !strings.Contains(string(text), "no source") {
		t.Errorf("the ledger is %q", text)
	}
	people := run(t, "sync", "--from", list, "--to", to)
	if people.code != 1 || !strings.Contains(people.stdout, "0 copied, 1 unchanged, 2 refused, 0 errors.") || !strings.Contains(people.stderr, `refused "odd": `) {
		t.Errorf("for people: %+v", people)
	}
}

// Syncs into one folder at the same time bring each line once, also into a folder without asks.
func TestSyncsAtOnce(t *testing.T) {
	const replies = 2000
	var lines []string
	for i := range replies {
		lines = append(lines, answerLine(i))
	}
	list, to := listOf(t, "messages.jsonl", lines...), t.TempDir()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if got := remotely(t, "sync", "--from", list, "--to", to); got.code != 0 {
				t.Errorf("= %+v", got)
			}
		})
	}
	all.Wait()
	text, _ := os.ReadFile(filepath.Join(to, "messages.jsonl"))
	got := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	slices.Sort(got)
	slices.Sort(lines)
	if !slices.Equal(got, lines) {
		t.Errorf("there are %d lines, want %d, each once", len(got), replies)
	}
}

// A sync that was killed while it appended goes on in the middle of the line; the line of another program is ended.
func TestSyncGoesOn(t *testing.T) {
	lines := []string{answerLine(1), answerLine(2), answerLine(3)}
	list := listOf(t, "messages.jsonl", lines...)
	want := strings.Join(lines, "\n") + "\n"
	for _, end := range []int{1, 8, len(lines[0]), len(lines[0]) + 1, len(lines[0]) + 30, len(want) - 1, len(want)} {
		to := t.TempDir()
		os.WriteFile(filepath.Join(to, "messages.jsonl"), []byte(want[:end]), 0o644)
		if got := remotely(t, "sync", "--from", list, "--to", to); got.code != 0 {
			t.Errorf("after %d bytes: %+v", end, got)
		}
		if text, _ := os.ReadFile(filepath.Join(to, "messages.jsonl")); strings.TrimSuffix(string(text), "\n") != strings.TrimSuffix(want, "\n") {
			t.Errorf("after %d bytes the ledger becomes %q", end, text)
		}
	}
	to := t.TempDir()
	os.WriteFile(filepath.Join(to, "messages.jsonl"), []byte(`{"id":"of another`), 0o644)
	remotely(t, "sync", "--from", list, "--to", to)
	if text, _ := os.ReadFile(filepath.Join(to, "messages.jsonl")); string(text) != `{"id":"of another`+"\n"+want {
		t.Errorf("behind another program's line: %q", text)
	}
}

// Ids that are too long for the name of a file get one that is derived from them, always the same.
func TestSyncLongIDs(t *testing.T) {
	ids := []string{strings.Repeat("a", 300), strings.Repeat("a", 301), strings.Repeat("😀", 60), strings.Repeat("b", 100)}
	var lines []string
	for _, id := range ids {
		lines = append(lines, `{"id":"`+id+`","type":"question","title":"T","ts":"2026-11-20T10:00:00Z","status":"open"}`)
	}
	list, to := listOf(t, "asks.jsonl", lines...), t.TempDir()
	for _, want := range []string{`"synced":4,"skipped":0`, `"synced":0,"skipped":4`} {
		if got := remotely(t, "sync", "--from", list, "--to", to); got.code != 0 || !strings.Contains(got.stdout, want) {
			t.Errorf("= %+v, want %s", got, want)
		}
	}
	for _, id := range ids {
		if text, err := os.ReadFile(filepath.Join(to, tree.SegmentFile(id))); err != nil || !bytes.Contains(text, []byte(id)) {
			t.Errorf("%.20s: %v", id, err)
		}
	}
	if name := tree.SegmentFile(ids[3]); name != journal.Segment(ids[3])+".json" {
		t.Errorf("a name that is short enough became %s", name)
	}
}

// A server that stops answering is told as what it is, and a later sync goes on.
func TestSyncServerDies(t *testing.T) {
	dead, tried := true, 0
	address := serveJSON(t, func(w http.ResponseWriter, r *http.Request) {
		file := func(n int) string {
			return fmt.Sprintf(`{"key":"f%d","name":"f%d","size":3,"sha256":%q,"mentions":[]}`, n, n, sumText("one"))
		}
		switch path := strings.TrimPrefix(r.URL.Path, "/api/v1/workspaces"); {
		case path == "":
			io.WriteString(w, `{"items":[{"id":"w1","slug":"acme","name":"Acme","role":"owner"}],"total":1,"next":null}`)
		case path == "/w1/agents/a1":
			io.WriteString(w, `{"key":"a1","id":"a1","name":"A","charter":{}}`)
		case strings.HasSuffix(path, "/files"):
			io.WriteString(w, `{"items":[`+file(1)+`,`+file(2)+`,`+file(3)+`],"total":3,"next":null}`)
		case strings.HasSuffix(path, "/content"):
			if tried++; dead && tried >= 2 {
				w.Header().Set("Content-Length", "3")
				io.WriteString(w, "on")
				panic(http.ErrAbortHandler)
			}
			w.Header().Set("X-Content-SHA256", sumText("one"))
			io.WriteString(w, "one")
		default:
			io.WriteString(w, file(int(path[len(path)-1]-'0')))
		}
	})
	to := t.TempDir()
	got := remotely(t, "sync", "--from", address+"/agents/a1/files", "--to", to)
	if got.code != 104 || !strings.Contains(got.stdout, `"synced":1,"skipped":0,"refused":0,"errors":1`) || !strings.Contains(got.stderr, "Run the same command again") {
		t.Errorf("it dies: %+v after %d files", got, tried)
	}
	if left, _ := os.ReadDir(to); len(left) != 1 {
		t.Errorf("%v are there, want the one that came whole", left)
	}
	dead = false
	if got := remotely(t, "sync", "--from", address+"/agents/a1/files", "--to", to); got.code != 0 || !strings.Contains(got.stdout, `"synced":2,"skipped":1`) {
		t.Errorf("it is back: %+v", got)
	}
}

// A name that is there already is refused in words that sync can follow.
func TestSyncKeepsWhatIsThere(t *testing.T) {
	to := t.TempDir()
	os.WriteFile(filepath.Join(to, "a.txt"), []byte("mine"), 0o644)
	got := remotely(t, "sync", "--from", reader(t, "a.txt", "one", sumText("one"))+"/agents/a1/files", "--to", to)
	if got.code != 1 || strings.Contains(got.stderr, "--force") || !strings.Contains(got.stderr, "Move it away") {
		t.Errorf("= %+v", got)
	}
}

// A file here may have any path, also one with the words of paths in trees in it.
func TestCopyToAbsoluteName(t *testing.T) {
	address := reader(t, "a.txt", "one", sumText("one")) + "/agents/a1/files/a.txt"
	for _, below := range []string{"plan.out", "w/plan.out", "agents/x/plan.out", "agents/x/files/plan.out"} {
		to := filepath.Join(t.TempDir(), filepath.FromSlash(below))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if got := remotely(t, "cp", address, to); got.code != 0 {
			t.Errorf("cp to %s = %+v", below, got)
		}
		if text, _ := os.ReadFile(to); string(text) != "one" {
			t.Errorf("%s holds %q", below, text)
		}
	}
	if got := remotely(t, "cp", address, filepath.Join(t.TempDir(), "w", "none", "plan.out")); got.code != 100 {
		t.Errorf("into a folder that is not there = %+v", got)
	}
}
