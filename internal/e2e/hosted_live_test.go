package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// walkHistory goes back and forward: pages, scroll and focus come back, without a full load.
func walkHistory(t *testing.T, s *hostedServer) {
	p, _ := s.watched(t)
	p.screen(1280, 420, "light") // so low that everything scrolls
	p.signIn(s, "/connect")
	eval[chromedp.Void](p, `window.stays = true, undefined`)
	p.goes(s, reconciliation)
	p.screen(1280, 420, "light")
	if at := eval[string](p, `document.activeElement.localName + scrollY`); at != "h10" {
		t.Errorf("a new page begins at %s, want its heading, at the top", at)
	}
	const link = `#view a[href="/w/acme` + reconciliation + `/jobs/acme-2026-10"]`
	p.click(link) // scrolls it to the middle
	p.lands(s, "/w/acme"+reconciliation+"/jobs/acme-2026-10")
	eval[chromedp.Void](p, `scrollTo(0, 150), document.querySelector('#view a[href$="/asks"]').click(), undefined`)
	p.lands(s, "/w/acme"+reconciliation+"/asks")

	p.do(chromedp.NavigateBack())
	p.lands(s, "/w/acme"+reconciliation+"/jobs/acme-2026-10")
	if y := eval[float64](p, `scrollY`); y != 150 {
		t.Errorf("back at the job it is scrolled to %v, want 150", y)
	}
	p.do(chromedp.NavigateBack())
	p.lands(s, "/w/acme"+reconciliation)
	if at := eval[string](p, `document.activeElement.getAttribute("href") || document.activeElement.localName`); at != "/w/acme"+reconciliation+"/jobs/acme-2026-10" {
		t.Errorf("back at the agent the focus is at %s, want the link that was followed", at)
	}
	if !eval[bool](p, fmt.Sprintf(`(box => box.top >= 0 && box.bottom <= innerHeight)(document.querySelector(%q).getBoundingClientRect())`, link)) {
		t.Error("back at the agent the link that was followed is out of sight")
	}
	p.do(chromedp.NavigateForward())
	p.lands(s, "/w/acme"+reconciliation+"/jobs/acme-2026-10")
	if y := eval[float64](p, `scrollY`); y != 150 {
		t.Errorf("forward at the job it is scrolled to %v, want 150", y)
	}
	if !eval[bool](p, `window.stays === true`) {
		t.Error("a page was loaded whole")
	}
	p.do(chromedp.Reload())
	p.lands(s, "/w/acme"+reconciliation+"/jobs/acme-2026-10")
	p.await(`scrollY === 150`, "the scroll after loading again")
	p.quiet()
}

// pressKeys reads the inbox with one finger, and turns that off.
func pressKeys(t *testing.T, s *hostedServer) {
	p, _ := s.watched(t)
	p.signIn(s, "/inbox")
	rows := eval[[]string](p, `[...document.querySelectorAll("#view [data-live-list] [data-live]")].map(n => n.querySelector("a[href]").getAttribute("href"))`)
	if len(rows) < 2 {
		t.Fatalf("the inbox has the rows %q, want two at least", rows)
	}
	at := func(key, want string) {
		t.Helper()
		p.key(key)
		if got := eval[string](p, `document.activeElement.getAttribute("href") || document.activeElement.localName`); got != want {
			t.Errorf("after %q the focus is at %s, want %s", key, got, want)
		}
	}
	at("j", rows[0])
	at("j", rows[1])
	at("k", rows[0])
	p.key("\r")
	p.lands(s, rows[0])
	p.key("gi")
	p.lands(s, "/w/acme/inbox")
	p.key("/")
	p.lands(s, "/w/acme/search")
	p.write(`#view input[type="search"]`, "jk?g")
	if typed := eval[string](p, `document.querySelector('#view input[type="search"]').value`); typed != "jk?g" {
		t.Errorf("typing into the search gives %q", typed)
	}
	p.goes(s, "/inbox")
	p.key("?")
	p.await(`document.querySelector("dialog.keys[open]")`, "the list of keys")
	p.everyScreen("keys")
	p.click(`dialog.keys input[type="checkbox"]`)
	p.key("\x1b")
	p.await(`!document.querySelector("dialog[open]")`, "the list of keys to close")
	eval[chromedp.Void](p, `document.activeElement.blur(), undefined`)
	at("j", "body")
	p.do(chromedp.Reload())
	p.lands(s, "/w/acme/inbox")
	at("j", "body")
	p.click(`[data-act="keys"]`)
	p.click(`dialog.keys input[type="checkbox"]`)
	p.key("\x1b")
	eval[chromedp.Void](p, `document.activeElement.blur(), undefined`)
	at("j", rows[0])
	p.quiet()
}

