package handlers

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

// knocks is a client that asks to be let in; it returns the code that a person reads.
func (c *club) knocks(secret string) string {
	c.t.Helper()
	code := people.NewUserCode()
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

	b := c.as(ada)
	b.get("/device").says(t, 200, "Type it here")
	typed := strings.ToLower(strings.ReplaceAll(code, "-", " "))
	page := b.get("/device?code=" + strings.ReplaceAll(typed, " ", "+"))
	page.says(t, 200, code, "figs/1.2.0", "203.0.113.9", "just now", "Ada", "ada@example.org", "must show the same code")
	if strings.Contains(page.body, "\u202e") || strings.Contains(page.body, "<b>") {
		t.Error("the client's words are shown raw")
	}
	if c.poll("one") != store.DevicePending {
		t.Fatal("looking lets a client in")
	}
	b.post("/device", "code", code).says(t, 422, "Say whether to let it in")
	b.post("/device", "code", typed, "decision", "approve").leads(t, "/device?code="+code)
	b.get("/device?code="+code).says(t, 200, "The client is in", "Go back to the terminal", "revoke it under Settings")
	if c.poll("one") != store.DeviceApproved {
		t.Error("the client is not let in")
	}
	b.get("/device?code="+code).says(t, 200, "The client is in")
	b.post("/device", "code", code, "decision", "deny").leads(t, "/device?code="+code)
	b.get("/device?code="+code).says(t, 200, "The client is in") // what was answered stays answered

	code = c.knocks("two")
	b.post("/device", "code", code, "decision", "deny").leads(t, "/device?code="+code)
	b.get("/device?code="+code).says(t, 200, "was not let in", "run figs login again")
	if c.poll("two") != store.DeviceDenied {
		t.Error("the client does not learn that it was denied")
	}
	eve := c.as(c.person("eve"))
	eve.get("/device?code="+code).says(t, 404, "Somebody else has answered")
	eve.post("/device", "code", code, "decision", "approve").says(t, 404, "Somebody else has answered")

	code = c.knocks("three")
	c.now = c.now.Add(10 * time.Minute)
	b.get("/device?code="+code).says(t, 404, "Nothing asks under this code", "run figs login again")
	b.post("/device", "code", code, "decision", "approve").says(t, 404, "Nothing asks under this code")
	b.get("/device?code=AEIOU").says(t, 422, "eight letters")
}

func TestCodesAreNotGuessed(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	b := c.as(ada)
	code := c.knocks("one")
	for range 10 {
		b.get("/device?code="+people.NewUserCode()).says(t, 404)
		b.post("/device", "code", people.NewUserCode(), "decision", "approve").says(t, 404)
	}
	got := b.get("/device?code=" + code)
	got.says(t, 429, "tried too often", "Wait")
	if got.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	b.post("/device", "code", code, "decision", "approve").says(t, 429)
	if c.poll("one") != store.DevicePending {
		t.Error("a guesser let a client in")
	}
	c.now = c.now.Add(10 * time.Minute)
	b.get("/device?code="+c.knocks("two")).says(t, 200, "Let this client in?")
}
