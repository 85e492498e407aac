package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPictures takes pictures of every page, light and dark, wide and narrow, where FIGS_SHOTS names a folder for them.
func TestPictures(t *testing.T) {
	if os.Getenv("FIGS_SHOTS") == "" {
		t.Skip("set FIGS_SHOTS to a folder to take pictures of every page")
	}
	p := newTab(t)
	p.open(saved(t))
	file := strings.NewReplacer("/", "-", "?", "-", "=", "-")
	for _, screen := range []struct {
		width   int64
		colours string
	}{{1280, "light"}, {1280, "dark"}, {360, "light"}, {360, "dark"}} {
		p.screen(screen.width, 800, screen.colours)
		p.shot(fmt.Sprintf("start-%d-%s", screen.width, screen.colours))
		for _, name := range []string{"reconciliation", "mistakes", "payables", "onboarding"} {
			p.give(filepath.Join(sample(t, name), ".figs"))
			for _, path := range places {
				p.visit(path)
				p.shot(fmt.Sprintf("%s%s-%d-%s", name, file.Replace(path), screen.width, screen.colours))
				if name == "payables" || name == "onboarding" {
					break // the first view alone
				}
			}
		}
		p.click(`[data-act="another"]`)
		p.await(`!document.querySelector("#start").hidden`, "the start")
	}
}
