package cli

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv"
)

// TestExamples runs the agents of examples/ without their frameworks, and checks the folders that they write.
func TestExamples(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("Node isn't installed")
	}
	programs, err := filepath.Glob(filepath.Join(testenv.Root(t), "examples", "*", "agent.mjs"))
	if err != nil || len(programs) != 3 {
		t.Fatalf("examples are %v, %v; want three", programs, err)
	}
	for _, program := range programs {
		t.Run(filepath.Base(filepath.Dir(program)), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			out, err := exec.Command(node, program, dir).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if got := run(t, "doctor", "--now=", dir); got.code != 0 || !strings.Contains(got.stdout, "1 run, 1 ask") || !strings.Contains(got.stdout, "Valid, no findings.") {
				t.Errorf("doctor = %d\n%s", got.code, got.stdout)
			}
			if got := run(t, "--agent", "wait", "send-november", "--in", dir); got.code != 103 {
				t.Errorf("wait = %+v, want no decision yet", got)
			}
		})
	}
}
