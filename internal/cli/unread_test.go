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
