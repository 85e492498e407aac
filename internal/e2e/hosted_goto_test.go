package e2e

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/figs-web/figs-web/internal/testenv"
)

// TestGoTo opens the dialog over a form with typed text, moves through its options with the keyboard, leaves it, and goes to
// an ask and to a page of settings.
func TestGoTo(t *testing.T) {
	t.Parallel()
	s := newHosted(t)
	w := newWorker(t)
	w.pushes(s)
	w.begin()
	w.push()
	p := newTab(t)
	p.screen(1280, 800, "light")
	p.signIn(s, statement)
	const field, marked = "#goto-field", `document.getElementById(document.querySelector("#goto-field").getAttribute("aria-activedescendant"))`
	isOpen := `document.activeElement.matches("#goto-field") && document.querySelector("#goto-list [role=option]")`
	control := func() {
		// The script that listens comes after the page, and says nothing when it is there.
		for range 50 {
			p.do(chromedp.KeyEvent("k", chromedp.KeyModifiers(2)))
			if eval[bool](p, `Boolean(document.querySelector(".goto-dialog[open]"))`) {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		p.await(isOpen, "the dialog with its options")
	}
	const isReady = `document.documentElement.matches(".is-scripted") && !document.querySelector("dialog[open]") && document.querySelector('[data-act="goto"]')`
	p.await(isReady+` && document.querySelector("#reply-text")`, "the form")
	p.write("#reply-text", "Half a reply")
	eval[chromedp.Void](p, `document.querySelector("#reply-text").setSelectionRange(4, 6), undefined`)
	control()
	axe, err := os.ReadFile(filepath.Join(testenv.NodeModules(t), "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	eval[chromedp.Void](p, string(axe)+";undefined")
	p.axe("the dialog")
	p.key("memb")
	p.await(marked+`?.textContent.trim() === "Members" && `+marked+`.getAttribute("aria-selected") === "true"`, "the page of members")
	p.key("\x1b")
	p.await(`!document.querySelector("dialog[open]") && document.activeElement.matches("#reply-text")`, "the focus in the form")
	if left := eval[string](p, `(({ value, selectionStart, selectionEnd }) => value + " " + selectionStart + " " + selectionEnd)(document.querySelector("#reply-text"))`); left != "Half a reply 4 6" {
		t.Errorf("of the text and what is selected in it there is left %q", left)
	}
	p.do(chromedp.Navigate(s.at("/activity")))
	p.await(isReady, "another page")
	control()
	// Enter comes before the answer to the letters.
	p.key("octo stat\r")
	p.await(`location.pathname.endsWith("`+statement+`") && !document.querySelector("dialog[open]")`, "the ask")
	p.await(isReady, "the page of the ask")
	control()
	first := eval[string](p, marked+".id")
	p.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowUp))
	if second := eval[string](p, marked+".id"); first != "goto-0" || second != "goto-1" {
		t.Errorf("two steps down and one up lead from %s to %s", first, second)
	}
	p.key("your tok\r")
	p.await(`location.pathname === "/settings/tokens"`, "the page of tokens")
	// The page does the same without the dialog.
	p.do(chromedp.Navigate(s.at("/go?q=octo")))
	p.sees("Go to", "Send the October statement to Acme")
	// A search is suggested in a field that had the focus before the script was there.
	p.do(chromedp.Navigate(s.at("/search")))
	p.await(`document.activeElement.matches("[data-seek] input[list]")`, "the focus in the field")
	p.key("octo is:ne")
	p.await(`[...document.activeElement.list.options].some(option => option.value === "octo is:needs")`, "a suggestion after the first word")
	p.quiet()
}
