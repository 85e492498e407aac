package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

const (
	firstPlan  = "# Plan\n\nSend the statement on Monday.\n\nPay the difference by Friday.\n"
	secondPlan = "# Plan\n\nSend the statement on Monday.\n\nPay the difference by Thursday, by bank transfer.\n"
	firstAdded = `document.querySelectorAll("[data-remarks] > li").length === 1 && document.activeElement.id === "remark-text-1"`
)

// plans raises a sign-off with a plan.
func (w *worker) plans(plan string) {
	w.attach("plan.md", plan)
	w.raise([]string{"plan.md"}, []string{"Send it", "Pay the difference"})
}

// says writes a remark at a place, and adds it.
func (p *tab) says(passage, words string) {
	p.t.Helper()
	eval[chromedp.Void](p, `document.querySelectorAll("#remark-new, .remark-where").forEach(d => { d.open = true; }), undefined`)
	p.write(`[name="remark-quote"]`, passage)
	p.write(`[name="remark-comment"]`, words)
	p.click(`#remark-new [name="remark-do"]`)
}

// onRequest selects the request, follows its link, and adds a remark with the keyboard.
func (p *tab) onRequest(words string) {
	p.t.Helper()
	eval[chromedp.Void](p, `getSelection().selectAllChildren([...document.querySelectorAll(".case .card *")].findLast(n => n.textContent.trim() === "Approve sending the statement as attached.")), undefined`)
	p.click(`[data-comment-on="/request"]`)
	p.await(`document.activeElement.name === "remark-comment" && document.querySelector('[name="remark-file"]').value === "/request" && document.querySelector('[name="remark-quote"]').value.includes("Approve sending the statement")`, "the form of a remark on the request")
	p.key(words)
	call(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: "keyDown", Modifiers: 2, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13, Text: "\r"})
}

// TestRemarks makes remarks on a folder that was dropped, composes the reply, and looks what became of them in the next round.
func TestRemarks(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	w.plans(firstPlan)
	p := newTab(t)
	p.open(saved(t))
	p.give(filepath.Dir(w.dir))
	p.visit("/1/asks/statement")
	p.onRequest("Which statement?")
	p.await(firstAdded, "the remark on the request, with the focus in it")
	p.click(`.view-tabs a[href*="view=source"]`)
	p.await(`document.querySelector('.view-tab[aria-current]')?.textContent.includes("Source") && !document.querySelector("#attachment[aria-busy]")`, "the source")
	eval[chromedp.Void](p, `document.querySelector('[name="remark-file"]').selectedIndex = 0, undefined`)
	p.says("not in the plan", "Better on Wednesday.")
	p.await(has("#remarks .fault", "This passage is not in the file.")+` && document.querySelector('[name="remark-comment"]').value === "Better on Wednesday."`, "why the remark was not added")
	p.visit("/1/jobs/send-2026-10")
	p.visit("/1/asks/statement")
	p.await(`document.querySelector("#remark-text-1").value === "Which statement?" && document.querySelector('[name="remark-comment"]').checkVisibility() && document.querySelector('[name="remark-comment"]').value === "Better on Wednesday."`, "what was written, on the way back")
	eval[chromedp.Void](p, `document.querySelector('[name="remark-quote"]').value = "", undefined`)
	p.says("Pay the difference by Friday.", "")
	p.await(`document.activeElement.id === "remark-text-2"`, "the second remark")
	p.bringAxe()
	p.axe("remarks")
	p.shot("remarks-inspector")
	p.click(`#remark-1 [name="remark-do"]`)
	p.await(`document.querySelectorAll("[data-remarks] > li").length === 1 && document.activeElement.id === "remark-1" && document.querySelector("[data-remarks-to-send]").textContent.includes("One comment")`, "the first remark to go")
	p.write(`#decide [name="by"]`, "Ada O'Hara")
	p.click("#remark-new > summary")
	p.write(`[name="remark-comment"]`, "Begun")
	p.click(change)
	p.await(has("#composed [role=alert]", "A comment isn't part of your reply yet."), "a remark that was begun to hold up the reply")
	eval[chromedp.Void](p, `(f => { f.value = ""; f.dispatchEvent(new Event("input", { bubbles: true })); })(document.querySelector('[name="remark-comment"]')), undefined`)
	p.click(change)
	line := p.composed()
	for _, want := range []string{`### Comment 1: `, "plan.md", `Pay the difference by Friday.`, `Better on Wednesday.`, `"verdict":"changes-requested"`} {
		if !strings.Contains(line, want) {
			t.Errorf("the line lacks %s: %s", want, line)
		}
	}
	w.must(os.WriteFile(filepath.Join(w.dir, "messages.jsonl"), []byte(line+"\n"), 0o644))
	w.last = time.Now() // the agent's next line is of a later second
	w.plans(secondPlan)
	p.open(saved(t))
	p.give(filepath.Dir(w.dir))
	p.visit("/1/asks/statement")
	p.await(has(`[data-earlier-remarks] [data-outcome="changed"]`, "changed")+" && "+has("[data-earlier-remarks]", "by Thursday, by bank transfer"), "what became of the passage")
	p.shot("remarks-inspector-round-2")
	p.click(`[data-earlier-remarks] [name="remark-do"]`)
	p.await(firstAdded+` && document.querySelector("#remark-text-1").value.includes("Better on Wednesday.")`, "the remark again")
	p.quiet()
}

// TestRemarksHosted adds remarks on a page of the server without a new page. Once more loaded, it has them.
func TestRemarksHosted(t *testing.T) {
	t.Parallel()
	s := newHosted(t)
	w := newWorker(t)
	w.pushes(s)
	w.plans(firstPlan)
	w.push()
	p := newTab(t)
	p.signIn(s, statement)
	p.await(`document.querySelector("#decide-waits [data-missing]")`, "the script of the form")
	eval[chromedp.Void](p, `window.kept = true, undefined`)
	p.onRequest("Which statement?")
	p.await(firstAdded, "the remark on the request, with the focus in it")
	eval[chromedp.Void](p, `document.querySelector('[name="remark-file"]').selectedIndex = 0, undefined`)
	p.says("not in the plan", "Better on Wednesday.")
	p.await(has("#remarks .fault", "This passage is not in the file."), "why the remark was not added")
	p.heard("422")
	eval[chromedp.Void](p, `document.querySelector('[name="remark-quote"]').value = "", undefined`)
	p.click(`[data-act="passages"]`)
	p.await(`document.querySelector(".passage-overlay:not([hidden])") && !document.querySelector(".passage-mark")`, "the mode in which passages are selected")
	p.says("Pay the difference by Friday.", "")
	p.await(`document.activeElement.id === "remark-text-2" && window.kept && location.pathname.endsWith("/asks/statement")`, "the second remark, on the same page")
	p.await(`document.querySelector(".passage-mark") && !sessionStorage.getItem("selecting")`, "its mark beside the passage, in the mode that is still on")
	p.bringAxe()
	p.axe("remarks, hosted")
	p.shot("remarks-hosted")
	p.click(`#remark-1 [name="remark-do"]`)
	p.await(`document.activeElement.id === "remark-1"`, "the first remark to go")
	p.do(chromedp.Navigate(s.at(statement)))
	p.lands(s, "/w/acme"+statement)
	p.await(`!window.kept && document.querySelector("#remark-text-1").value === "Better on Wednesday."`, "the remark after a reload")
	p.quiet()
}
