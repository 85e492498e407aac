package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

const adaEmail = "ada@example.org"

// TestTakeBack decides, is shown what waits next, and takes the decision back from there; what counts already is not
// taken back. Another person is told whose decision is pending, and one who has the form still open comes second.
func TestTakeBack(t *testing.T) {
	t.Parallel()
	s := newHosted(t)
	s.admit(adaEmail, "Ada Byron", "admin")
	w := newWorker(t)
	w.pushes(s)
	w.more()
	w.push()
	d := &decider{width: 1280, s: s, w: w, p: newTab(t)}
	ada := newTab(t)
	ada.signInAs(s, adaEmail, strings.TrimPrefix(workersAsk("purge"), "/w/acme"))
	ada.write("#reply-text", "Ada would keep them.")
	d.p.signIn(s, strings.TrimPrefix(workersAsk("refund"), "/w/acme"))
	d.takesBack(t)
	d.comesFirst(t, ada)
	d.comesLate(t)
	d.waitFor(2)
	d.p.quiet()
}

// takesBack decides one ask and takes that back in the inbox.
func (d *decider) takesBack(t *testing.T) {
	p := d.p
	p.write("#reply-text", "Half of it.")
	p.click(change)
	p.lands(d.s, workersAsk("purge"))
	p.await(has(".pending", "You requested changes.")+` && document.querySelector(".pending a").textContent.includes("Refund Globex")`, "the decision that can be taken back, on the page of another ask")
	p.await(has(".pending [data-countdown]", "s left"), "the countdown")
	p.goes(d.s, "/inbox") // at once: it can be taken back for ten seconds
	p.await(has("#view", "you decided"), "the decision in its row")
	p.click(`.row [data-undo] button`)
	p.lands(d.s, workersAsk("refund"))
	p.holds("Half of it.", "of what was taken back")
	p.sees("The reply was undone before it took effect.")
	if eval[bool](p, `Boolean(document.querySelector("[data-undo]"))`) {
		t.Error("what was taken back can be taken back")
	}
}

// comesFirst decides what Ada has before her, too.
func (d *decider) comesFirst(t *testing.T, ada *tab) {
	p := d.p
	p.goes(d.s, strings.TrimPrefix(workersAsk("purge"), "/w/acme"))
	p.click(approve)
	p.await(has(".pending", "You approved this."), "the approval")
	ada.await(has("[data-changed-note]", "Changed"), "the page to tell Ada")
	inbox := eval[string](ada, `fetch("/w/acme/inbox?everybody=1").then(r => r.text())`)
	if !strings.Contains(inbox, " decided; takes effect at") || strings.Contains(inbox, "data-undo") {
		t.Errorf("Ada's inbox does not say whose decision is pending, or offers her to take it back:\n%s", inbox)
	}
	eval[chromedp.Void](ada, `document.querySelector("#decide").requestSubmit(document.querySelector("#decide [value=changes-requested]")), undefined`) // as a page without scripts would
	ada.await(has("#deciding [role=alert]", "Ruth Okafor just replied to this ask, so your reply was not recorded."), "the refusal")
	ada.sees("Ruth Okafor decided")
	ada.heard("409")
	if eval[bool](ada, `Boolean(document.querySelector("#decide, [data-undo]"))`) {
		t.Error("Ada can decide, or take back what is not hers")
	}
	if words := eval[string](ada, `document.querySelector(".kept textarea").value`); words != "Ada would keep them." {
		t.Errorf("of Ada's words there is left %q", words)
	}
	p.oneScreen("pending", 360, "dark")
	p.screen(1280, 900, "light")
	ada.everyScreen("second")
}

// comesLate decides again, lets ten seconds pass on a page without scripts, and takes it back then.
func (d *decider) comesLate(t *testing.T) {
	p := newTab(t)
	call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	p.signIn(d.s, strings.TrimPrefix(workersAsk("refund"), "/w/acme"))
	if words := eval[string](p, typedWords); words != "Half of it." {
		t.Errorf("the draft is %q", words)
	}
	p.click(change)
	p.await(has(".pending", "You requested changes."), "the decision")
	counts := time.UnixMicro(eval[int64](p, `Number([...document.querySelectorAll("[data-undo]")].find(n => n.action.includes("refund")).dataset.effective)`))
	time.Sleep(time.Until(counts) + 500*time.Millisecond) // until it counts
	p.click(`[data-undo][action*="refund"] button`)
	p.await(has("#deciding [role=alert]", "It's too late to undo this reply: it took effect at "+counts.Local().Format("15:04:05")), "that it is too late")
	p.shot("too-late")
	if text := p.text("#deciding"); !strings.Contains(text, "To correct it, reply again") {
		t.Errorf("nothing tells how to correct it:\n%s", text)
	}
	p.do(chromedp.Navigate(d.s.at("/decisions")))
	p.await(fmt.Sprintf("%s && %s", has("#view", "Refund Globex"), has("#view", "Purge the old rows")), "both decisions")
	if n := strings.Count(p.text("#view"), "Refund Globex"); n != 1 {
		t.Errorf("the reply that was taken back is among the decisions: %d of one ask", n)
	}
}
