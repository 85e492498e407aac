package handlers

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// TestOperatorsMakeWorkspaces holds that those who run the server make further workspaces in the browser, which they own, and
// others see no such form.
func TestOperatorsMakeWorkspaces(t *testing.T) {
	w := newTown(t)
	ctx := context.Background()
	w.ok(w.s.SetOperator(ctx, store.Act{At: hostedNow.UnixMicro()}, w.people["member"].ID, true))
	const form = `action="/settings/workspaces"`
	if page := text(t, w.ask("GET", "/settings", "owner", "")); strings.Contains(page, form) {
		t.Error("who does not run the server is offered it")
	}
	if r := w.ask("POST", "/settings/workspaces", "owner", "workspace=Two"); r.StatusCode != http.StatusNotFound {
		t.Errorf("who does not run the server makes one: %d", r.StatusCode)
	}
	if page := text(t, w.ask("GET", "/settings", "member", "")); !strings.Contains(page, form) {
		t.Error("who runs the server is not offered it")
	}
	for form, name := range map[string]string{"workspace=&slug=": "workspace-no-name", "workspace=Two&slug=A+B": "workspace-odd-address", "workspace=Two&slug=acme": "workspace-address-taken", "workspace=Two&slug=admin": "workspace-address-kept"} {
		w.post("/settings/workspaces", "member", form).says(t, 422, name).has(t, "details[open] input[aria-invalid=true]")
	}
	if r := w.ask("POST", "/settings/workspaces", "member", "workspace=Zwei+%26+Drei"); r.Header.Get("Location") != "/w/zwei-and-drei/connect" {
		t.Fatalf("it leads to %q", r.Header.Get("Location"))
	}
	made, err := w.s.Workspace(ctx, "zwei-and-drei")
	w.ok(err)
	rows, err := w.s.Audit(ctx, made.ID, store.AuditQuery{N: 10})
	w.ok(err)
	var actions []string
	for _, row := range rows {
		actions = append(actions, row.Action+" by "+row.By)
	}
	if by := " by " + w.people["member"].ID; made.Name != "Zwei & Drei" || !slices.Contains(actions, "workspace.add"+by) {
		t.Errorf("made %q, with the audit %q", made.Name, actions)
	}
	if r := w.ask("GET", "/w/zwei-and-drei/settings/policy", "member", ""); !strings.Contains(text(t, r), "<form") {
		t.Error("its maker does not own it")
	}
}

func TestSettings(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	c.workspace("acme", ada)
	b := c.as(ada)
	b.get("/settings").says(t, 200).shows(t, "Ada", "ada@example.org", "The acme")
	b.post("/settings/name", "name", " Ada   Lovelace ").leads(t, "/settings?notice=name-saved")
	b.get("/settings?notice=name-saved").says(t, 200, "name-saved").shows(t, "Ada Lovelace")
	got := b.post("/settings/name", "name", strings.Repeat("x", 101))
	got.says(t, 422, "name-too-long").has(t, "input[name=name][aria-invalid=true]")
	if !strings.Contains(got.body, `value="`+strings.Repeat("x", 101)+`"`) {
		t.Error("the form forgets what was typed")
	}
	b.post("/settings/name", "name", "<script>alert(1)</script>")
	if page := b.get("/settings"); strings.Contains(page.body, "<script>alert") {
		t.Error("a name is markup")
	}
	b.get("/settings?notice=<b>nonsense").says(t, 200)
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
	if ok, stale, err := accounts.VerifyPassword(ctx, got.Password, secretWords); !ok || stale || err != nil {
		t.Errorf("VerifyPassword = %v, %v, %v", ok, stale, err)
	}
}

const cheapKey = "QOKF1iG70GOhZX71bkTGoINw9zqSjKFirULQQtMxBVI"
