package cli

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/cli/serve"
	"github.com/figs-web/figs-web/internal/store"
)

// TestReset holds that the operator makes links that let one person in, and takes from the account
// what is asked for.
func TestReset(t *testing.T) {
	o := newOffice(t)
	ctx, now := context.Background(), time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC).UnixMicro()
	data, err := openFolder(ctx, o.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	ada, err := data.Store.UserByEmail(ctx, "ada@example.org")
	if err != nil {
		t.Fatal(err)
	}
	fill := func() {
		t.Helper()
		if err := data.Store.SaveSession(ctx, store.Session{Hash: "h", User: ada.ID, Created: now, Used: now, Expires: now * 2}); err != nil {
			t.Fatal(err)
		}
		if err := data.Store.AddToken(ctx, store.Act{By: ada.ID, At: now}, store.Token{ID: store.NewID(), Hash: store.NewID(), User: ada.ID, Name: "laptop", Created: now}); err != nil {
			t.Fatal(err)
		}
		if err := data.Store.SetRecoveryCodes(ctx, store.Act{At: now}, ada.ID, []string{"a"}); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range []struct {
		flags           []string
		sessions, codes int
		tokens          int // that still work
	}{{nil, 0, 1, 1}, {[]string{"--no-end-sessions"}, 1, 1, 2}, {[]string{"--remove-passkeys", "--revoke-tokens", "--public-url", "https://figs.example"}, 0, 0, 0}} {
		fill()
		got := o.object("", append([]string{"user", "reset", "--email", "ADA@example.org"}, x.flags...)...)
		link, err := url.Parse(fmt.Sprint(got["link"]))
		if err != nil || link.Path != "/reset" || (link.Host != "") != (len(x.flags) > 1) || got["expires"] != "2026-11-20T19:00:00Z" {
			t.Errorf("%q prints %v", x.flags, got)
		}
		if ticket, err := data.Store.Ticket(ctx, store.Hash(link.Query().Get("key")), store.ResetKind, now); err != nil || ticket.Person != ada.ID {
			t.Errorf("%q: the link is no good: %v", x.flags, err)
		}
		sessions, err := data.Store.ListSessions(ctx, ada.ID, now)
		if err != nil || len(sessions) != x.sessions {
			t.Errorf("%q leaves %d sessions, want %d; %v", x.flags, len(sessions), x.sessions, err)
		}
		tokens, err := data.Store.ListTokens(ctx, ada.ID)
		if tokens = slices.DeleteFunc(tokens, func(t store.Token) bool { return t.Revoked != 0 }); err != nil || len(tokens) != x.tokens {
			t.Errorf("%q leaves %d tokens, want %d; %v", x.flags, len(tokens), x.tokens, err)
		}
		if left, err := data.Store.RecoveryCodes(ctx, ada.ID); err != nil || left.Left != x.codes {
			t.Errorf("%q leaves %d codes, want %d; %v", x.flags, left.Left, x.codes, err)
		}
	}
	o.run("", "user", "reset", "--email", "x@example.org").says(t, 2, "admin user reset: unknown email")
	o.object("", "user", "operator", "--email", "ada@example.org")
	if u, err := data.Store.User(ctx, ada.ID); err != nil || !u.Operator {
		t.Errorf("operator %v, %v", u.Operator, err)
	}
	o.object("", "user", "operator", "--email", "ada@example.org", "--remove")
	if u, err := data.Store.User(ctx, ada.ID); err != nil || u.Operator {
		t.Errorf("operator %v, %v", u.Operator, err)
	}
}

func TestSessionFlags(t *testing.T) {
	for lesson, x := range map[string]struct {
		f  serve.SessionFlags
		ok bool
	}{
		"unset": {serve.SessionFlags{}, true}, "a working day": {serve.SessionFlags{SessionIdle: time.Hour, SessionMax: 9 * time.Hour}, true},
		"seconds": {serve.SessionFlags{SessionIdle: 30 * time.Second}, false}, "negative": {serve.SessionFlags{SessionMax: -time.Hour}, false},
	} {
		if err := x.f.Check(); (err == nil) != x.ok {
			t.Errorf("%s: %v", lesson, err)
		}
	}
}
