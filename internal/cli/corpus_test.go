package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv"
)

// TestCorpus has the runner for other languages try this program with some of the vectors, and with all if there is time.
func TestCorpus(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("the runner of the conformance vectors is not tested: install python3")
	}
	dir := t.TempDir()
	archive := strings.TrimSpace(string(runProgram(t, testenv.Root(t), "go", "run", "./internal/build/corpus", "-o", dir)))
	runner := filepath.Join(dir, "run.py")
	source, err := os.ReadFile(filepath.Join(testenv.Root(t), "packages", "conformance", "run.py"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(source), "\n"); lines > 150 {
		t.Errorf("run.py has %d lines: others are to read it, so at most 150", lines)
	}
	if err := os.WriteFile(runner, source, 0o600); err != nil {
		t.Fatal(err)
	}
	every := "30"
	if os.Getenv("FIGS_LONG") != "" {
		every = "1"
	}
	const doctor, fold = "figs-web doctor {folder} --json --now {now}", "figs-web fold {folder} --ledger {ledger}"
	out := runProgram(t, dir, python, runner, "--zip", archive, "--findings", doctor, "--fold", fold, "--every", every)
	t.Logf("%s", out)
	for _, wrong := range []struct{ name, findings, fold, says string }{
		{"other findings", "figs-web doctor {folder} --json --at 1", fold, "missing finding"},
		{"other records", doctor, "figs-web fold {folder} --ledger asks --at 1", "runs: "},
		{"no JSON", "figs-web version", fold, "no answer in the expected format"},
	} {
		cmd := exec.Command(python, runner, "--zip", archive, "--findings", wrong.findings, "--fold", wrong.fold, "--only", "run_every")
		if wrong.name == "other findings" {
			cmd.Args[len(cmd.Args)-1] = "ask_type_unknown_with_steps"
		}
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), wrong.says) {
			t.Errorf("%s: the runner says %q (%v), want %q", wrong.name, out, err, wrong.says)
		}
	}
}
