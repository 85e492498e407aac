package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/cli/check"
	"github.com/figs-web/figs-web/internal/cli/cmd"
)

const (
	samples = "../../static/samples"
	sample  = samples + "/reconciliation"
	faulty  = samples + "/mistakes"
)

// outcome is what one call of the program did.
type outcome struct {
	code           int
	stdout, stderr string
}

// refusal are the lines that a call tells a person for whom it did nothing, with DIR for a folder of the test.
func (o outcome) refusal(dir string) []string {
	return strings.Split(strings.TrimSpace(strings.ReplaceAll(o.stderr, dir, "DIR")), "\n")
}

// says holds what a call prints for people to a case of testdata/messages.golden, and its exit code to one. Folders and
// files of the test are pairs of a path and the name that stands for it in the file.
func (o outcome) says(t *testing.T, code int, name string, paths ...string) {
	t.Helper()
	if o.code != code {
		t.Errorf("%s ends with %d, want %d:\n%s%s", name, o.code, code, o.stdout, o.stderr)
		return
	}
	var lines []string
	for line := range strings.SplitSeq(strings.NewReplacer(paths...).Replace(o.stdout+o.stderr), "\n") {
		if line = strings.TrimRight(line, " "); line != "" {
			lines = append(lines, line)
		}
	}
	messages.Check(t, name, lines)
}

// run calls the program as it runs without a terminal.
func run(t *testing.T, args ...string) outcome {
	t.Helper()
	return runIn(t, context.Background(), func() {}, func() (bool, bool) { return false, false }, args...)
}

// heard calls said when something is written.
type heard struct {
	io.Writer
	said func()
}

func (h heard) Write(b []byte) (int, error) {
	defer h.said()
	return h.Writer.Write(b)
}

func runIn(t *testing.T, ctx context.Context, said func(), terminals func() (bool, bool), args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := Main(ctx, cmd.Env{
		Args: args, Stdout: heard{&stdout, said}, Stderr: &stderr, Terminals: terminals, Version: "v1.2.3", OpenData: openAnywhere,
		Now:       func() time.Time { return time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC) },
		ConfigDir: func() (string, error) { return filepath.Join(t.TempDir(), "settings"), nil },
	})
	return outcome{code, stdout.String(), stderr.String()}
}

func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	zip := filepath.Join(dir, "broken.zip")
	os.WriteFile(zip, []byte("PK\x03\x04"), 0o600)
	for _, test := range []struct {
		name          string
		args          []string
		people, agent int
	}{
		{"valid", []string{"doctor", sample}, 0, 0},
		{"findings", []string{"doctor", faulty}, 1, 102},
		{"findings_json", []string{"doctor", faulty, "--json"}, 1, 102},
		{"findings_sarif", []string{"doctor", faulty, "--sarif"}, 1, 102},
		{"unknown_command", []string{"examine"}, 2, 2},
		{"unknown_flag", []string{"doctor", "--loud"}, 2, 2},
		{"too_many", []string{"doctor", sample, sample}, 2, 2},
		{"no_such_path", []string{"doctor", filepath.Join(dir, "nowhere")}, 2, 100},
		{"no_figs_folder", []string{"doctor", dir}, 2, 100},
		{"no_such_rule", []string{"doctor", "--explain", "no_such_rule"}, 2, 100},
		{"broken_zip", []string{"doctor", zip}, 2, 102},
		{"fold_nothing", []string{"fold", dir}, 2, 100},
		{"fold_several", []string{"fold", samples}, 2, 2},
		{"address", []string{"serve", "--addr", "nonsense"}, 2, 2},
		{"open_nowhere", []string{"open", filepath.Join(dir, "nowhere")}, 2, 100},
		{"open_nothing", []string{"open", dir}, 2, 100},
		{"open_broken_zip", []string{"open", zip}, 2, 102},
		{"open_address", []string{"open", sample, "--addr", "nonsense"}, 2, 2},
		{"open_to_all", []string{"open", sample, "--addr", "0.0.0.0:0"}, 2, 2},
		{"open_viewer_to_all", []string{"open", sample, "--viewer-addr", ":0"}, 2, 2},
		{"open_origin_alone", []string{"open", sample, "--viewer-origin", "https://viewer.example"}, 2, 2},
		{"open_origin", []string{"open", sample, "--viewer-addr", "127.0.0.1:0", "--viewer-origin", "viewer.example/x"}, 2, 2},
		{"inspector_nowhere", []string{"inspector", "--check", filepath.Join(dir, "nowhere")}, 2, 100},
		{"inspector_foreign", []string{"inspector", "--check", zip}, 2, 102},
		{"version", []string{"version"}, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := run(t, test.args...); got.code != test.people {
				t.Errorf("figs-web %q = %d, want %d\n%s", test.args, got.code, test.people, got.stderr)
			}
			if got := run(t, append(test.args, "--agent")...); got.code != test.agent {
				t.Errorf("figs-web --agent %q = %d, want %d\n%s", test.args, got.code, test.agent, got.stderr)
			}
		})
	}
}

