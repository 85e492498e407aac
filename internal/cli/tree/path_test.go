package tree

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/journal"
)

// inFolder goes to an empty folder that has these folders and files in it.
func inFolder(t testing.TB, names ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range names {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(name, 0o755); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func testApp(t testing.TB) *cmd.App {
	settings := t.TempDir()
	a := &cmd.App{Env: cmd.Env{ConfigDir: func() (string, error) { return settings, nil }}, Ctx: t.Context(), Agent: true}
	if err := keepRemote(a, "acme", remoteFile{URL: "https://figs.example", Token: "figs_acme"}); err != nil {
		t.Fatal(err)
	}
	if err := keepRemote(a, "one", remoteFile{URL: "https://figs.example/w/one"}); err != nil {
		t.Fatal(err)
	}
	return a
}

func TestPlaceOf(t *testing.T) {
	inFolder(t, "repo/.figs/", "repo/agents/billing/.figs/", "export.zip", "agents.d/", "plain", "acme-copy/")
	a := testApp(t)
	for arg, want := range map[string]string{
		"/":                               "folder . ",
		"/agents":                         "folder . agents",
		"/agents/x/asks/y":                "folder . agents x asks y",
		"agents/x":                        "folder . agents x",
		"repo":                            "folder repo ",
		"repo/agents/x":                   "folder repo agents x",
		"repo/agents":                     "folder repo/agents ",
		"repo/agents/billing":             "folder repo/agents/billing ",
		"repo/agents/billing/agents/1":    "folder repo/agents/billing agents 1",
		"repo:/agents":                    "folder repo agents",
		"repo:":                           "folder repo ",
		"export.zip/agents/1":             "folder export.zip agents 1",
		"agents.d":                        "folder agents.d ",
		"./repo/agents/1/jobs":            "folder ./repo agents 1 jobs",
		"repo/channels/1/records":         "folder repo channels 1 records",
		"/agents/~YSBiL2M":                "folder . agents a b/c",
		"/agents//x/":                     "folder . agents x",
		"nowhere":                         "folder nowhere ",
		"https://figs.example":            "reader https://figs.example ",
		"https://figs.example/w/a/agents": "reader https://figs.example w a agents",
		"acme:":                           "reader https://figs.example ",
		"acme:/":                          "reader https://figs.example ",
		"acme:/agents/1":                  "reader https://figs.example agents 1",
		"one:/agents":                     "reader https://figs.example w one agents",
		"acme-copy:/agents":               "folder acme-copy agents",
	} {
		p, err := placeOf(a, arg)
		if err != nil {
			t.Errorf("placeOf(%q): %v", arg, err)
			continue
		}
		got := "folder " + p.source
		if p.origin != nil {
			got = "reader " + p.origin.String()
		}
		if got += " " + strings.Join(p.Parts, " "); got != want {
			t.Errorf("placeOf(%q) = %q, want %q", arg, got, want)
		}
	}
	for arg, want := range map[string]cmd.Kind{
		"/agents/a b": cmd.Usage, "/agents/..": cmd.Usage, "/agents/~YQ": cmd.Usage, "none:/agents": cmd.NotFound, "https://me:pw@x/": cmd.Usage, "ftp://x": cmd.Usage,
		"acme:/nowhere": cmd.NotFound, "https://x/nowhere": cmd.NotFound, "https://x/agents?a=b": cmd.Usage,
	} {
		if p, err := placeOf(a, arg); err == nil || cmd.FailureOf(err, arg).Kind != want {
			t.Errorf("placeOf(%q) = %+v, %v; want a failure of kind %v", arg, p, err, want)
		}
	}
}

// The token of one reader goes to no other.
func TestWhoseToken(t *testing.T) {
	a := testApp(t)
	a.Getenv = func(string) string { return "figs_variable" }
	for arg, want := range map[string]bool{"acme:/agents": true, "one:/agents": true, "https://figs.example/agents": true, "http://127.0.0.1:1/agents": true, "http://figs.example/agents": false} {
		p, err := placeOf(a, arg)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := openRemote(a, p); (err == nil) != want {
			t.Errorf("%s opens: %v, want %t", arg, err, want)
		}
	}
	a.Getenv = nil
	p, _ := placeOf(a, "one:/agents")
	if _, err := openRemote(a, p); err == nil || cmd.FailureOf(err, "").Kind != cmd.Denied {
		t.Errorf("without a token = %v", err)
	}
}

// FuzzPlace reads any argument: it never panics, and what it understood is written as a path that is
// read the same.
func FuzzPlace(f *testing.F) {
	for _, seed := range []string{"/agents/x", "acme:/agents/~YSBiL2M", "https://figs.example/w/a", "a:/agents", ":/", "://", "C:/x", "~", "/agents/\x00", "repo//agents"} {
		f.Add(seed)
	}
	inFolder(f, "repo/.figs/")
	a := testApp(f)
	f.Fuzz(func(t *testing.T, arg string) {
		p, err := placeOf(a, arg)
		if err != nil {
			if g := cmd.FailureOf(err, arg); g.Message == "" || strings.Contains(g.Message, "figs_acme") {
				t.Errorf("placeOf(%q): %q", arg, g.Message)
			}
			return
		}
		again := &Place{}
		if err := again.Read(EncodePath(p.Parts...), arg); err != nil || !slices.Equal(again.Parts, p.Parts) {
			t.Errorf("placeOf(%q) = %q, written and read %q, %v", arg, p.Parts, again.Parts, err)
		}
		for _, part := range p.Parts {
			if named, ok := journal.ParseSegment(journal.Segment(part)); !ok || named != part {
				t.Errorf("%q has no segment", part)
			}
		}
	})
}
