package handlers

import (
	"context"
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/passkey/passkeytest"
	"github.com/figs-web/figs-web/internal/store"
)

// options asks for a challenge.
func (b *browser) options(address string) []byte {
	b.c.t.Helper()
	got := b.post(address)
	if got.StatusCode != 200 || got.Header.Get("Content-Type") != "application/json" {
		b.c.t.Fatalf("%s = %d %s", address, got.StatusCode, got.body)
	}
	return []byte(got.body)
}

// keyed is a person with a passkey, and a browser in which they are signed in.
func (c *club) keyed(name string) (store.User, *browser, *passkeytest.Key) {
	c.t.Helper()
	u, key := c.person(name), passkeytest.New(clubAt)
	b := c.as(u)
	b.post("/settings/passkeys", "key", "laptop", "answer", string(key.Register(b.options("/settings/passkeys/begin")))).leads(c.t, "/settings/signing-in?notice=passkey-added")
	return u, b, key
}

// thisSession holds what the page on signing in says of the session that asks for it to a case of testdata/messages.golden.
func (a answer) thisSession(t *testing.T, name string) answer {
	t.Helper()
	for _, row := range pagetest.All(pagetest.Parse(t, a.body), "#sessions tbody tr") {
		if len(pagetest.All(row, ".chip.is-ok")) > 0 {
			messages.Check(t, name, pagetest.Lines(row))
			return a
		}
	}
	t.Errorf("no session is marked as this one: %s", a.words())
	return a
}

// TestPasskeys is the life of one: made, used to sign in and to prove who somebody is, removed.
func TestPasskeys(t *testing.T) {
	c := newClub(t)
	ada, here, key := c.keyed("ada")
	here.get("/settings/signing-in").says(t, 200).shows(t, "laptop").part(t, "#passkeys li .dots", "passkey-unused")

	b := c.browser()
	b.get("/sign-in?next=/settings").says(t, 200).has(t, "form[action=/sign-in/passkey][data-passkey=sign-in]")
	answer := string(key.Answer(b.options("/sign-in/passkey/begin")))
	b.post("/sign-in/passkey", "answer", answer, "next", "/settings").leads(t, "/settings")
	b.get("/settings/signing-in").says(t, 200).thisSession(t, "session-by-passkey").part(t, "#passkeys li .dots", "passkey-used")

	again := c.browser()
	again.cookies["__Host-figs-passkey"] = b.cookies["__Host-figs-passkey"]
	again.post("/sign-in/passkey", "answer", answer).says(t, 401, "passkey-sent-twice")
	other := c.browser()
	other.post("/sign-in/passkey", "answer", string(key.Answer(b.options("/sign-in/passkey/begin")))).says(t, 401, "passkey-of-another")
	if len(again.cookies)+len(other.cookies) != 1 {
		t.Error("a refused passkey begins a session")
	}

	c.now = c.now.Add(stale)
	c.workspace("acme", ada)
	page := b.post("/w/acme/settings/add", "email", "x@example.org", "role", "viewer")
	page.says(t, 403, "confirm").has(t, "form[data-passkey=confirm] input[name=confirm_passkey]")
	form := page.hidden()
	form.Set("confirm_passkey", string(key.Answer(b.options("/confirm/begin"))))
	b.send("POST", "/w/acme/settings/add", form.Encode()).says(t, 422, "member-no-account") // it went on: there is no such person
	c.now = c.now.Add(stale)
	b.post("/settings/passkeys/begin").says(t, 403)
	b.post("/confirm", "next", "/settings", "confirm_passkey", string(key.Answer(b.options("/confirm/begin")))).leads(t, "/settings")

	all, err := c.store.ListPasskeys(context.Background(), ada.ID)
	c.must(err)
	c.as(c.person("eve")).post("/settings/passkeys/remove", "id", all[0].ID).leads(t, "/settings/signing-in?notice=passkey-removed")
	if all, err = c.store.ListPasskeys(context.Background(), ada.ID); len(all) != 1 || err != nil {
		t.Fatalf("somebody else removed it: %v, %v", all, err)
	}
	b.post("/settings/passkeys/remove", "id", all[0].ID).leads(t, "/settings/signing-in?notice=passkey-removed")
	b = c.browser()
	b.post("/sign-in/passkey", "answer", string(key.Answer(b.options("/sign-in/passkey/begin")))).says(t, 401, "passkey-unknown")
}

