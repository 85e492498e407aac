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
	const want = "Can't tell what needs a human: asks.jsonl could not be read."
	if got := run(t, "doctor", dir); !strings.Contains(got.stdout, want) {
		t.Errorf("doctor lacks %q:\n%s", want, got.stdout)
	}
	if got := machine(t, "--agent", "doctor", dir); !strings.Contains(got.stderr, want) || !strings.Contains(got.stderr, `"unread"`) {
		t.Errorf("doctor --agent lacks %q:\n%s", want, got.stderr)
	}
}

// TestDoctorAbsent holds that doctor on one file says what nobody can tell without the others, whichever file it is.
func TestDoctorAbsent(t *testing.T) {
	for name, test := range map[string]struct{ text, kept, unknown, absent string }{
		"asks.jsonl":     {`{"id":"a","ts":"2026-11-20T10:00:00Z","type":"question","title":"Which?"}`, "asks.jsonl keeps every rule.", "Jobs and replies are not here, so who replied is unknown.", `"absent":["runs.jsonl","messages.jsonl"]`},
		"runs.jsonl":     {`{"id":"r","ts":"2026-11-20T10:00:00Z","title":"Match"}`, "runs.jsonl keeps every rule.", "Asks and replies are not here, so what needs you is unknown.", `"absent":["asks.jsonl","messages.jsonl"]`},
		"messages.jsonl": {`{"id":"m","kind":"answer","ask":"a","by":"Sam","ts":"2026-11-20T10:00:00Z","text":"yes"}`, "messages.jsonl keeps every rule.", "Jobs and asks are not here, so what needs you is unknown.", `"absent":["runs.jsonl","asks.jsonl"]`},
		"agent.json":     {`{"name":"Ada"}`, "agent.json keeps every rule.", "Jobs, asks and replies are not here, so what needs you is unknown.", `"absent":["runs.jsonl","asks.jsonl","messages.jsonl"]`},
	} {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(test.text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := run(t, "doctor", file, "--now", "2026-11-20T12:00:00Z"); !strings.Contains(got.stdout, test.kept+"\n"+test.unknown) || strings.Contains(got.stdout, "nothing to remark") {
			t.Errorf("doctor %s lacks %q, %q:\n%s", name, test.kept, test.unknown, got.stdout)
		}
		if got := machine(t, "--agent", "doctor", file, "--now", "2026-11-20T12:00:00Z"); !strings.Contains(got.stdout, test.absent) || !strings.Contains(got.stdout, test.unknown) {
			t.Errorf("doctor --agent %s lacks %q:\n%s", name, test.absent, got.stdout)
		}
	}
	file := filepath.Join(t.TempDir(), "asks.jsonl")
	if err := os.WriteFile(file, []byte("{\"id\":\"a\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := machine(t, "--agent", "doctor", file); !strings.Contains(got.stderr, `"absent"`) || !strings.Contains(got.stderr, "so who replied is unknown") {
		t.Errorf("a failing doctor --agent says nothing of what was not given:\n%s", got.stderr)
	}
}
