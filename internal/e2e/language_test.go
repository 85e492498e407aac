package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// untranslatedLabels lists labels and tooltips of the inspector's frame that are not in pseudo-English.
const untranslatedLabels = `[...document.querySelectorAll("header *, body > section, input, #progress *")].flatMap(node => ["aria-label", "title"].filter(name => node.hasAttribute(name) && !node.getAttribute(name).includes("⟦")).map(name => name + ": " + node.getAttribute(name)))`

// translated holds the whole page to pseudo-English.
func (p *tab) translated() {
	p.t.Helper()
	for _, found := range append(eval[[]string](p, fmt.Sprintf(untranslated, "body")), eval[[]string](p, untranslatedLabels)...) {
		p.t.Errorf("not translated: %s", found)
	}
}

// inLanguage asks for every page in a language from now on.
func (p *tab) inLanguage(code string) {
	p.t.Helper()
	call(p, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: eval[string](p, "navigator.userAgent"), AcceptLanguage: code})
}

// chooses takes another language at the foot of the inspector.
func (p *tab) chooses(code string) {
	p.t.Helper()
	eval[chromedp.Void](p, fmt.Sprintf(`(field => { field.value = %q; field.dispatchEvent(new Event("change")); })(document.querySelector("#language")), undefined`, code))
	p.await(fmt.Sprintf("document.documentElement.lang === %q", code), "the language "+code)
}

// TestFrameLanguage reads the inspector's frame, its dialogs and errors in other languages, and switches between them.
func TestFrameLanguage(t *testing.T) {
	english := newTab(t)
	english.open(saved(t))
	text := eval[string](english, "document.body.innerText")
	p := newTab(t)
	p.inLanguage("en-XA")
	p.open(saved(t))
	p.await(`document.documentElement.lang === "en-XA"`, "pseudo-English")
	paste := func(words string) {
		eval[chromedp.Void](p, fmt.Sprintf(`(data => { data.setData("text/plain", %q); document.body.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true})) })(new DataTransfer()), undefined`, words))
	}
	paste("no ledger")
	p.await(`!document.querySelector("#trouble").hidden`, "what went wrong")
	p.translated()
	p.chooses("de")
	if got := eval[string](p, `document.querySelector("h1").textContent`); !strings.HasPrefix(got, "Sehen, was ein Agent getan hat") {
		t.Errorf("the German headline is %q", got)
	}
	p.do(chromedp.Reload())
	p.await(`performance.getEntriesByName("engine-ready").length && document.documentElement.lang === "de"`, "the choice after a reload")
	paste("no ledger")
	p.await(has("#trouble", "Der eingefügte Text ist weder ein Journal"), "a German note of a worker")
	p.click("#trouble button")
	p.chooses("en")
	if got := eval[string](p, "document.body.innerText"); got != text {
		t.Errorf("back in English the page says\n%s\nwant\n%s", got, text)
	}
	paste("no ledger")
	p.await(has("#trouble", "The pasted text isn’t a ledger"), "an English note of the same worker")
	p.quiet()
	p = newTab(t) // whose console tells of everything that the test of the network tries
	p.inLanguage("en-XA")
	p.open(saved(t))
	p.click("#badge")
	p.await(`document.querySelector("#proof-rows").rows.length === 15`, "the test of the network")
	p.translated()
}
