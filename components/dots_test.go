package components

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/components/pagetest"
)

// TestDotsBeginLines holds that where a line of facts breaks, no dot is left at its end: on every page, hosted and in the
// inspector, what comes behind a dot stays with it.
func TestDotsBeginLines(t *testing.T) {
	pages, agents := 0, strings.NewReplacer("98.6% matched · 31 flagged", "", "88% matched · 31 keys flagged", "", "Stripe · NetSuite", "") // whose words stay as they are
	err := fs.WalkDir(os.DirFS("testdata"), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".html") {
			return err
		}
		content, err := os.ReadFile("testdata/" + path)
		if err != nil {
			return err
		}
		pages++
		for at := range pagetest.Parse(t, string(content)).Descendants() {
			if at.Type == html.TextNode && strings.Contains(agents.Replace(at.Data), " · ") && at.Parent.Data != "title" {
				t.Errorf("%s: a line may end with the dot of %q", path, strings.TrimSpace(at.Data))
			}
		}
		return nil
	})
	if err != nil || pages < 50 {
		t.Errorf("looked at %d pages: %v", pages, err)
	}
}
