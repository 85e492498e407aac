package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// longPlan is a plan of 30 sections, one of them changed.
func longPlan(changed string) string {
	var b strings.Builder
	b.WriteString("# Exit reading mode\n\n")
	for i := range 30 {
		fmt.Fprintf(&b, "## Section %d\n\n%s\n\n", i+1, strings.Repeat("What is to be done here, by whom and until when. ", 40))
	}
	return b.String() + "## " + changed + "\n\nApprove this.\n"
}

// TestReading reads a long attachment in reading mode and prints it: the frame is as tall as its document, the outline leads
// to headings that are drawn, what was on the screen counts for the sign-off, and nothing of it needs a right of the frame.
func TestReading(t *testing.T) {
	t.Parallel()
	s := newHosted(t)
	w := newWorker(t)
	w.pushes(s)
	w.attach("plan-v1.md", longPlan("Start"))
	w.attach("plan-v2.md", longPlan("Start on Monday"))
	w.attach("slides.html", `<style>section { min-height: 100vh }</style>`+strings.Repeat("<section><h2>Slide</h2>One of many.</section>", 9)+`<h2 hidden>Never drawn</h2>`)
	w.line("asks.jsonl", `{"id":"plan","type":"sign-off","status":"open","title":"Carry out the plan","need":"Read it.","attachments":["plan-v2.md","plan-v1.md","slides.html"],"onApprove":["Begin"]}`)
	w.push()
	p := newTab(t)
	p.screen(1440, 900, "light")
	p.signIn(s, strings.TrimPrefix(workersAsk("plan"), "/w/acme"))
	p.framed(s)
	p.await(`document.querySelector(".viewer-frame[data-paper]")`, "the height on paper")
	p.prints(t, 8)

	p.click(`.viewer-bar a[href*="read=1"]`)
	p.await(`document.querySelector(".viewer-frame").dataset.full`, "the document to be measured")
	p.framed(s) // its rights
	const overlap = `(() => {
		const frame = document.querySelector(".viewer-frame iframe"), full = Number(frame.parentElement.dataset.full);
		return full > 5000 && Math.abs(frame.clientHeight - full) < 2;
	})()`
	if !eval[bool](p, overlap) {
		t.Error("the frame isn't as tall as its document")
	}
	if eval[bool](p, `document.querySelector(".rail").checkVisibility() || Boolean(document.querySelector("#deciding"))`) {
		t.Error("something else is beside the document")
	}
	if got := eval[string](p, `[...document.querySelectorAll(".reading-outline li")].slice(0, 3).map(n => n.textContent).join("|")`); got != "Exit reading mode|Section 1|Section 2" {
		t.Errorf("the outline begins with %q", got)
	}
	p.window("reading")
	p.bringAxe()
	p.axe("reading mode")
	p.recordParts()
	p.click(`.reading-outline li:nth-child(21) a`)
	p.await(`document.querySelector('[aria-current="location"]')?.textContent === "Section 20"`, "the heading to be marked")
	p.await(`/[1-9]\d* %/.test(document.querySelector("[data-reading-progress]").textContent) && reportedParts.length`, "what was on the screen to be said and reported")
	p.window("reading-heading")
	p.key(kb.Escape)
	p.lands(s, workersAsk("plan")+"?show="+eval[string](p, `new URL(location).searchParams.get("show")`))
	p.sees("Read it.")

	p.click(`.viewer-bar a[href*="read=1"]`)
	p.click(`.reading-head a[href*="view=compare"]`)
	p.await(`document.querySelector("[data-reading-changes]:not([hidden])")`, "the changes to be found")
	p.key("n")
	p.await(`document.querySelector("[data-reading-progress]").textContent.startsWith("Change 1 of 1")`, "the first change")
	p.window("reading-changes")

	p.screen(360, 780, "light")
	p.click(`.file-tab:nth-child(3)`)
	p.await(`document.querySelectorAll(".reading-outline li").length === 10`, "the outline")
	p.framed(s)
	p.fits("reading mode on a phone")
	if eval[bool](p, `"full" in document.querySelector(".viewer-frame").dataset || Boolean(document.querySelector("[data-reading-progress]").textContent)`) {
		t.Error("a document that grows with its frame has a height and a progress")
	}
	p.window("reading-phone")
	call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	p.do(chromedp.Reload())
	p.framed(s)
	p.click(`.reading-outline li:nth-child(5) a`)
	p.await(`location.search.includes("read=1")`, "the page to stay")
	p.quiet()
}

var pdfPage = regexp.MustCompile(`/Type /Page\b`)

// prints holds the page on paper to its words, without anything to press, and with the whole document.
func (p *tab) prints(t *testing.T, least int) {
	t.Helper()
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	if got := eval[string](p, `[...document.querySelectorAll("button, nav, select, textarea, .rail, #deciding")].filter(n => n.checkVisibility()).map(n => n.outerHTML.slice(0, 80)).join("\n")`); got != "" {
		t.Errorf("on paper there is\n%s", got)
	}
	p.sees("Carry out the plan", "Read it.", "Begin", "Not printed, because only one attachment is open at a time:", "slides.html")
	if eval[bool](p, `document.querySelector(".paper-cut").checkVisibility()`) {
		t.Error("a measured document may be cut off, says the page")
	}
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: ""})
	pdf := call(p, page.PrintToPDF, page.PrintToPDFParams{})
	if n := len(pdfPage.FindAll(pdf.Data, -1)); n < least {
		t.Errorf("the document is printed on %d pages, want at least %d", n, least)
	}
}
