package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDoctorUnread holds that doctor says what nobody can tell when a whole ledger could not be read.
func TestDoctorUnread(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".figs")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"agent.json": `{"name":"Payables"}`, "asks.jsonl": `[{"id":"a","type":"question","title":"Which?"}]` + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run(t, "doctor", dir).says(t, 1, "doctor: a ledger that could not be read", dir, "DIR")
	if got := machine(t, "--agent", "doctor", dir); !strings.Contains(got.stderr, `"unread"`) {
		t.Errorf("doctor --agent does not say what was unread:\n%s", got.stderr)
	}
}

// TestDoctorAbsent holds that doctor on one file says what nobody can tell without the others, whichever file it is.
func TestDoctorAbsent(t *testing.T) {
	for name, test := range map[string]struct{ text, absent string }{
		"asks.jsonl":     {`{"id":"a","ts":"2026-11-20T10:00:00Z","type":"question","title":"Which?"}`, `"absent":["runs.jsonl","messages.jsonl"]`},
		"runs.jsonl":     {`{"id":"r","ts":"2026-11-20T10:00:00Z","title":"Match"}`, `"absent":["asks.jsonl","messages.jsonl"]`},
		"messages.jsonl": {`{"id":"m","kind":"answer","ask":"a","by":"Sam","ts":"2026-11-20T10:00:00Z","text":"yes"}`, `"absent":["runs.jsonl","asks.jsonl"]`},
		"agent.json":     {`{"name":"Ada"}`, `"absent":["runs.jsonl","asks.jsonl","messages.jsonl"]`},
	} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(test.text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		run(t, "doctor", file, "--now", "2026-11-20T12:00:00Z").says(t, 0, "doctor: "+name+" alone", file, name)
		if got := machine(t, "--agent", "doctor", file, "--now", "2026-11-20T12:00:00Z"); !strings.Contains(got.stdout, test.absent) {
			t.Errorf("doctor --agent %s lacks %q:\n%s", name, test.absent, got.stdout)
		}
	}
	file := filepath.Join(t.TempDir(), "asks.jsonl")
	if err := os.WriteFile(file, []byte("{\"id\":\"a\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := machine(t, "--agent", "doctor", file); !strings.Contains(got.stderr, `"absent"`) {
		t.Errorf("a failing doctor --agent says nothing of what was not given:\n%s", got.stderr)
	}
}
