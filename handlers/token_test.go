package handlers

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/store"
)

var aToken = regexp.MustCompile(`figs_[a-z2-7]{26}`)

// proved makes the session of a browser one whose person has just proved who they are.
func (b *browser) proved() *browser {
	b.c.t.Helper()
	b.c.must(b.c.store.MarkProved(context.Background(), store.Hash(b.cookies[b.c.h.Auth.Cookie]), b.c.at()))
	return b
}

func TestTokens(t *testing.T) {
	c := newClub(t)
	ada, eve := c.person("ada"), c.person("eve")
	b := c.as(ada).proved()
	use := func(secret string) (store.Token, error) {
		return c.store.UseToken(context.Background(), store.Hash(secret), "203.0.113.7", c.at())
	}
	b.get("/settings/tokens").says(t, 200).has(t, "select[name=lasts] option[value=90]").part(t, "#tokens p", "tokens-none")
	b.post("/settings/tokens", "token", " ", "scope", "all", "lasts", "7").says(t, 422, "token-refused").has(t, "input[name=token][aria-invalid=true]", "select[name=scope][aria-invalid=true]", "select[name=lasts][aria-invalid=true]")
	if page := b.post("/settings/tokens", "token", "ci", "scope", "read", "lasts", "31"); !strings.Contains(page.body, `value="read" selected`) || !strings.Contains(page.body, `value="ci"`) {
		t.Error("the form forgets what was chosen")
	}
	page := b.post("/settings/tokens", "token", "build server", "scope", "push", "lasts", "0")
	page.says(t, 200).shows(t, "build server").part(t, ".is-fresh p", "token-fresh").part(t, "#tokens td", "token-unused")
	secret := aToken.FindString(page.body)
	if page.Header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("a cache may keep the token: %q", page.Header.Get("Cache-Control"))
	}
	if got, err := use(secret); err != nil || got.User != ada.ID || got.Scope != store.ScopePush || got.Expires != 0 {
		t.Fatalf("the token is not good: %+v, %v", got, err)
	}
	page = b.get("/settings/tokens")
	page.says(t, 200).part(t, "#tokens td", "token-used")
	if aToken.MatchString(page.body) {
		t.Error("the token is shown twice")
	}
	tokens, err := c.store.ListTokens(context.Background(), ada.ID)
	c.must(err)
	c.as(eve).post("/settings/tokens/revoke", "id", tokens[0].ID).leads(t, "/settings/tokens?notice=token-revoked")
	if _, err := use(secret); err != nil {
		t.Fatalf("somebody else revoked it: %v", err)
	}
	b.post("/settings/tokens/revoke", "id", tokens[0].ID).leads(t, "/settings/tokens?notice=token-revoked")
	if _, err := use(secret); err == nil {
		t.Error("a revoked token is good")
	}
	b.get("/settings/tokens").says(t, 200).part(t, "#tokens td", "token-revoked")
	b.post("/settings/tokens/revoke", "id", tokens[0].ID).leads(t, "/settings/tokens?notice=token-revoked")
}

// TestTokensThatEnd: the page says in time that one ends, and how it did.
func TestTokensThatEnd(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	page := c.as(ada).proved().post("/settings/tokens", "token", "reader", "scope", "read", "lasts", "30")
	page.says(t, 200).part(t, ".is-fresh p", "token-fresh-reads").part(t, "#tokens tbody tr", "token-reads")
	secret := aToken.FindString(page.body)
	for _, test := range []struct {
		days int
		name string
		ends bool // soon, or already
	}{{16, "token-14-days", false}, {1, "token-13-days", true}, {12, "token-1-day", true}, {1, "token-ended", true}} {
		c.now = c.now.Add(time.Duration(test.days) * 24 * time.Hour)
		page := c.as(ada).get("/settings/tokens")
		page.says(t, 200).part(t, "#tokens tbody tr", test.name)
		if test.ends {
			page.has(t, "#tokens .chip.is-warn")
		} else {
			page.lacks(t, "#tokens .chip.is-warn")
		}
	}
	b := c.browser()
	b.headers = map[string]string{"Authorization": "Bearer " + secret}
	if a := b.get("/api/v1/workspaces"); a.StatusCode != 401 || !strings.Contains(a.body, "token_expired") {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
}

// TestTokenTakesAProof: making one needs a fresh proof, through which the form passes; taking one
// away needs none.
func TestTokenTakesAProof(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	b := c.as(ada).proved()
	c.now = c.now.Add(11 * time.Minute)
	form := []string{"token", "<laptop>", "scope", "read", "lasts", "365"}
	page := b.post("/settings/tokens", form...)
	page.says(t, 403, "confirm")
	if aToken.MatchString(page.body) || !strings.Contains(page.body, `value="&lt;laptop&gt;"`) {
		t.Errorf("the page holds %s", page.body)
	}
	b.post("/settings/tokens", append(form, "confirm_password", "guess")...).says(t, 422, "confirm-wrong-password")
	if tokens, err := c.store.ListTokens(context.Background(), ada.ID); err != nil || len(tokens) != 0 {
		t.Fatalf("made without a proof: %v, %v", tokens, err)
	}
	b.post("/settings/tokens", append(form, "confirm_password", secretWords)...).says(t, 200).part(t, ".is-fresh p", "token-fresh-reads").part(t, "#tokens td", "token-year")
	tokens, err := c.store.ListTokens(context.Background(), ada.ID)
	c.must(err)
	if len(tokens) != 1 || tokens[0].Name != "<laptop>" || tokens[0].Scope != store.ScopeRead {
		t.Errorf("made is %+v", tokens)
	}
	c.now = c.now.Add(11 * time.Minute)
	b.post("/settings/tokens/revoke", "id", tokens[0].ID).leads(t, "/settings/tokens?notice=token-revoked")
}
