package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/figs-web/figs-web/internal/testenv"
)

// more raises three more asks beside the statement: two sign-offs and a question.
func (w *worker) more() {
	w.t.Helper()
	w.line("asks.jsonl", `{"id":"refund","type":"sign-off","status":"open","title":"Refund Globex","need":"Approve the refund.","onApprove":["Refund $120"]}`)
	w.line("asks.jsonl", `{"id":"purge","type":"sign-off","status":"open","title":"Purge the old rows","need":"Approve the purge."}`)
	w.line("asks.jsonl", `{"id":"which","type":"question","status":"open","title":"Which payment stands?","need":"Say which.","options":["The first","The second"]}`)
}

// ask is the address of another ask of the worker.
func workersAsk(id string) string { return "/w/acme/agents/" + workerID + "/asks/" + id }

// TestDecideByKeys signs in, reads, and replies to four asks in each of the ways there are, with the keyboard alone.
// After each the focus is on the heading of what waits next. No key decides by itself.
func TestDecideByKeys(t *testing.T) {
	t.Parallel()
	s := newHosted(t)
	w := newWorker(t)
	w.pushes(s)
	w.begin()
	w.more()
	w.push()
	d := &decider{width: 1280, s: s, w: w, p: newTab(t)}
	d.entersByKeys(t)
	d.readsByKeys(t)
	d.repliesByKeys(t)
	d.changesKeysByKeys(t)
	d.p.quiet()
	d.waitFor(4)
	want := map[string]string{"statement": "approved", "refund": "changes-requested", "purge": "rejected", "which": "The second"}
	for _, reply := range w.replies() {
		id := reply["ask"].(string)
		if got := eitherWord(reply["verdict"], reply["chosen"]); got != want[id] {
			t.Errorf("to %s the agent got %q, want %q", id, got, want[id])
		}
	}
}

func eitherWord(words ...any) string {
	for _, w := range words {
		if text, ok := w.(string); ok && text != "" {
			return text
		}
	}
	return ""
}

func (d *decider) entersByKeys(t *testing.T) {
	p := d.p
	p.do(chromedp.Navigate(d.s.at("/inbox")))
	p.lands(d.s, "/sign-in")
	if !eval[bool](p, `document.activeElement.matches('[name="email"]')`) {
		p.tabTo(`[name="email"]`, 6)
	}
	p.key(ownerEmail)
	p.tabTo(`[name="password"]`, 3)
	p.key(ownerPassword + "\r")
	p.lands(d.s, "/w/acme/inbox")
	row := func(id string) string { return fmt.Sprintf(`#view a[href=%q]`, workersAsk(id)) }
	for _, step := range [][2]string{{"j", "statement"}, {"j", "refund"}, {"k", "statement"}} {
		p.key(step[0])
		p.focused(row(step[1]))
	}
	for press := 1; press <= 3; press++ { // the ask may just be opening beside the list
		p.key("\r")
		if testenv.Poll(10*time.Second, func() bool { return eval[bool](p, `document.activeElement.matches("#view h1")`) }) {
			break
		}
		t.Logf("press %d of Enter opened nothing: the focus is on %s", press, eval[string](p, `document.activeElement.outerHTML.slice(0, 200)`))
	}
	p.lands(d.s, "/w/acme"+statement)
	p.focused("#view h1")
}

// readsByKeys opens the second attachment; the first is shown as it is.
func (d *decider) readsByKeys(t *testing.T) {
	p := d.p
	p.framed(d.s)
	p.await(`document.querySelector("[data-missing]")`, "what an approval waits for")
	d.readsOneByKeys()
	p.tabTo(`.file-tab:not([aria-current])`, 80)
	p.key("\r")
	p.await(`document.querySelector('.file-tab[aria-current]')?.textContent.includes("brief.md")`, "brief.md")
	p.framed(d.s)
	p.await(`document.activeElement.matches(".file-tab[aria-current]")`, "the focus on the tab that was opened")
	d.readsOneByKeys()
	p.await(`!document.querySelector('.unviewed > li:not([hidden])')`, "that both were viewed")
}

// readsOneByKeys reads what the page shows, and says so by a key.
func (d *decider) readsOneByKeys() {
	d.p.t.Helper()
	d.p.scrolls()
	d.p.tabTo("[data-view-end]", 80)
	d.p.key("\r")
	d.p.focused(".view-done")
}

