package components

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/figs-web/figs-web/components/pagetest"
)

var update = flag.Bool("update", false, "write the golden pages anew")

// paths are one of every page, and every state of a list that looks different.
var paths = []string{
	"/", "/1", "/2", "/3", "/1/agent", "/2/agent", "/3/agent", "/1/jobs", "/1/jobs?state=fail", "/1/jobs?q=nothing", "/2/jobs", "/3/jobs", "/1/jobs/1", "/1/jobs/1?show=1", "/1/jobs/2",
	"/1/asks", "/1/asks?state=closed", "/1/asks?sort=cost", "/1/waits", "/2/waits", "/2/asks", "/1/asks/1", "/1/asks/2", "/1/asks/2?show=7&view=source", "/1/asks/2?show=7&view=compare", "/1/asks/2?show=6&view=compare&with=3", "/1/asks/3", "/1/messages", "/2/messages", "/1/files", "/2/files", "/1/files/1", "/1/files/4", "/1/files/4?view=text", "/1/files?n=200&show=7&view=compare", "/1/files?n=200&show=7&view=compare&with=4", "/2/files?show=7&view=compare", "/1/files/5", "/1/files/8",
	"/1/findings", "/1/findings?severity=error", "/1/findings?code=line_torn", "/1/findings?code=ts_future", "/1/findings?state=mended", "/2/findings", "/2/findings?state=mended", "/1/lines/runs.jsonl", "/1/lines/runs.jsonl?line=2", "/1/lines/runs.jsonl?line=900", "/1/findings?file=runs.jsonl&line=5", "/1/findings?file=runs.jsonl", "/2/lines/asks.jsonl",
	"/1/text/CONTRACT.md", "/1/text/GUIDE.md", "/1/search", "/1/search?q=matched", "/1/search?q=nowhere", "/rules", "/rules/line_torn", "/rules/ask_type_retired", "/9", "/1/jobs/99", "/rules/none",
}

func render(t *testing.T, ctx context.Context, path string) (int, string) {
	t.Helper()
	status, title, html, err := Render(ctx, pagetest.Site(), pagetest.NewJournal(), path)
	if err != nil {
		t.Fatalf("Render(%s) = error %v", path, err)
	}
	if title == "" {
		t.Errorf("Render(%s) has no title", path)
	}
	return status, string(html)
}

// TestGolden holds every page to its file in testdata; -update writes them anew.
func TestGolden(t *testing.T) {
	for _, path := range paths {
		if strings.HasPrefix(path, "/rules") {
			continue // those follow the catalogue, which has its own goldens
		}
		_, html := render(t, context.Background(), path)
		got := strings.ReplaceAll(html, "><", ">\n<") + "\n"
		name := filepath.Join("testdata", "pages", regexp.MustCompile(`[^a-zA-Z0-9.]+`).ReplaceAllString("at"+path, "-")+".html")
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
