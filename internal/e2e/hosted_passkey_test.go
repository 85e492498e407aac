package e2e

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
)

// TestHostedPasskey takes the ways in that are no password, in a browser with a device of its own:
// a passkey is made, signs in and proves who it is; a recovery code and a reset link let in.
func TestHostedPasskey(t *testing.T) {
	t.Parallel()
	s := newHosted(t)
	public := strings.Replace(s.address, "127.0.0.1", "localhost", 1) // passkeys take a name
	s.flags = append(s.flags, "--public-url", public, "--session-idle", "1h")
	s.restart(func() {})
	p := newTab(t)
	call(p, webauthn.Enable, webauthn.EnableParams{})
	device := call(p, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
		HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
	}})
	on := *s
	on.address = public
	p.signIn(&on, "/inbox")

	p.do(chromedp.Navigate(public + "/settings/signing-in"))
	p.click(`[data-passkey="register"] [type=submit]:enabled`)
	p.lands(&on, "/settings/signing-in?notice=passkey-added")
	p.shot("signing-in")
	p.click(`[action="/settings/recovery"] [type=submit]`)
	p.await(`document.querySelectorAll(".codes code").length === 10`, "ten codes")
	code := eval[string](p, `document.querySelector(".codes code").textContent`)
	p.shot("recovery-codes")

	p.signOut()
	p.do(chromedp.Navigate(public + "/sign-in?next=/settings/signing-in")) // the browser offers the passkey by itself, or the button does
	p.shot("sign-in")
	eval[chromedp.Void](p, `(b => b && b.click())(document.querySelector('[data-passkey="sign-in"] [type=submit]:enabled')), undefined`)
	p.lands(&on, "/settings/signing-in")
	p.await(`document.body.innerText.includes("with a passkey")`, "how the session was begun")

	s.unprove()
	p.click(`[action="/settings/passkeys/remove"] [type=submit]`)
	p.await(`document.querySelector("[data-passkey-go]")`, "Confirm it's you")
	p.shot("is-it-you")
	p.click("[data-passkey-go]:enabled")
	p.lands(&on, "/settings/signing-in?notice=passkey-removed")

	p.signOut()
	p.do(chromedp.Navigate(public + "/sign-in")) // the device offers what it still holds, and once
	p.lands(&on, "/sign-in/passkey")
	p.await(`document.body.innerText.includes("know this passkey")`, "the refusal")
	call(p, webauthn.ClearCredentials, webauthn.ClearCredentialsParams(device))

	p.do(chromedp.Navigate(public + "/sign-in/recovery"))
	p.write(`[name="email"]`, ownerEmail)
	p.write(`[name="code"]`, strings.ToLower(code))
	p.key("\r")
	p.lands(&on, "/settings/signing-in?notice=recovery-code-used")

	link := s.admin("", "user", "reset", "--email", ownerEmail, "--public-url", public)["link"]
	p.do(chromedp.Navigate(link))
	p.write(`[name="password"]`, "a walk by the sea instead")
	p.shot("reset")
	p.key("\r")
	p.lands(&on, "/settings/signing-in?notice=password-changed")
}

// signOut leaves a page on which a device would sign in again at once.
func (p *tab) signOut() {
	p.t.Helper()
	eval[chromedp.Void](p, `fetch("/sign-out", { method: "POST" }).then(() => undefined)`)
	p.do(chromedp.Navigate("about:blank"))
}

// unprove lets every proof of the owner be old, as minutes do.
func (s *hostedServer) unprove() {
	s.t.Helper()
	ctx := context.Background()
	data, err := s.on.open()
	if err != nil {
		s.t.Fatal(err)
	}
	defer data.Close()
	u, err := data.UserByEmail(ctx, ownerEmail)
	if err != nil {
		s.t.Fatal(err)
	}
	all, err := data.ListSessions(ctx, u.ID, time.Now().UnixMicro())
	if err != nil || len(all) == 0 {
		s.t.Fatalf("%d sessions, %v", len(all), err)
	}
	for _, x := range all {
		if err := data.MarkProved(ctx, x.Hash, 1); err != nil {
			s.t.Fatal(err)
		}
	}
}
