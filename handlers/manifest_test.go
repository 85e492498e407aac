package handlers

import (
	"encoding/json"
	"image/png"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/store"
)

// TestManifest reads what browsers need to install the pages as an app: the manifest, which the pages name and their policy
// allows, and its icons, which are what it says of them.
func TestManifest(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	c.workspace("acme", ada)
	b := c.as(ada)
	for _, address := range []string{"/w/acme/inbox", "/settings", "/sign-in"} {
		page := b.get(address)
		if address == "/sign-in" {
			page = c.browser().get(address)
		}
		page.has(t, "link[rel=manifest][href=/manifest.webmanifest]", "link[rel=apple-touch-icon]", "meta[name=theme-color]")
		if policy := page.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "; manifest-src 'self'") {
			t.Errorf("the policy of %s is %q", address, policy)
		}
	}
	var m struct {
		Name, Display, Scope string
		ShortName            string `json:"short_name"`
		StartURL             string `json:"start_url"`
		Icons                []struct{ Src, Sizes, Type, Purpose string }
	}
	r := b.get("/manifest.webmanifest")
	if err := json.Unmarshal([]byte(r.body), &m); err != nil || r.Header.Get("Content-Type") != "application/manifest+json" {
		t.Fatalf("the manifest: %v, %s\n%s", err, r.Header.Get("Content-Type"), r.body)
	}
	if m.Name == "" || m.ShortName == "" || m.StartURL != "/" || m.Scope != "/" || m.Display != "standalone" {
		t.Errorf("the manifest says %+v", m)
	}
	sizes := map[string]bool{}
	for _, icon := range m.Icons {
		file := b.get(icon.Src)
		config, err := png.DecodeConfig(strings.NewReader(file.body))
		if err != nil || file.Header.Get("Content-Type") != icon.Type || config.Width != config.Height || !strings.HasPrefix(icon.Sizes, map[int]string{192: "192x192", 512: "512x512"}[config.Width]) {
			t.Errorf("%+v is %d x %d, %s, %v", icon, config.Width, config.Height, file.Header.Get("Content-Type"), err)
		}
		sizes[icon.Sizes+" "+icon.Purpose] = true
	}
	for _, want := range []string{"192x192 any", "512x512 any", "192x192 maskable", "512x512 maskable"} {
		if !sizes[want] {
			t.Errorf("no icon is %s", want)
		}
	}
}

// TestBadge compares the number on the app's icon with the inboxes: it counts the person's asks of all workspaces.
func TestBadge(t *testing.T) {
	c := newClub(t)
	ada, eve := c.person("ada"), c.person("eve")
	acme := c.workspace("acme", ada)
	c.workspace("two", ada)
	c.member(acme, eve, store.Viewer)
	b := c.as(ada)
	badge := func(b *browser, address string) string {
		if found := regexp.MustCompile(`data-badge="(\d+)"`).FindStringSubmatch(b.get(address).body); found != nil {
			return found[1]
		}
		return "missing"
	}
	if got := badge(b, "/w/acme/activity"); got != "0" {
		t.Errorf("the number is %s in an empty workspace", got)
	}
	b.post("/w/acme/demo")
	inbox := b.get("/w/acme/inbox").body
	first := badge(b, "/w/acme/inbox")
	if n := strings.Count(inbox, `data-live="a:`); first == "0" || first != strconv.Itoa(n) {
		t.Errorf("the number is %s, the inbox has %d asks", first, n)
	}
	if got := badge(b, "/w/two/activity"); got != first {
		t.Errorf("in the other workspace the number is %s, want %s", got, first)
	}
	b.post("/w/two/demo")
	if got, n := badge(b, "/w/two/activity"), strings.Count(b.get("/w/two/inbox").body, `data-live="a:`); n == 0 || got != strconv.Itoa(2*n) {
		t.Errorf("the number is %s, each of two inboxes has %d asks", got, n)
	}
	if got := badge(c.as(eve), "/w/acme/inbox"); got != "0" {
		t.Errorf("a viewer's number is %s", got)
	}
}
