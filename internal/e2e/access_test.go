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

// places are all kinds of pages, as addresses of the sample folders.
var places = []string{
	"/1", "/1/agent", "/1/jobs", "/1/jobs/acme-2026-10", "/1/asks", "/1/asks/acme-bridge", "/1/asks/acme-send", "/1/messages", "/1/files", "/1/files/acme-wip.csv", "/1/findings",
	"/1/lines/runs.jsonl", "/1/lines/asks.jsonl?line=2", "/1/text/CONTRACT.md", "/1/search", "/rules", "/rules/ask_type_unknown",
}

// TestAxe runs axe on the pages that matter most, light and dark: no violation may be serious or critical.
func TestAxe(t *testing.T) {
	t.Parallel()
	axe, err := os.ReadFile(filepath.Join(testenv.NodeModules(t), "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	p := newTab(t)
	p.open(saved(t))
	eval[chromedp.Void](p, string(axe)+";undefined")
	for _, colours := range []string{"light", "dark"} {
		p.screen(1280, 900, colours)
		p.axe("start " + colours)
		p.click("#badge")
		p.await(has("#proof-verdict", "The browser blocked all 15 requests."), "the verdict")
		p.axe("proof " + colours)
		p.click(`#proof [value="close"]`)
		p.await(`!document.querySelector("#proof").open`, "the proof to be closed")
		for _, name := range []string{"reconciliation", "mistakes"} {
			p.give(filepath.Join(sample(t, name), ".figs"))
			for _, path := range []string{"/1/asks/acme-send", "/1/findings", "/1/jobs/acme-2026-10", "/1/files", "/1/lines/runs.jsonl", "/1"} {
				p.visit(path)
				p.axe(name + " " + path + " " + colours)
			}
		}
		p.click(`[data-act="another"]`)
		p.await(`!document.querySelector("#start").hidden`, "the start")
	}
}

// runAxe runs the rules of axe on the page as it is. Where it has seen the same elements on a screen of the same size, only
// the colours can have changed, so only the rules about colours run. Its answer begins with how many rules had something to
// look at, and with nothing where the page was seen before.
const runAxe = `(async () => {
	const shown = [innerWidth, innerHeight, document.documentElement.outerHTML, ...[...document.querySelectorAll("*")].map(n => Number(n.checkVisibility({ opacityProperty: true, visibilityProperty: true })))].join();
	const seen = globalThis.seenByAxe ??= new Set(), again = seen.has(shown);
	const options = { resultTypes: ["violations"], iframes: false, preload: { assets: ["media"] } }; // no rule that runs reads style sheets
	if (again) options.runOnly = ["color-contrast", "link-in-text-block"];
	const r = await axe.run(document, options);
	seen.add(shown);
	return [again ? "" : String(r.passes.length)].concat(r.violations
		.map(v => v.impact + "|" + v.id + ": " + v.help + " at " + v.nodes.slice(0, 3).map(n => n.target + " " + (n.any[0] || n.all[0] || n.none[0] || {}).message).join("; ")));
})()`

// axe reports what the rules of axe find on the page as it is.
func (p *tab) axe(where string) {
	p.t.Helper()
	found := eval[[]string](p, runAxe)
	if rules := found[0]; rules != "" && len(rules) < 2 {
		p.t.Errorf("%s: only %s rules had something to look at", where, rules)
	}
	for _, violation := range found[1:] {
		if strings.HasPrefix(violation, "serious|") || strings.HasPrefix(violation, "critical|") {
			p.t.Errorf("%s: %s", where, violation)
		} else {
			p.t.Logf("%s: %s", where, violation)
		}
	}
}

// TestNarrow opens every page on a screen of 360 pixels: none scrolls sideways.
func TestNarrow(t *testing.T) {
	t.Parallel()
	p := newTab(t)
	p.open(saved(t))
	p.screen(360, 740, "light")
	p.fits("start")
	for _, name := range []string{"reconciliation", "mistakes", "payables", "onboarding"} {
		p.give(filepath.Join(sample(t, name), ".figs"))
		for _, path := range places {
			p.visit(path)
			p.fits(name + " " + path)
		}
	}
	p.drop(t.TempDir())
	p.troubled("No files found")
	p.fits("a message")
}

func (p *tab) fits(where string) {
	p.t.Helper()
	if over := eval[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
		widest := eval[string](p, `[...document.querySelectorAll("body *")].filter(n => n.getBoundingClientRect().right > innerWidth + 1).slice(0, 3).map(n => n.tagName + "." + n.className).join(", ")`)
		p.t.Errorf("%s is %d px wider than the screen: %s", where, over, widest)
	}
}

// TestKeyboard goes through the page with the keyboard alone: to a sample, to what needs a human, on to its parts.
func TestKeyboard(t *testing.T) {
	p := newTab(t)
	p.open(saved(t))
	p.tabTo(`[data-act="skip"]`, 2)
	p.tabTo("#badge", 4)
	p.tabTo(`[data-act="folder"]`, 4)
	p.tabTo(`[data-sample="reconciliation"]`, 4)
	p.turn(func() { p.key("\r") }, "/")
	p.await(`document.querySelector("#view").contains(document.activeElement)`, "the focus on the page")
	p.tabTo(`#view a[href="#/1/asks/acme-send"]`, 16)
	p.turn(func() { p.key("\r") }, "/1/asks/acme-send")
	p.tabTo(`#view a[href^="#/1/files/"]`, 40) // past what one decides by
	p.turn(func() { p.do(chromedp.NavigateBack()) }, "/")
	if back := eval[string](p, `document.activeElement.getAttribute("href") || document.activeElement.tagName`); back != "#/1/asks/acme-send" {
		t.Errorf("the focus came back to %s, want the link that was followed", back)
	}
}

// tabTo presses Tab until an element has the focus and shows it, at most so many times.
func (p *tab) tabTo(selector string, most int) {
	p.t.Helper()
	for range most {
		p.key("\t")
		if eval[bool](p, fmt.Sprintf("document.activeElement.matches(%q)", selector)) {
			shown := eval[bool](p, `[null, "::after"].some(part => (s => s.outlineStyle !== "none" && s.outlineWidth !== "0px" || s.boxShadow !== "none")(getComputedStyle(document.activeElement, part)))`)
			if !shown {
				p.t.Errorf("%s has the focus and does not show it", selector)
			}
			return
		}
	}
	p.t.Errorf("%d times Tab does not reach %s; it is at %s", most, selector, eval[string](p, "document.activeElement.outerHTML.slice(0, 200)"))
}

func (p *tab) key(keys string) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(keys))
}
