package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// copyOf is a copy of the sample that tests read, whose files can be changed.
func copyOf(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(dir, os.DirFS(sample)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func altered(t *testing.T, dir, file string, how func([]byte) []byte) {
	t.Helper()
	var name string
	for _, at := range []string{filepath.Join(dir, ".figs", file), filepath.Join(dir, file)} {
		if _, err := os.Stat(at); err == nil {
			name = at
		}
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, how(b), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestCompareCommand(t *testing.T) {
	if got := run(t, "compare", sample, copyOf(t)); got.code != 0 || !strings.Contains(got.stdout, "no record is other than it was") {
		t.Errorf("a folder and its copy: %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	grown := copyOf(t)
	altered(t, grown, "runs.jsonl", func(b []byte) []byte { return append(b, "{\"id\":\"one-more\",\"ts\":\"2026-11-20T18:00:00Z\"}\n"...) })
	if got := run(t, "compare", sample, grown); got.code != 0 || !strings.Contains(got.stdout, "job one-more: ok") || !strings.Contains(got.stdout, "stands as it stood, 1 new") {
		t.Errorf("a folder that grew: %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	edited := copyOf(t)
	altered(t, edited, "asks.jsonl", func(b []byte) []byte {
		return bytes.Replace(b, []byte(`"title":"`), []byte("\"title\":\"\x1b[31mX"), 1)
	})
	got := run(t, "compare", sample, edited)
	if got.code != 1 || !strings.Contains(got.stdout, "edited asks.jsonl:1") || strings.Contains(got.stdout, "\x1b[31mX") {
		t.Errorf("a line of the past was edited: %d\n%q%s", got.code, got.stdout, got.stderr)
	}
	machine := run(t, "--agent", "compare", sample, edited)
	var told struct {
		Rewritten bool
		Folders   []struct {
			Lines []struct {
				Kind, File, Old, New string
				OldLine, NewLine     int
			}
		}
	}
	if err := json.Unmarshal([]byte(machine.stdout), &told); err != nil {
		t.Fatalf("%v: %s", err, machine.stdout)
	}
	if machine.code != 102 || !told.Rewritten || len(told.Folders) != 1 || len(told.Folders[0].Lines) != 1 || told.Folders[0].Lines[0].Kind != "edited" || !strings.Contains(told.Folders[0].Lines[0].New, "X") {
		t.Errorf("%d: %+v", machine.code, told)
	}
	if got := run(t, "compare", sample, "--since", "2026-01-01"); got.code != 0 || !strings.Contains(got.stdout, "new") {
		t.Errorf("since the beginning: %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	for _, args := range [][]string{{"compare", sample}, {"compare", sample, sample, "--since", "1"}, {"compare", sample, "--since", "never"}, {"compare", sample, "nowhere"}} {
		if got := run(t, args...); got.code != 2 || got.stderr == "" {
			t.Errorf("%q: %d, %s", args, got.code, got.stderr)
		}
	}
}

// TestCompareAttachments finds other bytes under a name that an attachment had before (§7).
func TestCompareAttachments(t *testing.T) {
	other := copyOf(t)
	found := false
	filepath.WalkDir(other, func(name string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !found && filepath.Base(filepath.Dir(name)) == "artifacts" {
			b, err := os.ReadFile(name)
			if err != nil || len(b) == 0 {
				return err
			}
			b[len(b)-1] ^= 1
			found = true
			return os.WriteFile(name, b, 0o644)
		}
		return err
	})
	if !found {
		t.Fatal("the sample has no attachment")
	}
	if got := run(t, "compare", sample, other); got.code != 0 || strings.Count(got.stdout, "other bytes") != 1 {
		t.Errorf("%d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// TestCompareCopies calls rewritten only what no copy comes to by itself.
func TestCompareCopies(t *testing.T) {
	lines := func(id string) func([]byte) []byte {
		return func(b []byte) []byte {
			return append(b, `{"id":"`+id+`-1","ts":"2026-11-20T18:00:00Z"}`+"\n"+`{"id":"`+id+`-2","ts":"2026-11-20T19:00:00Z"}`+"\n"...)
		}
	}
	ours, theirs, crlf := copyOf(t), copyOf(t), copyOf(t)
	altered(t, ours, "runs.jsonl", lines("ours"))
	altered(t, theirs, "runs.jsonl", lines("theirs"))
	for _, file := range []string{"runs.jsonl", "asks.jsonl", "messages.jsonl"} {
		altered(t, crlf, file, func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) })
	}
	for _, test := range []struct {
		name, old, new, past string
		code                 int
	}{
		{"grown", sample, ours, "stands", 0}, {"checked out elsewhere", sample, crlf, "stands", 0}, {"older", ours, sample, "older", 1}, {"another copy", ours, theirs, "apart", 1},
	} {
		got := run(t, "compare", "--json", test.old, test.new)
		var told struct{ Folders []struct{ Past string } }
		if err := json.Unmarshal([]byte(got.stdout), &told); err != nil || len(told.Folders) != 1 || told.Folders[0].Past != test.past || got.code != test.code {
			t.Errorf("%s: %d, %+v (%v)", test.name, got.code, told, err)
		}
	}
	if got := run(t, "compare", ours, theirs); !strings.Contains(got.stdout, "went different ways") {
		t.Errorf("%s", got.stdout)
	}
	if got := run(t, "compare", sample, crlf); !strings.Contains(got.stdout, "lines end otherwise (CR LF)") {
		t.Errorf("%s", got.stdout)
	}
}
