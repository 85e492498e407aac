package cli

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// watchedFolder is a folder that is watched while a test changes it.
type watchedFolder struct {
	*testing.T
	dir    string
	events chan map[string]any
	stop   func() int
}

func watchFolder(t *testing.T, dir string, args ...string) *watchedFolder {
	t.Helper()
	line, lines, stop := started(t, append(args, "--json", dir)...)
	w := &watchedFolder{T: t, dir: dir, events: make(chan map[string]any, 100), stop: stop}
	w.pass(line)
	go func(lines *bufio.Scanner) {
		for lines.Scan() {
			w.pass(lines.Text())
		}
		close(w.events)
	}(lines)
	return w
}

func (w *watchedFolder) pass(line string) {
	var event map[string]any
	if err := json.Unmarshal([]byte(line), &event); err != nil {
		event = map[string]any{"event": "not JSON: " + line}
	}
	w.events <- event
}

// next holds the events that come next to the names of events, with the code of the finding where there is one.
func (w *watchedFolder) next(after string, want ...string) {
	w.Helper()
	for _, name := range want {
		select {
		case e := <-w.events:
			got, _ := e["event"].(string)
			if kind, ok := e["kind"].(string); ok {
				got = kind
			}
			if f, ok := e["finding"].(map[string]any); ok {
				got += " " + f["code"].(string)
			}
			if got != name {
				w.Fatalf("after %s: %q (%v), want %q", after, got, e, name)
			}
		case <-time.After(20 * time.Second):
			w.Fatalf("after %s: nothing in 20 s, want %q", after, name)
		}
	}
}

// rest passes over the events up to the state, which ends what one look found.
func (w *watchedFolder) rest() {
	for e := range w.events {
		if e["event"] == "state" {
			return
		}
	}
}

// silent holds that nothing is said for a while.
func (w *watchedFolder) silent(after string, d time.Duration) {
	w.Helper()
	select {
	case e := <-w.events:
		w.Fatalf("after %s: %v, want nothing", after, e)
	case <-time.After(d):
	}
}

func (w *watchedFolder) append(name, text string) {
	w.Helper()
	f, err := os.OpenFile(filepath.Join(w.dir, ".figs", name), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
		f.Close()
	}
	if err != nil {
		w.Fatal(err)
	}
}

func (w *watchedFolder) do(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func TestWatch(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "work")
	if err := os.CopyFS(dir, os.DirFS(sample)); err != nil {
		t.Fatal(err)
	}
	figs, aside := filepath.Join(dir, ".figs"), filepath.Join(filepath.Dir(dir), "aside")
	runs, err := os.ReadFile(filepath.Join(figs, "runs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	w := watchFolder(t, dir, "watch")
	w.next("the start", "start")

	w.append("runs.jsonl", `{"id":"new-1","title":"A job","ts":"2026-11-20T10:00:00Z","state":"settled","status":"odd"}`+"\n")
	w.next("a line with a mistake", "new run_status_unknown", "state")
	w.append("runs.jsonl", `{"id":"new-1","ts":"2026-11-20T10:01:00Z","state":"settled","status":"ok"}`+"\n")
	w.next("a line that corrects it", "solved run_status_unknown", "state")

	w.append("runs.jsonl", `{"id":"new-2","title":"Half`)
	time.Sleep(600 * time.Millisecond)
	w.append("runs.jsonl", ` a line","ts":"2026-11-20T10:02:00Z","state":"settled","status":"ok"}`+"\n")
	w.silent("a line written in two parts", time.Second)
	w.append("runs.jsonl", `{"id":"new-3","title":"Hal`)
	w.next("half a line that stays", "new line_torn", "state")

	for range 200 {
		w.append("asks.jsonl", `{"id":"burst","type":"odd","title":"A burst","ts":"2026-11-20T10:03:00Z"}`+"\n")
	}
	w.next("a burst", "new ask_type_unknown")
	w.rest()

	w.do(os.WriteFile(filepath.Join(figs, "runs.jsonl"), runs[:len(runs)/2], 0o600))
	w.next("a ledger was cut", "rewritten")
	w.rest()
	w.do(os.Rename(figs, aside))
	w.next("the folder was moved away", "gone")
	w.do(os.Symlink(aside, figs))
	w.silent("a link that leads out of it", 1500*time.Millisecond)
	w.do(os.Remove(figs))
	w.do(os.CopyFS(dir, os.DirFS(sample)))
	w.next("the folder is back", "appeared")
	w.rest()
	w.do(os.RemoveAll(dir))
	w.next("all is gone", "gone")
	w.do(os.CopyFS(dir, os.DirFS(sample)))
	w.next("all is back", "appeared")
	w.rest()
	if code := w.stop(); code != 0 {
		t.Errorf("a stopped watch exits %d, want 0", code)
	}
}

// What is printed for people has the layout of doctor.
func TestWatchPrints(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(sample)); err != nil {
		t.Fatal(err)
	}
	first, lines, stop := started(t, "watch", dir)
	if !strings.HasPrefix(first, "Watching ") || !strings.HasSuffix(first, ".") {
		t.Errorf("watch begins with %q", first)
	}
	f, err := os.OpenFile(filepath.Join(dir, ".figs", "runs.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"id":"new-1","title":"A job","ts":"2026-11-20T10:00:00Z","state":"settled","status":"odd"}` + "\n")
	f.Close()
	var b strings.Builder
	for lines.Scan() {
		b.WriteString(lines.Text() + "\n")
		if strings.HasPrefix(lines.Text(), "  hint:") {
			break
		}
	}
	drain(lines)
	for _, part := range []string{"1 ", "new  error  run_status_unknown  runs.jsonl:", " | {", "^"} {
		if !strings.Contains(b.String(), part) && !strings.Contains(b.String(), strings.Replace(part, "error", "warning", 1)) {
			t.Errorf("watch prints no %q:\n%s", part, b.String())
		}
	}
	if code := stop(); code != 0 {
		t.Errorf("a stopped watch exits %d, want 0", code)
	}
}
