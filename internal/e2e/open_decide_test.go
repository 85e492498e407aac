package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestOpenDecide goes the whole way on one machine, without an account: the human answers in the
// page of `figs-web open`, the agent finds the reply in its folder.
func TestOpenDecide(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	w.begin()
	s := openFolder(t, filepath.Dir(w.dir))
	p := newTab(t)
	p.screen(360, 800, "light")
	p.do(chromedp.Navigate(s.address))
	at := s.url("/w/local/agents/1/asks/statement")
	p.do(chromedp.Navigate(at))
	p.sees("Send the October statement to Acme")
	p.fits("open, decide")
	p.bringAxe()
	p.axe("open, decide")
	p.shot("open-decide-360")
	p.write(`#decide [name="by"]`, "Sarah O'Hara")
	p.write("#reply-text", "Add the delivery numbers.")
	p.click(change)
	p.sees("being revised")
	said := w.newest("changes-requested")
	if said["by"] != "Sarah O'Hara" || said["source"] != "chat" || said["text"] != "Add the delivery numbers." {
		t.Errorf("the agent finds %v", said)
	}
	if strings.Contains(strings.ReplaceAll(p.text("#view"), "not verified", ""), "verified") {
		t.Error("a reply that lies in a local file is graded as verified")
	}

	w.last = time.Now() // the agent's next line is of a later second
	w.again()
	// What is read and the form that is bound to it change together, when the person says so.
	p.await(has("[data-live-banner]", "This ask has changed since you opened it."), "the page to tell of what the agent wrote")
	p.click("[data-live-banner] button")
	p.sees("round 2", "Open a ticket for every key", "about an earlier version")
	p.shot("open-round-2-360")
	p.click(`.view-tabs a[href*="view=compare"]`)
	p.await(`document.querySelector('.view-tab[aria-current]')?.textContent.includes("Compare") && document.querySelector("#view iframe.sandboxed")`, "what changed between the two statements")
	for _, name := range []string{"statement-v2.html", "brief.md"} {
		href := eval[string](p, fmt.Sprintf(`[...document.querySelectorAll(".file-tab")].find(a => a.textContent.includes(%q)).getAttribute("href")`, name))
		p.click(fmt.Sprintf(`.file-tab[href=%q]`, href))
		p.await(fmt.Sprintf(`document.querySelector('.file-tab[aria-current]')?.textContent.includes(%q)`, name), name)
		p.await(`document.querySelector("#view iframe.sandboxed") && document.querySelector(".view-note")`, "the frame of "+name)
		p.views()
	}
	p.tick()
	p.click(approve)
	p.await(`document.body.textContent.includes("Reported as approved")`, "the approval")
	approved := w.newest("approved")
	if approved["by"] != "Sarah O'Hara" {
		t.Errorf("the name was not kept: %v", approved)
	}
	w.close(approved)
	p.await(has("[data-live-banner]", "This ask has changed since you opened it."), "the page to tell of the close")
	p.click("[data-live-banner] button")
	p.await(`document.body.textContent.includes("Sent as approved.")`, "the close")
	p.shot("open-closed-360")
	p.fits("open, closed")
	p.bringAxe()
	p.axe("open, closed")
	p.quiet()
}
