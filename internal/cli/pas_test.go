package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/tree"
)

// point is one of the checklist, or of what a level asks beside it. It fails by an error.
type point struct {
	level int
	name  string
	holds func(c *checklist) error
}

// points are the POSIX Agent Standard: its eight points, each at the level that needs it, then the
// verbs of levels 3 and 4.
var points = []point{
	{1, "the flag is accepted, in any position", func(c *checklist) error {
		if first, last := c.call("--agent", "version"), c.call("version", "--agent"); first != last || first.code != 0 {
			return fmt.Errorf("in front %+v, behind %+v", first, last)
		}
		return nil
	}},
	{1, "errors go to stderr, structured", func(c *checklist) error {
		return c.each(func(got outcome, _ []string) error { return structured(got) }, c.bad)
	}},
	{1, "nobody is asked, and nothing is waited for", func(c *checklist) error {
		if c.looked || c.read {
			return fmt.Errorf("looked at the terminal: %t, read standard input: %t", c.looked, c.read)
		}
		return c.each(func(outcome, []string) error { return nil }, c.good, c.bad)
	}},
	{2, "output is valid JSON", func(c *checklist) error {
		return c.each(func(got outcome, _ []string) error { _, err := objects(got.stdout); return err }, c.good)
	}},
	{2, "lists are JSON Lines", func(c *checklist) error {
		return c.each(func(got outcome, args []string) error {
			if lines, err := objects(got.stdout); err != nil || lines < 2 {
				return fmt.Errorf("%d objects, %v; want one for each of the list", lines, err)
			}
			return nil
		}, c.lists)
	}},
	{2, "exit codes are semantic", func(c *checklist) error {
		for _, want := range c.codes {
			if got := c.call(want.args...); got.code != want.code {
				return fmt.Errorf("%q = %d, want %d", want.args, got.code, want.code)
			}
		}
		return nil
	}},
	{2, "no progress, no colours", func(c *checklist) error {
		return c.each(func(got outcome, _ []string) error {
			if strings.ContainsAny(got.stdout+got.stderr, "\x1b\r") {
				return fmt.Errorf("decorations in %q%q", got.stdout, got.stderr)
			}
			return nil
		}, c.good, c.bad)
	}},
	{2, "help is concise", func(c *checklist) error {
		for name := range cmd.MachinePages {
			if err := concise(c.call(strings.Fields("--agent " + name + " --help")...)); err != nil {
				return fmt.Errorf("%q: %w", name, err)
			}
		}
		return nil
	}},
	{3, "ls", func(c *checklist) error { return c.keys([]string{"ls", sample + "/agents/1/asks"}, "id", "type") }},
	{3, "cat", func(c *checklist) error {
		return c.keys([]string{"cat", sample + "/agents/1/asks/acme-send"}, "id", "title")
	}},
	{3, "stat", func(c *checklist) error {
		return c.keys([]string{"stat", sample + "/agents/1/asks/acme-send"}, "path", "type", "size", "modified")
	}},
	{3, "paths are hierarchical", func(c *checklist) error {
		return c.keys([]string{"ls", sample}, "id", "path")
	}},
	{4, "cp", func(c *checklist) error {
		return c.keys([]string{"cp", sample + "/agents/1/files/" + c.file, filepath.Join(c.dir, "copy")}, "id", "path", "status")
	}},
	{4, "rm", func(c *checklist) error { return c.keys([]string{"rm", c.remote + "/tokens/t1"}, "path", "status") }},
	{4, "sync", func(c *checklist) error {
		return c.keys([]string{"sync", "--from", sample + "/agents/1/messages", "--to", filepath.Join(c.dir, "synced")}, "synced", "skipped", "errors")
	}},
	{4, "feedback", func(c *checklist) error { return c.keys([]string{"feedback", "It says too little."}, "id", "status") }},
}

// levelOf is the highest level of which, and below which, every point holds.
func levelOf(t *testing.T, c *checklist) (level int) {
	broken := 5
	for _, p := range points {
		if err := p.holds(c); err != nil {
			t.Logf("level %d, %s: %v", p.level, p.name, err)
			broken = min(broken, p.level)
		}
	}
	return broken - 1
}

// TestPAS derives the level from what passes, and holds what --version says to it.
func TestPAS(t *testing.T) {
	c := newChecklist(t)
	level := levelOf(t, c)
	if want := fmt.Sprintf("figs-web v1.2.3 (PAS Level %d Compliant)\n", level); run(t, "--version").stdout != want {
		t.Errorf("--version = %q, the checklist proves %q", run(t, "--version").stdout, want)
	}
	if level != 4 {
		t.Errorf("the checklist proves level %d, want 4", level)
	}
}

// TestPASCanFail lets every point meet a program that breaks it.
func TestPASCanFail(t *testing.T) {
	levels := map[int]int{}
	for _, p := range points {
		levels[p.level]++
		for _, said := range []outcome{
			{code: 0, stdout: "[{\"id\":1}]\n"}, {code: 1, stdout: "Done.\x1b[0m\n", stderr: "Oops\n"}, {code: 3, stdout: "\r{}\n"},
		} {
			n := 0
			c := newChecklist(t)
			c.read = true
			c.call = func(...string) outcome {
				n++
				said.stdout += strings.Repeat("x", n) // never the same twice
				return said
			}
			if err := p.holds(c); err == nil {
				t.Errorf("level %d, %s: holds for a program that says %+v", p.level, p.name, said)
			}
		}
	}
	if got := levels[1] + levels[2]; got != 8 {
		t.Errorf("the checklist has %d points, want the 8 of the standard", got)
	}
}

