//go:build !js

package components

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/internal/testenv"
	"github.com/figs-web/figs-web/internal/testenv/headless"
)

// browse starts a Chromium without network features for one test.
func browse(t *testing.T) context.Context {
	t.Helper()
	limited, stop := context.WithTimeout(context.Background(), 10*time.Minute)
	t.Cleanup(stop)
	allocator, stopAllocator := chromedp.NewExecAllocator(limited, headless.Options(testenv.Chromium(t), t.TempDir(), chromedp.Flag("hide-scrollbars", true))...)
	t.Cleanup(stopAllocator)
	ctx, stopBrowser := chromedp.NewContext(allocator)
	t.Cleanup(stopBrowser)
	return ctx
}

// hostile is the journal of the tests with long words that never break by themselves.
func hostile() *pagetest.Journal {
	f := poisoned()
	long := strings.Repeat("W", 400)
	f.AllJobs[0].Run.Title, f.AllJobs[0].Run.Result, f.AllJobs[0].Run.ID, f.AllJobs[0].Run.Period = long, long, long, long
	f.AllAsks[0].Ask.Title, f.AllAsks[0].Ask.Found, f.AllAsks[0].Ask.OnApprove[0], f.AllAsks[0].Ask.Details[0].Label, f.AllAsks[0].Ask.Details[0].Value = long, long, long, long, long
	f.AllFiles[0].Name, f.AllFiles[5].Name, f.AllMessages[1].Message.By, f.AllMessages[1].Message.Text = long, long, long, long
	a := &f.Overviews[0].Agent
	a.Charter.Name, a.Charter.Role, a.Charter.Mandate, a.Charter.Units[0].Name, a.Charter.Units[0].ID, a.Config.AgentID, a.Path = long, long, long, long, long, long, long
	f.AllFindings.Items[0].Message, f.AllFindings.Excerpts[0].Marked, f.AllLines[0].Raw = long, []byte(long), []byte(long)
	f.Overviews[0].Lanes[0].Title = long
	return f
}

// TestInBrowser looks at every page in Chromium: none scrolls sideways on a telephone,
// whatever an agent wrote, and none breaks a rule of axe, light or dark.
func TestInBrowser(t *testing.T) {
	lookAt(t, pagePaths(), func(dir string, hard bool) {
		f := pagetest.NewJournal()
		if hard {
			f = hostile()
		}
		writePages(t, dir, f)
	})
}

// TestWorkspaceInBrowser does the same with the pages of a workspace.
func TestWorkspaceInBrowser(t *testing.T) {
	var names []string
	for _, path := range workspacePaths {
		names = append(names, "/"+path)
	}
	lookAt(t, names, func(dir string, hard bool) {
		o := newOffice()
		if hard {
			o = hostileOffice()
		}
		writeSheet(t, dir)
		writeWorkspace(t, dir, o)
	})
}

// TestScenesInBrowser does the same with the pages of those who may decide, and of what they decided.
func TestScenesInBrowser(t *testing.T) {
	lookAt(t, append(scenePaths(), paperPaths()...), func(dir string, hard bool) {
		office := newOffice
		if hard {
			office = hostileOffice
		}
		writeSheet(t, dir)
		writeScenes(t, dir, office)
		writePapers(t, dir)
	})
}

// TestProjectInBrowser does the same with the pages about other folders than .figs.
func TestProjectInBrowser(t *testing.T) {
	lookAt(t, projectNames(), func(dir string, hard bool) {
		p, f := newProject(), pagetest.NewJournal()
		if hard {
			p, f = hostileProject(), hostile()
		}
		writeSheet(t, dir)
		writeProject(t, dir, p, f)
	})
}

