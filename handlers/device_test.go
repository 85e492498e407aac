package handlers

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// knocks is a client that asks to be let in; it returns the code that a person reads.
func (c *club) knocks(secret string) string {
	c.t.Helper()
	code := accounts.NewUserCode()
	c.must(c.store.AddDevice(context.Background(), store.Device{Hash: store.Hash(secret), UserCode: code, Agent: "figs/1.2.0 \u202eevil <b>", Address: "203.0.113.9",
		Created: c.at(), Expires: c.now.Add(10 * time.Minute).UnixMicro()}))
	return code
}

func (c *club) poll(secret string) store.DeviceStatus {
	c.t.Helper()
	status, _, err := c.store.PollDevice(context.Background(), store.Hash(secret), store.Token{ID: store.NewID(), Name: "figs", Hash: store.Hash("token of " + secret), Created: c.at()}, c.at())
	c.must(err)
	return status
}

func TestDevice(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	c.workspace("acme", ada)
	code := c.knocks("one")
	nobody := c.browser()
	nobody.get("/device?code="+code).leads(t, "/sign-in?next=%2Fdevice%3Fcode%3D"+code)
	nobody.post("/device", "code", code, "decision", "approve").leads(t, "/sign-in")

	b := c.as(ada).proved()
	b.get("/device").says(t, 200, "device-start").has(t, "form[action=/device] input[name=code]")
	typed := strings.ToLower(strings.ReplaceAll(code, "-", " "))
	page := b.get("/device?code=" + strings.ReplaceAll(typed, " ", "+"))
	page.says(t, 200, "device-ask").shows(t, code, "figs/1.2.0", "203.0.113.9", "Ada", "ada@example.org").has(t, ".notice.is-warn", "form button[name=decision][value=approve]", "form button[name=decision][value=deny]", "select[name=lasts] option[value=0]")
	if strings.Contains(page.body, "\u202e") || strings.Contains(page.body, "<b>") {
		t.Error("the client's words are shown raw")
	}
	if c.poll("one") != store.DevicePending {
		t.Fatal("looking lets a client in")
	}
	b.post("/device", "code", code).says(t, 422, "device-undecided")
	b.post("/device", "code", typed, "decision", "approve").leads(t, "/device?code="+code)
	b.get("/device?code="+code).says(t, 200, "device-approved").has(t, "a[href=/settings/tokens]")
	if c.poll("one") != store.DeviceApproved {
		t.Error("the client is not let in")
	}
	b.get("/device?code="+code).says(t, 200, "device-approved")
	b.post("/device", "code", code, "decision", "deny").leads(t, "/device?code="+code)
	b.get("/device?code="+code).says(t, 200, "device-approved") // what was answered stays answered

	code = c.knocks("two")
	b.post("/device", "code", code, "decision", "deny").leads(t, "/device?code="+code)
	b.get("/device?code="+code).says(t, 200, "device-denied")
	if c.poll("two") != store.DeviceDenied {
		t.Error("the client does not learn that it was denied")
	}
	eve := c.as(c.person("eve"))
	eve.get("/device?code="+code).says(t, 404, "device-used")
	eve.post("/device", "code", code, "decision", "approve").says(t, 404, "device-used")

	code = c.knocks("three")
	c.now = c.now.Add(10 * time.Minute)
	b.get("/device?code="+code).says(t, 404, "device-unknown")
	b.proved().post("/device", "code", code, "decision", "approve").says(t, 404, "device-unknown")
	b.get("/device?code=AEIOU").says(t, 422, "device-code-malformed")
}

// TestDeviceIsGranted: the token that a client gets is called and ends as its person said.
func TestDeviceIsGranted(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	b := c.as(ada).proved()
	b.address = "203.0.113.9"
	code := c.knocks("one")
	page := b.get("/device?code=" + code)
	page.says(t, 200, "device-ask-here").lacks(t, ".notice.is-warn").part(t, "dl.pairs .dots", "device-address").has(t, "input[name=name][value=figs login, 20 November 2026]")
	refused := b.post("/device", "code", code, "decision", "approve", "name", strings.Repeat("x", 101), "lasts", "31")
	refused.says(t, 422, "device-refused").has(t, "input[name=name][aria-invalid=true]", "select[name=lasts][aria-invalid=true]", "button[name=decision][value=approve]")
	if c.poll("one") != store.DevicePending {
		t.Fatal("a form that was refused lets a client in")
	}
	b.post("/device", "code", code, "decision", "approve", "name", " build  server ", "lasts", "30").leads(t, "/device?code="+code)
	if c.poll("one") != store.DeviceApproved {
		t.Fatal("the client is not let in")
	}
	tokens, err := c.store.ListTokens(context.Background(), ada.ID)
	c.must(err)
	if got := tokens[0]; len(tokens) != 1 || got.Name != "build server" || got.Expires != c.now.Add(30*24*time.Hour).UnixMicro() || got.Scope != store.ScopePush {
		t.Errorf("it got %+v", tokens)
	}
}

// TestDeviceTakesAProof: letting a client in needs a fresh proof, denying it needs none.
func TestDeviceTakesAProof(t *testing.T) {
	c := newClub(t)
	b := c.as(c.person("ada")).proved()
	c.now = c.now.Add(11 * time.Minute)
	one, two := c.knocks("one"), c.knocks("two")
	page := b.post("/device", "code", one, "decision", "approve", "name", "laptop", "lasts", "90")
	page.says(t, 403, "confirm")
	if !strings.Contains(page.body, `name="decision" value="approve"`) || !strings.Contains(page.body, `name="name" value="laptop"`) {
		t.Error("the form is not kept")
	}
	b.post("/device", "code", two, "decision", "deny").leads(t, "/device?code="+two)
	if c.poll("one") != store.DevicePending || c.poll("two") != store.DeviceDenied {
		t.Fatal("a client was let in without a proof, or not denied")
	}
	b.post("/device", "code", one, "decision", "approve", "name", "laptop", "lasts", "90", "confirm_password", secretWords).leads(t, "/device?code="+one)
	if c.poll("one") != store.DeviceApproved {
		t.Error("the client is not let in")
	}
}

func TestCodesAreNotGuessed(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	b := c.as(ada)
	code := c.knocks("one")
	for range 10 {
		b.get("/device?code="+accounts.NewUserCode()).says(t, 404)
		b.post("/device", "code", accounts.NewUserCode(), "decision", "approve").says(t, 404)
	}
	got := b.get("/device?code=" + code)
	got.says(t, 429, "device-too-often")
	if got.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	b.post("/device", "code", code, "decision", "approve").says(t, 429)
	if c.poll("one") != store.DevicePending {
		t.Error("a guesser let a client in")
	}
	c.now = c.now.Add(10 * time.Minute)
	b.get("/device?code="+c.knocks("two")).says(t, 200).has(t, "button[name=decision][value=approve]")
}
