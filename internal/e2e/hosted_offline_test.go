package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// emulateNetwork is a command of the browser that cuts the page off.
var emulateNetwork = cdp.Command[network.OverrideNetworkStateParams, cdp.Empty]{Method: "Network.emulateNetworkConditions"}

// blockURLs is a command of the browser that lets requests fail, while it takes itself to be connected.
var blockURLs = cdp.Command[blocked, cdp.Empty]{Method: "Network.setBlockedURLs"}

type blocked struct {
	URLs []string `json:"urls"`
}

// TestOfflineKeepsThePage cuts the connection while someone decides: links and buttons leave the page as it is and say
// why, and what is typed meanwhile is a draft as soon as there is a connection.
func TestOfflineKeepsThePage(t *testing.T) {
	t.Parallel()
	s := newHosted(t)
	w := newWorker(t)
	w.pushes(s)
	w.begin()
	w.push()
	p := newTab(t)
	p.signIn(s, statement)
	p.framed(s)
	p.stream()
	p.write("#reply-text", "Before")
	p.await(has("[data-draft-note]", "Draft saved."), "the draft")
	connected := func(is bool) {
		call(p, emulateNetwork, network.OverrideNetworkStateParams{Offline: !is, DownloadThroughput: -1, UploadThroughput: -1})
		p.await(map[bool]string{true: "navigator.onLine", false: "!navigator.onLine"}[is], "the connection to change")
	}
	connected(false)
	p.key(" and after.")
	p.click(change)
	p.await(has("[data-draft-note]", "No connection. Kept as a draft."), "what became of the reply")
	p.click(`.rail a[href="/w/acme/activity"]`)
	p.await(has("[data-live-banner]", "No connection. Kept as a draft."), "what became of the link")
	p.click(`a[href="/settings"]`)
	p.holds("Before and after.", "without a connection")
	p.shot("offline")
	connected(true)
	const saved = `document.querySelector("[data-draft-note]").textContent === "Draft saved."`
	p.await(saved, "the draft of what was typed meanwhile")
	if !eval[bool](p, `fetch(location.href).then(r => r.text()).then(text => text.includes("Before and after."))`) {
		t.Error("the server has not what was typed meanwhile")
	}

	// The line breaks without the browser knowing, and the phone ends the page: what the window keeps is lost, too.
	block := func(urls ...string) { call(p, blockURLs, blocked{URLs: urls}) }
	block("*")
	p.write("#reply-text", " And later.")
	p.click(change)
	p.await(has("[data-draft-note]", "No connection. Kept as a draft."), "what became of the second reply")
	p.click(`.rail a[href="/w/acme/activity"]`)
	p.await(has("[data-live-banner]", "No connection. Kept as a draft."), "what became of the second link")
	call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: "try { sessionStorage.clear() } catch {}"})
	p.do(chromedp.Navigate("about:blank"))
	block()
	p.do(chromedp.Navigate(s.at(statement)))
	p.await(saved, "the draft of what was typed before the page ended")
	p.holds("Before and after. And later.", "after the page ended")
	if kept := eval[string](p, `localStorage.getItem("figs-unsent") || ""`); kept != "" {
		t.Errorf("the browser still keeps %s, which the server has", kept)
	}
	if n := len(w.replies()); n != 0 {
		t.Errorf("%d replies were given without a connection", n)
	}
	p.draftsEarlyWords()
}

// draftsEarlyWords has words in the form before its script is there, and expects them in the draft.
func (p *tab) draftsEarlyWords() {
	p.t.Helper()
	eval[chromedp.Void](p, `(async () => {
		document.querySelector("#reply-text").value = "Written early.";
		const script = performance.getEntriesByType("resource").find(({ name }) => /decide[^/]*\.js/.test(name)).name;
		(await import(script + "?again")).update();
	})()`)
	p.await(`(fetch(location.href).then(r => r.text()).then(text => window.early = text.includes("Written early.")), window.early)`, "the draft of what was written before the script came")
}