// lookAt opens the pages that write has written: those of a kind journal light on a telephone and then dark on a wide
// screen, those of a hostile one on a telephone.
func lookAt(t *testing.T, paths []string, write func(dir string, hard bool)) {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes some seconds")
	}
	t.Parallel() // each has a browser of its own
	ctx := browse(t)
	for _, hard := range []bool{false, true} {
		dir, journal := t.TempDir(), "kind"
		if hard {
			journal = "hostile"
		}
		write(dir, hard)
		for _, path := range paths {
			address := "file://" + filepath.Join(dir, fileOf(path)+".light.html")
			if err := chromedp.Do(ctx, chromedp.EmulateViewport(360, 800), chromedp.Navigate(address)); err != nil {
				t.Fatal(err)
			}
			checkLayout(t, ctx, journal+" journal, "+path, 360)
			if hard {
				continue
			}
			bringAxe(t, ctx)
			checkAxe(t, ctx, "light", path)
			choose(t, ctx, "dark", 1280)
			checkLayout(t, ctx, journal+" journal, "+path+", dark", 1280)
			checkAxe(t, ctx, "dark", path)
		}
	}
}

// choose shows the open page as it looks when the person has chosen a theme, on a screen of another width.
func choose(t *testing.T, ctx context.Context, theme string, width int64) {
	t.Helper()
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 800)); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.documentElement.dataset.theme = `+strconv.Quote(theme))); err != nil {
		t.Fatal(err)
	}
}

// checkLayout holds that the page scrolls to no side, and that rows and cards lead where their titles lead.
func checkLayout(t *testing.T, ctx context.Context, page string, width int64) {
	t.Helper()
	over, err := chromedp.Run(ctx, chromedp.Evaluate[int](`document.documentElement.scrollWidth - document.documentElement.clientWidth`))
	if err != nil || over > 0 {
		widest, _ := chromedp.Run(ctx, chromedp.Evaluate[string](`[...document.querySelectorAll("body *")].filter(n => n.getBoundingClientRect().right > innerWidth + 1).slice(0, 3).map(n => n.tagName + "." + n.className).join(", ")`))
		t.Errorf("%s is %d px wider than a screen of %d: %s %v", page, over, width, widest, err)
	}
	missed, err := chromedp.Run(ctx, chromedp.Evaluate[int](uncovered))
	if err != nil || missed > 0 {
		t.Errorf("%s: %d rows or cards are no target where a person would touch them: %v", page, missed, err)
	}
}

// uncovered counts rows and cards on the screen whose lower right corner does not lead where
// their title leads.
const uncovered = `[...document.querySelectorAll('a.cover')].filter(a => {
	const box = a.closest('.row, .card').getBoundingClientRect();
	const foot = document.querySelector(".rail-nav"), least = foot && getComputedStyle(foot).position === "fixed" ? foot.getBoundingClientRect().top : innerHeight;
	if (box.bottom > least || box.bottom < 0) return false;
	const hit = document.elementFromPoint(box.right - 6, box.bottom - 3);
	return !hit || hit.closest('a') !== a;
}).length`

// bringAxe puts axe into the open page.
func bringAxe(t *testing.T, ctx context.Context) {
	t.Helper()
	axe, err := os.ReadFile(filepath.Join(testenv.NodeModules(t), "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](string(axe)+";true")); err != nil {
		t.Fatal(err)
	}
}

// checkAxe runs every rule of axe on a light page. A dark one has the same markup, so only its contrast is judged.
func checkAxe(t *testing.T, ctx context.Context, theme, page string) {
	t.Helper()
	rules, least := "", 9
	if theme == "dark" {
		rules, least = `runOnly:['color-contrast'],`, 0
	}
	script := `axe.run(document,{` + rules + `resultTypes:['violations'],preload:{assets:['media']}}).then(r=>(r.passes.length>` + strconv.Itoa(least) + `?[]:['axe saw too little: only '+r.passes.length+' rules had something to look at']).concat(r.violations.map(v=>v.id+': '+v.help+' at '+v.nodes.slice(0,3).map(n=>n.target+' '+(n.any[0]||n.all[0]||n.none[0]||{}).message).join(' | '))))`
	violations, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](script, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range violations {
		t.Errorf("%s %s: %s", page, theme, v)
	}
}
