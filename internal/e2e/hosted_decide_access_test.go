package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestDeskLooks holds what else one meets at the desk to what axe knows: a question, an approval that lacks something,
// what was put off.
func TestDeskLooks(t *testing.T) {
	t.Parallel()
	s := newHosted(t)
	w := newWorker(t)
	w.pushes(s)
	w.begin()
	w.more()
	w.push()
	p := newTab(t)
	p.signIn(s, strings.TrimPrefix(workersAsk("which"), "/w/acme"))
	p.everyScreen("question")

	p.goes(s, statement)
	p.framed(s)
	p.write("#reply-text", "As it stands.")
	eval[chromedp.Void](p, `document.querySelectorAll("#deciding [required], [name=step]").forEach(n => { n.required = false; }), document.querySelectorAll("#decide .waivers > li").forEach(n => { n.hidden = true; }), undefined`)
	p.click(approve)
	p.await(has("#deciding [role=alert]", "Nothing was recorded"), "the refusal")
	p.heard("422")
	p.holds("As it stands.", "of what was refused")
	p.await(has("#deciding [role=alert]", "Open brief.md first")+" && "+has("#deciding [role=alert]", "Confirm step 1"), "what the approval lacks")
	p.everyScreen("lacks")
	before := p.text(".rail-count")
	w.line("asks.jsonl", `{"id":"later","type":"question","status":"open","title":"Which month?","need":"Say which."}`)
	w.push()
	p.await(fmt.Sprintf(`document.querySelector(".rail-count").textContent !== %q`, before), "the count to follow on the page of a refused form")
	p.holds("As it stands.", "of what was refused, when something else has changed")

	p.goes(s, strings.TrimPrefix(workersAsk("purge"), "/w/acme"))
	p.click(".put-off summary")
	p.click(`.put-off [value="news"]`)
	p.await(`document.querySelector("[name=until][value=off]") || !location.pathname.endsWith("/purge")`, "the ask to be put off")
	p.goes(s, "/inbox")
	p.await(has(".inbox-tabs a", "Snoozed 1"), "the tab of what is put off")
	if text := p.text("#view .rows"); strings.Contains(text, "Purge the old rows") {
		t.Error("what was put off stands in the inbox")
	}
	p.goes(s, "/inbox?tab=snoozed")
	p.sees("Purge the old rows", "snoozed until something changes")
	p.everyScreen("snoozed")
	w.line("asks.jsonl", `{"id":"purge","need":"Approve the purge of 12 rows."}`)
	w.push()
	p.goes(s, "/inbox")
	p.sees("Purge the old rows")
	p.quiet()
}
