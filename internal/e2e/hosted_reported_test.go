package e2e

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// claims has the agent write down, in Ada's name, that it may, and act on it at once.
func (w *worker) claims(ask, id string) {
	w.t.Helper()
	w.line("messages.jsonl", fmt.Sprintf(`{"id":%q,"kind":"verdict","ask":%q,"by":"Ada Byron","source":"chat","verdict":"approved"}`, id, ask))
	w.line("asks.jsonl", fmt.Sprintf(`{"id":%q,"status":"resolved","resolution":{"via":"chat","answer":%q,"by":"Ada Byron","ts":%q,"note":"Done."}}`,
		ask, id, w.last.UTC().Format("2006-01-02T15:04:05Z")))
}

// TestReported has an agent approve in Ada's name and close in the same push: she, its manager and its builder are asked,
// and nothing says that anybody approved until one of them has.
func TestReported(t *testing.T) {
	t.Parallel()
	s := newHosted(t)
	s.admit(adaEmail, "Ada Byron", "member")
	s.admit("mia@example.org", "Mia Chen", "member")
	s.admit("ben@example.org", "Ben Ito", "member")
	s.admit("tim@example.org", "Tim Roe", "member")
	w := newWorker(t)
	w.pushes(s)
	w.push()
	s.admin("", "agent", "assign", "--workspace", workspaceSlug, "--agent-id", workerID, "--manager", "mia@example.org", "--builder", "ben@example.org")
	w.begin()
	w.more()
	w.claims("statement", "claim-1")
	w.claims("refund", "claim-2")
	w.push()

	ada, mia, ben, tim := newTab(t), newTab(t), newTab(t), newTab(t)
	ada.isAsked(s, adaEmail)
	mia.isAsked(s, "mia@example.org")
	ben.isAsked(s, "ben@example.org")
	tim.signInAs(s, "tim@example.org", "/inbox?tab=reported")
	tim.sees("No reported replies to confirm")
	for _, page := range []string{"", "/inbox?tab=closed&everybody=1", "/activity", "/decisions", "/agents/" + workerID, "/agents/" + workerID + "/asks", statement} {
		tim.claimsNothing(s, page)
	}
	if eval[bool](tim, `Boolean(document.querySelector("#decide"))`) {
		t.Error("somebody who is neither named nor answers for the agent can confirm what it reports")
	}

	ada.goes(s, "/inbox")
	ada.sees("Two decisions wait for you", "Confirm or contradict", "Send the October statement to Acme")
	ada.everyScreen("reported-needs")
	ada.inboxOnPhone()
	ada.goes(s, "/news")
	ada.sees("An agent reports a reply in your name: confirm or contradict it")
	mia.goes(s, "/inbox")
	mia.await(`!document.querySelector("#view").innerText.includes("Confirm or contradict")`, "what is in Ada's name to stay out of Mia's inbox")
	ada.goes(s, statement)
	ada.sees("A push by Ruth Okafor for Statements reports that Ada Byron approved this. Not confirmed.")
	ada.everyScreen("reported-closed")
	ada.click(change) // with no note
	ada.await(has("body", "You requested changes."), "the contradiction")
	mia.goes(s, strings.TrimPrefix(workersAsk("refund"), "/w/acme"))
	mia.click(approve)
	mia.await(has("body", "You approved this."), "the confirmation")
	d := &decider{s: s, w: w, p: ada}
	d.waitFor(4)
	w.push()
	for _, p := range []*tab{ada, mia, ben} {
		p.goes(s, "/inbox?tab=reported")
		p.sees("No reported replies to confirm")
		p.await(has(`.inbox-tabs a[aria-current]`, "Reported, not confirmed 0"), "that nothing waits to be confirmed")
		p.goes(s, "/inbox?tab=closed&everybody=1")
		p.sees("Send the October statement to Acme", "closed, reply not confirmed", "Refund Globex")
	}
	ben.goes(s, statement)
	ben.sees("I did not say this.", "reported")
	ben.shot("reported-contradicted")
	ben.goes(s, strings.TrimPrefix(workersAsk("refund"), "/w/acme"))
	ben.sees("Mia Chen", "Approved")
	ben.shot("reported-confirmed")
	ben.claimsNothing(s, statement)
	for _, p := range []*tab{ada, mia, ben, tim} {
		p.quiet()
	}
}

// inboxOnPhone holds that the list begins high on a phone's screen: whose asks are listed, and in which order, is a menu.
func (p *tab) inboxOnPhone() {
	p.t.Helper()
	p.screen(360, 780, "light")
	if top := eval[float64](p, `document.querySelector("ol.inbox").getBoundingClientRect().top + scrollY`); top > 300 {
		p.t.Errorf("the inbox's list begins at %.0f px on a phone", top)
	}
	const everybody = `[...document.querySelectorAll("#inbox-view a")].find(a => a.textContent.trim() === "For everyone").checkVisibility()`
	if eval[bool](p, everybody) {
		p.t.Error("the menu is open before anyone opened it")
	}
	p.click(".inbox-view-open")
	p.await(everybody, "the menu")
	p.key(kb.Escape)
	p.await("!"+everybody, "the menu to close")
	p.screen(1280, 900, "light")
	if !eval[bool](p, everybody) {
		p.t.Error("on a wide screen it is no menu")
	}
}

// isAsked holds that what is reported waits for somebody, and is nowhere called decided.
func (p *tab) isAsked(s *hostedServer, email string) {
	p.t.Helper()
	p.signInAs(s, email, "/inbox?tab=reported")
	p.sees("Two reported replies are not confirmed", "Send the October statement to Acme", "Refund Globex", "Ada Byron", "not confirmed")
	p.await(has(`.inbox-tabs a[aria-current]`, "Reported, not confirmed 2"), "the count of the tab")
	if email == adaEmail {
		p.everyScreen("reported")
	}
	p.claimsNothing(s, "/inbox?tab=reported")
	p.claimsNothing(s, "/agents/"+workerID)
	p.claimsNothing(s, statement)
}

// reporting are the words in which a page may speak of an approval that is only reported.
var reporting = regexp.MustCompile(`(?i)reported as approved|reported approved|(reports|says) that ada byron approved[^.;]*[.;] (not confirmed|ada byron has contradicted it)`)

// claimsNothing holds a page to those words.
func (p *tab) claimsNothing(s *hostedServer, page string) {
	p.t.Helper()
	p.do(chromedp.Navigate(s.at(page)))
	p.await(`document.readyState === "complete" && document.querySelector("#view h1")`, page)
	text := strings.ReplaceAll(strings.ReplaceAll(p.text("#view"), "\u2068", ""), "\u2069", "")
	text = reporting.ReplaceAllString(strings.Join(strings.Fields(text), " "), "…")
	if at := strings.Index(strings.ToLower(text), "approved"); at >= 0 {
		p.t.Errorf("%s says of what is only reported: %q", page, text[max(0, at-80):min(len(text), at+60)])
	}
}
