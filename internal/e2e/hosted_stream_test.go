package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// raise pushes one more question of a sample's agent, and other lines of its asks.
func (s *hostedServer) raise(sample, id, title string, other ...json.RawMessage) {
	s.t.Helper()
	body, _ := s.folder(sample)
	body.Asks = append(append(body.Asks, other...), json.RawMessage(fmt.Sprintf(`{"id":%q,"ts":%q,"type":"question","status":"open","title":%q,"need":"Say which.","to":"manager","options":["One","Two"]}`,
		id, time.Now().UTC().Format("2006-01-02T15:04:05Z"), title)))
	s.post("/api/ingest", body)
}

// stream waits until the page is told of changes.
func (p *tab) stream() {
	p.t.Helper()
	p.await(`document.querySelector('[data-live-state="live"]')`, "the stream")
}

// takeCare has things unfolded, typed and scrolled while news come in: they stay as they are.
func takeCare(t *testing.T, s *hostedServer) {
	s.raise("payables", "care-0", "The last in the list")
	p, _ := s.watched(t)
	p.signIn(s, "/inbox")
	p.stream()
	p.screen(1280, 320, "light")
	eval[chromedp.Void](p, `(() => {
		const view = document.querySelector("#view");
		view.querySelector("details").open = true;
		window.field = view.querySelector("form select");
		field.selectedIndex = 1;
		window.row = view.querySelector('[data-live$="/care-0"]');
		window.above = view.querySelector('[data-live$="/mailbox"]');
		window.high = above.offsetHeight;
		row.querySelector("a[href]").focus();
		window.top0 = row.getBoundingClientRect().top;
	})()`)
	s.raise("payables", "care-1", "A new one", json.RawMessage(`{"id":"mailbox","title":"`+strings.Repeat("A title over several lines. ", 20)+`"}`))
	p.await(has("[data-live-banner]", "new"), "the banner")
	if !eval[bool](p, `above.isConnected && above.offsetHeight > high && above.getBoundingClientRect().top < row.getBoundingClientRect().top`) {
		t.Error("the row above did not grow, so nothing is shown here")
	}
	if moved := eval[float64](p, `Math.abs(row.getBoundingClientRect().top - top0)`); moved > 1 {
		t.Errorf("the row that is looked at moved by %v px", moved)
	}
	if !eval[bool](p, `document.querySelector("#view details").open && field.isConnected && field.selectedIndex === 1 && row.contains(document.activeElement)`) {
		t.Error("what was unfolded, chosen or focused is not any more")
	}
	p.click(`#view a[href="/w/acme/inbox?tab=closed"]`)
	p.lands(s, "/w/acme/inbox?tab=closed")
	if !eval[bool](p, `document.querySelector("[data-live-banner]").hidden`) {
		t.Error("the banner of the inbox stands on another page")
	}
	p.quiet()
}

// fallBack meets a page of another build, and a session that ended elsewhere.
func fallBack(t *testing.T, s *hostedServer) {
	p, _ := s.watched(t)
	p.signIn(s, "/inbox")
	eval[chromedp.Void](p, `window.stays = true, document.querySelector('script[type="module"]').remove(), undefined`)
	p.leads(s, `.rail a[href="/w/acme/activity"]`, "/w/acme/activity")
	if eval[bool](p, `window.stays === true`) {
		t.Error("a page of another build was mixed with this one")
	}
	p.stream()
	eval[chromedp.Void](p, `fetch("/sign-out", { method: "POST" }).then(() => undefined)`)
	s.raise("payables", "fall-1", "Nobody looks")
	p.await(has("[data-live-state]", "Signed out"), "the page to say that it is signed out")
	p.shot("hosted-signed-out")
	p.leads(s, `.rail a[href="/w/acme/inbox"]`, "/sign-in")
	p.quiet()
}

// startAgain ends the server under an open page and starts it again.
func startAgain(t *testing.T, s *hostedServer) {
	p, _ := s.watched(t)
	p.signIn(s, "/inbox")
	p.stream()
	eval[chromedp.Void](p, `window.stays = true, undefined`)
	s.restart(func() {
		p.await(`document.querySelector('[data-live-state="waiting"]')`, "the page to say that it lost the server")
	})
	s.raise("payables", "again-1", "Raised after the start")
	p.await(has("[data-live-banner]", "new"), "news of the server that started again")
	p.stream()
	if !eval[bool](p, `window.stays === true`) {
		t.Error("the page was loaded whole")
	}
}

// outOfSight holds that a page listens only while it is seen, and catches up when it is again.
func outOfSight(t *testing.T, s *hostedServer) {
	p, _ := s.watched(t)
	call(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: `
		window.streams = [];
		window.EventSource = class extends EventSource { constructor(...all) { super(...all); streams.push(this); } };
		window.seen = yes => {
			Object.defineProperty(document, "hidden", { configurable: true, value: !yes });
			document.dispatchEvent(new Event("visibilitychange"));
		};`})
	p.signIn(s, "/inbox")
	p.stream()
	states := func() string { return fmt.Sprint(eval[[]int](p, `streams.map(s => s.readyState)`)) }
	if got := states(); got != "[1]" {
		t.Errorf("the streams are %s, want one that is open", got)
	}
	eval[chromedp.Void](p, countFetches)
	eval[chromedp.Void](p, `seen(false), undefined`)
	if got := states(); got != "[2]" {
		t.Errorf("out of sight the streams are %s, want one that is closed", got)
	}
	s.raise("payables", "sight-1", "Raised while nobody looked")
	time.Sleep(time.Second) // longer than a page that is seen waits
	if n := eval[int](p, `asked.length`); n > 0 {
		t.Errorf("out of sight the page made %d requests", n)
	}
	eval[chromedp.Void](p, `seen(true), undefined`)
	p.await(has("[data-live-banner]", "new"), "what came while nobody looked")
	if got := states(); got != "[2 1]" {
		t.Errorf("in sight again the streams are %s, want a new one that is open", got)
	}
	p.screen(360, 740, "light")
	p.fits("the banner")
	p.shot("hosted-live-banner-360")
	p.quiet()
}
