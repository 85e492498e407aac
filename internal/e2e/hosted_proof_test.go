package e2e

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/oidc/oidctest"
)

// guarded is one thing that takes a fresh proof: the form that asks for it, and what the page says when it was done.
type guarded struct {
	path   string
	fields url.Values
	done   string // an expression of the page that follows
	saves  bool   // a file is saved, and the page stays
	script string // where a script begins it instead: the address that it asks
	form   string // of a page, whose fields are sent, too
	act    func() // how a person does it, where the form alone is not enough
}

// TestEveryProof does everything that takes a fresh proof, with a session whose proof is old: a program is told so as
// JSON, and a person proves with a passkey who it is and goes on with what was being done.
func TestEveryProof(t *testing.T) {
	t.Parallel()
	at, err := oidctest.New("figs", "hush")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(at.Close)
	at.Person = map[string]any{"sub": "42", "email": ownerEmail, "email_verified": true, "name": "Ruth Okafor"}
	at.Asks = true
	s := newHosted(t)
	public := strings.Replace(s.address, "127.0.0.1", "localhost", 1) // passkeys take a name
	s.flags = append(s.flags, "--public-url", public, "--session-idle", "1h", "--oidc-issuer", at.URL, "--oidc-client-id", "figs", "--oidc-client-secret", "hush")
	s.restart(func() {
		s.admin(ownerPassword, "user", "create", "--email", "eve@example.org", "--name", "Eve", "--password-stdin")
		s.admin("", "workspace", "create", "--name", "Other", "--slug", "other")
		s.admin("", "member", "add", "--workspace", "other", "--email", ownerEmail, "--role", "owner")
	})
	w := newWorker(t)
	w.pushes(s)
	w.more()
	w.push()
	p := newTab(t)
	call(p, webauthn.Enable, webauthn.EnableParams{})
	authenticator := webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
		HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
	}}
	call(p, webauthn.AddVirtualAuthenticator, authenticator)
	second := *authenticator.Options
	second.Transport = webauthn.AuthenticatorTransportUsb
	on := *s
	on.address = public
	p.signIn(&on, "/inbox")
	p.do(chromedp.Navigate(public + "/settings/signing-in"))
	p.click(`[data-passkey="register"] [type=submit]:enabled`)
	p.lands(&on, "/settings/signing-in?notice=passkey-added")

	lands := func(path string) string {
		return fmt.Sprintf(`location.pathname + location.search === %q && document.readyState === "complete"`, path)
	}
	agent := "/w/acme/agents/" + workerID
	steps := map[accounts.Action]guarded{
		accounts.MakeToken:       {path: "/settings/tokens", fields: url.Values{"token": {"Night shift"}, "scope": {"push"}, "lasts": {"30"}}, done: has(".is-fresh", "Your new token")},
		accounts.ApproveDevice:   {path: "/device", fields: url.Values{"code": {s.post("/api/device/start", map[string]string{})["user_code"].(string)}, "decision": {"approve"}}, done: has("body", "Device approved")},
		accounts.SetPassword:     {path: "/settings/password/first", fields: url.Values{"password": {"four other words here"}}, done: has("body", "Your account has a password by now")}, // past the proof
		accounts.MakeRecovery:    {path: "/settings/recovery", done: `document.querySelectorAll(".codes code").length === 10`},
		accounts.WeakenPolicy:    {path: "/w/acme/settings/policy", fields: url.Values{"step-up": {"1"}, "text": {"everywhere"}}, done: lands("/w/acme/settings/policy?notice=policy-saved")},
		accounts.InviteMembers:   {path: "/w/acme/settings/invite", fields: url.Values{"invited": {"bo@example.org"}, "role": {"member"}}, done: `document.querySelector(".is-fresh")`},
		accounts.ChangeMembers:   {path: "/w/acme/settings/add", fields: url.Values{"email": {"eve@example.org"}, "role": {"viewer"}}, done: lands("/w/acme/settings?notice=member-added")},
		accounts.AssignAgent:     {path: agent + "/assign", fields: url.Values{"manager": {""}, "builder": {""}}, done: lands(agent + "/agent")},
		accounts.ExportAgent:     {path: agent + "/export", saves: true},
		accounts.ExportWorkspace: {path: "/w/acme/settings/data/export", saves: true},
		accounts.Erase:           {path: agent + "/erase?kind=ask&key=refund", fields: url.Values{"why": {"It named a person."}}, done: `location.search.includes("notice=")`},
		accounts.MoveAgent:       {path: agent + "/move", fields: url.Values{"to": {"other"}}, done: lands("/w/other/settings/agents?notice=agent-moved")},
		accounts.DeleteWorkspace: {path: "/w/acme/settings/data/delete", fields: url.Values{"slug": {"acme"}}, done: lands("/w/other/inbox")},
		accounts.LinkIdentity:    {path: "/settings/signing-in/link", done: `document.title === "Provider"`},
		accounts.UnlinkIdentity:  {path: "/settings/signing-in/unlink", fields: url.Values{"issuer": {at.URL}, "subject": {"42"}}, done: lands("/settings/signing-in?notice=account-unlinked")},
		accounts.MakePasskey: {path: "/settings/passkeys", script: "/settings/passkeys/begin", done: has("body", "Second key"), act: func() {
			p.do(chromedp.Navigate(public + "/settings/signing-in"))
			call(p, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &second}) // one device holds one key of a person
			eval[chromedp.Void](p, `document.querySelector('[data-passkey="register"] [name=key]').value = "Second key", undefined`)
			p.click(`[data-passkey="register"] [type=submit]:enabled`)
		}},
		accounts.RemovePasskey: {path: "/settings/passkeys/remove", done: lands("/settings/signing-in?notice=passkey-removed"), act: func() {
			p.do(chromedp.Navigate(public + "/settings/signing-in"))
			p.click(`[action="/settings/passkeys/remove"] [type=submit]`)
		}},
		accounts.ApproveAsk: {path: workersAsk("purge") + "/decide", form: public + workersAsk("purge"), fields: url.Values{"verdict": {"approved"}}, done: has(".pending", "You approved this."), act: func() {
			p.do(chromedp.Navigate(public + workersAsk("purge")))
			p.click(approve)
		}},
	}
	// What takes away what others need comes after them.
	order := []accounts.Action{accounts.MakePasskey, accounts.RemovePasskey, accounts.LinkIdentity, accounts.UnlinkIdentity, accounts.ApproveAsk, accounts.WeakenPolicy}
	last := []accounts.Action{accounts.Erase, accounts.ExportAgent, accounts.ExportWorkspace, accounts.MoveAgent, accounts.DeleteWorkspace}
	known := map[accounts.Action]bool{}
	for _, a := range append(order, last...) {
		known[a] = true
	}
	for _, a := range accounts.ActionsNeedingProof() {
		if !known[a] {
			order = append(order, a)
		}
	}
	for _, a := range append(order, last...) {
		x, ok := steps[a]
		if !ok {
			t.Errorf("nobody tries whether %s takes a proof", a)
			continue
		}
		if a == accounts.ApproveAsk {
			s.setPolicy(t, p, public, url.Values{"all": {"1"}, "step-up": {"1"}})
		}
		s.unprove()
		p.tellsPrograms(t, a, x)
		switch {
		case x.saves:
			p.submits(x)
			p.await(`document.querySelector("[data-passkey-go]")`, "Is it you? before "+string(a))
			if data := p.download(func() { p.click("[data-passkey-go]:enabled") }); len(data) == 0 {
				t.Errorf("%s saves nothing", a)
			}
		default:
			if x.act != nil {
				x.act()
			} else {
				p.submits(x)
			}
			p.await(`document.querySelector("[data-passkey-go]")`, "Is it you? before "+string(a))
			if a == accounts.MakePasskey {
				p.shot("proof-passkey")
			}
			p.click("[data-passkey-go]:enabled")
			p.await(x.done, "what follows "+string(a))
		}
		switch a {
		case accounts.ApproveAsk: // taken back, since an agent with a fresh decision moves nowhere
			p.click(".pending [data-undo] button")
			p.sees("The reply was undone before it took effect.")
		case accounts.LinkIdentity:
			p.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#go").click(), undefined`))
			p.lands(&on, "/settings/signing-in?notice=account-linked")
		}
	}
	p.hearing.mu.Lock()
	p.hearing.said = nil // the refusals, each of which the browser notes
	p.hearing.mu.Unlock()
}

