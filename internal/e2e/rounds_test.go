package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/figs"
)

// TestRoundsLocally approves in the page of `figs-web open`; then the agent raises the ask again with other steps. There
// and in the inspector it needs another verdict, and the one that is composed offline is a valid line of the ledger.
func TestRoundsLocally(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	w.begin()
	d := &decider{width: 1280, w: w, p: newTab(t)}
	d.approvesLocally(t, openFolder(t, filepath.Dir(w.dir)))
	d.composesAgain(t)
}

// newRound holds that the page asks for a verdict on what was raised after the approval.
func (p *tab) newRound(t *testing.T) {
	t.Helper()
	p.sees("round 2", "Pay the difference", "about an earlier version", "Waiting for a verdict")
	if text := p.text("#view h1 ~ *, #view .news, #view .standing"); strings.Contains(strings.ToLower(text), "approved") {
		t.Errorf("the head of the page says %q of what nobody has approved", text)
	}
	if n := eval[int](p, `[...document.querySelectorAll("[name=step]")].filter(box => box.checked).length`); n != 0 {
		t.Errorf("%d steps are ticked in a new round", n)
	}
}

func (d *decider) approvesLocally(t *testing.T, s *folderServer) {
	p := d.p
	p.do(chromedp.Navigate(s.address))
	p.do(chromedp.Navigate(s.url("/w/local/agents/1/asks/statement")))
	p.sees("Send the October statement to Acme")
	p.write(`#decide [name="by"]`, "Ada Byron")
	for _, name := range []string{"statement.html", "brief.md"} {
		p.click(fmt.Sprintf(`.file-tab[href=%q]`, eval[string](p, fmt.Sprintf(`[...document.querySelectorAll(".file-tab")].find(a => a.textContent.includes(%q)).getAttribute("href")`, name))))
		p.await(fmt.Sprintf(`document.querySelector('.file-tab[aria-current]')?.textContent.includes(%q) && document.querySelector("#view iframe.sandboxed")`, name), name)
		p.views()
	}
	p.tick()
	p.await(`!document.querySelector('button[value="approved"]').ariaDisabled`, "an approval that lacks nothing")
	p.click(approve)
	p.await(`document.body.textContent.includes("Reported as approved")`, "the approval")
	d.w.newest("approved")
	d.w.raise([]string{"statement.html", "brief.md"}, append(firstSteps[:1:1], "Pay the difference"))
	p.await(has("[data-live-banner]", "This ask"), "the page to tell of what the agent wrote")
	p.click("[data-live-banner] button")
	p.newRound(t)
	if text := p.text("#deciding"); strings.Contains(text, "A correction is another reply") {
		t.Errorf("where a new verdict is wanted the bar says:\n%s", text)
	}
	p.everyScreen("open-round-2")
	p.quiet()
}

func (d *decider) composesAgain(t *testing.T) {
	p := d.p
	p.open(saved(t))
	p.give(filepath.Dir(d.w.dir))
	p.sees("One decision waits")
	p.visit("/1/asks/statement")
	p.newRound(t)
	p.write(`[name="by"]`, "Ada Byron")
	const filled = `document.querySelector("#attachment iframe[srcdoc]") && !document.querySelector("#attachment[aria-busy]")`
	p.await(filled, "the first attachment")
	p.views()
	p.click(".file-tab:nth-of-type(2)")
	p.await(`document.querySelector(".file-tab:nth-of-type(2)[aria-current]") && `+filled, "the second attachment")
	p.views()
	p.await(`[...document.querySelectorAll(".file-tab")].every(tab => tab.matches(".is-opened"))`, "both to count as viewed")
	p.tick()
	p.click(`[data-decide-key="a"]`)
	line := p.composed()
	p.shot("rounds-composed")
	f, err := os.OpenFile(filepath.Join(d.w.dir, "messages.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString("\n" + line + "\n")
	}
	if err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(program(t), "doctor", d.w.dir).CombinedOutput(); err != nil {
		t.Errorf("with the line doctor finds: %v\n%s", err, out)
	}
	if state := d.w.state(); state.Phase != figs.Replied || !state.Reported || state.Round != 2 {
		t.Errorf("with the line the ask stands at %s, reported %v, round %d", state.Phase, state.Reported, state.Round)
	}
	p.give(filepath.Dir(d.w.dir))
	p.visit("/1/asks/statement")
	p.sees("Reported as approved")
	if text := p.text("#view .standing"); !strings.Contains(text, "report") || !strings.Contains(text, "approval") {
		t.Errorf("with the line the page says %q", text)
	}
	p.quiet()
}

// state is where the one ask of the folder stands.
func (w *worker) state() figs.AskState {
	w.t.Helper()
	f := figs.New(figs.Options{Keep: true, Now: "2027-01-01T00:00:00Z"})
	for name, ledger := range map[string]figs.File{"asks.jsonl": figs.Asks, "messages.jsonl": figs.Messages} {
		text, err := os.ReadFile(filepath.Join(w.dir, name))
		w.must(err)
		f.Feed(ledger, text)
	}
	f.Finish()
	return f.State(0)
}
