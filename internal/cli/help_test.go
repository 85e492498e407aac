package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/testenv"
)

// TestOverviewFitsOneScreen holds `figs-web --help` to a screen of 80×24, with a line for each command or few of them.
func TestOverviewFitsOneScreen(t *testing.T) {
	got := run(t, "--help")
	if got.code != 0 || got.stderr != "" {
		t.Fatalf("--help = %+v", got)
	}
	if n := strings.Count(got.stdout, "\n"); n > 24 {
		t.Errorf("--help has %d lines, want at most 24", n)
	}
	checkWidth(t, "--help", got.stdout)
	app, err := model()
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, l := range overview {
		if n := cmd.Columns(l.about); n > 60 {
			t.Errorf("%q has %d columns, want at most 60", l.about, n)
		}
		listed = append(listed, strings.Split(l.commands, ", ")...)
	}
	var want []string
	for _, node := range app.Children {
		if !node.Hidden {
			want = append(want, node.Name)
		}
	}
	slices.Sort(listed)
	slices.Sort(want)
	if !slices.Equal(listed, want) {
		t.Errorf("the overview lists %v, want each command once: %v", listed, want)
	}
}

// TestHelpWidth holds the help of every command and family to 80 columns.
func TestHelpWidth(t *testing.T) {
	app, err := model()
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range app.Children {
		if node.Hidden {
			continue
		}
		checkHelpWidth(t, node.Name)
		for _, child := range below(node) {
			if child != node {
				checkHelpWidth(t, strings.TrimPrefix(child.FullPath(), "figs-web "))
			}
		}
	}
}

func checkHelpWidth(t *testing.T, command string) {
	t.Helper()
	checkWidth(t, command, run(t, append(strings.Fields(command), "--help")...).stdout)
}

func checkWidth(t *testing.T, name, text string) {
	t.Helper()
	if text == "" {
		t.Errorf("%s prints nothing", name)
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); cmd.Columns(line) > helpWidth {
			t.Errorf("%s has a line of %d columns, want at most %d:\n%s", name, cmd.Columns(line), helpWidth, line)
		}
	}
}

// TestJSON: --json works wherever --agent does, and changes nothing about how a command ends for people.
func TestJSON(t *testing.T) {
	for name, row := range conformance {
		if row.good == nil || slices.Contains(servers, row.good[0]) || name == "wait" {
			continue
		}
		plain, got := run(t, row.good...), run(t, append(slices.Clone(row.good), "--json")...)
		if got.code != plain.code || got.stdout == "" {
			t.Errorf("%q --json = %d %q, want exit code %d and output", row.good, got.code, got.stdout, plain.code)
		}
		for d := json.NewDecoder(strings.NewReader(got.stdout)); d.More(); {
			var object map[string]any
			if err := d.Decode(&object); err != nil {
				t.Errorf("%q --json prints %q: %v", row.good, got.stdout, err)
				break
			}
		}
	}
}

