package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

const typedWords = `document.querySelector("#reply-text").value`

// TestWords types to an ask and lets everything happen around it: nothing typed is lost, nothing is decided by a key, and
// a form is never bound to what the page did not show.
func TestWords(t *testing.T) {
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
	p.stream()
	d.keepsWords(t)
	d.keepsBond(t)
	d.leads(t)
	d.quotes(t)
	d.counts(t)
	p.quiet()
}

func (p *tab) holds(words, when string) {
	p.t.Helper()
	p.await(fmt.Sprintf("document.querySelector('#reply-text') && %s === %q", typedWords, words), "the words "+when)
}

// keepsWords goes to another file, to another page and back, and loads the page again.
func (d *decider) keepsWords(t *testing.T) {
	p := d.p
	p.write("#reply-text", "First words.")
	p.tick()
	p.await(has("[data-missing]", "Before you approve: open 2 files"), "what an approval lacks")
	d.open("brief.md")
	p.holds("First words.", "on the tab of another file")
	if !eval[bool](p, `document.querySelector("[name=step]:required").checked && !document.querySelector("#decide [role=alert]")`) {
		t.Error("on another tab a tick is gone, or the ask is said to have changed")
	}
	p.await(`!document.querySelector("[data-missing]").textContent && !document.querySelector('button[value="approved"]').ariaDisabled`, "an approval that lacks nothing")
	p.leads(d.s, `.rail a[href="/w/acme/inbox"]`, "/w/acme/inbox")
	p.do(chromedp.NavigateBack())
	p.lands(d.s, "/w/acme"+statement)
	p.holds("First words.", "on the way back")
	eval[chromedp.Void](p, `(note => { note.focus(); note.setSelectionRange(note.value.length, note.value.length); })(document.querySelector("#reply-text"))`)
	p.key(" More.")
	p.await(has("[data-draft-note]", "Draft saved"), "the draft to be kept")
	p.do(chromedp.Reload())
	p.lands(d.s, "/w/acme"+statement)
	p.holds("First words. More.", "after loading again")
	p.stream()
}

// keepsBond has the agent raise the ask again: case and form stay what they were until the person wants the new ones.
func (d *decider) keepsBond(t *testing.T) {
	p := d.p
	const revision = `document.querySelector('#decide [name="revision"]').value`
	if !eval[bool](p, `document.querySelector("[name=step]:required").checked`) {
		p.tick()
	}
	before, shown := eval[string](p, revision), p.text(".steps")
	d.w.again()
	d.w.push()
	p.await(has("[data-changed-note]", "Changed"), "the news in the place of the buttons")
	if eval[bool](p, `document.querySelector("#decide [value=approved]").checkVisibility()`) {
		t.Error("the buttons of the version before can still be pressed")
	}
	if now := eval[string](p, revision); now != before || p.text(".steps") != shown {
		t.Errorf("the form is bound to %s instead of %s, the page shows %q", now, before, p.text(".steps"))
	}
	p.holds("First words. More.", "while news wait")
	p.click(`[data-act="news"]`)
	p.sees("Open a ticket for every key")
	p.holds("First words. More.", "beside what is new")
	if now := eval[string](p, revision); now == before {
		t.Error("the form is bound to what stood there before")
	}
	p.await(has("#deciding [role=alert]", "This ask has changed since"), "what is said of the change")
	if eval[bool](p, `[...document.querySelectorAll("[name=step]")].some(box => box.checked)`) {
		t.Error("a step is ticked that was ticked for another version")
	}
	p.bringAxe()
	p.axe("words-changed")
	p.shot("words-changed")
}

// leads presses the keys that want to decide: they lead somewhere and decide nothing.
func (d *decider) leads(t *testing.T) {
	p := d.p
	focus := func(key, want string) {
		t.Helper()
		eval[chromedp.Void](p, `document.activeElement.blur(), undefined`)
		p.key(key)
		p.await(fmt.Sprintf("document.activeElement.matches(%q)", want), "the focus on "+want+" after "+key)
	}
	focus("a", ".file-tab, [data-view-end], [name=step]")
	focus("c", change)
	focus("r", decline)
	eval[chromedp.Void](p, `document.querySelector("#reply-text").focus(), undefined`)
	call(p, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: "keyDown", Modifiers: 2, Key: "Enter", Code: "Enter", WindowsVirtualKeyCode: 13, Text: "\r"})
	p.await(fmt.Sprintf("document.activeElement.matches(%q)", decline), "the button that was meant, after Ctrl and Enter")
	if strings.Contains(p.text("body"), "Undo") || p.text("#decide") == "" {
		t.Fatal("a key has decided")
	}
	p.goes(d.s, "/inbox")
	p.key("j")
	p.key("c")
	p.lands(d.s, "/w/acme"+statement)
	p.await(fmt.Sprintf("document.activeElement.matches(%q)", change), "the focus on the way to request changes")
	p.holds("First words. More.", "on the way from the inbox")
}

