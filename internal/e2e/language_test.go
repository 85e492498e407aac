package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// untranslated lists what the inspector's frame shows in no brackets of pseudo-English: names of systems, files and
// formats, and what a folder holds, may stay.
const untranslated = `(() => {
	const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let node = texts.nextNode(); node; node = texts.nextNode()) {
		const text = node.data.trim(), parent = node.parentElement;
		if (!/\p{L}/u.test(text) || parent.closest("code, kbd, pre, script, style, noscript, template, bdi, [lang], [data-system] > summary, .in-hashes, #opened, #view, #paste-kind")) continue;
		if (!/^[^⟦]*⟧|⟦/.test(text) && !parent.closest("[data-tr]")?.textContent.includes("⟦")) found.push(text);
	}
	for (const node of document.querySelectorAll("header [aria-label], header [title], section[aria-label], input[aria-label]")) {
		for (const name of ["aria-label", "title"]) if (node.hasAttribute(name) && !node.closest("#view") && !node.getAttribute(name).includes("⟦")) found.push(name + ": " + node.getAttribute(name));
	}
	return found;
})()`

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
	for _, found := range eval[[]string](p, untranslated) {
		t.Errorf("not translated: %s", found)
	}
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
	for _, found := range eval[[]string](p, untranslated) {
		t.Errorf("not translated: %s", found)
	}
}