// TestOldNames: what was renamed works by its old name too, and is not shown by it.
func TestOldNames(t *testing.T) {
	for old, name := range oldNames {
		was, is := run(t, old, sample), run(t, name, sample)
		if was != is {
			t.Errorf("%s = %+v, want what %s gives: %+v", old, was, name, is)
		}
		if help := run(t, "--help").stdout; strings.Contains(help, old) {
			t.Errorf("--help names %s", old)
		}
	}
	for _, args := range [][]string{
		{"search", "x", "--most", "2"}, {"share", "--leave", "email", "--with", "a.pdf"}, {"why", "x", "--of", "state"},
		{"restore", "x", "--again", "--head", "acme=00"}, {"admin", "workspace", "purge", "acme", "--early"}, {"admin", "audit", "verify", "--holds", "00"},
		{"admin", "agent", "erase", "--workspace", "acme", "--agent-id", "x", "--kind", "run", "--id", "r", "--why", "x"},
	} {
		if err := Understands(args); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// TestErrorsEndOnce holds what is said about wrong arguments to one full stop, and suggestions to what is close.
func TestErrorsEndOnce(t *testing.T) {
	for _, test := range []struct {
		args []string
		hint string // that it begins with
	}{
		{[]string{"serach"}, "Did you mean search?"}, {[]string{"examine"}, "figs-web --help"}, {[]string{"doctor", "--jsno"}, "Did you mean --json?"},
		{[]string{"doctor", "--loud"}, "figs-web doctor --help"}, {[]string{"admin"}, "figs-web admin --help"}, {[]string{"search"}, "figs-web search --help"},
		{[]string{"completion", "tcsh"}, "figs-web completion --help"},
	} {
		got := run(t, test.args...)
		lines := strings.Split(strings.TrimSpace(got.stderr), "\n")
		if len(lines) != 2 || !strings.HasPrefix(lines[1], "hint: "+test.hint) {
			t.Errorf("%q says %q, want a hint that begins with %q", test.args, got.stderr, test.hint)
			continue
		}
		if end := strings.TrimRight(lines[0], ".?!"); lines[0] != end+"." {
			t.Errorf("%q ends with %q, want one full stop", test.args, lines[0][len(end):])
		}
		if strings.Contains(got.stderr, "?.") || strings.Contains(got.stderr, "..") {
			t.Errorf("%q says %q", test.args, got.stderr)
		}
	}
}

// TestReference holds docs/cli.md to the commands. To write it again: go test ./internal/cli -run TestReference -update-docs
func TestReference(t *testing.T) {
	name := filepath.Join(testenv.Root(t), "docs", "cli.md")
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- commands: written by go test ./internal/cli -run TestReference -update-docs -->\n", "<!-- end of commands -->\n"
	before, rest, one := bytes.Cut(page, []byte(begin))
	_, after, two := bytes.Cut(rest, []byte(end))
	if !one || !two {
		t.Fatalf("%s has no place for the commands", name)
	}
	var b bytes.Buffer
	if err := WriteReference(&b); err != nil {
		t.Fatal(err)
	}
	want := slices.Concat(before, []byte(begin+"\n"), b.Bytes(), []byte("\n"+end), after)
	if bytes.Equal(page, want) {
		return
	}
	if *updateDocs {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s does not list the commands and flags as they are (-update-docs writes it again)", name)
}

// TestManPages: every command has a page, and no line of one is taken for a request that it is not.
func TestManPages(t *testing.T) {
	pages, err := ManPages()
	if err != nil {
		t.Fatal(err)
	}
	requests := []string{".TH ", ".SH ", ".SS ", ".TP", ".B ", ".BR ", ".I ", ".PP", ".nf", ".fi"}
	for name, page := range pages {
		if !bytes.HasPrefix(page, []byte(".TH FIGS\\-WEB")) {
			t.Errorf("%s has no title", name)
		}
		for line := range strings.Lines(string(page)) {
			known := slices.ContainsFunc(requests, func(r string) bool { return strings.HasPrefix(line, r) })
			if strings.HasPrefix(line, ".") && !known || strings.HasPrefix(line, "'") {
				t.Errorf("%s has the line %q", name, line)
			}
		}
	}
	for _, l := range overview {
		for command := range strings.SplitSeq(l.commands, ", ") {
			if pages["figs-web-"+command+".1"] == nil {
				t.Errorf("%s has no page", command)
			}
		}
	}
}

// TestCompletion asks as a shell does.
func TestCompletion(t *testing.T) {
	for _, test := range []struct {
		line string
		want []string // among what is printed
		none string   // not
	}{
		{"figs-web ", []string{"doctor", "hidden-text", "wait"}, "lens"},
		{"figs-web admin user ", []string{"create", "password"}, "workspace"},
		{"figs-web search --l", []string{"--limit"}, "--json"},
		{"figs-web fold --ledger ", []string{"runs", "asks", "messages"}, "--at"},
		{"figs-web completion ", []string{"bash", "powershell"}, "figs-web"},
		{"figs-web wait acme-", []string{"acme-send"}, "close"},
		{"figs-web ls /agents/1/as", []string{"/agents/1/asks/"}, "/agents/1/jobs/"},
	} {
		t.Run(test.line, func(t *testing.T) {
			t.Chdir(filepath.Join(testenv.Root(t), "static", "samples", "reconciliation"))
			t.Setenv(completionLine, test.line)
			var out bytes.Buffer
			code := Main(t.Context(), cmd.Env{Now: time.Now, Stdout: &out, Stderr: &bytes.Buffer{}, Getenv: os.Getenv, ConfigDir: func() (string, error) { return t.TempDir(), nil }, Terminals: func() (bool, bool) { return false, false }})
			got := strings.Fields(out.String())
			for _, want := range test.want {
				if !slices.Contains(got, want) {
					t.Errorf("%q gives %q (%d), want %q among it", test.line, got, code, want)
				}
			}
			if slices.Contains(got, test.none) {
				t.Errorf("%q gives %q", test.line, test.none)
			}
		})
	}
}