// quotes pastes a passage of an attachment, and makes a comment of it.
func (d *decider) quotes(t *testing.T) {
	p := d.p
	d.open("brief.md")
	passage := strings.Split(brief, "\n")[2]
	eval[chromedp.Void](p, fmt.Sprintf(`(() => {
		const clipboardData = new DataTransfer(), note = document.querySelector("#reply-text");
		clipboardData.setData("text/plain", %q);
		note.value += %q;
		note.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
	})()`, passage, passage))
	p.click("[data-remark-offer]")
	p.await(`document.activeElement.name === "remark-comment"`, "the focus in the field of the comment")
	p.write(`[name="remark-comment"]`, "Which invoice?")
	p.click(`[name="remark-do"][value="add"]`)
	p.await(`document.querySelector("#remark-1 textarea")`, "the comment")
	place := eval[string](p, `document.querySelector("[name=remark]").value`)
	if text := eval[string](p, typedWords); !strings.HasPrefix(text, "First words. More.") || strings.Contains(text, passage) || !strings.Contains(place, "`brief.md`, line 3 (sha256 ") {
		t.Errorf("with the comment the note is %q, and the comment is on %q", text, place)
	}
}

// counts decides twice at once, takes it back, and decides once more: it counts without anybody loading a page.
func (d *decider) counts(t *testing.T) {
	p := d.p
	p.await(`document.querySelector("#decide")`, "the form")
	text := eval[string](p, typedWords)
	eval[chromedp.Void](p, fmt.Sprintf(`(() => { const form = document.querySelector("#decide"), by = document.querySelector(%q); form.requestSubmit(by); form.requestSubmit(by); })()`, change))
	p.await(has("[data-countdown]", "s left"), "the countdown")
	if at := eval[string](p, `document.activeElement.id`); at != "deciding-head" {
		t.Errorf("after a decision the focus is at %s", at)
	}
	p.shot("words-undo")
	p.key("u")
	p.await(`document.activeElement.matches("[data-undo] button")`, "the focus on what takes it back")
	p.key("\r")
	p.await(`document.querySelector("#decide")`, "the form again")
	p.holds(text, "of what was taken back")
	if n := d.w.sync(); n != 0 {
		t.Fatalf("what was taken back was handed out: %v", d.w.replies())
	}
	p.click(change)
	p.await(has("[data-countdown]", "s left"), "the countdown")
	p.await(has("#view", "Changes were requested"), "the page to go on by itself")
	if n := d.w.sync(); n != 1 {
		t.Errorf("the agent got %v", d.w.replies())
	}
	time.Sleep(2 * time.Second) // long enough for the page to save the draft once more, if it did
	p.do(chromedp.Navigate(d.s.at(statement)))
	p.lands(d.s, "/w/acme"+statement)
	if text := eval[string](p, `(document.querySelector("#reply-text") || {}).value || ""`); text != "" {
		t.Errorf("a draft outlived its reply: %q", text)
	}
}

// chooseKeys gives keys another letter, which is held against the others, and takes it back.
func chooseKeys(t *testing.T, s *hostedServer) {
	p, _ := s.watched(t)
	p.signIn(s, "/inbox")
	first := `document.activeElement.matches("#view [data-live-list] [data-live]:first-of-type a")`
	blur := func() { eval[chromedp.Void](p, `document.activeElement.blur(), undefined`) }
	p.key("?")
	p.await(`document.querySelector("dialog.keys[open]")`, "the list of keys")
	p.bringAxe()
	p.axe("keys")
	p.write(`[aria-labelledby="keys-next"]`, "k")
	p.await(has("dialog.keys [role=status]", "is already used: previous item"), "that the key is taken")
	p.write(`[aria-labelledby="keys-next"]`, "n")
	p.await(has("dialog.keys [role=status]", "now means: next item"), "that the key is another now")
	p.key("\x1b")
	blur()
	p.key("j")
	if eval[bool](p, first) {
		t.Error("the key that was given up still moves")
	}
	p.do(chromedp.Reload())
	p.lands(s, "/w/acme/inbox")
	blur()
	p.key("n")
	p.await(first, "the new key to move, also after loading again")
	p.key("?")
	p.await(`document.querySelector("dialog.keys[open]")`, "the list of keys")
	eval[chromedp.Void](p, `[...document.querySelectorAll("dialog.keys button")].find(b => b.textContent === "Reset to defaults").click(), undefined`)
	p.key("\x1b")
	blur()
	p.key("j")
	p.await(`document.activeElement.matches("#view [data-live-list] [data-live] a")`, "the usual key to move again")
	p.quiet()
}
