package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// statement is the address of the worker's ask within a workspace.
const statement = "/agents/" + workerID + "/asks/statement"

// grace is how long a decision can be taken back, and a little more.
const grace = 12 * time.Second

// approve, change and decline are the buttons of the decision bar.
const (
	approve = `#decide [name="verdict"][value="approved"]`
	change  = `#decide [name="verdict"][value="changes-requested"]`
	decline = `#decide [name="verdict"][value="rejected"]`
)

// TestDecide goes the whole way of one sign-off, hosted, on a telephone's screen and on a wide
// one, with scripts and without: asked, read, sent back, raised again, compared, approved,
// handed over, acted on.
func TestDecide(t *testing.T) {
	t.Parallel()
	for name, way := range map[string]decider{
		"telephone": {width: 360},
		"wide":      {width: 1280},
		"plain":     {width: 1280, plain: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newHosted(t)
			w := newWorker(t)
			w.pushes(s)
			way.s, way.w, way.p = s, w, newTab(t)
			way.whole(t)
		})
	}
}

// decider is a person on the way through.
type decider struct {
	width int64
	plain bool // scripts are off
	s     *hostedServer
	w     *worker
	p     *tab
}

func (d *decider) whole(t *testing.T) {
	p, s, w := d.p, d.s, d.w
	p.screen(d.width, 800, "light")
	if d.plain {
		call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	}
	w.begin()
	w.push()

	p.signIn(s, "/inbox")
	p.leads(s, `#view a[href="/w/acme`+statement+`"]`, "/w/acme"+statement)
	d.look("1-asked")
	p.framed(s)
	p.click(approve) // the brief was not opened, and a step that cannot be undone is not ticked
	// Nothing happens, which no event tells.
	time.Sleep(300 * time.Millisecond)
	p.sees("Send the October statement to Acme")
	if n := len(w.replies()); n != 0 || w.sync() != 0 {
		t.Fatal("something was decided that nobody had read")
	}
	d.open("brief.md")
	p.write("#reply-text", "Add the delivery numbers to the table.")
	d.decides(change)
	p.sees("You requested changes.")
	d.look("2-undo")
	if n := w.sync(); n != 0 {
		t.Fatal("a decision that can be taken back was handed out")
	}
	d.waitFor(1)
	if w.newest("changes-requested")["text"] != "Add the delivery numbers to the table." {
		t.Fatalf("the agent got %v", w.replies())
	}
	w.push()

	p.do(chromedp.Navigate(s.at(statement)))
	p.lands(s, "/w/acme"+statement)
	p.sees("Changes were requested.")
	w.again()
	w.push()
	p.do(chromedp.Navigate(s.at("/inbox")))
	p.lands(s, "/w/acme/inbox")
	p.sees("round 2")
	p.leads(s, `#view a[href="/w/acme`+statement+`"]`, "/w/acme"+statement)
	p.sees("Open a ticket for every key", "Add the delivery numbers to the table.", "about an earlier version")
	d.look("3-round-2")
	p.click(`.view-tabs a[href*="view=compare"]`)
	p.lands(s, "/w/acme"+statement)
	p.await(`document.querySelector("#view iframe.sandboxed")`, "the comparison")
	d.look("4-compare")
	p.do(chromedp.Navigate(s.at(statement)))
	p.lands(s, "/w/acme"+statement)
	p.framed(s)
	d.open("brief.md")
	p.tick()
	d.decides(approve)
	d.waitFor(2)
	said := w.newest("approved")
	w.close(said)
	w.push()
	p.do(chromedp.Navigate(s.at(statement)))
	p.lands(s, "/w/acme"+statement)
	p.sees("Approved", "Sent as approved.")
	d.look("5-acted-on")
	p.quiet()
}

// look holds the page to what axe knows and to the width of the screen.
func (d *decider) look(name string) {
	d.p.t.Helper()
	if d.plain {
		return
	}
	d.p.bringAxe()
	where := fmt.Sprintf("decide-%d-%s", d.width, name)
	for _, colours := range []string{"light", "dark"} {
		d.p.screen(d.width, 800, colours)
		d.p.fits(where + "-" + colours)
		d.p.axe(where + "-" + colours)
		d.p.shot(where + "-" + colours)
	}
	d.p.screen(d.width, 800, "light")
}

// open views the attachment that the page shows, and then another.
func (d *decider) open(name string) {
	d.p.t.Helper()
	d.views()
	href := eval[string](d.p, fmt.Sprintf(`[...document.querySelectorAll(".file-tab")].find(a => a.textContent.includes(%q)).getAttribute("href")`, name))
	d.p.click(fmt.Sprintf(`.file-tab[href=%q]`, href))
	d.p.await(fmt.Sprintf(`document.querySelector('.file-tab[aria-current]')?.textContent.includes(%q)`, name), name)
	d.p.framed(d.s)
	d.views()
}

// views views the attachment that the page shows: with scripts in its place, without them on its own page.
func (d *decider) views() {
	d.p.t.Helper()
	if !d.plain {
		d.p.views()
		return
	}
	if eval[bool](d.p, `Boolean(document.querySelector(".view-note.is-done"))`) {
		return
	}
	ask := eval[string](d.p, "location.pathname")
	d.p.click(".view-note a")
	d.p.await(`location.search.includes("for=") && document.readyState === "complete"`, "the page of the file alone")
	d.p.sees("counts as viewing it for the sign-off")
	d.p.click(`#view .notice a`)
	d.p.lands(d.s, ask)
}

// scrolls goes through the attachment that the page shows, as somebody who reads it.
func (p *tab) scrolls() {
	p.t.Helper()
	for y := 0; y < 10_000 && eval[bool](p, fmt.Sprintf(`(y => {
		const frame = document.querySelector("#view .viewer-frame").getBoundingClientRect();
		scrollBy({ top: frame.top + y %% frame.height - 30, behavior: "instant" });
		return Boolean(document.querySelector("[data-view-end]").ariaDisabled);
	})(%d)`, y)); y += 300 {
		time.Sleep(1300 * time.Millisecond) // what was on the screen for a second counts
	}
	p.await(`!document.querySelector("[data-view-end]").ariaDisabled`, "all of the frame to have been on the screen")
}

// views reads the attachment that the page shows to its end, and says so.
func (p *tab) views() {
	p.t.Helper()
	if eval[bool](p, `!document.querySelector(".view-note:not(.is-done) [data-view-end]")`) {
		return
	}
	p.scrolls()
	p.click("[data-view-end]")
	p.await(`document.querySelector(".view-note.is-done") && document.querySelector(".is-opened:is([aria-current], .viewer-name)")`, "the attachment to count as viewed")
}

// tick ticks every step that must be.
func (p *tab) tick() {
	p.t.Helper()
	steps := eval[[]string](p, `[...document.querySelectorAll('[name="step"]:required')].map(n => n.value)`)
	if len(steps) == 0 {
		p.t.Fatal("no step must be ticked, though one cannot be undone")
	}
	for _, n := range steps {
		p.click(fmt.Sprintf(`[name="step"][value=%q]`, n))
	}
}

// decides presses a button of the decision bar and waits until it is taken.
func (d *decider) decides(button string) {
	d.p.t.Helper()
	d.p.click(button)
	d.p.await(has("body", "Undo"), "that the decision can be taken back")
}
