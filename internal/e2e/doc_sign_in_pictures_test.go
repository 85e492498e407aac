package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/oidc/oidctest"
)

// TestDocSignInPictures takes the pictures of docs/sign-in.md, where FIGS_DOC_PICTURES names the folder docs: the button of
// a provider, linking, and two refusals.
func TestDocSignInPictures(t *testing.T) {
	dir := os.Getenv("FIGS_DOC_PICTURES")
	if dir == "" {
		t.Skip("set FIGS_DOC_PICTURES to a folder, such as ../../docs, to take the pictures of the documentation")
	}
	dir = filepath.Join(dir, "sign-in")
	at, err := oidctest.New("figs", "hush")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(at.Close)
	at.Person = map[string]any{"sub": "42", "email": "ada@example.org", "email_verified": true, "name": "Ada Lovelace"}
	s := newHosted(t, "--oidc-issuer", at.URL, "--oidc-client-id", "figs", "--oidc-client-secret", "hush", "--oidc-name", "Acme Login")
	p := newTab(t)
	p.do(chromedp.Navigate(s.url("/sign-in")))
	p.sees("Sign in with Acme Login")
	p.capture(dir, "button", 760, 660)
	p.click(`a[href^="/sign-in/oidc"]`)
	p.sees("you don't have an account here yet")
	p.capture(dir, "not-invited", 760, 380)
	at.Set(func(at *oidctest.Provider) { at.Claims = map[string]any{"email_verified": false} })
	p.click(`a[href^="/sign-in/oidc"]`)
	p.sees("hasn't verified your email address")
	p.capture(dir, "not-verified", 760, 380)
	p.signIn(s, "/settings")
	p.do(chromedp.Navigate(s.url("/settings/signing-in")))
	p.sees("Link Acme Login")
	p.screen(1100, 420, "light")
	p.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#identities").scrollIntoView({block: "center"}), undefined`))
	p.capture(dir, "link", 1100, 420)
}
