package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv"
)

// TestWarmLedgers holds that what the engine reads while nobody waits is valid: a finding on every line would have the
// browser compile the rare way through the rules instead of the usual one.
func TestWarmLedgers(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../../static/js/worker/warm-up.js")
	if err != nil {
		t.Fatal(err)
	}
	const names = `const FILES = ["runs.jsonl", "asks.jsonl", "messages.jsonl", "agent.json", "config.json"];`
	script := strings.Replace(string(source), "import { FILES } from '../files/find-folders.js';", names, 1) +
		`process.stdout.write(JSON.stringify(Object.fromEntries(ledgers().map(([file, bytes]) => [FILES[file], new TextDecoder().decode(bytes)]))));`
	out, err := exec.Command(testenv.Node(t), "--input-type=module", "--eval", script).Output()
	if err != nil {
		t.Fatal(err)
	}
	var files map[string]string
	if err := json.Unmarshal(out, &files); err != nil || len(files) != 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	files["artifacts/report.html"] = "<p>"
	folder := filepath.Join(t.TempDir(), ".figs")
	for name, text := range files {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if findings := underNode(t, folder, "2026-01-06T00:00:00Z"); strings.Contains(string(findings), `"code"`) {
		t.Errorf("the made-up ledgers have findings:\n%s", findings)
	}
}
