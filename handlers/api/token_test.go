package api_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/handlers/api"
	"github.com/figs-web/figs-web/internal/store"
)

// token gives somebody a further token, under its name.
func (d *desk) token(u store.User, name string, scope store.Scope, ends time.Duration) {
	d.t.Helper()
	t := store.Token{ID: name, User: u.ID, Name: name, Hash: store.Hash("token-" + name), Scope: scope, Created: d.now.UnixMicro()}
	if ends != 0 {
		t.Expires = t.Created + ends.Microseconds()
	}
	d.ok(d.s.AddToken(context.Background(), store.Act{By: u.ID, At: t.Created}, t))
}

// TestReadTokens: what only reads reads all, and of all changes makes one: it ends itself.
func TestReadTokens(t *testing.T) {
	d := newDesk(t)
	d.token(d.ana, "reads", store.ScopeRead, 0)
	for path, item := range d.document().Paths {
		for method := range item {
			if method == "delete" && strings.HasPrefix(path, "/tokens/") {
				continue // one of which ends it
			}
			for _, address := range d.addresses(path) {
				switch r := d.ask(strings.ToUpper(method), address, "reads"); {
				case method == "get" && r.StatusCode != 200 && !strings.HasSuffix(address, "/content"): // which may not have arrived
					t.Errorf("GET %s = %d", address, r.StatusCode)
				case method != "get" && r.StatusCode != 403:
					t.Errorf("%s %s = %d", method, address, r.StatusCode)
				}
			}
		}
	}
	d.answered("DELETE", tokens+"/ana", "reads", "", 403, "token_reads_only")
	d.answered("POST", api.Base+"/feedback", "reads", `{"text":"So."}`, 403, "token_reads_only")
	shown := d.get(tokens + "/reads")
	if shown["scope"] != "read" || shown["expires"] != nil || shown["address"] != "192.0.2.1" {
		t.Errorf("it is %v", shown)
	}
	d.answered("DELETE", tokens+"/reads", "reads", "", 204, "")
	d.answered("DELETE", tokens+"/reads", "reads", "", 401, "token_unknown")
}

// TestTokensThatEnd: only their holder learns that they were good, and no list has them.
func TestTokensThatEnd(t *testing.T) {
	d := newDesk(t)
	d.token(d.ana, "ends", store.ScopePush, time.Hour)
	if shown := d.get(tokens + "/ends"); shown["expires"] != d.now.Add(time.Hour).UTC().Format("2006-01-02T15:04:05Z") {
		t.Errorf("it ends %v", shown["expires"])
	}
	d.now = d.now.Add(time.Hour)
	d.answered("GET", acme, "ends", "", 401, "token_expired")
	d.answered("GET", tokens+"/ends", "ana", "", 404, "not_found")
	d.answered("DELETE", tokens+"/ends", "ends", "", 401, "token_expired")
}

// TestGuessesWait: what is no token is looked for so often and no more, and what is one passes.
func TestGuessesWait(t *testing.T) {
	d := newDesk(t)
	for range 60 {
		d.answered("GET", acme, "guess", "", 401, "token_unknown")
	}
	if r := d.ask("GET", acme, "guess"); r.StatusCode != 429 || r.Header.Get("Retry-After") != "900" {
		t.Errorf("%d, Retry-After %q", r.StatusCode, r.Header.Get("Retry-After"))
	}
	d.answered("POST", api.Base+"/feedback", "guess", `{"text":"So."}`, 429, "tokens_too_often")
	d.get(acme)
}
