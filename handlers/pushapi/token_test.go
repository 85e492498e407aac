package pushapi

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// token gives somebody a further token.
func (w *world) token(who, secret string, scope store.Scope, ends time.Duration) {
	w.Helper()
	t := store.Token{ID: store.NewID(), User: w.people[who].ID, Name: secret, Hash: store.Hash(secret), Scope: scope, Created: w.at()}
	if ends != 0 {
		t.Expires = w.at() + ends.Microseconds()
	}
	w.ok(w.s.AddToken(ctx, store.Act{At: w.at()}, t))
}

// TestScopes holds every call against a token that pushes, one that only reads, and ones that have
// ended.
func TestScopes(t *testing.T) {
	w := newWorld(t)
	w.token("ana", "reads", store.ScopeRead, 0)
	w.token("ana", "ends", store.ScopePush, time.Hour)
	w.token("ana", "reads and ends", store.ScopeRead, time.Hour)
	w.is(w.ingest("ana", push{runs: []string{aRun}}), 200, "")
	body := w.body(push{runs: []string{aRun}})
	calls := []struct {
		method, path, body string
		writes             bool
	}{
		{"GET", "/api/workspaces", "", false}, {"GET", "/api/messages?agent=" + anAgent, "", false}, {"POST", "/api/validate", body, false},
		{"POST", "/api/ingest", body, true}, {"POST", "/api/artifacts/upload", `{"workspaceId":"` + w.acme.ID + `","agentId":"` + anAgent + `","name":"a.txt","content":"bmV3"}`, true},
	}
	before := ""
	all := func(expired bool) {
		t.Helper()
		for _, c := range calls {
			for who, reads := range map[string]bool{"ana": false, "reads": true, "ends": false, "reads and ends": true} {
				a := w.send(c.method, c.path, who, strings.NewReader(c.body))
				switch {
				case expired && strings.HasSuffix(who, "ends"):
					w.is(a, 401, "token_expired", "expired", "figs login", "/settings/tokens")
					if a.Header.Get("WWW-Authenticate") != "Bearer" {
						t.Error("no WWW-Authenticate")
					}
				case reads && c.writes:
					w.is(a, 403, "token_reads_only", "read-only", "figs login", w.server.URL+"/settings/tokens")
				default:
					w.is(a, 200, "")
				}
			}
		}
		if hash := w.hash(); before != "" && before != hash {
			t.Error("something was stored")
		}
		before = w.hash()
	}
	all(false)
	w.later(time.Hour)
	all(true)
}

// TestSyncOfTokensThatEnd holds the short way of a sync to what the long one says.
func TestSyncOfTokensThatEnd(t *testing.T) {
	w := newWorld(t)
	w.is(w.ingest("ana", push{asks: []string{`{"id":"q","type":"question","title":"Which?","ts":"2026-11-20T10:30:00Z"}`}}), 200, "")
	w.token("ana", "reads", store.ScopeRead, 50*time.Second)
	sync := func(tag string) answer {
		t.Helper()
		return w.send("GET", "/api/messages?agent="+anAgent, "reads", nil, "If-None-Match", tag)
	}
	first := sync("none")
	w.is(first, 200, "")
	tag := first.Header.Get("ETag")
	w.is(sync(tag), 304, "")
	w.later(49 * time.Second) // its last use is younger than a minute: the short way
	w.is(sync(tag), 304, "")
	w.later(time.Second)
	w.is(sync(tag), 401, "token_expired")
}

// TestGuessingTokens holds that who sends many tokens that are none is stopped, at little cost, and
// nobody else is.
func TestGuessingTokens(t *testing.T) {
	w := newWorld(t)
	w.token("ana", "ends", store.ScopePush, time.Second)
	w.later(time.Minute)
	for i := range 60 {
		w.is(w.send("GET", "/api/workspaces", "figs_guess"+strconv.Itoa(i), nil), 401, "token_unknown")
		w.is(w.send("GET", "/api/workspaces", "ends", nil), 401, "token_expired") // which is no guess
	}
	w.is(w.send("GET", "/api/workspaces", "figs_guess", nil), 429, "tokens_too_often", "Wait 15 minutes", "Valid tokens keep working")
	w.is(w.post("/api/ingest", "figs_guess", "{}"), 429, "tokens_too_often")
	w.is(w.send("GET", "/api/workspaces", "bo", nil), 200, "")
	w.is(w.send("GET", "/api/workspaces", "ends", nil), 401, "token_expired")
	w.is(w.send("GET", "/api/workspaces", "", nil), 401, "token_missing")
	if err := accounts.LimitToken(ctx, w.s, "198.51.100.1", w.at()); err != nil {
		t.Errorf("another address waits too: %v", err)
	}
	w.later(15 * time.Minute)
	w.is(w.send("GET", "/api/workspaces", "figs_guess", nil), 401, "token_unknown")
}