// chooseColours goes through the three choices, which outlive a full load.
func chooseColours(t *testing.T, s *hostedServer) {
	p, _ := s.watched(t)
	p.signIn(s, "")
	const ground = `getComputedStyle(document.body).backgroundColor`
	system := eval[string](p, ground)
	for _, choice := range []string{"light", "dark"} {
		p.click(`[data-act="theme"]`)
		p.await(fmt.Sprintf(`document.documentElement.dataset.theme === %q`, choice), choice)
	}
	dark := eval[string](p, ground)
	if dark == system {
		t.Errorf("dark is as light as the system's: %s", dark)
	}
	p.do(chromedp.Reload())
	p.lands(s, "/w/acme")
	if after := eval[string](p, ground+` + document.querySelector('[data-act="theme"]').ariaLabel`); after != dark+"Colours: dark" {
		t.Errorf("after loading again the ground and the switch are %s, want %s and dark", after, dark)
	}
	p.click(`[data-act="theme"]`)
	if after := eval[string](p, ground); after != system {
		t.Errorf("the system's colours again: %s, want %s", after, system)
	}
	p.quiet()
}

// countFetches has a page note the rows that it asks for, "" for all of a page.
const countFetches = `window.asked = [], window.fetch = (was => (url, options) => (asked.push(options?.headers?.["Figs-Rows"] ?? ""), was(url, options)))(window.fetch), undefined`

// newsArrive has an inbox open while agents push: what is shown changes in place, what is new is
// offered, and nothing moves by itself.
func newsArrive(t *testing.T, s *hostedServer) {
	p, _ := s.watched(t)
	p.screen(1000, 900, "light") // the list alone: beside an ask that changes, news are told there
	p.signIn(s, "/inbox")
	p.stream()
	rows := func() []string {
		return eval[[]string](p, `[...document.querySelectorAll("#view [data-live-list] [data-live]")].map(n => n.dataset.live)`)
	}
	before := rows()
	eval[chromedp.Void](p, countFetches)
	eval[chromedp.Void](p, `window.stays = true, window.send = document.querySelector('#view [data-live$="/acme-send"]'), window.link = send.querySelector("a[href]"), link.focus(), undefined`)

	at := time.Now().UTC().Format("2006-01-02T15:04:05Z")
	line := func(text string, args ...any) json.RawMessage { return json.RawMessage(fmt.Sprintf(text, args...)) }
	body, _ := s.folder("reconciliation")
	body.Asks = append(body.Asks,
		line(`{"id":"acme-send","ts":%q,"type":"sign-off","status":"open","title":"Send the corrected statement"}`, at),
		line(`{"id":"globex-late","ts":%q,"type":"question","status":"open","title":"Globex paid twice","need":"Say which payment stands.","to":"manager","options":["The first","The second"]}`, at))
	s.post("/api/ingest", body)

	p.await(has("[data-live-banner]", "1 new"), "the banner")
	p.await(has(`#view [data-live$="/acme-send"]`, "Send the corrected statement"), "the changed row")
	if !eval[bool](p, `send.isConnected && document.activeElement === link && window.stays === true`) {
		t.Error("the changed row was replaced, or lost the focus")
	}
	if after := rows(); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("the list jumped from %q to %q", before, after)
	}
	if got, want := fmt.Sprint(eval[[]string](p, `asked`)), fmt.Sprint([]string{"a:" + strings.TrimPrefix(reconciliation, "/agents/")}); got != want {
		t.Errorf("the page asked for the rows %s, want %s", got, want)
	}
	p.everyScreen("live-banner")

	p.click(`[data-act="news"]`)
	p.sees("Globex paid twice")
	p.await(`document.querySelector("[data-live-banner]").hidden`, "the banner to go")
	if at := eval[string](p, `document.activeElement.closest("[data-live]")?.dataset.live ?? ""`); len(at) < 12 || at[len(at)-12:] != "/globex-late" {
		t.Errorf("the focus is at %q, want the new row", at)
	}

	body.Asks = append(body.Asks, line(`{"id":"globex-late","ts":%q,"status":"withdrawn","resolution":{"via":"withdrawn","by":"agent","ts":%q,"note":"Globex called."}}`, at, at))
	s.post("/api/ingest", body)
	p.await(`document.querySelector('#view [data-live$="/globex-late"][data-gone]')`, "the row that left")
	p.everyScreen("live-gone")
	if !eval[bool](p, `window.stays === true`) {
		t.Error("the page was loaded whole")
	}
	p.quiet()
}

