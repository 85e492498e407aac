//go:build !js

package components

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/testenv"
)

// sprawling is a period of very large numbers, of agents with names that never break.
func sprawling() journal.Trends {
	t, long := pagetest.BusyTrends(364), strings.Repeat("W", 400)
	t.Tokens, t.TokenJobs, t.Jobs = 1<<62, 1_234_567, 9_876_543
	for i := range t.Days {
		t.Days[i].OK, t.Days[i].Failed, t.Days[i].Raised, t.Days[i].Replied = 1_000_000+i, 10_000_000, 12_345_678, 87_654_321
		t.Hours[i%7][i%24] = 1_000_000
	}
	for i := range t.Agents {
		t.Agents[i].Charter.Name = long
	}
	for i := range t.Waits {
		t.Waits[i].Agent.Charter.Name, t.Waits[i].Ask.Ask.Title = long, long
	}
	return t
}

// TestActivityInBrowser looks at the page in Chromium: nothing scrolls sideways on a telephone,
// no rule of axe is broken, light or dark, and no style stands in the markup. With -preview it
// leaves pictures.
func TestActivityInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes some seconds")
	}
	t.Parallel()
	ctx := browse(t)
	axe, err := os.ReadFile(filepath.Join(testenv.NodeModules(t), "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if *preview != "" {
		if dir, err = filepath.Abs(*preview); err != nil {
			t.Fatal(err)
		}
	}
	writeSheet(t, dir)
	for _, a := range append(activities, activityState{"hostile", "agent=1&days=364", sprawling}) {
		var page bytes.Buffer
		main := renderActivity(t, context.Background(), a.query, a.trends())
		main = strings.ReplaceAll(main, "<details", "<details open")
		if err := ui.Document(activitySite(), "Activity").Render(templ.WithChildren(context.Background(), templ.Raw(main)), &page); err != nil {
			t.Fatal(err)
		}
		for _, look := range []struct {
			theme string
			width int64
		}{{"light", 360}, {"dark", 360}, {"light", 1280}, {"dark", 1280}} {
			name := filepath.Join(dir, "activity-"+a.name+"."+look.theme+".html")
			if err := os.WriteFile(name, []byte(themed(page.String(), look.theme)), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := chromedp.Do(ctx, chromedp.EmulateViewport(look.width, 800), chromedp.Navigate("file://"+name)); err != nil {
				t.Fatal(err)
			}
			where := "activity " + a.name + " " + look.theme
			over, err := chromedp.Run(ctx, chromedp.Evaluate[int](`document.documentElement.scrollWidth - document.documentElement.clientWidth`))
			if err != nil || over > 0 {
				t.Errorf("%s is %d px wider than a screen of %d: %v", where, over, look.width, err)
			}
			checkAxe(t, ctx, string(axe), look.theme, "activity "+a.name)
			if *preview != "" {
				picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
				if err != nil {
					t.Fatal(err)
				}
				os.WriteFile(strings.TrimSuffix(name, ".html")+"."+strconv.Itoa(int(look.width))+".png", picture, 0o644)
			}
		}
	}
}
