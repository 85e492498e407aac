package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestViewedIsOnScreen holds that an attachment of 400 paragraphs does not count as viewed by loading its page, nor by
// looking at its beginning or at its end; it does when all of it was on the screen and the person has said so. An
// approval that comes too early names it, and never the way around it.
func TestViewedIsOnScreen(t *testing.T) {
	t.Parallel()
	for _, screen := range [][2]int64{{1280, 900}, {360, 780}} {
		t.Run(fmt.Sprint(screen[0]), func(t *testing.T) {
			t.Parallel()
			s := newHosted(t)
			w := newWorker(t)
			w.pushes(s)
			w.attach("plan.md", "# The plan\n\n"+strings.Repeat("One paragraph of many, about what is to be done and by whom.\n\n", 400))
			w.attach("run.csv", "a,b\n1,2\n")
			w.line("asks.jsonl", `{"id":"plan","type":"sign-off","status":"open","title":"Carry out the plan","attachments":["plan.md","run.csv"],"onApprove":["Begin"]}`)
			w.push()
			p := newTab(t)
			p.screen(screen[0], screen[1], "light")
			p.signIn(s, strings.TrimPrefix(workersAsk("plan"), "/w/acme"))
			p.framed(s)
			viewed := func(n int) {
				t.Helper()
				if got := eval[string](p, `document.querySelector("[data-viewed]").textContent`); got != fmt.Sprint(n) {
					t.Errorf("%s attachments are viewed, want %d", got, n)
				}
			}
			const ready = `!document.querySelector("[data-view-end]").ariaDisabled`
			share := func() string { return p.text("[data-on-screen]") }
			p.await(`document.querySelector("[data-measured]")?.dataset.state && !document.querySelector(".measuring")`, "the text to be measured, which makes the page longer")
			p.window(fmt.Sprintf("viewed-%d-before", screen[0]))
			p.oneRow(screen[0])
			time.Sleep(2 * time.Second) // long enough for what is on the screen to count
			viewed(0)
			p.recordParts()
			p.write("#reply-text", "Go on.")
			p.window(fmt.Sprintf("viewed-%d-note", screen[0]))
			p.click(approve)
			p.await(has("#decide [role=alert]", "Read plan.md to its end first."), "what comes first")
			p.focused("[data-view-end]")
			p.window(fmt.Sprintf("viewed-%d-early", screen[0]))
			time.Sleep(2 * time.Second) // at its end
			if eval[bool](p, ready) {
				t.Errorf("the end alone was on the screen: %q", share())
			}
			eval[chromedp.Void](p, `document.querySelector(".viewer-frame").scrollIntoView({ behavior: "instant" }), undefined`)
			p.await(`reportedParts.at(-1) === "part-" + document.querySelector("[data-on-screen]").textContent.match(/\d+/)`, "the share that the page shows to be reported")
			p.click("[data-view-end]")
			viewed(0)
			p.screen(screen[0], 5000, "light")                            // so that it takes few steps
			for end := time.Now().Add(patience); !eval[bool](p, ready); { // a busy machine may look too late, so it is scrolled through again
				if time.Now().After(end) {
					t.Fatalf("the end was reached, and of it all is only said %q", share())
				}
				for y := 0; y <= eval[int](p, `Math.ceil(document.querySelector(".viewer-frame").offsetHeight)`) && !eval[bool](p, ready); y += 3000 {
					eval[chromedp.Void](p, fmt.Sprintf(`scrollBy({ top: document.querySelector(".viewer-frame").getBoundingClientRect().top + %d, behavior: "instant" }), undefined`, y))
					time.Sleep(1300 * time.Millisecond) // what was on the screen for a second counts
				}
			}
			p.screen(screen[0], screen[1], "light")
			viewed(0)
			p.click("[data-view-end]")
			p.await(`document.querySelector(".view-note.is-done")`, "the file to count as viewed")
			viewed(1)
			p.window(fmt.Sprintf("viewed-%d-after", screen[0]))
			p.do(chromedp.Reload())
			p.lands(s, workersAsk("plan"))
			viewed(1)
			p.click(approve)
			p.await(has("#decide [role=alert]", "Open run.csv first."), "what comes next")
			p.focused(".file-tab:not([aria-current])")
			p.key("\r")
			p.await(has("#view .stage", "CSV, 2 rows × 2 columns"), "its facts")
			p.window(fmt.Sprintf("viewed-%d-csv", screen[0]))
			p.bringAxe()
			p.axe("viewed, csv")
			p.click("#view .stage a[download]")
			p.await(`document.querySelector(".view-note.is-done")`, "the download to count")
			viewed(2)
			if eval[bool](p, `document.querySelector(".waiving").checkVisibility()`) {
				t.Error("the way around it stays when everything is viewed")
			}
			p.click(approve)
			p.await(has("body", "You approved this."), "the approval")
			p.quiet()
		})
	}
}

// recordParts has the page keep what it reports of parts that were on the screen, in reportedParts.
func (p *tab) recordParts() {
	p.t.Helper()
	eval[chromedp.Void](p, `(() => {
		const send = fetch;
		window.reportedParts = [];
		window.fetch = (url, options) => {
			if (String(url).endsWith("/viewed")) reportedParts.push(options.body.get("part"));
			return send(url, options);
		};
	})()`)
}

// oneRow holds the bar where one decides to its height: one row, on a phone at most a fifth of the screen. What opens in
// it moves nothing of the page, or the click that closes it would miss.
func (p *tab) oneRow(width int64) {
	p.t.Helper()
	const height, page = `document.querySelector("#deciding").getBoundingClientRect().height`, `document.documentElement.scrollHeight`
	least, most := 72.0, 88.0
	if width < 860 {
		least, most = 50, 780.0/5
	}
	if got := eval[float64](p, height); got < least || got > most {
		p.t.Errorf("the bar is %.0f px high, want %.0f to %.0f", got, least, most)
	}
	before := eval[float64](p, page)
	p.unfold("#reply-text")
	eval[chromedp.Void](p, `document.querySelector("#reply-text").focus(), undefined`)
	if got := eval[float64](p, page); got != before {
		p.t.Errorf("the page is %.0f px long while one types, and %.0f before", got, before)
	}
	eval[chromedp.Void](p, `document.activeElement.blur(), undefined`)
	if width < 860 {
		p.key(kb.Escape)
	}
}

// window saves pictures of what is on the screen, light and dark, in $FIGS_SHOTS, where that is set.
func (p *tab) window(name string) {
	p.t.Helper()
	dir := os.Getenv("FIGS_SHOTS")
	if dir == "" {
		return
	}
	p.must(os.MkdirAll(dir, 0o755))
	for _, colours := range []string{"dark", "light"} {
		p.colours(colours)
		ctx, cancel := p.limit()
		picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
		cancel()
		p.must(err)
		p.must(os.WriteFile(filepath.Join(dir, name+"-"+colours+".png"), picture, 0o644))
	}
}

// colours sets those that the system asks for.
func (p *tab) colours(scheme string) {
	p.t.Helper()
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
}

func (p *tab) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}
