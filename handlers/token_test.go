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
	b.get("/settings/tokens").says(t, 200, "There is none yet", "90 days")
	b.post("/settings/tokens", "token", " ", "scope", "all", "lasts", "7").says(t, 422, "The name is missing", "Say what it may do", "Say how long it lasts")
	if page := b.post("/settings/tokens", "token", "ci", "scope", "read", "lasts", "31"); !strings.Contains(page.body, `value="read" selected`) || !strings.Contains(page.body, `value="ci"`) {
		t.Error("the form forgets what was chosen")
	}
	page := b.post("/settings/tokens", "token", "build server", "scope", "push", "lasts", "0")
	page.says(t, 200, "shown this once", "build server", "never used", "has no end", "pushes as you")
	secret := aToken.FindString(page.body)
	if page.Header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("a cache may keep the token: %q", page.Header.Get("Cache-Control"))
	}
	if got, err := use(secret); err != nil || got.User != ada.ID || got.Scope != store.ScopePush || got.Expires != 0 {
		t.Fatalf("the token is not good: %+v, %v", got, err)
	}
	page = b.get("/settings/tokens")
	page.says(t, 200, "last used just now from 203.0.113.7")
	if aToken.MatchString(page.body) {
		t.Error("the token is shown twice")
	}
	tokens, err := c.store.ListTokens(context.Background(), ada.ID)
	c.must(err)
	c.as(eve).post("/settings/tokens/revoke", "id", tokens[0].ID).leads(t, "/settings/tokens?done=revoked")
	if _, err := use(secret); err != nil {
		t.Fatalf("somebody else revoked it: %v", err)
	}
	b.post("/settings/tokens/revoke", "id", tokens[0].ID).leads(t, "/settings/tokens?done=revoked")
	if _, err := use(secret); err == nil {
		t.Error("a revoked token is good")
	}
	b.get("/settings/tokens").says(t, 200, "revoked just now")
	b.post("/settings/tokens/revoke", "id", tokens[0].ID).leads(t, "/settings/tokens?done=revoked")
}

// TestTokensThatEnd: the page says in time that one ends, and how it did.
func TestTokensThatEnd(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	page := c.as(ada).proved().post("/settings/tokens", "token", "reader", "scope", "read", "lasts", "30")
	page.says(t, 200, "Whoever holds it reads what you can read", "only reads", "ends in 30 days")
	secret := aToken.FindString(page.body)
	for _, test := range []struct {
		days int
		says string
	}{{16, "ends in 14 days"}, {1, "ends soon"}, {12, "ends soon"}, {1, "has ended"}} {
		c.now = c.now.Add(time.Duration(test.days) * 24 * time.Hour)
		page := c.as(ada).get("/settings/tokens")
		page.says(t, 200, test.says)
		if soon := strings.Contains(page.words(), "ends soon"); soon != (test.says == "ends soon") {
			t.Errorf("%s: %v", test.says, soon)
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
	page.says(t, 403, "Is it you?")
	if aToken.MatchString(page.body) || !strings.Contains(page.body, `value="&lt;laptop&gt;"`) {
		t.Errorf("the page holds %s", page.body)
	}
	b.post("/settings/tokens", append(form, "confirm_password", "guess")...).says(t, 422, "not the password")
	if tokens, err := c.store.ListTokens(context.Background(), ada.ID); err != nil || len(tokens) != 0 {
		t.Fatalf("made without a proof: %v, %v", tokens, err)
	}
	b.post("/settings/tokens", append(form, "confirm_password", secretWords)...).says(t, 200, "shown this once", "ends in 12 months")
	tokens, err := c.store.ListTokens(context.Background(), ada.ID)
	c.must(err)
	if len(tokens) != 1 || tokens[0].Name != "<laptop>" || tokens[0].Scope != store.ScopeRead {
		t.Errorf("made is %+v", tokens)
	}
	c.now = c.now.Add(11 * time.Minute)
	b.post("/settings/tokens/revoke", "id", tokens[0].ID).leads(t, "/settings/tokens?done=revoked")
}