// repliesByKeys approves one, requests changes of one, declines one and answers one.
func (d *decider) repliesByKeys(t *testing.T) {
	p := d.p
	p.key("a")
	p.focused(`[name="step"]:required`)
	p.key(" ")
	p.await(`document.activeElement.checked`, "the tick")
	p.key("a")
	p.focused(approve)
	p.shot("keys-approve")
	p.key("\r")
	d.nextIs(workersAsk("refund"))
	p.shot("keys-next")

	p.key("c")
	p.focused("#reply-text")
	p.key("Only $100 of it.")
	p.tabTo(change, 6)
	p.key("\r")
	d.nextIs(workersAsk("purge"))

	p.key("r")
	p.focused("#reply-text")
	p.key("They are needed.")
	call(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: "keyDown", Modifiers: 2, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13, Text: "\r"})
	p.focused(decline)
	p.key("\r")
	d.nextIs(workersAsk("which"))

	p.key("a")
	p.focused(`[name="chosen"]`)
	p.key(" ")
	p.key(kb.ArrowDown)
	p.await(`document.activeElement.value === "The second" && document.activeElement.checked`, "the second option")
	p.key("a")
	p.focused(`#decide [value="answer"]`)
	p.key("\r")
	d.nextIs("/w/acme/inbox")
}

// nextIs holds that a decision led to another page, which is read from its heading on.
func (d *decider) nextIs(path string) {
	d.p.t.Helper()
	d.p.lands(d.s, path)
	d.p.focused("#view h1")
}

// focused waits until something has the focus, is in sight and shows that it has it.
func (p *tab) focused(selector string) {
	p.t.Helper()
	p.await(fmt.Sprintf("document.activeElement.matches(%q)", selector), "the focus on "+selector)
	p.await(`(box => box.top >= -1 && box.bottom <= innerHeight + 1)(document.activeElement.getBoundingClientRect())`, "the focus to be in sight, on "+selector)
	p.await(`document.activeElement.matches("h1") || [null, "::after"].some(part => (s => s.outlineStyle !== "none" && s.outlineWidth !== "0px" || s.boxShadow !== "none")(getComputedStyle(document.activeElement, part)))`, selector+" to show that it has the focus")
}

// changesKeysByKeys gives an act another key and turns all of them off and on.
func (d *decider) changesKeysByKeys(t *testing.T) {
	p := d.p
	p.key("?")
	p.await(`document.querySelector("dialog.keys[open]")`, "the list of keys")
	p.focused(`[aria-labelledby="keys-next"]`)
	p.key("n")
	p.await(has("dialog.keys [role=status]", "now means: next item"), "that the key is another now")
	p.key("\x1b")
	p.await(`!document.querySelector("dialog[open]") && document.activeElement.matches("#view h1")`, "the focus where it was before the list of keys")
	p.key("?")
	p.await(`document.querySelector("dialog.keys[open]")`, "the list of keys, again")
	p.tabTo(`dialog.keys input[type="checkbox"]`, 16)
	p.key(" ")
	p.key("\x1b")
	p.key("?")
	if eval[bool](p, `Boolean(document.querySelector("dialog[open]"))`) {
		t.Error("the keys are off, and one of them works")
	}
	p.tabTo(`[data-act="keys"]`, 60)
	p.key("\r")
	p.await(`document.querySelector("dialog.keys[open]")`, "the list of keys, by its button")
	p.tabTo(`dialog.keys input[type="checkbox"]`, 16)
	p.key(" ")
	p.key("\x1b")
}

// waitFor has the agent sync until so many replies have come down.
func (d *decider) waitFor(n int) {
	d.p.t.Helper()
	testenv.Eventually(d.p.t, 2*grace, fmt.Sprintf("%d replies in the agent's folder", n), func() bool {
		d.w.sync()
		return len(d.w.replies()) >= n
	})
	if got := d.w.replies(); len(got) != n {
		d.p.t.Fatalf("the agent got %v, want %d", got, n)
	}
}

// part is something of a page as assistive technology is told of it.
type part struct{ role, name, description string }