// TestPasskeysRefused is what the pages say of keys that are not taken.
func TestPasskeysRefused(t *testing.T) {
	c := newClub(t)
	_, here, key := c.keyed("ada")
	eve := c.as(c.person("eve"))
	stolen := *key
	eve.post("/settings/passkeys", "key", "mine", "answer", string(stolen.Register(eve.options("/settings/passkeys/begin")))).says(t, 422, "passkey-taken")
	eve.post("/settings/passkeys", "key", "mine", "answer", "nonsense").says(t, 422, "passkey-unverified")
	evil := passkeytest.New("https://evil.example")
	got := eve.post("/settings/passkeys", "key", "<b>mine", "answer", string(evil.Register(eve.options("/settings/passkeys/begin"))))
	got.says(t, 422, "passkey-unverified")
	if !strings.Contains(got.body, "&lt;b&gt;mine") {
		t.Error("the name that was typed is lost, or markup")
	}
	eve.post("/settings/passkeys", "key", " ", "answer", "x").says(t, 422, "passkey-no-name").has(t, "input[name=key][aria-invalid=true]")
	eve.post("/confirm/begin").says(t, 404)

	key.Count = 20
	b := c.browser()
	b.post("/sign-in/passkey", "answer", string(key.Answer(b.options("/sign-in/passkey/begin")))).leads(t, "/")
	key.Count = 4
	b = c.browser()
	b.post("/sign-in/passkey", "answer", string(key.Answer(b.options("/sign-in/passkey/begin")))).says(t, 401, "passkey-counted-back")
	c.now = c.now.Add(stale)
	key.Count = 4
	here.post("/confirm", "confirm_passkey", string(key.Answer(here.options("/confirm/begin")))).says(t, 422, "confirm-counted-back")
	for range 110 {
		b.post("/sign-in/passkey/begin")
	}
	b.post("/sign-in/passkey/begin").says(t, 429)
}

// TestLastWay holds that nobody removes what alone lets them in.
func TestLastWay(t *testing.T) {
	c := newClub(t)
	u := store.User{ID: store.NewID(), Email: "key@example.org", Name: "Key", Created: c.at()}
	c.must(c.store.AddUser(context.Background(), store.Act{At: c.at()}, u))
	c.must(c.store.AddPasskey(context.Background(), store.Act{At: c.at()}, store.Passkey{ID: "only", Person: u.ID, Name: "only", Credential: "{}"}))
	b := c.as(u)
	b.post("/settings/passkeys/remove", "id", "only").says(t, 422, "passkey-last-way")
	b.get("/settings/signing-in").says(t, 200).has(t, "form[action=/settings/password/first]")
	b.post("/settings/password", "old", "", "password", "a new and better phrase").says(t, 422)
	b.post("/settings/password/first", "password", "short").says(t, 422, "password-short").has(t, "input[name=password][aria-invalid=true]")
	b.post("/settings/password/first", "password", "a new and better phrase").leads(t, "/settings/signing-in?notice=password-changed")
	b.post("/settings/password/first", "password", "another one, unasked").says(t, 422, "password-there")
	b.post("/settings/passkeys/remove", "id", "only").leads(t, "/settings/signing-in?notice=passkey-removed")
	c.now = c.now.Add(stale)
	b.post("/settings/password/first", "password", "another one, unasked").says(t, 403, "confirm")
}

// TestPasskeysNeedAName holds that where browsers make no passkeys the pages say so.
func TestPasskeysNeedAName(t *testing.T) {
	c := newClubAt(t, "http://127.0.0.1:8080")
	b := c.as(c.person("ada"))
	b.get("/settings/signing-in").says(t, 200).shows(t, "--public-url http://localhost:8080")
	page := c.browser().get("/sign-in")
	page.says(t, 200).has(t, "form[action=/sign-in]")
	if strings.Contains(page.body, "passkey") {
		t.Error("the sign-in page speaks of passkeys")
	}
	if strings.Contains(page.body, "data-passkey") {
		t.Error("it offers what does not work")
	}
	for _, address := range []string{"/settings/passkeys/begin", "/settings/passkeys", "/sign-in/passkey/begin", "/sign-in/passkey", "/confirm/begin"} {
		b.post(address, "key", "x").says(t, 404)
	}
}

