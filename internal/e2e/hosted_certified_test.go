package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/testenv"
)

// certified is the certified provider of npm in a process of its own; see provider.mjs.
type certified struct {
	t      testing.TB
	issuer string
	in     *json.Encoder
	out    *bufio.Reader
}

func newCertified(t testing.TB, secret string) *certified {
	t.Helper()
	run := exec.Command(testenv.Node(t), "provider.mjs", testenv.NodeModules(t), secret)
	run.Stderr = os.Stderr
	in, err := run.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := run.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := run.Wait(); err != nil {
			t.Error(err)
		}
	})
	c := &certified{t: t, in: json.NewEncoder(in), out: bufio.NewReader(out)}
	c.issuer = c.line()
	return c
}

func (c *certified) line() string {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// set changes the provider.
func (c *certified) set(change map[string]any) {
	c.t.Helper()
	if err := c.in.Encode(change); err != nil {
		c.t.Fatal(err)
	}
	if got := c.line(); got != "ok" {
		c.t.Fatal(got)
	}
}

// knows makes Ada, in these groups, and more people those whom the provider knows.
func (c *certified) knows(groups []string, more map[string]any) {
	people := map[string]any{"ada": map[string]any{"name": "Ada Lovelace", "email": "ada@example.org", "email_verified": true, "groups": groups}}
	for name, claims := range more {
		people[name] = claims
	}
	c.set(map[string]any{"people": people})
}

// role is the role of someone in the workspace; "" is none.
func (s *hostedServer) role(email string) store.Role {
	s.t.Helper()
	data, err := s.on.open()
	if err != nil {
		s.t.Fatal(err)
	}
	defer data.Close()
	user, err := data.UserByEmail(context.Background(), email)
	if err != nil {
		s.t.Fatal(err)
	}
	role, err := data.Role(context.Background(), s.workspace, user.ID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		s.t.Fatal(err)
	}
	return role
}

// TestCertifiedProvider signs in at a certified provider, in a real browser: a stranger gets an account and the role of
// their group, roles follow the groups, and whatever fails at the provider is told in a sentence.
func TestCertifiedProvider(t *testing.T) {
	t.Parallel()
	at := newCertified(t, "hush-of-ours")
	at.knows([]string{"staff"}, map[string]any{"eve": map[string]any{"email": "eve@example.org", "email_verified": false, "groups": []string{"heads"}}})
	s := newHosted(t, "--oidc-issuer", at.issuer, "--oidc-client-id", "figs-web", "--oidc-client-secret", "hush-of-ours", "--oidc-name", "Acme Login", "--oidc-scopes", "email,profile,groups",
		"--oidc-provision", "--oidc-role", "staff=acme:member", "--oidc-role", "heads=acme:admin")
	at.set(map[string]any{"origin": s.address})
	var p *tab
	asks := func(who string) { // the provider does
		t.Helper()
		p.await(`location.origin === `+quote(at.issuer)+` && document.querySelector("[name=login]")`, "the provider's form")
		p.write(`[name="login"]`, who+"\r")
	}
	begins := func(path string) {
		t.Helper()
		p.do(chromedp.Navigate(s.url(path)))
		p.click(`a[href^="/sign-in/oidc"]`)
	}
	signOut := func() {
		t.Helper()
		p.do(chromedp.Navigate(s.url("/settings/signing-in")))
		p.click(`form[action="/sign-out"] button`)
		p.lands(s, "/")
	}
	looks := func(name string) { // other tests hold these pages to what axe knows
		t.Helper()
		if os.Getenv("FIGS_SHOTS") == "" {
			return
		}
		p.oneScreen("certified-"+name, 1440, "dark")
		p.oneScreen("certified-"+name, 360, "light")
		p.oneScreen("certified-"+name, 360, "dark")
		p.oneScreen("certified-"+name, 1440, "light")
	}
	refused := func(name, status, sentence string) {
		t.Helper()
		p.sees(sentence)
		looks(name)
		p.heard(status)
	}

	p = newTab(t)
	begins("/sign-in")
	asks("eve")
	refused("unverified", "403", "hasn't verified your email address")

	p = newTab(t)
	begins("/w/acme/settings")
	asks("ada")
	p.lands(s, "/w/acme/settings")
	p.sees("Ada Lovelace")
	looks("provisioned")
	for _, step := range []struct {
		groups []string
		want   store.Role
	}{{[]string{"heads", "staff"}, store.Admin}, {[]string{"staff"}, store.Member}, {[]string{"elsewhere"}, ""}, {[]string{"heads"}, store.Admin}} {
		at.knows(step.groups, nil)
		signOut()
		begins("/w/acme/inbox") // signed in at the provider still, which asks nothing
		if step.want == "" {
			p.await(`location.pathname === "/w/acme/inbox" && document.readyState === "complete"`, "the way back")
			looks("removed")
			p.heard("404")
		} else {
			p.lands(s, "/w/acme/inbox")
		}
		if got := s.role("ada@example.org"); got != step.want {
			t.Errorf("the groups %q give %q, want %q", step.groups, got, step.want)
		}
	}
	p.do(chromedp.Navigate(s.at("/settings/audit")))
	p.sees("The sign-in provider gave Ada Lovelace the role admin", "The sign-in provider removed Ada Lovelace")
	looks("audit")

	p.do(chromedp.Navigate(s.url("/sign-in/oidc/again?next=/settings"))) // a fresh proof
	asks("ada")
	p.lands(s, "/settings")

	at.set(map[string]any{"rotate": true})
	signOut()
	begins("/w/acme/inbox")
	asks("ada")
	p.lands(s, "/w/acme/inbox")

	signOut()
	at.set(map[string]any{"down": "/token"})
	begins("/sign-in")
	refused("down", "502", "The sign-in provider isn't responding correctly.")
	at.set(map[string]any{"down": ""})

	at.set(map[string]any{"clockAhead": -300})
	begins("/sign-in")
	refused("clock", "403", "The sign-in provider's response isn't valid")
	if !testenv.Poll(10*time.Second, func() bool { return strings.Contains(s.on.log(), "one of the two clocks is wrong") }) {
		t.Error("the log doesn't name the clocks")
	}
	at.set(map[string]any{"clockAhead": 0})

	begins("/w/acme/inbox")
	p.lands(s, "/w/acme/inbox")
	p.do(chromedp.Navigate("about:blank")) // a page that is open would miss the server
	s.flags = append(s.flags, "--oidc-logout")
	s.restart(func() {})
	p.do(chromedp.Navigate(s.url("/settings/signing-in")))
	p.click(`form[action="/sign-out"] button`)
	p.await(`document.querySelector("[name=logout]")`, "the provider's question")
	p.click(`[name=logout]`)
	p.lands(s, "/")
	begins("/w/acme/inbox")
	asks("ada")
	p.lands(s, "/w/acme/inbox")

	at.set(map[string]any{"people": map[string]any{}, "rotate": true}) // Ada is removed there: her session here goes on
	p.do(chromedp.Navigate(s.at("/inbox")))
	p.lands(s, "/w/acme/inbox")
	signOut()          // with no session there, nothing is asked
	begins("/sign-in") // and she doesn't come back
	asks("ada")
	p.await(has("body", "The provider knows nobody of this name."), "the provider's refusal")
	p.quiet()
	if strings.Contains(s.on.log(), "hush-of-ours") {
		t.Error("the log holds the secret")
	}
}

func quote(text string) string {
	encoded, _ := json.Marshal(text)
	return string(encoded)
}
