package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/testenv"
)

// hostedPages are all kinds of pages of a workspace.
var hostedPages = []string{
	"", "?as=table", "?as=map", "/inbox", "/inbox?tab=waiting", "/inbox?tab=closed", "/inbox?everybody=1", "/activity", "/search", "/search?q=statement",
	"/search?q=nothing-like-it", "/connect", "/settings", reconciliation, reconciliation + "/agent", reconciliation + "/jobs",
	reconciliation + "/jobs/acme-2026-10", reconciliation + "/asks", reconciliation + "/asks/acme-bridge", reconciliation + "/asks/acme-send",
	reconciliation + "/asks/acme-send?view=compare", reconciliation + "/files", reconciliation + "/findings", reconciliation + "/messages",
	reconciliation + "/search", "/../../settings",
}

// lookEverywhere holds every page, wide and narrow, light and dark, to what axe knows of access
// and to the width of the screen. With $FIGS_SHOTS it takes pictures.
func lookEverywhere(t *testing.T, s *hostedServer) {
	p, others := s.watched(t)
	p.do(chromedp.Navigate(s.url("/sign-in")))
	p.lands(s, "/sign-in")
	p.everyScreen("sign-in")
	p.signIn(s, "/inbox")
	file := strings.NewReplacer(reconciliation, "-agent", "/", "-", "?", "-", "=", "-")
	for _, page := range hostedPages {
		p.goes(s, page)
		p.everyScreen(strings.Trim(file.Replace(page), "-."))
	}
	p.quiet()
	p.goes(s, "/agents/nobody")
	p.everyScreen("nobody")
	p.heard("404")
	others.none(t)
}

// heard takes note of what the browser must have said so far, so that quiet does not.
func (p *tab) heard(text string) {
	p.t.Helper()
	p.hearing.mu.Lock()
	defer p.hearing.mu.Unlock()
	if len(p.hearing.said) != 1 || !strings.Contains(p.hearing.said[0], text) {
		p.t.Errorf("the browser said %q, want one thing about %s", p.hearing.said, text)
	}
	p.hearing.said = nil
}

// goes opens a page as a link would.
func (p *tab) goes(s *hostedServer, page string) {
	p.t.Helper()
	p.screen(1280, 900, "light")
	path := filepath.ToSlash(filepath.Clean("/w/acme" + page))
	eval[chromedp.Void](p, fmt.Sprintf(`(a => { a.href = %q; document.querySelector("#view").append(a); a.click(); a.remove(); })(document.createElement("a")), undefined`, path))
	p.lands(s, path)
}

// everyScreen looks at the page as it is, in both colours and widths.
func (p *tab) everyScreen(name string) {
	p.t.Helper()
	p.bringAxe()
	for _, width := range []int64{1280, 360} {
		for _, colours := range []string{"light", "dark"} {
			p.oneScreen(name, width, colours)
		}
	}
	p.screen(1280, 900, "light")
}

// oneScreen looks at a page on one of the screens of everyScreen, where there is no time for all.
func (p *tab) oneScreen(name string, width int64, colours string) {
	p.t.Helper()
	p.await(`!document.querySelector('#view[aria-busy="true"]')`, "the page, which is pale while another is on its way")
	p.bringAxe()
	p.screen(width, 800, colours)
	where := fmt.Sprintf("hosted-%s-%d-%s", name, width, colours)
	p.fits(where)
	p.axe(where)
	p.shot(where)
}

// bringAxe puts axe into the page, where it is not yet.
func (p *tab) bringAxe() {
	p.t.Helper()
	if eval[bool](p, `"axe" in window`) {
		return
	}
	axe, err := os.ReadFile(filepath.Join(testenv.NodeModules(p.t), "axe-core", "axe.min.js"))
	if err != nil {
		p.t.Fatal(err)
	}
	eval[chromedp.Void](p, string(axe)+";undefined")
}

// weigh adds up what a first visit to the inbox loads: page, style sheet and scripts, as they
// travel.
func weigh(t *testing.T, s *hostedServer) {
	const most, aim = 60_000, 35_000
	p, _ := s.watched(t)
	p.signIn(s, "/inbox")
	p.do(chromedp.Navigate(s.at("/inbox")))
	p.await(`performance.getEntriesByType("resource").filter(e => e.name.endsWith(".js")).length > 3`, "the scripts")
	type loaded struct {
		Name  string
		Bytes int
	}
	sum := 0
	for _, l := range eval[[]loaded](p, `performance.getEntriesByType("navigation").concat(performance.getEntriesByType("resource").filter(e => /\.(css|js)$/.test(e.name))).map(e => ({ Name: new URL(e.name).pathname, Bytes: e.encodedBodySize }))`) {
		if l.Bytes == 0 {
			t.Errorf("%s weighs nothing, which cannot be", l.Name)
		}
		t.Logf("%6d %s", l.Bytes, l.Name)
		sum += l.Bytes
	}
	t.Logf("%6d together, at most %d, aim %d", sum, most, aim)
	if sum > most {
		t.Errorf("a first visit weighs %d bytes, at most %d", sum, most)
	}
}