// What fails says so in a sentence, then how to go on.
func TestFailuresHaveHints(t *testing.T) {
	for _, args := range [][]string{
		{"examine"}, {"doctor", "nowhere"}, {"doctor", "--explain", "x"}, {"doctor", "--now", "x"}, {"doctor", t.TempDir()},
		{"fold", samples}, {"serve", "--addr", "x"}, {"open", "nowhere"}, {"open", sample, "--addr", "0.0.0.0:0"}, {"open", sample, "--viewer-origin", "x"}, {"inspector"}, {"inspector", "--check", "cli_test.go"},
	} {
		got := run(t, args...)
		lines := strings.Split(strings.TrimSpace(got.stderr), "\n")
		if len(lines) != 2 || !strings.HasSuffix(lines[0], ".") || !strings.HasPrefix(lines[1], "hint: ") {
			t.Errorf("figs-web %q says %q, want a sentence and a hint", args, got.stderr)
		}
	}
}

func TestFailureOf(t *testing.T) {
	for _, test := range []struct {
		err  error
		want cmd.Kind
	}{
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission}, cmd.Denied},
		{&fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}, cmd.NotFound},
		{&folder.ZipError{Message: "No.", Hint: "Yes."}, cmd.BadFormat},
		{cmd.Fail(cmd.AddressInUse, "Taken.", ""), cmd.AddressInUse},
		{errors.New("x"), cmd.General},
	} {
		if got := cmd.FailureOf(test.err, "x"); got.Kind != test.want || got.Message == "" {
			t.Errorf("failureOf(%v) = %v %q, want kind %v", test.err, got.Kind, got.Message, test.want)
		}
	}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got := runIn(t, ctx, func() {}, func() (bool, bool) { return false, false }, "doctor", sample); got.code != 130 || got.stdout != "" {
		t.Errorf("an interrupted doctor = %d %q, want 130 and nothing printed", got.code, got.stdout)
	}
}

// Colours belong to terminals.
func TestColours(t *testing.T) {
	for _, args := range [][]string{{"doctor", faulty}, {"doctor", "--explain", "line_broken"}} {
		if got := run(t, args...); strings.Contains(got.stdout, "\x1b") {
			t.Errorf("%q prints colours without a terminal", args)
		}
		got := runIn(t, context.Background(), func() {}, func() (bool, bool) { return true, true }, args...)
		if !strings.Contains(got.stdout, "\x1b[") {
			t.Errorf("%q prints no colours on a terminal", args)
		}
		if bare := run(t, args...); stripColours(got.stdout) != bare.stdout {
			t.Errorf("%q says other things on a terminal than elsewhere", args)
		}
	}
}

func stripColours(s string) string {
	for _, code := range []string{"0", "1", "2", "36", "1;31", "1;32", "1;33"} {
		s = strings.ReplaceAll(s, "\x1b["+code+"m", "")
	}
	return s
}

// Many findings of one rule are counted, not listed.
func TestManyFindings(t *testing.T) {
	dir := t.TempDir()
	var ledger []byte
	for i := range 2000 {
		ledger = fmt.Appendf(ledger, `{"id":"job-%d","ts":"2026-11-20T10:00:00Z","status":"odd"}`+"\n", i)
	}
	os.WriteFile(filepath.Join(dir, "runs.jsonl"), ledger, 0o600)
	got := run(t, "doctor", dir)
	if n := strings.Count(got.stdout, "run_status_unknown  runs.jsonl"); n != check.PerRule {
		t.Errorf("%d findings listed, want %d", n, check.PerRule)
	}
	if want := "1990 more of run_status_unknown; --json lists them."; !strings.Contains(got.stdout, want) {
		t.Errorf("no count of the rest; want %q in\n%s", want, got.stdout[max(0, len(got.stdout)-400):])
	}
}

func TestVersion(t *testing.T) {
	if got, want := run(t, "--version").stdout, "figs-web v1.2.3 (PAS Level 4 Compliant)\n"; got != want {
		t.Errorf("--version = %q, want %q", got, want)
	}
	var object struct {
		Version string
		Level   int `json:"pas_level"`
	}
	if err := json.Unmarshal([]byte(run(t, "--agent", "--version").stdout), &object); err != nil || object.Version != "v1.2.3" || object.Level != 4 {
		t.Errorf("--agent --version = %+v, %v", object, err)
	}
}
