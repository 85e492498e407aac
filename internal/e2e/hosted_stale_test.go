package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestStale holds an approval to what was seen: what is raised again with other steps needs
// another one, whether the form was sent too late or the approval had counted already.
func TestStale(t *testing.T) {
	t.Parallel()
	s := newHosted(t)
	w := newWorker(t)
	w.pushes(s)
	w.begin()
	w.push()
	d := &decider{width: 1280, s: s, w: w, p: newTab(t)}
	p := d.p
	p.signIn(s, statement)
	p.framed(s)
	d.open("brief.md")
	p.tick()
	p.write("#reply-text", "Approved, but only as it stands here.")
	// The page lies open while the agent raises the ask again.
	eval[chromedp.Void](p, `dispatchEvent(new PageTransitionEvent("pagehide")), undefined`)
	w.again()
	w.push()
	time.Sleep(5 * time.Second) // long enough for news to come, if the page still listened
	eval[chromedp.Void](p, `document.querySelector('#decide [name="revision"]').dataset.kept = "1", undefined`)
	p.click(approve)
	p.sees("statement-v2.html", "Open a ticket for every key")
	if typed := eval[string](p, `document.querySelector("#reply-text").value`); typed != "Approved, but only as it stands here." {
		t.Errorf("of the words there is left %q", typed)
	}
	p.everyScreen("stale")
	time.Sleep(grace) // long enough for the approval to count, if it was taken
	if n := w.sync(); n != 0 {
		t.Fatalf("an approval of what nobody saw was handed out: %v", w.replies())
	}

	// Now it is read and approved; then the agent raises it again with other steps.
	p.do(chromedp.Navigate(s.at(statement)))
	p.lands(s, "/w/acme"+statement)
	p.framed(s)
	d.open("brief.md")
	p.tick()
	d.decides(approve)
	d.waitFor(1)
	w.push()
	w.raise([]string{"statement-v2.html", "brief.md"}, append(secondSteps[:2:2], "Pay the difference"))
	w.push()
	p.do(chromedp.Navigate(s.at("/inbox")))
	p.lands(s, "/w/acme/inbox")
	p.sees("Send the October statement to Acme")
	p.leads(s, `#view a[href="/w/acme`+statement+`"]`, "/w/acme"+statement)
	p.sees("Pay the difference", "about an earlier version", "Waiting for a verdict")
	if text := p.text("#view h1 ~ *, #view .news"); strings.Contains(text, "Approved") {
		t.Errorf("the head of the page says %q of what nobody has approved", text)
	}
	p.shot("approved-then-raised")

	// A form that was refused is shown at the address it was sent to, which takes no GET: its page hears of news all the same.
	const needs = `document.querySelector(".rail-count").textContent.trim()`
	p.await(needs+`.includes("1")`, "one ask in the badge")
	eval[chromedp.Void](p, `document.querySelector("#decide").submit(), undefined`)
	p.await(`location.pathname.endsWith("/decide") && document.querySelector(".deciding-fault")`, "the form, refused")
	w.line("asks.jsonl", `{"id":"which","type":"question","status":"open","title":"Which payment stands?","need":"Say which.","options":["The first","The second"]}`)
	w.push()
	p.await(needs+`.includes("2")`, "two asks in the badge")
}
