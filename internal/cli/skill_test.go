package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv"
)

var fence = regexp.MustCompile("(?ms)^```(\\S+)(?: (\\S+))?\n(.*?)^```$")

// TestSkill does what the guide says in a folder: its lines are appended, and each of its commands is run.
func TestSkill(t *testing.T) {
	got := run(t, "skill")
	if got.code != 0 || !strings.HasPrefix(got.stdout, "---\nname: figs-web\ndescription: ") || !strings.Contains(got.stdout, "\nGuide of figs-web v1.2.3. ") {
		t.Fatalf("skill = %+v", got)
	}
	if n := strings.Count(got.stdout, "\n"); n > 150 {
		t.Errorf("the guide has %d lines, want at most 150", n)
	}
	dir, copied := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	from := os.DirFS(filepath.Join(testenv.Root(t), "static", "samples", "reconciliation"))
	for _, to := range []string{dir, copied} {
		if err := os.CopyFS(to, from); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	names := strings.NewReplacer("AGENT", "1", "ASK", "acme-bridge", "COPY", copied)
	ran, appended := 0, 0
	for _, m := range fence.FindAllStringSubmatch(got.stdout, -1) {
		switch m[1] {
		case "jsonl":
			f, err := os.OpenFile(filepath.Join(".figs", m[2]), os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				_, err = f.WriteString(m[3])
				f.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
			appended++
		case "sh":
			for line := range strings.Lines(m[3]) {
				ran++
				words := shellWords(names.Replace(line))
				if got := run(t, words[1:]...); words[0] != "figs-web" || got.code != 0 || got.stdout == "" || got.stderr != "" {
					t.Errorf("%q = %d %q %q, want 0, output and nothing on stderr", words, got.code, got.stdout, got.stderr)
				}
			}
		default:
			t.Errorf("the guide has a block of %q", m[1])
		}
	}
	if ran < 8 || appended < 3 {
		t.Errorf("%d commands and %d blocks of lines, want at least 8 and 3", ran, appended)
	}
	for _, command := range regexp.MustCompile("`figs-web ([^`]*)`").FindAllStringSubmatch(got.stdout, -1) {
		if err := Understands(strings.Fields(command[1])); err != nil {
			t.Errorf("%q: %v", command[0], err)
		}
	}
	if got := run(t, "--agent", "doctor", ".figs"); !strings.Contains(got.stdout, `"errors":0`) || strings.Contains(got.stdout, "close-") {
		t.Errorf("doctor finds in the lines of the guide: %s", got.stdout)
	}
}