// setPolicy makes a workspace's policy stricter, which takes no proof.
func (s *hostedServer) setPolicy(t *testing.T, p *tab, public string, fields url.Values) {
	t.Helper()
	p.do(chromedp.Navigate(public + "/w/acme/settings/policy"))
	p.submits(guarded{path: "/w/acme/settings/policy", fields: fields})
	p.await(`location.search === "?notice=policy-saved"`, "a stricter policy")
}

// submits sends a form of the page's own origin, as a page with that form would.
func (p *tab) submits(x guarded) {
	p.t.Helper()
	fields, _ := json.Marshal(x.fields) // strings always can be
	eval[chromedp.Void](p, fmt.Sprintf(`(() => {
		const form = document.createElement("form");
		form.method = "post";
		form.action = %q;
		for (const [name, values] of Object.entries(%s || {})) for (const value of values) {
			const input = document.createElement("input");
			input.name = name;
			input.value = value;
			form.append(input);
		}
		document.body.append(form);
		form.submit();
	})(), undefined`, x.path, fields))
}

// tellsPrograms holds that who asks for JSON is refused as JSON, and that this changes nothing.
func (p *tab) tellsPrograms(t *testing.T, a accounts.Action, x guarded) {
	t.Helper()
	own := "[]"
	if x.form != "" {
		own = `new FormData(document.querySelector("#decide"))`
		p.do(chromedp.Navigate(x.form))
	}
	addresses := []string{x.path}
	if x.script != "" {
		addresses = append(addresses, x.script)
	}
	for _, address := range addresses {
		said := eval[[]string](p, fmt.Sprintf(`fetch(%q, { method: "POST", body: new URLSearchParams([...%s, ...new URLSearchParams(%q)]), headers: { Accept: "application/json" } }).then(async r => {
			const text = await r.text();
			let code = text;
			try { code = JSON.parse(text).code; } catch {}
			return [String(r.status), r.headers.get("Content-Type"), String(code)];
		})`, address, own, x.fields.Encode()))
		if said[0] != "403" || !strings.HasPrefix(said[1], "application/json") || said[2] != "step_up_needed" {
			t.Errorf("%s: a program that posts to %s is told %.300q", a, address, said)
		}
	}
}
