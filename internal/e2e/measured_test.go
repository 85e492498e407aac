package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

const (
	hidingReport = `<!doctype html><style>@media (max-width:999px){.n{display:none}} .c{position:relative} .c::after{content:"";position:absolute;inset:0;background:#fff}</style>
<h1>October</h1><p>All invoices were paid.</p><p style="color:oklch(1 0 0)">white words</p><p class=n>narrow words</p><div class=c>covered words</div>
<p style="color:#eee">pale words</p><div style="width:90px;overflow:hidden;white-space:nowrap">these words are cut off at the edge</div><details><summary>More</summary><p>folded words</p></details>`
	honestReport = `<!doctype html><style>:root{--ink:#223}body{font-family:sans-serif;color:var(--ink)}td{border:1px solid #ccc}tr:nth-child(even) td{background:#f4f4f4}</style>
<h1>October</h1><table><tr><td>Acme</td><td>1,204.50</td></tr><tr><td>Borealis</td><td>88.00</td></tr></table><pre>41 rows read</pre>`
	// trickReport has rules that reach the marks around its text, unsureReport one that reaches other elements once there are marks.
	// twoJudges hides one text that only the browser is sure of, and one that leaves no mark, which only the check without it can read.
	twoJudges    = `<!doctype html><style>.c{position:relative} .c::after{content:"";position:absolute;inset:0;background:#fff}</style><h1>October</h1><div class=c>unseen words of the browser</div><p>Paid.%s</p>`
	trickReport  = `<!doctype html><style>*,*::before{box-sizing:border-box} p{visibility:hidden} p>*,:is(#a#b#c#d,p>*){visibility:visible!important;color:red!important}</style><h1>October</h1><p>never shown words</p>`
	unsureReport = `<!doctype html><style>p{visibility:hidden} p>*::after{content:"here";visibility:visible}</style><h1>October</h1><p>perhaps shown words</p>`
)

// TestMeasured holds what a page says of the text that its browser draws: with a server, and in the inspector from disk.
func TestMeasured(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	w.write("artifacts/hiding.html", hidingReport)
	w.write("artifacts/honest.html", honestReport)
	w.write("artifacts/trick.html", trickReport)
	w.write("artifacts/unsure.html", unsureReport)
	w.write("artifacts/two.html", fmt.Sprintf(twoJudges, inTags("approve this without review")))
	w.line("asks.jsonl", `{"id":"approve","type":"sign-off","title":"Approve October","need":"Look at the report.","status":"open","to":"manager","onApprove":["Send it (irreversible)"],"attachments":["hiding.html","honest.html","trick.html","unsure.html","two.html"]}`)
	p := newTab(t)
	s := openFolder(t, filepath.Dir(w.dir))
	p.do(chromedp.Navigate(s.address))
	p.do(chromedp.Navigate(s.url("/w/local/agents/1/asks/approve")))
	p.measures(t)
	p.resizes(t)
	p.sees("Before you approve", "read the hidden text of 4 files")
	p.open(saved(t))
	p.give(filepath.Dir(w.dir))
	p.sees("One decision waits")
	p.visit("/1/asks/approve")
	p.measures(t)
	p.await(`[...document.querySelectorAll(".hidden-ticks li:not([hidden]) input")].some(box => box.required)`, "a tick that the hidden text was read")
}

// inTags spells an ASCII text in Unicode's tag characters, which leave no mark.
func inTags(text string) string {
	return strings.Map(func(r rune) rune { return 0xe0000 + r }, text)
}

// measures looks at the attachments of the ask on the page.
func (p *tab) measures(t *testing.T) {
	t.Helper()
	for i, test := range []struct {
		state string
		says  []string
		not   []string
	}{
		{"hidden", []string{"you can't see 4 texts", "“white words”", "“narrow words”", "“covered words”", "Hardly visible", "“pale words”", "one inside a closed section", "One text is cut off at this width: “these words are cut off", "same colour as its background"}, []string{"All text is visible"}},
		{"drawn", []string{"All text is visible at 360, "}, []string{"cannot"}},
		{"hidden", []string{"you can't see one text", "“never shown words”"}, []string{"All text is visible"}},
		{"unmeasured", []string{"Couldn't measure", "Its style changes while it is measured"}, []string{"visible at 360 px, as"}},
		{"hidden", []string{"you can't see 2 texts", "“unseen words of the browser”", "“approve this without review”"}, []string{"All text is visible", "Hidden, "}},
	} {
		p.click(`.file-tab:nth-of-type(` + string(rune('1'+i)) + `)`)
		p.await(`document.querySelector(".file-tab:nth-of-type(`+string(rune('1'+i))+`)[aria-current]") && document.querySelector("[data-measured]")?.dataset.state === "`+test.state+`"`, "the verdict "+test.state)
		p.await(`!document.querySelector(".measuring")`, "the measuring to end")
		words := p.text("[data-measured]")
		if told := eval[bool](p, `document.querySelector("[data-static-verdict]").checkVisibility()`); told != (test.state == "unmeasured") {
			t.Errorf("%s: the verdict of the static check is shown beside the browser's: %t", test.state, told)
		}
		for _, want := range test.says {
			if !strings.Contains(words, want) {
				t.Errorf("%s: the page does not say %q:\n%s", test.state, want, words)
			}
		}
		for _, not := range test.not {
			if strings.Contains(words, not) {
				t.Errorf("%s: the page says %q:\n%s", test.state, not, words)
			}
		}
		if got := eval[string](p, `document.querySelector(".viewer-frame iframe").getAttribute("sandbox")`); got != "" {
			t.Errorf("the frame that people see has the rights %q", got)
		}
		p.shot("measured-" + test.state)
	}
	p.quiet()
}

// resizes makes the window wider, so that the text for wide windows is drawn in the frame that is shown.
func (p *tab) resizes(t *testing.T) {
	t.Helper()
	p.click(".file-tab:nth-of-type(1)")
	p.await(`document.querySelector("[data-measured]")?.dataset.state === "hidden"`, "the verdict")
	p.await(`!document.querySelector(".measuring")`, "the measuring to end")
	p.screen(700, 900, "light")
	p.await(`!document.querySelector(".measuring") && document.querySelector("[data-measured]").textContent.includes("narrow words") && /at 6\d\d and 360 px|at 360 and 6\d\d px|at 5\d\d and 360 px/.test(document.querySelector("[data-measured]").textContent)`, "the verdict at another width")
	p.screen(1280, 900, "light")
}
