package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// beside is the URL of one of the worker's asks beside the inbox.
func beside(id string) string { return workersAsk(id) + "?list=" }

// TestTriage works through the inbox with the keyboard, with the list beside its asks: it moves, decides, takes back, snoozes,
// and goes to the full page and back. No key decides by itself, and none decides on another ask than the one that is shown.
func TestTriage(t *testing.T) {
	t.Parallel()
	s := newHosted(t)
	w := newWorker(t)
	w.pushes(s)
	w.more()
	for i := range 9 {
		w.line("asks.jsonl", fmt.Sprintf(`{"id":"small-%d","type":"sign-off","status":"open","title":"Small one %d","need":"Approve it.","onApprove":["File it"]}`, i, i))
	}
	w.push()
	p := newTab(t)
	p.screen(1280, 800, "light")
	p.signIn(s, "/inbox")
	d := &decider{width: 1280, s: s, w: w, p: p}
	p.await(`document.querySelector(".panes-ask").checkVisibility() && document.documentElement.matches(".is-scripted")`, "the place for an ask")
	p.listens()
	d.movesBeside(t)
	d.decidesBeside(t)
	d.followsBeside(t)
	d.leavesList(t)
	p.quiet()
}

// isBeside waits until an ask is shown beside the list, which marks its row.
func (d *decider) isBeside(id string) {
	d.p.t.Helper()
	d.p.lands(d.s, beside(id))
	d.p.await(fmt.Sprintf(`document.querySelector(".panes-list a.cover[aria-current]")?.getAttribute("href") === %q && document.querySelector(".panes-ask #decide")?.getAttribute("action") === %q`, workersAsk(id), workersAsk(id)+"/decide?list="), id+" beside the list")
}

func (d *decider) row(id string) string {
	return fmt.Sprintf(`.panes-list a.cover[href=%q]`, workersAsk(id))
}

func (d *decider) movesBeside(t *testing.T) {
	p := d.p
	p.key("j")
	p.focused(d.row("refund"))
	d.isBeside("refund")
	p.await(`heard.some(words => words.startsWith("Refund Globex"))`, "the page to say which ask is shown")
	for _, name := range []string{"List of asks", "Selected ask"} {
		if len(p.heardParts(name)) == 0 {
			t.Errorf("there is no region %q", name)
		}
	}
	p.key("jjk")
	p.key("a") // at once: it means the ask that is on its way
	p.await(fmt.Sprintf(`document.activeElement.matches(%q)`, approve), "the button")
	d.isBeside("purge")
	p.key("\x1b")
	p.focused(d.row("purge"))
	for _, id := range []string{"which", "small-0", "small-1", "small-2", "small-3", "small-4"} {
		p.key("j")
		p.focused(d.row(id))
	}
	d.isBeside("small-4")
	if top := eval[float64](p, `document.querySelector(".panes-list").scrollTop`); top == 0 {
		t.Error("the list does not scroll to its row")
	}
	p.key("e")
	p.focused(`.put-off [name="until"]`)
	p.key("\x1b")
	p.focused(`.put-off summary`)
	p.key("c")
	p.focused("#reply-text")
	p.key("d")
	p.key("\x1b")
	p.focused(d.row("small-4"))
	for _, colours := range []string{"light", "dark"} {
		p.oneScreen("panes", 1280, colours)
	}
	p.screen(1280, 800, "light")
}

func (d *decider) decidesBeside(t *testing.T) {
	p := d.p
	place := `Math.round(document.querySelector(".panes-list a[href$='small-3']").getBoundingClientRect().top)`
	before := eval[int](p, place)
	p.key("a")
	p.focused(approve)
	p.key("\r")
	d.isBeside("small-5")
	p.focused(".panes-ask h1")
	p.await(`/\d+ s left/.test(document.querySelector(".row-undo [data-countdown]")?.textContent)`, "the countdown in its row")
	if after := eval[int](p, place); after > before+1 || after < before-120 { // until the next row is in sight
		t.Errorf("the list moved from %d to %d", before, after)
	}
	if eval[bool](p, `document.querySelector(".pending").checkVisibility()`) {
		t.Error("what can be taken back in its row is above the page, too")
	}
	p.key("u")
	p.focused(".row-undo button")
	p.key("\r")
	p.await(has("#deciding", "The reply was undone before it took effect."), "what was taken back")
	p.await(`document.activeElement.closest("#deciding") && location.search.endsWith("&list=") && document.querySelector(".panes-list a.cover[aria-current]").href.endsWith("/small-4")`, "the list beside it")
	p.key("e")
	p.focused(`.put-off [name="until"]`)
	p.key("\r")
	d.isBeside("small-5")
	p.focused(".panes-ask h1")
	p.key("r")
	p.focused("#reply-text")
}

// followsBeside changes the list and the ask while someone writes.
func (d *decider) followsBeside(t *testing.T) {
	p := d.p
	p.key("Not this way.")
	d.w.line("asks.jsonl", `{"id":"small-0","status":"withdrawn"}`)
	d.w.line("asks.jsonl", `{"id":"late","type":"sign-off","status":"open","title":"A late one","need":"Approve it."}`)
	d.w.push()
	p.await(has("[data-live-banner]", "1 new"), "news of the ask")
	p.await(`document.querySelector(".panes-list a[href$='small-0']").closest("[data-gone]")`, "the row of what was withdrawn")
	p.await(`document.activeElement.id === "reply-text" && document.activeElement.value.endsWith("Not this way.")`, "the focus, and what was typed")
	d.w.line("asks.jsonl", `{"id":"small-5","need":"Approve the other one."}`)
	d.w.push()
	p.await(`document.querySelector("[data-changed-note]")?.checkVisibility()`, "that the ask has changed")
	p.click(`[data-changed-note] [data-act="news"]`)
	p.sees("Approve the other one.")
	p.await(`document.querySelector("#reply-text").value.endsWith("Not this way.")`, "what was typed before")
	p.await(`document.querySelector(".panes-list a[href$='/late']")`, "the new row")
}

// leavesList goes to the full page and back, and makes the window too narrow for both.
func (d *decider) leavesList(t *testing.T) {
	p := d.p
	p.key("\x1b")
	eval[chromedp.Void](p, `document.activeElement.blur(), undefined`)
	p.key("k")
	p.key("j")
	p.focused(d.row("small-5"))
	p.key("\r")
	p.await(`!document.querySelector(".panes") && location.search === ""`, "the full page")
	p.lands(d.s, workersAsk("small-5"))
	p.focused("#view h1")
	p.key("\x1b")
	d.isBeside("small-5")
	p.focused(d.row("small-5"))
	p.screen(1024, 800, "light")
	if eval[bool](p, `document.querySelector(".panes-list").checkVisibility() || document.querySelector(".panes-full").checkVisibility()`) {
		t.Error("a narrow window shows the list")
	}
	p.fits("panes-narrow")
	p.screen(1280, 800, "light")
	p.click(d.row("which"))
	d.isBeside("which")
	if got := eval[string](p, `document.querySelector(".panes-full a").getAttribute("href")`); !strings.HasSuffix(got, workersAsk("which")) {
		t.Errorf("the full page is at %s", got)
	}
}
