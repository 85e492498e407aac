package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// emulateNetwork is a command of the browser that cuts the page off.
var emulateNetwork = cdp.Command[network.OverrideNetworkStateParams, cdp.Empty]{Method: "Network.emulateNetworkConditions"}

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
	p.await(has("[data-draft-note]", "No connection."), "what became of the reply")
	p.click(`.rail a[href="/w/acme/activity"]`)
	p.await(has("[data-live-banner]", "No connection. This page may be out of date"), "what became of the link")
	p.holds("Before and after.", "without a connection")
	p.shot("offline")
	connected(true)
	p.await(`document.querySelector("[data-draft-note]").textContent === "Draft saved."`, "the draft of what was typed meanwhile")
	if !eval[bool](p, `fetch(location.href).then(r => r.text()).then(text => text.includes("Before and after."))`) {
		t.Error("the server has not what was typed meanwhile")
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
