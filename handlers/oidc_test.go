package handlers

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/handlers/account"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/internal/oidc"
	"github.com/figs-web/figs-web/internal/oidc/oidctest"
	"github.com/figs-web/figs-web/internal/store"
)

// withProvider gives a club a provider at which Ada signs in.
func (c *club) withProvider(change func(*hosted.OIDC)) *oidctest.Provider {
	c.t.Helper()
	at, err := oidctest.New("figs", "hush")
	c.must(err)
	c.t.Cleanup(at.Close)
	at.Now = func() time.Time { return c.now }
	at.Person = map[string]any{"sub": "42", "email": "ada@example.org", "email_verified": true, "name": "Ada Lovelace"}
	p, err := oidc.New(oidc.Config{Issuer: at.URL, ClientID: "figs", Secret: "hush", Redirect: c.origin + account.CallbackPath, Scopes: []string{"email"}, Groups: "groups", Now: func() time.Time { return c.now }})
	c.must(err)
	c.h.OIDC = &hosted.OIDC{Provider: p, Name: "Acme Login"}
	change(c.h.OIDC)
	return at
}

// through goes from an answer that leads to the provider to where that leads back, which it returns.
func through(t *testing.T, a answer) string {
	t.Helper()
	to := a.location()
	if to == "" {
		_, to, _ = strings.Cut(a.Header.Get("Refresh"), "url=")
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := client.Get(to)
	if err != nil {
		t.Fatalf("%v after %d %s", err, a.StatusCode, a.words())
	}
	r.Body.Close()
	return strings.TrimPrefix(r.Header.Get("Location"), clubAt)
}

// provider is a whole sign-in at the provider.
func (b *browser) provider(address string) answer {
	b.c.t.Helper()
	return b.get(through(b.c.t, b.get(address)))
}

func TestProviderSignsIn(t *testing.T) {
	c := newClub(t)
	at := c.withProvider(func(o *hosted.OIDC) { o.Provision = true })
	b := c.browser()
	page := b.get("/sign-in?next=/settings")
	page.says(t, 200).shows(t, "Acme Login").has(t, "a[href=/sign-in/oidc?next=%2Fsettings]")
	out := b.get("/sign-in/oidc?next=/settings")
	var cookie *http.Cookie
	for _, x := range out.Cookies() {
		cookie = x
	}
	if cookie == nil || !strings.HasPrefix(cookie.Name, "__Host-figs-oidc-") || !cookie.HttpOnly || !cookie.Secure || cookie.SameSite != http.SameSiteLaxMode || cookie.MaxAge != 600 || cookie.Path != "/" {
		t.Errorf("the cookie is %v", cookie)
	}
	back := through(t, out)
	b.get(back).leads(t, "/settings")
	if b.keeps() != 1 {
		t.Errorf("cookies afterwards: %v", b.cookies)
	}
	b.get("/settings").says(t, 200).shows(t, "Ada Lovelace", "ada@example.org")
	b.get("/settings/signing-in").says(t, 200).shows(t, "Acme Login").has(t, "form[action=/settings/signing-in/unlink]")
	user, err := c.store.UserByEmail(context.Background(), "ada@example.org")
	c.must(err)
	if sessions, err := c.store.ListSessions(context.Background(), user.ID, c.at()); err != nil || len(sessions) != 1 || sessions[0].Method != store.MethodProvider {
		t.Errorf("sessions %+v, %v", sessions, err)
	}
	// The subject is who they are, whatever their address is now.
	at.Set(func(p *oidctest.Provider) { p.Person["email"], p.Person["email_verified"] = "other@example.org", false })
	again := c.browser()
	again.provider("/sign-in/oidc").leads(t, "/")
	again.get("/settings").says(t, 200).shows(t, "Ada Lovelace")
	b.get(back).says(t, 400, "provider-callback-forged")
}

// TestForgedCallbacks holds a way back to the browser, the time and the one use of its own.
func TestForgedCallbacks(t *testing.T) {
	c := newClub(t)
	c.withProvider(func(o *hosted.OIDC) { o.Provision = true })
	refused := func(b *browser, address string) {
		t.Helper()
		b.get(address).says(t, 400, "provider-callback-forged")
		b.get("/settings").leads(t, "/sign-in?next=%2Fsettings")
	}
	mine, victim := c.browser(), c.browser()
	back := through(t, mine.get("/sign-in/oidc"))
	refused(victim, back) // somebody else's way back (login CSRF)
	refused(mine, back)   // which used it up
	victim.get("/sign-in/oidc")
	back = through(t, mine.get("/sign-in/oidc"))
	refused(victim, back) // with a cookie of another journey
	back = through(t, mine.get("/sign-in/oidc"))
	c.now = c.now.Add(10 * time.Minute)
	refused(mine, back)
	for _, state := range []string{"", "x", "%00", strings.Repeat("A", 3000)} {
		refused(mine, account.CallbackPath+"?code=x&state="+state)
	}
	// Two tabs that set out at once both come back.
	b := c.browser()
	one, two := through(t, b.get("/sign-in/oidc?next=/settings")), through(t, b.get("/sign-in/oidc?next=/inspect"))
	b.get(two).leads(t, "/inspect")
	b.get(one).leads(t, "/settings")
	for _, next := range []string{"//evil.example", "https://evil.example", `/\evil.example`} {
		b.provider("/sign-in/oidc?next="+url.QueryEscape(next)).leads(t, "/")
	}
}

// TestWhoseAccount goes through who comes from the provider, and whose account that is.
func TestWhoseAccount(t *testing.T) {
	for lesson, test := range map[string]struct {
		there, provision, linked, unverified bool
		says                                 string
	}{
		"stranger, let in":            {provision: true},
		"stranger, not let in":        {says: "provider-stranger"},
		"stranger, unverified":        {provision: true, unverified: true, says: "provider-unverified"},
		"known address":               {there: true, provision: true, says: "provider-account-exists"},
		"known address, vouched for":  {there: true, linked: true},
		"known, vouched, unverified":  {there: true, linked: true, unverified: true, says: "provider-unverified"},
		"stranger of a linked domain": {linked: true, says: "provider-stranger"},
	} {
		t.Run(lesson, func(t *testing.T) {
			c := newClub(t)
			at := c.withProvider(func(o *hosted.OIDC) {
				if o.Provision = test.provision; test.linked {
					o.LinkDomains = []string{"example.org"}
				}
			})
			var before store.User
			if test.there {
				before = c.person("ada")
			}
			if test.unverified {
				at.Person["email_verified"] = nil
			}
			b := c.browser()
			got := b.provider("/sign-in/oidc")
			if test.says != "" {
				got.says(t, 403, test.says)
				if len(b.cookies) != 0 {
					t.Errorf("cookies %v", b.cookies)
				}
				return
			}
			got.leads(t, "/")
			user, err := c.store.UserByEmail(context.Background(), "ada@example.org")
			c.must(err)
			if test.there && user.ID != before.ID {
				t.Error("it is another account")
			}
			c.browser().provider("/sign-in/oidc").leads(t, "/")
		})
	}
}

func TestProviderThatFails(t *testing.T) {
	c := newClub(t)
	at := c.withProvider(func(*hosted.OIDC) {})
	at.Set(func(p *oidctest.Provider) { p.Down = true })
	c.browser().get("/sign-in/oidc").says(t, 502, "provider-down").has(t, "form[action=/sign-in] input[name=email]")
	ada := c.person("ada")
	c.browser().post("/sign-in", "email", ada.Email, "password", secretWords).leads(t, "/")
	c = newClub(t)
	at = c.withProvider(func(*hosted.OIDC) {})
	at.Set(func(p *oidctest.Provider) { p.Error = "access_denied" })
	c.browser().provider("/sign-in/oidc?next=/settings").says(t, 403, "provider-cancelled")
	at.Set(func(p *oidctest.Provider) { p.Error, p.Claims = "", map[string]any{"nonce": "x"} })
	c.browser().provider("/sign-in/oidc").says(t, 403, "provider-not-believed")
}

func TestProviderRoles(t *testing.T) {
	c := newClub(t)
	ctx, founder := context.Background(), c.person("founder")
	acme, free := c.workspace("acme", founder), c.workspace("free", founder)
	at := c.withProvider(func(o *hosted.OIDC) {
		o.Provision = true
		o.Roles = []hosted.GroupRole{{Group: "staff", Workspace: "acme", Role: store.Member}, {Group: "heads", Workspace: "acme", Role: store.Admin}, {Group: "bosses", Workspace: "acme", Role: store.Owner}, {Group: "staff", Workspace: "nowhere", Role: store.Viewer}}
	})
	sign := func(groups any) store.Role {
		t.Helper()
		at.Set(func(p *oidctest.Provider) {
			if delete(p.Person, "groups"); groups != nil {
				p.Person["groups"] = groups
			}
		})
		c.browser().provider("/sign-in/oidc").leads(t, "/")
		user, err := c.store.UserByEmail(ctx, "ada@example.org")
		c.must(err)
		return c.role(acme, user)
	}
	for i, test := range []struct {
		groups any
		want   store.Role
	}{
		{[]string{"staff"}, store.Member}, {[]string{"heads", "staff"}, store.Admin}, {[]string{"staff", "heads"}, store.Admin}, {nil, store.Admin}, {[]string{"staff"}, store.Member},
		{"heads", store.Admin}, {[]string{"other"}, ""}, {[]string{}, ""}, {[]string{"bosses"}, store.Owner},
	} {
		if got := sign(test.groups); got != test.want {
			t.Errorf("%d: groups %v give %q, want %q", i, test.groups, got, test.want)
		}
	}
	user, err := c.store.UserByEmail(ctx, "ada@example.org")
	c.must(err)
	if c.role(free, user) != "" {
		t.Error("a workspace that is not mapped was changed")
	}
	c.member(free, user, store.Viewer)
	c.must(c.store.RemoveMember(ctx, store.Act{At: 1}, acme.ID, founder.ID))
	if got := sign([]string{"staff"}); got != store.Owner || c.role(free, user) != store.Viewer {
		t.Errorf("the last owner became %q, elsewhere %q", got, c.role(free, user))
	}
	c.as(user).get("/w/acme/settings").says(t, 200)
	c.as(user).get("/w/acme/settings/audit").part(t, "#audit tbody th", "audit-provider-roles")
}

func TestProviderRedirect(t *testing.T) {
	c := newClub(t)
	c.withProvider(func(o *hosted.OIDC) { o.Provision, o.Redirect = true, true })
	b := c.browser()
	b.get("/sign-in?next=/settings").leads(t, "/sign-in/oidc?next=%2Fsettings")
	b.get("/sign-in?password=1").says(t, 200).shows(t, "Acme Login").has(t, "input[name=password]")
	b.provider("/sign-in/oidc").leads(t, "/")
	b.post("/sign-out").leads(t, "/")
	b.get("/").says(t, 200).has(t, "a[href=/sign-in]") // and no further by itself
}

// TestProviderLogout leads who signs out on to the provider, where that is set and possible, and others not.
func TestProviderLogout(t *testing.T) {
	c := newClub(t)
	at := c.withProvider(func(o *hosted.OIDC) { o.Provision, o.Logout = true, true })
	at.Document = map[string]any{"end_session_endpoint": at.URL + "/end?realm=acme"}
	b := c.browser()
	b.provider("/sign-in/oidc").leads(t, "/")
	page := b.post("/sign-out")
	page.says(t, 200, "provider-signed-out")
	want := at.URL + "/end?" + url.Values{"realm": {"acme"}, "client_id": {"figs"}, "post_logout_redirect_uri": {c.origin + "/"}}.Encode()
	if got := page.Header.Get("Refresh"); got != "0; url="+want {
		t.Errorf("leads to %q, want %q", got, want)
	}
	b.get("/settings").leads(t, "/sign-in?next=%2Fsettings")
	c.as(c.person("bo")).post("/sign-out").leads(t, "/") // with a password
	for _, end := range []any{nil, "javascript:alert(1)", "words"} {
		c := newClub(t)
		at := c.withProvider(func(o *hosted.OIDC) { o.Provision, o.Logout = true, true })
		at.Document = map[string]any{"end_session_endpoint": end}
		b := c.browser()
		b.provider("/sign-in/oidc").leads(t, "/")
		b.post("/sign-out").leads(t, "/")
	}
}

// TestProviderProves holds a fresh proof to the person of the session and to a fresh sign-in.
func TestProviderProves(t *testing.T) {
	c := newClub(t)
	at := c.withProvider(func(o *hosted.OIDC) { o.Provision = true })
	b := c.browser()
	b.provider("/sign-in/oidc").leads(t, "/")
	ada, err := c.store.UserByEmail(context.Background(), "ada@example.org")
	c.must(err)
	c.workspace("acme", ada)
	c.now = c.now.Add(time.Hour)
	b.post("/w/acme/settings/invite", "role", "viewer").says(t, 403, "confirm-elsewhere")
	at.Set(func(p *oidctest.Provider) { p.Claims = map[string]any{"auth_time": c.now.Add(-time.Hour).Unix()} })
	b.provider("/sign-in/oidc/again?next=/settings").says(t, 403, "provider-not-fresh")
	at.Set(func(p *oidctest.Provider) { p.Person["sub"], p.Claims = "43", nil })
	b.provider("/sign-in/oidc/again?next=/settings").says(t, 403, "provider-someone-else")
	b.post("/w/acme/settings/invite", "role", "viewer").says(t, 403, "confirm-elsewhere")
	at.Set(func(p *oidctest.Provider) { p.Person["sub"] = "42" })
	b.provider("/sign-in/oidc/again?next=/settings").leads(t, "/settings")
	b.post("/w/acme/settings/invite", "role", "viewer").says(t, 200).has(t, ".is-fresh pre.command")
	c.browser().get("/sign-in/oidc/again").leads(t, "/sign-in?next=%2Fsign-in%2Foidc%2Fagain")
}

func TestLinkByHand(t *testing.T) {
	c := newClub(t)
	c.withProvider(func(*hosted.OIDC) {})
	bo, eve := c.person("bo"), c.person("eve")
	b := c.as(bo)
	page := b.post("/settings/signing-in/link")
	page.says(t, 200, "provider-onward")
	b.get(through(t, page)).leads(t, "/settings/signing-in?notice=account-linked")
	b.get("/settings/signing-in?notice=account-linked").says(t, 200, "provider-linked").shows(t, "Acme Login").has(t, "form[action=/settings/signing-in/unlink]")
	c.browser().provider("/sign-in/oidc").leads(t, "/")
	e := c.as(eve)
	e.get(through(t, e.post("/settings/signing-in/link"))).says(t, 403, "provider-linked-to-another")
	other := c.as(eve)
	mine := through(t, b.post("/settings/signing-in/link"))
	other.get(mine).says(t, 400, "provider-callback-forged")
	all, err := c.store.ListIdentities(context.Background(), bo.ID)
	c.must(err)
	if len(all) != 1 {
		t.Fatalf("identities %+v", all)
	}
	e.post("/settings/signing-in/unlink", "issuer", all[0].Issuer, "subject", "42").leads(t, "/settings/signing-in?notice=account-unlinked")
	c.browser().provider("/sign-in/oidc").leads(t, "/") // it was not Eve's to unlink
	b.post("/settings/signing-in/unlink", "issuer", all[0].Issuer, "subject", "42").leads(t, "/settings/signing-in?notice=account-unlinked")
	c.browser().provider("/sign-in/oidc").says(t, 403, "provider-stranger")
}

func TestInviteByProvider(t *testing.T) {
	c := newClub(t)
	at := c.withProvider(func(o *hosted.OIDC) { o.LinkDomains = []string{"example.org"} })
	ctx, founder := context.Background(), c.person("founder")
	w := c.workspace("acme", founder)
	f := c.as(founder)
	for lesson, email := range map[string]string{"for Bo": "bo@example.org", "open": ""} {
		link := f.invite("acme", email, "admin")
		at.Set(func(p *oidctest.Provider) {
			p.Person["sub"], p.Person["email"] = lesson, "ada"+fmt.Sprint(len(lesson))+"@example.org"
		})
		b := c.browser()
		b.get(link).says(t, 200).shows(t, "Acme Login")
		got := b.get(through(t, b.post("/invite/provider", "key", keyIn(link))))
		if email != "" {
			got.says(t, 403, "provider-invite-other")
			continue
		}
		got.leads(t, "/w/acme/inbox")
		u, err := c.store.UserByEmail(ctx, "ada4@example.org")
		c.must(err)
		if c.role(w, u) != store.Admin {
			t.Errorf("%s: the newcomer is %q", lesson, c.role(w, u))
		}
		c.browser().get(link).says(t, 410, "invite-used")
	}
	// Who may pick any address cannot pick one that the provider vouches for.
	link := f.invite("acme", "", "viewer")
	c.browser().post("/invite/join", "key", keyIn(link), "name", "X", "email", "boss@Example.org", "password", secretWords).says(t, 422, "invite-join-by-provider").has(t, "input[name=email][aria-invalid=true]")
	c.browser().post("/invite/provider", "key", "WRONG").says(t, 404, "invite-unknown")
}
