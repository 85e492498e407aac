package handlers

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

func TestSettings(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	c.workspace("acme", ada)
	b := c.as(ada)
	b.get("/settings").says(t, 200, "Ada", "ada@example.org", "The acme", "this one")
	b.post("/settings/name", "name", " Ada   Lovelace ").leads(t, "/settings?done=name")
	b.get("/settings?done=name").says(t, 200, "Ada Lovelace", "The name is saved.")
	got := b.post("/settings/name", "name", strings.Repeat("x", 101))
	got.says(t, 422, "The name is too long")
	if !strings.Contains(got.body, `value="`+strings.Repeat("x", 101)+`"`) {
		t.Error("the form forgets what was typed")
	}
	b.post("/settings/name", "name", "<script>alert(1)</script>")
	if page := b.get("/settings"); strings.Contains(page.body, "<script>alert") {
		t.Error("a name is markup")
	}
	b.get("/settings?done=<b>nonsense").says(t, 200)
}

func TestTokens(t *testing.T) {
	c := newClub(t)
	ada, eve := c.person("ada"), c.person("eve")
	b := c.as(ada)
	b.post("/settings/tokens", "token", " ").says(t, 422, "The name is missing")
	page := b.post("/settings/tokens", "token", "build server")
	page.says(t, 200, "shown this once", "build server", "never used")
	secret := regexp.MustCompile(`figs_[a-z2-7]{26}`).FindString(page.body)
	if page.Header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("a cache may keep the token: %q", page.Header.Get("Cache-Control"))
	}
	if got, err := c.store.UseToken(context.Background(), store.Hash(secret), c.at()); err != nil || got.User != ada.ID {
		t.Fatalf("the token is not good: %+v, %v", got, err)
	}
	if again := b.get("/settings"); strings.Contains(again.body, secret) {
		t.Error("the token is shown twice")
	}
	tokens, err := c.store.ListTokens(context.Background(), ada.ID)
	c.must(err)
	c.as(eve).post("/settings/tokens/revoke", "id", tokens[0].ID).leads(t, "/settings?done=revoked")
	if _, err := c.store.UseToken(context.Background(), store.Hash(secret), c.at()); err != nil {
		t.Fatalf("somebody else revoked it: %v", err)
	}
	b.post("/settings/tokens/revoke", "id", tokens[0].ID).leads(t, "/settings?done=revoked")
	if _, err := c.store.UseToken(context.Background(), store.Hash(secret), c.at()); err == nil {
		t.Error("a revoked token is good")
	}
	b.get("/settings").says(t, 200, "revoked just now")
	b.post("/settings/tokens/revoke", "id", tokens[0].ID).leads(t, "/settings?done=revoked")
}

func TestSessionsOfOne(t *testing.T) {
	c := newClub(t)
	ada, eve := c.person("ada"), c.person("eve")
	here, phone, desk, other := c.as(ada), c.as(ada), c.as(ada), c.as(eve)
	of := func(b *browser) string { return store.Hash(b.cookies["__Host-figs"]) }
	in := func(b *browser) bool { return b.get("/settings").StatusCode == 200 }
	here.post("/settings/sessions/end", "session", of(other)).leads(t, "/settings?done=session")
	here.post("/settings/sessions/end", "session", of(here)).leads(t, "/settings?done=session")
	if !in(other) || !in(here) {
		t.Error("a session that may not end here ended")
	}
	here.post("/settings/sessions/end", "session", of(phone)).leads(t, "/settings?done=session")
	if in(phone) || !in(desk) {
		t.Error("the wrong session ended")
	}
	here.post("/settings/sessions/end").leads(t, "/settings?done=sessions")
	if in(desk) || !in(here) || !in(other) {
		t.Error("all others must end, and no more")
	}
}

func TestPassword(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	here, phone := c.as(ada), c.as(ada)
	before := here.cookies["__Host-figs"]
	const chosen = "a new and better phrase"
	here.post("/settings/password", "old", "wrong", "password", chosen).says(t, 422, "not the password that you have")
	here.post("/settings/password", "old", secretWords, "password", "short").says(t, 422, "at least 10 characters")
	here.post("/settings/password", "old", secretWords, "password", "ADA@example.org").says(t, 422, "is the e-mail address")
	got := here.post("/settings/password", "old", secretWords, "password", chosen)
	got.leads(t, "/settings?done=password")
	if strings.Contains(got.body, chosen) || here.cookies["__Host-figs"] == before {
		t.Error("the session goes on under its old secret")
	}
	here.get("/settings?done=password").says(t, 200, "The password is changed")
	phone.get("/settings").leads(t, "/sign-in?next=%2Fsettings")
	c.browser().post("/sign-in", "email", ada.Email, "password", secretWords).says(t, 401)
	c.browser().post("/sign-in", "email", ada.Email, "password", chosen).leads(t, "/")

	c.now = c.now.Add(time.Hour)
	for range 10 {
		here.post("/settings/password", "old", "guess", "password", chosen).says(t, 422)
	}
	here.post("/settings/password", "old", chosen, "password", chosen).says(t, 429, "tried too often")
}

// TestOldEncodingsGrow holds that a password is kept at today's cost from the next sign-in on.
func TestOldEncodingsGrow(t *testing.T) {
	c := newClub(t)
	ctx := context.Background()
	old := "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHRzYWx0c2FsdA$" // and the key of secretWords
	u := store.User{ID: store.NewID(), Email: "ada@example.org", Name: "Ada", Created: 1, Password: old + cheapKey}
	c.must(c.store.AddUser(ctx, store.Act{At: 1}, u))
	c.browser().post("/sign-in", "email", u.Email, "password", "wrong words here").says(t, 401)
	c.browser().post("/sign-in", "email", u.Email, "password", secretWords).leads(t, "/")
	got, err := c.store.User(ctx, u.ID)
	c.must(err)
	if !strings.Contains(got.Password, "m=19456,t=2,p=1") {
		t.Errorf("the encoding stays %q", got.Password)
	}
	if ok, stale, err := people.VerifyPassword(ctx, got.Password, secretWords); !ok || stale || err != nil {
		t.Errorf("VerifyPassword = %v, %v, %v", ok, stale, err)
	}
}

const cheapKey = "QOKF1iG70GOhZX71bkTGoINw9zqSjKFirULQQtMxBVI"
