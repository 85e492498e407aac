package components

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/internal/journal"
)

// workspacePaths are the pages about all agents, by word and query, in every state; those after
// a colon are pages of one agent of the workspace.
var workspacePaths = []string{"chart", "chart?as=table", "inbox", "inbox?tab=waiting", "inbox?tab=closed", "inbox?everybody=1&n=1", "inbox?agent=none&type=question", "connect", "search", "search?q=matched", "search?q=nowhere",
	":/1", ":/2", ":/1/agent", ":/1/jobs", ":/1/jobs/1", ":/1/asks", ":/1/asks/2", ":/1/messages", ":/1/files", ":/1/files/5", ":/1/findings", ":/1/search?q=matched", ":/9"}

// renderWorkspace is a page of the workspace as a document.
func renderWorkspace(t *testing.T, ctx context.Context, site Site, w journal.Workspace, path string) (title, page string) {
	t.Helper()
	var html []byte
	var err error
	if rest, ok := strings.CutPrefix(path, ":"); ok {
		_, title, html, err = Render(ctx, site, w, rest)
	} else {
		word, query, _ := strings.Cut(path, "?")
		site.Shell.Current = word
		_, title, html, err = RenderWorkspace(ctx, site, w, word, query)
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var b bytes.Buffer
	if err := Document(site, title).Render(templ.WithChildren(ctx, templ.Raw(string(html))), &b); err != nil {
		t.Fatal(err)
	}
	return title, b.String()
}

// TestWorkspaceGolden holds the pages of a workspace to their files; -update writes them anew.
func TestWorkspaceGolden(t *testing.T) {
	for _, path := range workspacePaths {
		_, page := renderWorkspace(t, context.Background(), acmeSite(""), newOffice(), path)
		got := strings.ReplaceAll(page, "><", ">\n<") + "\n"
		name := filepath.Join("testdata", "hosted", regexp.MustCompile(`[^a-zA-Z0-9.]+`).ReplaceAllString("at-"+path, "-")+".html")
		if *update {
			os.MkdirAll(filepath.Dir(name), 0o755)
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s differs from %s (run with -update and look at the change):\n%s", path, name, diff)
		}
	}
}
