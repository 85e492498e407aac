package handlers

import (
	"context"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

func TestSettings(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	c.workspace("acme", ada)
	b := c.as(ada)
	b.get("/settings").says(t, 200, "Ada", "ada@example.org", "The acme")
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
	if costs := func(encoded string) string { return strings.Split(encoded, "$")[3] }; costs(got.Password) != costs(c.person("bob").Password) {
		t.Errorf("the encoding stays %q", got.Password)
	}
	if ok, stale, err := people.VerifyPassword(ctx, got.Password, secretWords); !ok || stale || err != nil {
		t.Errorf("VerifyPassword = %v, %v, %v", ok, stale, err)
	}
}

const cheapKey = "QOKF1iG70GOhZX71bkTGoINw9zqSjKFirULQQtMxBVI"
