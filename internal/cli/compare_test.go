package cli

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/comparison"
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
	same := copyOf(t)
	run(t, "compare", sample, same).says(t, 0, "compare: a folder and its copy", sample, "OLD", same, "NEW")
	grown := copyOf(t)
	altered(t, grown, "runs.jsonl", func(b []byte) []byte { return append(b, "{\"id\":\"one-more\",\"ts\":\"2026-11-20T18:00:00Z\"}\n"...) })
	if got := run(t, "compare", sample, grown); got.code != 0 || !strings.Contains(got.stdout, "job one-more: OK") || !strings.Contains(got.stdout, "no earlier line changed, 1 new line\n") {
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

// TestCompareAttachments: an attached file with other bytes, or none, is rewritten, and the decision on the ask that
// attaches it is named (§7). Files that no line attaches may change.
func TestCompareAttachments(t *testing.T) {
	old, _, _ := decidedFolder(t)
	altered(t, old, "artifacts/list.csv", func(b []byte) []byte { return b })
	if err := os.WriteFile(filepath.Join(old, ".figs/artifacts/draft.md"), []byte("draft"), 0o600); err != nil {
		t.Fatal(err)
	}
	change := func(how func(dir string) error) string {
		dir := filepath.Join(t.TempDir(), "new")
		if err := os.CopyFS(dir, os.DirFS(old)); err != nil {
			t.Fatal(err)
		}
		if err := how(filepath.Join(dir, ".figs")); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	write := func(name, text string) func(string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600) }
	}
	for _, test := range []struct {
		name string
		how  func(string) error
		code int
		past string
	}{
		{"the same", write("artifacts/list.csv", "a,b\n"), 0, "stands"},
		{"other bytes of one size", write("artifacts/list.csv", "a;b\n"), 1, "exchanged"},
		{"other bytes of another size", write("artifacts/list.csv", "a,b,c\n"), 1, "exchanged"},
		{"gone", func(dir string) error { return os.Remove(filepath.Join(dir, "artifacts/list.csv")) }, 1, "exchanged"},
		{"all gone", func(dir string) error { return os.RemoveAll(filepath.Join(dir, "artifacts")) }, 1, "exchanged"},
		{"a draft that no line attaches", write("artifacts/draft.md", "other"), 0, "stands"},
		{"a new one", write("artifacts/new.md", "new"), 0, "stands"},
		{"blank lines and a byte order mark", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "messages.jsonl"), []byte("\ufeff"+receiptReply+"\n\n \n"), 0o600)
		}, 0, "stands"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := change(test.how)
			run(t, "compare", old+"/.figs", dir+"/.figs").says(t, test.code, "compare attachments: "+test.name, old, "OLD", dir, "NEW")
			var told struct {
				Rewritten bool
				Folders   []struct {
					Past  string
					Files []struct {
						Name      string
						Decisions []comparison.Decision
					}
				}
			}
			if out := run(t, "compare", "--json", old+"/.figs", dir+"/.figs").stdout; json.Unmarshal([]byte(out), &told) != nil || told.Rewritten != (test.code == 1) || told.Folders[0].Past != test.past {
				t.Errorf("the JSON is %s", out)
			}
			for _, file := range told.Folders[0].Files {
				if want := (comparison.Decision{Ask: "pay", Message: "m-1", Verdict: "approved", By: "Ada"}); file.Name == "list.csv" && !slices.Equal(file.Decisions, []comparison.Decision{want}) {
					t.Errorf("decisions on %s: %v", file.Name, file.Decisions)
				}
			}
		})
	}
}

// TestCompareDecisionsBeforeTheFile: a decision that was made before the ask attached the file is not named.
func TestCompareDecisionsBeforeTheFile(t *testing.T) {
	old := t.TempDir()
	for name, text := range map[string]string{
		"agent.json": `{"name":"Payer"}`,
		"asks.jsonl": receiptAsk + "\n" + `{"id":"pay","ts":"2026-11-21T10:00:00Z","type":"sign-off","attachments":["list.csv","more.csv"]}` + "\n",
		"messages.jsonl": `{"id":"m-0","kind":"verdict","ask":"pay","by":"Ada","ts":"2026-11-20T12:30:00Z","source":"app","verdict":"changes-requested"}` + "\n" +
			`{"id":"m-1","kind":"verdict","ask":"pay","by":"Ada","ts":"2026-11-21T12:30:00Z","source":"app","verdict":"approved"}` + "\n",
		"artifacts/list.csv": "a,b\n", "artifacts/more.csv": "c,d\n",
	} {
		put(t, filepath.Join(old, ".figs", name), text)
	}
	dir := filepath.Join(t.TempDir(), "new")
	if err := os.CopyFS(dir, os.DirFS(old)); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, ".figs/artifacts/list.csv"), "a;b\n")
	put(t, filepath.Join(dir, ".figs/artifacts/more.csv"), "c;d\n")
	var told struct {
		Folders []struct {
			Files []struct {
				Name      string
				Decisions []comparison.Decision
			}
		}
	}
	out := run(t, "compare", "--json", old+"/.figs", dir+"/.figs").stdout
	if err := json.Unmarshal([]byte(out), &told); err != nil || len(told.Folders) != 1 {
		t.Fatalf("%v: %s", err, out)
	}
	got := map[string]string{}
	for _, f := range told.Folders[0].Files {
		for _, d := range f.Decisions {
			got[f.Name] += d.Message + " "
		}
	}
	if want := map[string]string{"list.csv": "m-0 m-1 ", "more.csv": "m-1 "}; !maps.Equal(got, want) {
		t.Errorf("decisions by file: %v, want %v", got, want)
	}
}

// TestCompareUnreadAttachment: what could not be compared is no success.
func TestCompareUnreadAttachment(t *testing.T) {
	old, _, _ := decidedFolder(t)
	name := filepath.Join(t.TempDir(), "new.zip")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := zip.NewWriter(f)
	for _, file := range []string{"config.json", "agent.json", "asks.jsonl", "messages.jsonl", "artifacts/list.csv"} {
		b, err := os.ReadFile(filepath.Join(old, ".figs", file))
		if err != nil {
			t.Fatal(err)
		}
		h := &zip.FileHeader{Name: ".figs/" + file, CompressedSize64: uint64(len(b)), UncompressedSize64: uint64(len(b)), CRC32: crc32.ChecksumIEEE(b)}
		if file == "artifacts/list.csv" {
			h.Flags = 1 // encrypted
		}
		entry, err := w.CreateRaw(h)
		if err == nil {
			_, err = entry.Write(b)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got := run(t, "compare", old+"/.figs", name)
	if got.code != 1 || !strings.Contains(got.stdout, "not compared file list.csv, previously attached") {
		t.Errorf("ends with %d:\n%s%s", got.code, got.stdout, got.stderr)
	}
	if got := run(t, "--agent", "compare", old+"/.figs", name); got.code != 102 || !strings.Contains(got.stderr, "1 attachment could not be compared") {
		t.Errorf("--agent ends with %d: %s", got.code, got.stderr)
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
	run(t, "compare", ours, theirs).says(t, 1, "compare: two copies that went on", ours, "OLD", theirs, "NEW")
	run(t, "compare", sample, crlf).says(t, 0, "compare: checked out elsewhere", sample, "OLD", crlf, "NEW")
}

// put writes a file, with its folders.
func put(t *testing.T, name, content string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(content), 0o644)); err != nil {
		t.Fatal(err)
	}
}
