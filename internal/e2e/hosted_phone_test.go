package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestPhone works through the inbox on a phone: five asks on its first screen, a reply by the thumb, nothing that axe finds,
// targets included; and the pages can be installed as an app.
func TestPhone(t *testing.T) {
	t.Parallel()
	s := newHosted(t)
	s.push("payables")
	for i := range 6 {
		s.raise("payables", fmt.Sprintf("more-%d", i), "Vendor Nordwind Logistik changed its bank account, number "+fmt.Sprint(i))
	}
	p := newTab(t)
	p.signIn(s, "/inbox")
	p.installs()
	p.screen(360, 780, "light")
	p.await(`document.querySelectorAll(".inbox > .row").length > 5`, "the asks")
	type rows struct {
		Shown      int
		Text, Link float64
	}
	got := eval[rows](p, `(() => {
		const edge = document.querySelector(".rail > .rail-nav").getBoundingClientRect().top, rows = [...document.querySelectorAll(".inbox > .row")];
		const texts = [...document.querySelectorAll(".inbox > .row *")].filter(n => n.checkVisibility() && [...n.childNodes].some(c => c.nodeType === 3 && c.data.trim()));
		return {
			shown: rows.filter(row => row.getBoundingClientRect().bottom <= edge).length,
			text: Math.min(...texts.map(n => parseFloat(getComputedStyle(n).fontSize))),
			link: Math.min(...rows.map(row => row.getBoundingClientRect().height)),
		};
	})()`)
	if got.Shown < 5 || got.Text < 14 || got.Link < 44 {
		t.Errorf("the first screen has %d asks, the smallest text is %.1f px, the lowest row %.0f px", got.Shown, got.Text, got.Link)
	}
	if badge := eval[string](p, `document.body.dataset.badge + " " + document.querySelector(".rail-count").firstChild.data.trim()`); badge != "8 8" {
		t.Errorf("the icon and the inbox say %s", badge)
	}
	p.targets("inbox")
	p.click(".inbox-view-open")
	p.await(`document.querySelector("#inbox-view").checkVisibility()`, "the menu")
	p.targets("the menu of the inbox")
	p.key(kb.Escape)
	p.click(`.inbox a[href$="/asks/more-0"]`)
	p.await(`location.pathname.endsWith("/asks/more-0") && document.querySelector("#deciding .deciding-open")`, "the ask")
	p.screen(360, 780, "dark")
	p.click(".deciding-open")
	p.await(`document.querySelector(".deciding-sheet").matches(":popover-open")`, "the sheet")
	p.targets("the sheet")
	if low := eval[float64](p, `Math.min(...[...document.querySelectorAll(".deciding-do button")].map(b => b.getBoundingClientRect().top))`); low < 780*2/3 {
		t.Errorf("a button is at %.0f px, out of the reach of a thumb", low)
	}
	p.shot("phone-sheet")
	// The keyboard covers 300 px: no browser here has one.
	eval[chromedp.Void](p, `(() => {
		Object.defineProperty(visualViewport, "height", { value: innerHeight - 300, configurable: true });
		visualViewport.dispatchEvent(new Event("resize"));
	})()`)
	if low := eval[float64](p, `Math.max(...[document.querySelector("#reply-text"), ...document.querySelectorAll(".deciding-do button")].map(n => n.getBoundingClientRect().bottom))`); low > 480 {
		t.Errorf("the reply reaches down to %.0f px, below the edge of the keyboard", low)
	}
	p.shot("phone-keyboard")
	p.click(".deciding-close")
	p.await(`!document.querySelector(".deciding-sheet").matches(":popover-open")`, "the sheet to close")
	p.quiet()
}

// installs asks the browser whether it would offer to install the page as an app.
func (p *tab) installs() {
	p.t.Helper()
	if got := call(p, page.GetAppManifest, page.GetAppManifestParams{}); len(got.Errors) > 0 || !strings.HasSuffix(got.URL, "/manifest.webmanifest") || !strings.Contains(got.Data, "standalone") {
		p.t.Errorf("the manifest at %q has the errors %v:\n%s", got.URL, got.Errors, got.Data)
	}
	for _, fault := range call(p, page.GetInstallabilityErrors, cdp.Empty{}).InstallabilityErrors {
		if fault.ErrorID == "in-incognito" { // which all tabs of these tests are
			continue
		}
		p.t.Errorf("the pages can't be installed: %s %v", fault.ErrorID, fault.ErrorArguments)
	}
}

// targets runs axe with its rule on the size of targets, which is off otherwise.
func (p *tab) targets(where string) {
	p.t.Helper()
	p.bringAxe()
	p.fits(where)
	for _, found := range eval[[]string](p, `axe.run(document, { resultTypes: ["violations"], iframes: false, rules: { "target-size": { enabled: true } } })
		.then(r => r.violations.map(v => v.impact + " " + v.id + " at " + v.nodes.slice(0, 3).map(n => n.target).join("; ")))`) {
		p.t.Errorf("%s: %s", where, found)
	}
}