// heardParts are the parts within what has that name, in order; "" is the whole page.
func (p *tab) heardParts(within string) (parts []part) {
	p.t.Helper()
	nodes := call(p, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes
	byID := map[accessibility.NodeID]*accessibility.Node{}
	for _, n := range nodes {
		byID[n.NodeID] = n
	}
	for _, n := range nodes {
		is := part{said(n.Role), said(n.Name), said(n.Description)}
		inside := within == ""
		for up := n; up != nil && !inside; up = byID[up.ParentID] {
			inside = said(up.Name) == within && said(up.Role) == "region"
		}
		if inside && !n.Ignored {
			parts = append(parts, is)
		}
	}
	return parts
}

func said(v *accessibility.Value) (text string) {
	if v != nil {
		_ = json.Unmarshal(v.Value, &text) // what is no text is not said
	}
	return text
}

// TestDecideByEar walks the page of a sign-off as a screen reader does: by its landmarks and names, and by what the
// page says of itself.
func TestDecideByEar(t *testing.T) {
	t.Parallel()
	s := newHosted(t)
	w := newWorker(t)
	w.pushes(s)
	w.begin()
	w.more()
	w.push()
	p := newTab(t)
	p.signIn(s, statement)
	p.framed(s)
	p.await(`document.querySelector("[data-missing]")?.textContent`, "what an approval waits for")
	p.landmarks(t)
	p.controls(t)
	p.announces(t, s)
	p.quiet()
}

func (p *tab) landmarks(t *testing.T) {
	all := p.heardParts("")
	for _, want := range []part{{role: "banner"}, {role: "navigation", name: "Workspace"}, {role: "main"}, {role: "region", name: "Your verdict"}, {role: "heading", name: "Send the October statement to Acme"}} {
		if !slices.ContainsFunc(all, func(is part) bool { return is.role == want.role && strings.HasPrefix(is.name, want.name) }) {
			t.Errorf("the page has no %s %q", want.role, want.name)
		}
	}
}

// controls holds every control of the decision bar to a name, and those that decide to the right ones.
func (p *tab) controls(t *testing.T) {
	var names []string
	eval[chromedp.Void](p, `document.querySelector("#reply-text").focus(), undefined`)
	for _, is := range p.heardParts("Your verdict") {
		switch is.role {
		case "button", "textbox", "checkbox", "radio", "link", "combobox", "spinbutton", "DisclosureTriangle":
			if is.name == "" {
				t.Errorf("a %s of the decision bar has no name", is.role)
			}
			names = append(names, is.role+" "+is.name)
		}
	}
	if !slices.ContainsFunc(names, func(name string) bool {
		return strings.HasPrefix(name, "textbox ") && strings.HasSuffix(name, "ote (optional if you approve)")
	}) {
		t.Errorf("the note has no fitting name; the decision bar has %q", names)
	}
	for _, want := range []string{"button Decline", "button Request changes", "button Approve 2 steps",
		"checkbox then go to the next ask", "link brief.md", "DisclosureTriangle Approve without viewing"} {
		if !slices.Contains(names, want) {
			t.Errorf("the decision bar has no %q; it has %q", want, names)
		}
	}
	if !slices.ContainsFunc(p.heardParts(""), func(is part) bool { return is.role == "checkbox" && is.name == "I know that this cannot be undone" }) {
		t.Error("the tick of a step has no name")
	}
}

// announces holds what happens to what the page says of it.
func (p *tab) announces(t *testing.T, s *hostedServer) {
	p.listens()
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.querySelector(%q).focus(), undefined`, approve)))
	p.key("\r")
	p.hears("Read statement.html to its end first.")
	p.focused("[data-view-end]")
	p.write("#reply-text", "Not like this.")
	p.hears("Draft saved.")
	p.click(`#decide [name="next"]`) // the page of this ask comes again
	p.click(change)
	p.await(has("#deciding", "You requested changes."), "the decision")
	p.await(`document.activeElement.id === "deciding-head" && document.activeElement.textContent === "Decided, can still be undone"`, "the focus on what has happened")
	p.key("u")
	p.focused("[data-undo] button")
	p.key("\r")
	p.await(`document.querySelector("#reply-text")?.value === "Not like this."`, "the words as a draft")
	p.await(`(node => node && document.activeElement.contains(node) || document.activeElement.matches(".done, .done *"))(document.querySelector("#deciding .done")) && document.activeElement !== document.body`, "the focus on what is said of it")
	if text := eval[string](p, `document.activeElement.textContent`); !strings.Contains(text, "undone before it took effect") {
		t.Errorf("after it was taken back the focus is on %q", text)
	}
}

// listens notes from now on what live regions say.
func (p *tab) listens() {
	p.t.Helper()
	eval[chromedp.Void](p, `(() => {
		window.heard = [];
		new MutationObserver(all => {
			for (const change of all) {
				const node = change.target.nodeType === 1 ? change.target : change.target.parentElement, region = node && node.closest('[role="status"], [role="alert"], [aria-live]');
				if (region && region.textContent.trim()) heard.push(region.textContent.trim());
			}
		}).observe(document.body, { subtree: true, childList: true, characterData: true });
	})()`)
}

func (p *tab) hears(sentence string) {
	p.t.Helper()
	p.await(fmt.Sprintf("heard.includes(%q)", sentence), "the page to say "+sentence)
}
