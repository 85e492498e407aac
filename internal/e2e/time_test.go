package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/testenv"
	"github.com/figs-web/figs-web/internal/yearfixture"
)

// livedYear writes the folder of an agent that has worked for a year.
func livedYear(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := yearfixture.Write(dir, time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "reconciliation")
}

// slide puts the slider somewhere, as a hand does that drags it: it passes there, and is let go or not.
func (p *tab) slide(part float64, letGo bool) {
	p.t.Helper()
	eval[chromedp.Void](p, fmt.Sprintf(`(slider => {
		slider.focus({ preventScroll: true });
		slider.value = Math.round(slider.max * %v);
		slider.dispatchEvent(new Event("input", { bubbles: true }));
		if (%v) slider.dispatchEvent(new Event("change", { bubbles: true }));
	})(document.getElementById("life-slider")), undefined`, part, letGo))
}

// typed types one key where nothing takes it for text.
func (p *tab) typed(k string) {
	p.t.Helper()
	eval[chromedp.Void](p, `document.activeElement.blur(), undefined`)
	p.do(chromedp.KeyEvent(k))
}

const address = `location.hash.slice(1)`

// TestTime goes back in a dropped folder: with the slider, with keys, from page to page, and back to now.
func TestTime(t *testing.T) {
	t.Parallel()
	p := newTab(t)
	p.screen(1280, 900, "light")
	p.open(saved(t))
	p.give(livedYear(t))
	jobs := p.text(`a.tab[href="#/1/jobs"] .n`)
	p.visit("/1/time")
	p.sees("State now", "Lines around this point", "This is the current state.")
	p.shot("time-now")
	p.slide(.4, false)
	p.sees("State then")
	if at := eval[string](p, address); at != "/1/time" {
		t.Errorf("the address is %s before the slider is let go", at)
	}
	p.slide(.4, true)
	p.await(`/^\/1\/time\?at=2026-\d\d-\d\dT/.test(`+address+`)`, "the address of the moment")
	p.sees("As of", "Later lines are hidden.", "You are here. The lines below were written later.")
	p.shot("time-then")
	if focus := eval[string](p, `document.activeElement.id`); focus != "life-slider" {
		t.Errorf("the focus is on %q, not on the slider", focus)
	}
	step := eval[string](p, `document.querySelector(".as-of-words b").textContent`)
	p.typed("]")
	p.await(`document.querySelector(".as-of-words b").textContent !== `+quoted(step), "the next line")
	p.typed("[")
	p.await(`document.querySelector(".as-of-words b").textContent === `+quoted(step), "the line before it")
	p.click(`#life-now a[href*="/1/jobs"]`)
	p.await(`/^\/1\/jobs\?at=/.test(`+address+`) && document.querySelector('#view a[href="#/1/jobs"]')`, "the jobs as they were")
	p.sees("As of")
	if then := p.text(`a.tab[href*="/1/jobs"] .n`); then == jobs {
		t.Errorf("there are %s jobs then as now", then)
	}
	p.shot("time-jobs")
	lost := eval[[]string](p, `[...document.querySelectorAll("#view a[href^='#/1']")].map(a => a.getAttribute("href")).filter(h => !/[?&]at=/.test(h))`)
	if len(lost) != 1 || lost[0] != "#/1/jobs" {
		t.Errorf("%q lose the point; only the way back to now may", lost)
	}
	p.answersNothing()
	p.click(`.as-of a[href*="/1/step"]`)
	p.sees("Effect", "Fields set by this line", "JSON source")
	p.shot("time-step")
	for range 3 {
		before := eval[string](p, `document.querySelector(".as-of-words b").textContent`)
		p.typed("]")
		p.await(`document.querySelector(".as-of-words b").textContent !== `+quoted(before), "the next line")
		p.sees("Effect")
	}
	p.click(`a[data-step="now"]`)
	p.await(`!/at=/.test(`+address+`)`, "now")
	p.visit("/1/jobs?at=tomorrow")
	p.sees("has an invalid point in time")
	p.visit("/1/jobs/1?at=0")
	p.sees("Not there at this point in time.", "Before the first line.")
	p.visit("/1/time?by=line")
	p.slide(.5, true)
	p.await(`/by=line&at=\d+$/.test(`+address+`)`, "the address of the line")
	p.shot("time-lines")
	p.narrow("time", "/1/time?at=2026-05-04", "/1/step?at=120", "/1/asks?at=2026-05-04", "/1?at=2026-05-04")
	p.quiet()
}

// answersNothing visits an ask that needs a human at the point, and looks for anything that replies.
func (p *tab) answersNothing() {
	p.t.Helper()
	at := eval[string](p, `location.hash.match(/at=([^&]*)/)[1]`)
	p.visit("/1/asks?at=" + at)
	if link := eval[string](p, `(document.querySelector("#view .rows a.title") || {}).hash || ""`); link != "" {
		p.visit(strings.TrimPrefix(link, "#"))
		if n := eval[int](p, `document.querySelectorAll("#view form.decide, #view #deciding, #view [name=verdict]").length`); n > 0 {
			p.t.Errorf("an ask of the past takes a reply: %d forms", n)
		}
		p.shot("time-ask")
	}
	p.visit("/1/jobs?at=" + at)
}

// narrow holds pages to the width of a telephone, and takes their pictures in both colours.
func (p *tab) narrow(name string, paths ...string) {
	p.t.Helper()
	for _, screen := range []struct {
		wide, high int64
		colours    string
	}{{360, 800, "light"}, {1280, 900, "dark"}} {
		p.screen(screen.wide, screen.high, screen.colours)
		for i, path := range paths {
			p.visit(path)
			p.await(`!document.querySelector("#view").ariaBusy`, path)
			if eval[bool](p, `document.documentElement.scrollWidth > innerWidth`) {
				p.t.Errorf("%s is wider than %d", path, screen.wide)
			}
			p.shot(fmt.Sprintf("%s-%d-%d", name, screen.wide, i))
		}
	}
}

// TestTimeServed does it where a program serves the folder, with scripts and without.
func TestTimeServed(t *testing.T) {
	s := openFolder(t, livedYear(t))
	p := newTab(t)
	p.screen(1280, 900, "light")
	p.do(chromedp.Navigate(s.address))
	const base = "/w/local/agents/1"
	p.do(chromedp.Navigate(s.url(base + "/time")))
	p.sees("State now")
	p.await(`document.documentElement.classList.contains("is-scripted")`, "the script")
	testenv.Eventually(t, patience, "the slider's script", func() bool { // it is fetched, and listens when it is there
		p.slide(.4, false)
		return strings.Contains(p.text("#life-out"), "State then")
	})
	p.slide(.4, true)
	p.await(`/\?at=2026-/.test(location.search)`, "the address of the moment")
	p.sees("As of")
	step := eval[string](p, `document.querySelector(".as-of-words b").textContent`)
	p.typed("[")
	p.await(`document.querySelector(".as-of-words b").textContent !== `+quoted(step), "the line before")
	p.click(`#life-now a[href*="/asks?at="]`)
	p.await(`location.pathname === "`+base+`/asks"`, "the asks as they were")
	p.sees("As of")
	p.shot("time-open-asks")
	p.quiet()
	if os.Getenv("FIGS_SHOTS") == "" {
		return
	}
	p.do(chromedp.Navigate(s.url(base + "/step?at=300")))
	p.shot("time-open-step")
}
