package handlers

import (
	"context"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/store"
)

// withHeader gives a club a proxy at 10.0.0.7.
func (c *club) withHeader(change func(*hosted.Header)) {
	c.t.Helper()
	from, wrong := web.ParseProxies([]string{"10.0.0.7"})
	if wrong != "" {
		c.t.Fatal(wrong)
	}
	c.h.Header = &hosted.Header{User: "X-Forwarded-User", From: from}
	change(c.h.Header)
	c.route()
}

// behind is a browser behind the proxy, which names its person.
func (c *club) behind(user string) *browser {
	b := c.browser()
	b.address, b.headers = "10.0.0.7", map[string]string{"X-Forwarded-User": user, "X-Forwarded-Email": user + "@example.org", "X-Forwarded-Name": "The " + user}
	return b
}

func TestHeaderSignsIn(t *testing.T) {
	c := newClub(t)
	c.withHeader(func(h *hosted.Header) { h.Email, h.Name, h.Provision = "X-Forwarded-Email", "X-Forwarded-Name", true })
	ada := c.person("ada")
	c.workspace("acme", ada)
	b := c.behind("ada")
	b.get("/settings").says(t, 200).shows(t, "ada@example.org")
	b.get("/settings").says(t, 200).shows(t, "ada@example.org")
	sessions, err := c.store.ListSessions(context.Background(), ada.ID, c.at())
	if c.must(err); len(sessions) != 1 || sessions[0].Method != store.MethodProxy {
		t.Errorf("sessions %+v", sessions)
	}
	b.headers["X-Forwarded-User"], b.headers["X-Forwarded-Email"] = "bo", "bo@example.org"
	b.get("/settings").says(t, 200).shows(t, "The ada", "bo@example.org") // named by the header that is there
	if sessions, err := c.store.ListSessions(context.Background(), ada.ID, c.at()); err != nil || len(sessions) != 0 {
		t.Errorf("Ada's session goes on while the proxy names Bo: %+v, %v", sessions, err)
	}
	delete(b.headers, "X-Forwarded-User")
	b.get("/settings").leads(t, "/sign-in?next=%2Fsettings")
	if len(b.cookies) != 0 {
		t.Errorf("cookies %v", b.cookies)
	}
	b = c.behind("ada")
	b.get("/settings").says(t, 200)
	b.post("/sign-out").says(t, 200, "proxy-signed-out")
	// Who signed in with a password stays who they are.
	eve := c.as(c.person("eve"))
	eve.address, eve.headers = "10.0.0.7", map[string]string{"X-Forwarded-User": "ada"}
	eve.get("/settings").says(t, 200).shows(t, "eve@example.org")
}

// TestHeaderIsNotSpoofed holds the header to the proxy's own connections.
func TestHeaderIsNotSpoofed(t *testing.T) {
	c := newClub(t)
	c.withHeader(func(h *hosted.Header) { h.Email = "X-Forwarded-Email" })
	ada := c.person("ada")
	w := c.workspace("acme", ada)
	b := c.behind("ada")
	for _, address := range []string{"192.0.2.1", "10.0.0.8", "2001:db8::7"} {
		b.address = address
		b.headers["X-Forwarded-For"] = "10.0.0.7"
		for _, page := range []string{"/", "/settings", "/sign-in", "/w/acme/inbox"} {
			b.get(page).says(t, 403, "header-spoofed")
		}
		if len(b.cookies) != 0 {
			t.Errorf("cookies %v", b.cookies)
		}
	}
	b.address = "10.0.0.7"
	b.get("/settings").says(t, 200).shows(t, "ada@example.org")
	for _, value := range []string{"ada\x01", strings.Repeat("a", 300), "a\xff"} {
		b := c.behind("ada")
		b.headers["X-Forwarded-User"] = value
		b.get("/settings").says(t, 403, "header-unclear")
	}
	// The tokens of agents are another matter.
	c.must(c.store.AddToken(context.Background(), store.Act{At: 1}, store.Token{ID: "t", User: ada.ID, Name: "t", Hash: store.Hash("figs_x"), Created: c.at()}))
	agent := c.browser()
	agent.headers = map[string]string{"X-Forwarded-User": "eve", "Authorization": "Bearer figs_x"}
	if got := agent.get("/api/workspaces"); got.StatusCode != 200 || !strings.Contains(got.body, w.ID) {
		t.Errorf("a token beside the header: %d %s", got.StatusCode, got.body)
	}
}

func TestHeaderOfStrangers(t *testing.T) {
	c := newClub(t)
	c.withHeader(func(h *hosted.Header) { h.Email = "X-Forwarded-Email" })
	b := c.behind("cy")
	b.get("/settings").leads(t, "/sign-in?next=%2Fsettings")
	b.get("/sign-in").says(t, 200, "header-stranger")
	ada := c.person("ada")
	w := c.workspace("acme", ada)
	link := c.as(ada).invite("acme", "", "viewer")
	b.get(link).says(t, 200).has(t, "form[action=/invite/join]")
	b.post("/invite/join", "key", keyIn(link), "name", "Cy", "email", "cy@example.org", "password", secretWords).leads(t, "/w/acme/inbox")
	cy, err := c.store.UserByEmail(context.Background(), "cy@example.org")
	if c.must(err); c.role(w, cy) != store.Viewer {
		t.Errorf("Cy is %q", c.role(w, cy))
	}
	c.behind("cy").get("/settings").says(t, 200).shows(t, "cy@example.org")
}

// TestHeaderProves holds what takes a fresh proof to the proxy's word, where there is no other.
func TestHeaderProves(t *testing.T) {
	c := newClub(t)
	c.withHeader(func(h *hosted.Header) { h.Email, h.Provision = "X-Forwarded-Email", true })
	b := c.behind("cy")
	b.get("/settings").says(t, 200)
	cy, err := c.store.UserByEmail(context.Background(), "cy@example.org")
	c.must(err)
	c.workspace("acme", cy)
	c.now = c.now.Add(3600e9)
	b.post("/w/acme/settings/invite", "role", "viewer").says(t, 200).has(t, ".is-fresh pre.command")
	ada := c.person("ada")
	c.workspace("other", ada)
	a := c.behind("ada")
	a.get("/settings").says(t, 200)
	c.now = c.now.Add(3600e9)
	a.post("/w/other/settings/invite", "role", "viewer").says(t, 403, "confirm-elsewhere")
}
