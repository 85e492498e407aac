//go:build !js

package components

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/journal"
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
	dir := t.TempDir()
	if *preview != "" {
		var err error
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
		name := filepath.Join(dir, "activity-"+a.name+".light.html")
		if err := os.WriteFile(name, []byte(themed(page.String(), "light")), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := chromedp.Do(ctx, chromedp.Navigate("file://"+name)); err != nil {
			t.Fatal(err)
		}
		bringAxe(t, ctx)
		for _, look := range []struct {
			theme string
			width int64
		}{{"light", 360}, {"dark", 360}, {"light", 1280}, {"dark", 1280}} {
			choose(t, ctx, look.theme, look.width)
			where := "activity " + a.name + " " + look.theme
			over, err := chromedp.Run(ctx, chromedp.Evaluate[int](`document.documentElement.scrollWidth - document.documentElement.clientWidth`))
			if err != nil || over > 0 {
				t.Errorf("%s is %d px wider than a screen of %d: %v", where, over, look.width, err)
			}
			checkAxe(t, ctx, look.theme, "activity "+a.name)
			if *preview != "" {
				picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
				if err != nil {
					t.Fatal(err)
				}
				name := fmt.Sprintf("activity-%s.%s.%d.png", a.name, look.theme, look.width)
				if err := os.WriteFile(filepath.Join(dir, name), picture, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
