package e2e

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/testenv"
)

// reconciliation is the agent of the sample of that name, in addresses.
const reconciliation = "/agents/cb2d2df4-d0c2-4548-b011-a08f5b757c09"

// errands is every host but the server's that a tab asked for.
type errands struct {
	mu    sync.Mutex
	asked []string
}

// watched opens a tab that notes what it asks other hosts for.
func (s *hostedServer) watched(t *testing.T) (*tab, *errands) {
	t.Helper()
	p, e := newTab(t), &errands{}
	call(p, network.Enable, network.EnableParams{})
	err := chromedp.Listen(p.ctx, func(event any) {
		sent, ok := event.(*network.EventRequestWillBeSent)
		if !ok || strings.HasPrefix(sent.Request.URL, s.address+"/") || strings.HasPrefix(sent.Request.URL, "data:") {
			return
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		e.asked = append(e.asked, sent.Request.URL)
	})
	if err != nil {
		t.Fatal(err)
	}
	return p, e
}

func (e *errands) none(t *testing.T) {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, url := range e.asked {
		t.Errorf("the browser asked for %s", url)
	}
}

// write types into a field, as a person would.
func (p *tab) write(selector, text string) {
	p.t.Helper()
	p.await(fmt.Sprintf(`document.querySelector(%q)`, selector), selector)
	p.unfold(selector)
	eval[chromedp.Void](p, fmt.Sprintf(`document.querySelector(%q).focus(), undefined`, selector))
	p.key(text)
}

// signIn asks for a page of the workspace and signs in on the way.
func (p *tab) signIn(s *hostedServer, page string) {
	p.t.Helper()
	p.signInAs(s, ownerEmail, page)
}

// signInAs is signIn as somebody else who was admitted.
func (p *tab) signInAs(s *hostedServer, email, page string) {
	p.t.Helper()
	p.do(chromedp.Navigate(s.at(page)))
	p.lands(s, "/sign-in")
	p.write(`[name="email"]`, email)
	p.write(`[name="password"]`, ownerPassword)
	p.key("\r")
	p.lands(s, "/w/acme"+page)
}

// lands waits until the page of an address is there; with a "?" it is taken with its query. While
// a browser changes pages it cannot always be asked.
func (p *tab) lands(s *hostedServer, path string) {
	p.t.Helper()
	script := fmt.Sprintf(`document.readyState === "complete" && !document.querySelector("[aria-busy]") && document.querySelector("h1") ? (%q.includes("?") ? location.pathname + location.search : location.pathname) : ""`, path)
	got := ""
	if !testenv.Poll(patience, func() bool {
		ctx, cancel := p.limit()
		defer cancel()
		if said, err := chromedp.Run(ctx, chromedp.Evaluate[string](script)); err == nil {
			got = said
		}
		return got == path
	}) {
		p.t.Fatalf("the browser is at %q, want %q; the page says:\n%s", got, path, p.text("body"))
	}
}

// leads clicks a link and waits for where it leads.
func (p *tab) leads(s *hostedServer, selector, path string) {
	p.t.Helper()
	p.click(selector)
	p.lands(s, path)
}

// TestHosted reads three agents' work as a team does: in a browser, on a server that knows them
// by what they pushed.
func TestHosted(t *testing.T) {
	t.Parallel()
	s := newHosted(t)
	for _, name := range []string{"reconciliation", "payables", "onboarding"} {
		s.push(name)
	}
	t.Run("scripts", s.in(walkScripted))
	t.Run("plain", s.in(walkPlain))
	t.Run("history", s.in(walkHistory))
	t.Run("keys", s.in(pressKeys))
	t.Run("other keys", s.in(chooseKeys))
	t.Run("colours", s.in(chooseColours))
	t.Run("chart", s.in(filterChart))
	t.Run("look", s.in(lookEverywhere))
	t.Run("look at people", s.in(lookAtPeople))
	t.Run("weight", s.in(weigh))
	t.Run("live", s.in(newsArrive))
	t.Run("connect", s.in(connectFirst))
	t.Run("empty inbox", s.in(emptyFills))
	t.Run("care", s.in(takeCare))
	t.Run("out of sight", s.in(outOfSight))
	t.Run("fall back", s.in(fallBack))
	t.Run("start again", func(t *testing.T) { s.t = t; startAgain(t, s) })
	s.t = t
}

// in lets a test of its own say what it finds.
func (s *hostedServer) in(f func(*testing.T, *hostedServer)) func(*testing.T) {
	return func(t *testing.T) {
		own := *s
		own.t = t
		f(t, &own)
	}
}

// walkScripted goes through the workspace by its links, without one full load.
func walkScripted(t *testing.T, s *hostedServer) {
	p, others := s.watched(t)
	p.signIn(s, "/inbox")
	eval[chromedp.Void](p, `window.stays = true, undefined`)
	walk(p, s)
	p.write(`#view input[type="search"]`, "statement\r")
	p.lands(s, "/w/acme/search?q=statement")
	p.sees("Send the October statement to Acme")
	if at := eval[string](p, `document.activeElement.name + "=" + document.activeElement.value`); at != "q=statement" {
		t.Errorf("after a search the focus is at %s, want the field", at)
	}
	if !eval[bool](p, `window.stays === true`) {
		t.Error("a page of the workspace was loaded whole")
	}
	p.quiet()
	others.none(t)
}

// walkPlain goes the same way with scripts off.
func walkPlain(t *testing.T, s *hostedServer) {
	p, others := s.watched(t)
	call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	p.signIn(s, "/inbox")
	walk(p, s)
	p.write(`#view input[type="search"]`, "statement\r")
	p.lands(s, "/w/acme/search?q=statement")
	p.sees("Send the October statement to Acme")
	for _, useless := range []string{"[data-act]:not(a[href])", "[data-copy]", "[data-live-banner]"} {
		if n := eval[int](p, fmt.Sprintf(`[...document.querySelectorAll(%q)].filter(n => n.checkVisibility()).length`, useless)); n > 0 {
			t.Errorf("%d of %s are shown, which do nothing without scripts", n, useless)
		}
	}
	p.click(`form[action="/sign-out"] button`)
	p.lands(s, "/")
	p.do(chromedp.Navigate(s.at("/inbox")))
	p.lands(s, "/sign-in")
	p.quiet()
	others.none(t)
}

// walk goes from the inbox to every kind of page, by links alone, and ends at the search.
func walk(p *tab, s *hostedServer) {
	p.t.Helper()
	p.sees("Send the October statement to Acme")
	p.leads(s, `#view a[href^="/w/acme/inbox?"][href*="tab=waiting"]`, "/w/acme/inbox")
	p.leads(s, `#view a[href^="/w/acme/inbox?"][href*="tab=closed"]`, "/w/acme/inbox")
	p.sees("No bridge rule for prefixed invoice numbers")
	p.leads(s, `.rail a[href="/w/acme"]`, "/w/acme")
	p.sees("Reconciliation", "Finance Ops")
	p.leads(s, `#view a[href*="as=table"]`, "/w/acme?as=table")
	p.leads(s, `#view a[href="/w/acme`+reconciliation+`"]`, "/w/acme"+reconciliation)
	p.sees("One decision waits")
	p.leads(s, `#view a[href="/w/acme`+reconciliation+`/agent"]`, "/w/acme"+reconciliation+"/agent")
	p.sees("Reconciles open invoices every month")
	p.leads(s, `#view a[href="/w/acme`+reconciliation+`/jobs"]`, "/w/acme"+reconciliation+"/jobs")
	p.leads(s, `#view a[href="/w/acme`+reconciliation+`/jobs/acme-2026-10"]`, "/w/acme"+reconciliation+"/jobs/acme-2026-10")
	p.leads(s, `#view a[href="/w/acme`+reconciliation+`/asks"]`, "/w/acme"+reconciliation+"/asks")
	p.leads(s, `#view a[href="/w/acme`+reconciliation+`/asks/acme-send"]`, "/w/acme"+reconciliation+"/asks/acme-send")
	p.framed(s)
	p.leads(s, `.rail a[href="/w/acme/activity"]`, "/w/acme/activity")
	p.leads(s, `.rail a[href="/w/acme/connect"]`, "/w/acme/connect")
	p.sees("figs push")
	p.leads(s, `.rail a[href="/w/acme/search"]`, "/w/acme/search")
}

// framed waits until the attachment of the page stands in its frame, which has no rights.
func (p *tab) framed(s *hostedServer) {
	p.t.Helper()
	src := eval[string](p, `(document.querySelector("#view iframe.sandboxed") || {}).src || ""`)
	if !strings.HasPrefix(src, s.address+"/v/") {
		p.t.Fatalf("the attachment is framed from %q", src)
	}
	if !testenv.Poll(patience, func() bool { return slices.Contains(p.documents(), src) }) {
		p.t.Fatalf("the frame holds %q, want %s", p.documents(), src)
	}
	if eval[bool](p, `[...document.querySelectorAll("iframe")].some(f => f.getAttribute("sandbox") !== (f.matches(".measuring[inert]") ? "allow-same-origin" : "") || f.referrerPolicy !== "no-referrer")`) {
		p.t.Error("a frame has rights")
	}
}