// connectFirst waits on the page that tells how to connect an agent, in a workspace without one.
func connectFirst(t *testing.T, s *hostedServer) {
	const slug = "fresh"
	id := s.admin("", "workspace", "create", "--name", "Fresh", "--slug", slug)["id"]
	s.admin("", "member", "add", "--workspace", slug, "--email", ownerEmail, "--role", "owner")
	p, _ := s.watched(t)
	p.signIn(s, "/inbox")
	p.do(chromedp.Navigate(s.url("/w/" + slug + "/connect")))
	p.lands(s, "/w/"+slug+"/connect")
	p.sees("figs push")
	p.stream()
	p.everyScreen("connect-waiting")
	eval[chromedp.Void](p, `window.stays = true, undefined`)
	body, _ := s.folder("onboarding")
	body.WorkspaceID = id
	body.Agent["id"] = "6c2f0c1e-3d60-4a7e-9f5c-1b2a3c4d5e6f"
	s.post("/api/ingest", body)
	p.await(has("#view", body.Agent["name"].(string)), "the agent")
	if !eval[bool](p, `window.stays === true`) {
		t.Error("the page was loaded whole")
	}
	p.shot("hosted-connect-arrived")
	p.quiet()
}

// emptyFills waits before an empty inbox: what arrives there stands in nobody's way, and is shown at once.
func emptyFills(t *testing.T, s *hostedServer) {
	const slug = "hollow"
	id := s.admin("", "workspace", "create", "--name", "Hollow", "--slug", slug)["id"]
	s.admin("", "member", "add", "--workspace", slug, "--email", ownerEmail, "--role", "owner")
	p, _ := s.watched(t)
	p.signIn(s, "/inbox")
	p.do(chromedp.Navigate(s.url("/w/" + slug + "/inbox")))
	p.lands(s, "/w/"+slug+"/inbox")
	p.stream()
	eval[chromedp.Void](p, `window.stays = true, undefined`)
	body, _ := s.folder("onboarding")
	body.WorkspaceID = id
	body.Agent["id"] = "6c2f0c1e-3d60-4a7e-9f5c-1b2a3c4d5e70"
	s.post("/api/ingest", body)
	p.await(has("#view .rows", "Which laptop model?"), "the ask in the list")
	if !eval[bool](p, `window.stays === true && document.querySelector("[data-live-banner]").hidden`) {
		t.Error("the page was loaded whole, or offers what it shows")
	}
	p.quiet()
}