// checklist is what the points look at.
type checklist struct {
	t         *testing.T
	dir       string
	file      string // an attachment of the sample
	remote    string // a reader that lets a token go
	call      func(args ...string) outcome
	good, bad [][]string
	lists     [][]string
	codes     []coded
	looked    bool // at the terminal
	read      bool // standard input
}

type coded struct {
	args []string
	code int
}

// stdinTrap notes that somebody reads.
type stdinTrap struct{ c *checklist }

func (s stdinTrap) Read([]byte) (int, error) { s.c.read = true; return 0, os.ErrClosed }

func newChecklist(t *testing.T) *checklist {
	c := &checklist{t: t, dir: t.TempDir(), file: "brief.md"}
	c.remote = serveTokens(t)
	c.call = func(args ...string) outcome { return c.machine(args...) }
	for _, name := range slices.Sorted(maps.Keys(conformance)) {
		row := conformance[name]
		if row.good != nil && !slices.Contains(servers, row.good[0]) {
			c.good = append(c.good, agentic(row.good))
		}
		c.bad = append(c.bad, agentic(row.bad))
		c.codes = append(c.codes, coded{agentic(row.bad), row.code})
	}
	c.lists = [][]string{agentic([]string{"ls", sample + "/agents/1"}), agentic([]string{"cat", sample + "/agents/1/asks"}), agentic([]string{"fold", sample})}
	return c
}

func agentic(args []string) []string { return append([]string{"--agent"}, args...) }

// machine calls the program with a terminal and a standard input that nobody may touch.
func (c *checklist) machine(args ...string) outcome {
	var stdout, stderr strings.Builder
	code := Main(c.t.Context(), cmd.Env{
		Args: args, Stdin: stdinTrap{c}, Stdout: &stdout, Stderr: &stderr, Version: "v1.2.3", OpenData: openAnywhere,
		Now:       func() time.Time { return time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC) },
		Terminals: func() (bool, bool) { c.looked = true; return true, true },
		Getenv:    func(name string) string { return map[string]string{tree.TokenVariable: "figs_test"}[name] },
		ConfigDir: func() (string, error) { return c.dir, nil },
	})
	return outcome{code, stdout.String(), stderr.String()}
}

// each holds calls to something, and to not having looked at what nobody may touch.
func (c *checklist) each(holds func(outcome, []string) error, calls ...[][]string) error {
	for _, args := range slices.Concat(calls...) {
		if err := holds(c.call(args...), args); err != nil {
			return fmt.Errorf("%q: %w", args, err)
		}
		if c.looked || c.read {
			return fmt.Errorf("%q touches the terminal or standard input", args)
		}
	}
	return nil
}

// keys holds a call to objects that have the keys.
func (c *checklist) keys(args []string, keys ...string) error {
	got := c.call(agentic(args)...)
	if got.code != 0 || got.stderr != "" {
		return fmt.Errorf("= %d %s", got.code, got.stderr)
	}
	if n, err := objects(got.stdout); err != nil || n == 0 {
		return fmt.Errorf("%d objects: %w", n, err)
	}
	for line := range strings.Lines(got.stdout) {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			return err
		}
		for _, key := range keys {
			if _, ok := object[key]; !ok {
				return fmt.Errorf("%s has no %s", line, key)
			}
		}
	}
	return nil
}

// objects counts the lines of an output, each of which is one JSON object.
func objects(text string) (n int, err error) {
	for line := range strings.Lines(text) {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil || object == nil {
			return n, fmt.Errorf("%q is no JSON object", line)
		}
		n++
	}
	return n, nil
}

// structured holds an error to its form.
func structured(got outcome) error {
	var object struct {
		Error, Message string
		Code           int
	}
	if err := json.Unmarshal([]byte(got.stderr), &object); err != nil || strings.Count(got.stderr, "\n") != 1 {
		return fmt.Errorf("stderr is %q", got.stderr)
	}
	if !regexp.MustCompile(`^[A-Z]+(_[A-Z]+)*$`).MatchString(object.Error) || object.Message == "" || object.Code != got.code || got.code == 0 {
		return fmt.Errorf("%+v with exit code %d", object, got.code)
	}
	return nil
}

// concise holds a help to its three parts, and to fewer lines than a screen has.
func concise(got outcome) error {
	parts := regexp.MustCompile(`^USAGE:\n(?:  .+\n)+\nCOMMON PATTERNS:\n((?:  .+\n){3,5})\nERROR CODES:\n(?:  \d+ +\S.*\n)+$`)
	if got.code != 0 || !parts.MatchString(got.stdout) || strings.Count(got.stdout, "\n") > 30 {
		return fmt.Errorf("= %d\n%s", got.code, got.stdout)
	}
	return nil
}

// serveTokens answers as a hosted reader does that is asked to let a token go.
func serveTokens(t *testing.T) string {
	return serveJSON(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete && r.URL.Path == "/api/v1/tokens/t1" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		http.NotFound(w, r)
	})
}
