package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTailFollows: each line is given once, also when it is written in parts, and a ledger that is replaced is said.
func TestTailFollows(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "work")
	if err := os.CopyFS(dir, os.DirFS(sample)); err != nil {
		t.Fatal(err)
	}
	figs := filepath.Join(dir, ".figs")
	asks, err := os.ReadFile(filepath.Join(figs, "asks.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	w := watchFolder(t, dir, "tail", "-q", "-f", "-n", "1")
	w.next("the start", "ask_raised_again")
	w.append("runs.jsonl", `{"id":"new-1","title":"A job","ts":"2026-11-20T20:00:00Z","state":"in-flight"}`+"\n"+`{"id":"new-1","ts":"2026-11-20T20:00:01Z","state":"sett`)
	w.next("a line and a half", "job_started")
	time.Sleep(300 * time.Millisecond)
	w.append("runs.jsonl", `led","status":"fail"}`+"\n")
	w.next("the other half", "job_fail")
	for range 50 {
		w.append("runs.jsonl", `{"id":"globex-2026-10","result":"A burst","ts":"2026-11-20T20:01:00Z"}`+"\n")
	}
	for range 50 {
		w.next("a burst", "job_continued")
	}
	w.do(os.WriteFile(filepath.Join(figs, "asks.jsonl"), asks[:len(asks)/2], 0o600))
	time.Sleep(500 * time.Millisecond)
	w.append("runs.jsonl", `{"id":"new-2","ts":"2026-11-20T20:02:00Z","state":"in-flight"}`+"\n")
	w.next("a ledger was cut to what it was", "job_started")
	w.do(os.WriteFile(filepath.Join(figs, "asks.jsonl"), []byte(`{"id":"other","type":"question","title":"Started over","ts":"2026-11-20T20:03:00Z"}`+"\n"), 0o600))
	w.next("a ledger was replaced", "ask_raised")
	w.do(os.Rename(figs, figs+"-aside"))
	time.Sleep(time.Second)
	w.do(os.Rename(figs+"-aside", figs))
	w.append("runs.jsonl", "broken\n"+`{"id":"new-2","ts":"2026-11-20T20:04:00Z","state":"settled"}`+"\n")
	w.next("the folder was away for a while", "unreadable", "job_ok")
	if code := w.stop(); code != 0 {
		t.Errorf("a stopped tail exits %d, want 0", code)
	}
}

// TestTailResumes: from the cursor of any event on, the rest follows, none twice.
func TestTailResumes(t *testing.T) {
	type event struct{ Sentence, Cursor string }
	read := func(args ...string) (all []event) {
		t.Helper()
		got := run(t, append([]string{"tail", "--json"}, args...)...)
		if got.code != 0 {
			t.Fatalf("tail %q = %+v", args, got)
		}
		for line := range strings.Lines(got.stdout) {
			var e event
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatal(err)
			}
			all = append(all, e)
		}
		return all
	}
	all := read(samples, "-n", "1000")
	if len(all) < 20 {
		t.Fatalf("%d events in %s, want those of all lines", len(all), samples)
	}
	for i, e := range all {
		rest := read(samples, "--after", e.Cursor)
		if len(rest) != len(all)-i-1 {
			t.Errorf("after event %d of %d: %d events", i+1, len(all), len(rest))
		}
		for k := range rest {
			if rest[k] != all[i+1+k] {
				t.Errorf("after event %d: %+v, want %+v", i+1, rest[k], all[i+1+k])
			}
		}
	}
	if last := read(samples, "-n", "5"); len(last) != 5 || last[0] != all[len(all)-5] {
		t.Errorf("-n 5 gives %+v", last)
	}
	for _, args := range [][]string{{"--after", "nonsense", sample}, {"-n", "-1", sample}, {"-n", "1001", sample}, {sample + "/agents/1/asks"}} {
		if got := run(t, append([]string{"tail"}, args...)...); got.code != 2 || !strings.Contains(got.stderr, "hint: ") {
			t.Errorf("tail %q = %+v, want a usage error with a hint", args, got)
		}
	}
	if got := run(t, "tail", sample+"/agents/none"); got.code != 2 || got.stdout != "" {
		t.Errorf("of no agent: %+v", got)
	}
}