var aCode = regexp.MustCompile(`<code>([B-Z]{4}(?:-[B-Z]{4}){3})</code>`)

// codes are new recovery codes, as the page shows them.
func (b *browser) codes() (codes []string) {
	b.c.t.Helper()
	page := b.post("/settings/recovery")
	page.says(b.c.t, 200).has(b.c.t, ".is-fresh .codes")
	for _, m := range aCode.FindAllStringSubmatch(page.body, -1) {
		codes = append(codes, m[1])
	}
	if len(codes) != 10 || page.Header.Get("Cache-Control") != "private, no-store" {
		b.c.t.Fatalf("codes %q, kept by caches: %q", codes, page.Header.Get("Cache-Control"))
	}
	return codes
}

func TestRecoveryCodes(t *testing.T) {
	c := newClub(t)
	ada, eve := c.person("ada"), c.person("eve")
	here := c.as(ada)
	codes := here.codes()
	try := func(email, code string) answer {
		return c.browser().post("/sign-in/recovery", "email", email, "code", code)
	}
	c.browser().get("/sign-in/recovery").says(t, 200).has(t, "form[action=/sign-in/recovery] input[name=code]")
	try(eve.Email, codes[0]).says(t, 401, "recovery-no-match")
	try("nobody@example.org", codes[0]).says(t, 401, "recovery-no-match")
	try(ada.Email, "BCDF-BCDF-BCDF-BCDF").says(t, 401, "recovery-no-match")
	b := c.browser()
	b.post("/sign-in/recovery", "email", " ADA@example.org ", "code", " "+strings.ToLower(strings.ReplaceAll(codes[0], "-", " "))).leads(t, "/settings/signing-in?notice=recovery-code-used")
	b.get("/settings/signing-in?notice=recovery-code-used").says(t, 200, "recovery-used").thisSession(t, "session-by-recovery").part(t, "#recovery p.dots", "recovery-left")
	try(ada.Email, codes[0]).says(t, 401, "recovery-used-before")

	fresh := b.codes()
	try(ada.Email, codes[1]).says(t, 401)
	try(ada.Email, fresh[1]).leads(t, "/settings/signing-in?notice=recovery-code-used")
	c.now = c.now.Add(stale)
	here.post("/settings/recovery").says(t, 403, "confirm")

	c.now = c.now.Add(time.Hour)
	for range 10 {
		try(eve.Email, "guess").says(t, 401)
	}
	try(eve.Email, "guess").says(t, 429, "recovery-too-often")
	c.browser().post("/sign-in", "email", eve.Email, "password", secretWords).says(t, 429) // counted together
}

func TestSessionsOfOne(t *testing.T) {
	c := newClub(t)
	ada, eve := c.person("ada"), c.person("eve")
	here, phone, desk, other := c.as(ada), c.as(ada), c.as(ada), c.as(eve)
	of := func(b *browser) string { return store.Hash(b.cookies["__Host-figs"]) }
	in := func(b *browser) bool { return b.get("/settings").StatusCode == 200 }
	here.post("/settings/sessions/end", "session", of(other)).leads(t, "/settings/signing-in?notice=session-ended")
	here.post("/settings/sessions/end", "session", of(here)).leads(t, "/settings/signing-in?notice=session-ended")
	if !in(other) || !in(here) {
		t.Error("a session that may not end here ended")
	}
	here.post("/settings/sessions/end", "session", of(phone)).leads(t, "/settings/signing-in?notice=session-ended")
	if in(phone) || !in(desk) {
		t.Error("the wrong session ended")
	}
	here.post("/settings/sessions/end").leads(t, "/settings/signing-in?notice=sessions-ended")
	if in(desk) || !in(here) || !in(other) {
		t.Error("all others must end, and no more")
	}
}

