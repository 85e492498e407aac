package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/oidc/oidctest"
)

// TestProvider signs in at a provider of OpenID Connect, in a real browser: a stranger gets an
// account and the role of her group, signs out without being signed in again by itself, and comes
// back with a click.
func TestProvider(t *testing.T) {
	t.Parallel()
	at, err := oidctest.New("figs", "hush")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(at.Close)
	at.Person = map[string]any{"sub": "42", "email": "ada@example.org", "email_verified": true, "name": "Ada Lovelace", "groups": []string{"staff"}}
	at.Asks = true
	s := newHosted(t, "--oidc-issuer", at.URL, "--oidc-client-id", "figs", "--oidc-client-secret", "hush", "--oidc-name", "Acme Login", "--oidc-provision", "--oidc-role", "staff=acme:admin", "--oidc-redirect")
	p := newTab(t)
	signIn := func() {
		t.Helper()
		p.await(`document.title === "Provider"`, "the provider")
		p.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#go").click(), undefined`))
	}
	p.do(chromedp.Navigate(s.at("/settings")))
	signIn()
	p.lands(s, "/w/acme/settings")
	p.sees("Ada Lovelace")
	p.everyScreen("members")
	p.do(chromedp.Navigate(s.at("/settings/audit")))
	p.sees("The sign-in provider gave Ada Lovelace the role admin")
	p.click(`form[action="/sign-out"] button`)
	p.lands(s, "/")
	p.sees("Choose where to start")
	p.click(`a[href="/sign-in"]`)
	signIn()
	p.lands(s, "/w/acme/inbox")
	p.do(chromedp.Navigate(s.url("/settings/signing-in")))
	p.lands(s, "/settings/signing-in")
	p.sees("Acme Login", "Unlink")
	p.click(`form[action="/sign-out"] button`)
	p.lands(s, "/")
	p.do(chromedp.Navigate(s.url("/sign-in?password=1"))) // the way in while the provider is down
	p.lands(s, "/sign-in?password=1")
	p.write(`[name="email"]`, ownerEmail)
	p.write(`[name="password"]`, ownerPassword+"\r")
	p.lands(s, "/w/acme/inbox")
	p.quiet()
}

// TestInviteAccepted makes an invite on the members page and comes in by its link on a telephone,
// with scripts off.
func TestInviteAccepted(t *testing.T) {
	t.Parallel()
	s := newHosted(t)
	p := newTab(t)
	p.signIn(s, "/settings")
	p.write(`#f-invited`, "bo@example.org")
	p.click(`form[action="/w/acme/settings/invite"] button`)
	p.await(`document.querySelector("[data-copy]")`, "the link")
	link := p.text(".is-fresh .command")
	if !strings.HasPrefix(link, s.url("/invite?key=")) {
		t.Fatalf("the link is %q", link)
	}
	p.everyScreen("members-invited")
	p.click(`form[action="/sign-out"] button`)
	p.lands(s, "/")
	p.do(chromedp.Navigate(link))
	p.lands(s, "/invite"+strings.TrimPrefix(link, s.url("/invite")))
	p.everyScreen("invite")

	n := newTab(t)
	n.screen(360, 740, "dark")
	call(n, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	n.do(chromedp.Navigate(link))
	n.sees("Ruth Okafor invites you to the workspace Acme Finance", "Your role will be member")
	n.write(`[name="name"]`, "Bo Berg")
	n.write(`[name="password"]`, "four words in a row\r")
	n.lands(s, "/w/acme/inbox")
	n.quiet()
	n.do(chromedp.Navigate(link)) // of which the browser says that it is gone
	n.sees("This invite has already been used")
	n.shot("hosted-invite-used-360-dark")
	p.quiet()
}
