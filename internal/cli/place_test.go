package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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

func testApp(t testing.TB) *app {
	settings := t.TempDir()
	a := &app{Env: Env{ConfigDir: func() (string, error) { return settings, nil }}, ctx: t.Context(), agent: true}
	if err := a.keepRemote("acme", remoteFile{URL: "https://figs.example", Token: "figs_acme"}); err != nil {
		t.Fatal(err)
	}
	if err := a.keepRemote("one", remoteFile{URL: "https://figs.example/w/one"}); err != nil {
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
		p, err := a.placeOf(arg)
		if err != nil {
			t.Errorf("placeOf(%q): %v", arg, err)
			continue
		}
		got := "folder " + p.source
		if p.origin != nil {
			got = "reader " + p.origin.String()
		}
		if got += " " + strings.Join(p.parts, " "); got != want {
			t.Errorf("placeOf(%q) = %q, want %q", arg, got, want)
		}
	}
	for arg, want := range map[string]kind{
		"/agents/a b": usage, "/agents/..": usage, "/agents/~YQ": usage, "none:/agents": notFound, "https://me:pw@x/": usage, "ftp://x": usage,
		"acme:/nowhere": notFound, "https://x/nowhere": notFound, "https://x/agents?a=b": usage,
	} {
		if p, err := a.placeOf(arg); err == nil || failureOf(err, arg).kind != want {
			t.Errorf("placeOf(%q) = %+v, %v; want a failure of kind %v", arg, p, err, want)
		}
	}
}

// The token of one reader goes to no other.
func TestWhoseToken(t *testing.T) {
	a := testApp(t)
	a.Getenv = func(string) string { return "figs_variable" }
	for arg, want := range map[string]bool{"acme:/agents": true, "one:/agents": true, "https://figs.example/agents": true, "http://127.0.0.1:1/agents": true, "http://figs.example/agents": false} {
		p, err := a.placeOf(arg)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.openRemote(p); (err == nil) != want {
			t.Errorf("%s opens: %v, want %t", arg, err, want)
		}
	}
	a.Getenv = nil
	p, _ := a.placeOf("one:/agents")
	if _, err := a.openRemote(p); err == nil || failureOf(err, "").kind != denied {
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
		p, err := a.placeOf(arg)
		if err != nil {
			if g := failureOf(err, arg); g.message == "" || strings.Contains(g.message, "figs_acme") {
				t.Errorf("placeOf(%q): %q", arg, g.message)
			}
			return
		}
		again := &place{}
		if err := again.read(encodePath(p.parts...), arg); err != nil || !slices.Equal(again.parts, p.parts) {
			t.Errorf("placeOf(%q) = %q, written and read %q, %v", arg, p.parts, again.parts, err)
		}
		for _, part := range p.parts {
			if named, ok := journal.Named(journal.Segment(part)); !ok || named != part {
				t.Errorf("%q has no segment", part)
			}
		}
	})
}