// TestNarrowerLimits holds that limits which have become narrower end sessions that are there.
func TestNarrowerLimits(t *testing.T) {
	c := newClub(t)
	b := c.as(c.person("ada"))
	c.now = c.now.Add(2 * time.Hour)
	b.get("/settings/signing-in").says(t, 200).has(t, "#sessions .chip.is-ok")
	c.h.Auth.Limits = accounts.SessionLimits{Idle: time.Hour.Microseconds(), Max: 3 * time.Hour.Microseconds()}
	b.get("/settings").leads(t, "/sign-in?next=%2Fsettings")
}

func TestPassword(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	here, phone := c.as(ada), c.as(ada)
	before := here.cookies["__Host-figs"]
	const chosen = "a new and better phrase"
	here.post("/settings/password", "old", "wrong", "password", chosen).says(t, 422, "password-wrong").has(t, "input[name=old][aria-invalid=true]")
	here.post("/settings/password", "old", secretWords, "password", "short").says(t, 422, "password-short").has(t, "input[name=password][aria-invalid=true]")
	here.post("/settings/password", "old", secretWords, "password", "ADA@example.org").says(t, 422, "password-is-email")
	got := here.post("/settings/password", "old", secretWords, "password", chosen)
	got.leads(t, "/settings/signing-in?notice=password-changed")
	if strings.Contains(got.body, chosen) || here.cookies["__Host-figs"] == before {
		t.Error("the session goes on under its old secret")
	}
	here.get("/settings/signing-in?notice=password-changed").says(t, 200, "password-changed")
	phone.get("/settings").leads(t, "/sign-in?next=%2Fsettings")
	c.browser().post("/sign-in", "email", ada.Email, "password", secretWords).says(t, 401)
	c.browser().post("/sign-in", "email", ada.Email, "password", chosen).leads(t, "/")

	c.now = c.now.Add(time.Hour)
	for range 10 {
		here.post("/settings/password", "old", "guess", "password", chosen).says(t, 422)
	}
	here.post("/settings/password", "old", chosen, "password", chosen).says(t, 429, "password-too-often")
}

// TestReset is the way back in of somebody who has lost every other.
func TestReset(t *testing.T) {
	c := newClub(t)
	ada := c.person("ada")
	here := c.as(ada)
	offer := func() string {
		key, _, err := accounts.CreateReset(context.Background(), c.store, store.Act{At: c.at()}, ada.ID, store.Reset{})
		c.must(err)
		return key
	}
	old, key := offer(), offer()
	b := c.browser()
	b.get("/reset?key="+old).says(t, 404, "reset-unknown")
	b.get("/reset?key="+key).says(t, 200, "reset").shows(t, "ada@example.org").has(t, "form[action=/reset] input[name=key]")
	page := b.post("/reset", "key", key, "password", "short")
	page.says(t, 422, "reset-short").has(t, "input[name=password][aria-invalid=true]")
	if page.hidden().Get("key") != key || b.keeps() != 0 {
		t.Error("the link is lost, or lets somebody in")
	}
	b.post("/reset", "key", key, "password", "a phrase from the link").leads(t, "/settings/signing-in?notice=password-changed")
	b.get("/settings/signing-in?notice=password-changed").says(t, 200).thisSession(t, "session-by-reset")
	here.get("/settings").leads(t, "/sign-in?next=%2Fsettings")
	b.post("/reset", "key", key, "password", "once more, please").says(t, 404)
	c.browser().post("/sign-in", "email", ada.Email, "password", "a phrase from the link").leads(t, "/")

	key = offer()
	c.now = c.now.Add(time.Hour)
	b.get("/reset?key="+key).says(t, 404)
	for range 30 {
		b.get("/reset?key=guess")
	}
	got := b.get("/reset?key=guess")
	got.says(t, 429, "reset-too-often")
	if got.Header.Get("Retry-After") == "" || strings.Contains(html.UnescapeString(got.body), ada.Email) {
		t.Error("it does not say when, or says whose")
	}
}
