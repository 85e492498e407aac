package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs/find/findtest"
	"github.com/figs-web/figs-web/internal/recordjson"
)

// searched is a folder in which everything is about invoices. Its ask is closed by a line without a time, as many are.
func searched(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "shop")
	for name, text := range map[string]string{
		"agent.json": `{"name":"Shop"}`,
		"runs.jsonl": `{"id":"r1","ts":"2026-05-01T10:00:00Z","title":"Invoice one"}
{"id":"r2","ts":"2026-05-05T10:00:00Z","title":"Invoice two","status":"fail"}
`,
		"asks.jsonl": `{"id":"a1","ts":"2026-05-02T10:00:00Z","type":"question","title":"Send the invoice?","to":"manager"}
{"id":"a1","status":"resolved","resolution":{"via":"figs","answer":"m1","ts":"2026-05-04T10:00:00Z"}}
`,
		"messages.jsonl": `{"id":"m1","kind":"answer","ask":"a1","by":"Ana","ts":"2026-05-03T10:00:00Z","text":"Send that invoice."}
`,
	} {
		if err := os.MkdirAll(filepath.Join(dir, ".figs"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, ".figs", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// ids are those of what a search finds, in its order.
func foundIDs(t *testing.T, args ...string) string {
	t.Helper()
	got := machine(t, append([]string{"--agent", "search"}, args...)...)
	if got.code != 0 {
		t.Fatalf("search %q = %d %s", args, got.code, got.stderr)
	}
	var list []string
	for line := range strings.Lines(got.stdout) {
		var o recordjson.Found
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("search %q: %v in %s", args, err, line)
		}
		if o.ID == "" { // an attachment
			o.ID = o.Title
		}
		list = append(list, o.ID)
	}
	return strings.Join(list, " ")
}

func TestSearchCommand(t *testing.T) {
	dir := searched(t)
	for query, want := range map[string]string{
		"invoice":             "r2 m1 a1 r1", // the newest first, whatever it is
		"invoice -in:jobs":    "m1 a1",
		"status:fail":         "r2",
		"before:2026-05-03":   "a1 r1",
		"by:ana":              "m1",
		`"that invoice"`:      "m1",
		"is:closed":           "a1",
		"nothing-of-the-kind": "",
	} {
		if got := foundIDs(t, query, dir); got != want {
			t.Errorf("search %s finds %q, want %q", query, got, want)
		}
	}
	if got := foundIDs(t, "invoice", dir, "--limit", "2"); got != "r2 m1" {
		t.Errorf("the newest two are %q", got)
	}
	got := run(t, "search", "invoice", dir, "--limit", "2")
	if got.code != 0 || got.stderr != "" || !strings.HasPrefix(got.stdout, "jobs/r2  2026-05-05T10:00:00Z  Invoice two\n") || !strings.Contains(got.stdout, "Shop: 4 found, showing the newest 2.") {
		t.Errorf("for people: %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// TestSearchTable holds the terminal, and with it the pages of an open folder, to what every door finds.
func TestSearchTable(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "table")
	files := map[string]string{"agent.json": `{"name":"Table"}`}
	for _, name := range []string{"runs.jsonl", "asks.jsonl", "messages.jsonl"} {
		files[name] = findtest.Ledger(name)
	}
	for name, text := range findtest.Files {
		files["artifacts/"+name] = text
	}
	for name, text := range files {
		path := filepath.Join(dir, ".figs", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range findtest.Cases {
		if got := foundIDs(t, "--", c.Search, dir); got != c.Found {
			t.Errorf("search %s finds %q, want %q", c.Search, got, c.Found)
		}
	}
}

// TestSearchTeaches holds what is not understood to a sentence with the fix, for people and for programs.
func TestSearchTeaches(t *testing.T) {
	dir := searched(t)
	const said = `There is no field "statsu:": "statsu:fail" is searched as words. Did you mean status:fail?`
	if got := run(t, "search", "statsu:fail", dir); got.code != 0 || got.stderr != "note: "+said+"\n" {
		t.Errorf("an unknown field: %d %s", got.code, got.stderr)
	}
	if got := run(t, "search", strings.Repeat("x", 1001), dir); got.code != 0 || got.stderr != "note: A search can have up to 1,000 bytes. The rest was ignored.\n" {
		t.Errorf("a long search: %d %s", got.code, got.stderr)
	}
	var object struct{ Note string }
	got := machine(t, "--agent", "search", "statsu:fail", dir)
	if err := json.Unmarshal([]byte(got.stderr), &object); err != nil || object.Note != said || got.code != 0 {
		t.Errorf("an unknown field, to programs: %d %v %s", got.code, err, got.stderr)
	}
	if got := run(t, "search", "bank", "statement"); got.code != 2 || !strings.Contains(got.stderr, `as in figs-web search "bank statement".`) {
		t.Errorf("words that are not one argument: %d %s", got.code, got.stderr)
	}
	for _, args := range [][]string{{"", dir}, {"  ", dir}, {"x", dir, "--most", "0"}, {"x", dir, "--most", "201"}, {"x", "nowhere"}} {
		if got := run(t, append([]string{"search"}, args...)...); got.code != 2 || !strings.Contains(got.stderr, "hint: ") || got.stdout != "" {
			t.Errorf("search %q = %d %s%s", args, got.code, got.stdout, got.stderr)
		}
	}
}
