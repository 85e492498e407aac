package handlers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/store"
)

// TestOperatorPage: those who run the server see how it is, whatever their role; for all others
// there is no such page, and no link to it.
func TestOperatorPage(t *testing.T) {
	w := newTown(t)
	ctx := context.Background()
	w.ok(w.s.SetOperator(ctx, store.Act{At: hostedNow.UnixMicro()}, w.people["viewer"].ID, true))
	w.h.Running = hosted.ProgramInfo{Version: "v1.2.3", Listens: "127.0.0.1:4100", Metrics: "127.0.0.1:9100", Settings: []accountpages.OperatorSetting{{Name: "mail-password", Value: "********", From: "FIGS_WEB_MAIL_PASSWORD"}}}
	w.h.Free, w.h.MinFree = func() (int64, error) { return 5_000_000, nil }, 10_000_000
	for _, role := range []string{"owner", "admin", "member", "foreign"} {
		if r := w.ask("GET", "/admin", role, ""); r.StatusCode != http.StatusNotFound {
			t.Errorf("/admin for the %s = %d, want no such page", role, r.StatusCode)
		}
	}
	if r := w.ask("GET", "/w/acme", "owner", ""); strings.Contains(text(t, r), `href="/admin"`) {
		t.Error("an owner who does not run the server is led to its page")
	}
	if r := w.ask("GET", "/w/acme", "viewer", ""); !strings.Contains(text(t, r), `href="/admin"`) {
		t.Error("who runs the server is not led to its page")
	}
	for role, led := range map[string]bool{"viewer": true, "owner": false} {
		if page := text(t, w.ask("GET", "/w/acme/settings/data", role, "")); strings.Contains(page, `<a class="link" href="/admin">`) != led {
			t.Errorf("the page on data leads the %s to that of the server: want %v", role, led)
		}
	}
	w.h.Recent.Request(web.Event{Method: "POST", Route: "/api/ingest", Status: 500, Duration: 90 * time.Second, Trace: someTrace,
		Err: &httperr.Problem{Status: 500, Title: "Something went wrong", Hint: "Tell whoever runs this server: error ABC.", Cause: errors.New("secret-within")}})
	w.h.Recent.Guessed(nil)(web.Guess{What: "password", From: "192.0.2.9", Blocked: true, Times: 3})
	page := w.get("/admin", "viewer").part(t, "#health li", "operator-health").part(t, "#guesses li", "operator-guesses").body
	for _, want := range []string{"v1.2.3", "127.0.0.1:9100", "disk_low", "mail-password", "********", "90.0 s", "POST /api/ingest", someTrace, "error ABC", "192.0.2.9", "5 MB", `<a class="link" href="` + hostedAt + `">`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, never := range []string{"secret-within", "Secret Society", "Hidden Hand", "Closer", "Send it?"} {
		if strings.Contains(page, never) {
			t.Errorf("the page says %q", never)
		}
	}
	w.ok(w.s.SetFact(ctx, store.FactBackup, "{}", hostedNow.Add(-time.Hour).UnixMicro()))
	w.get("/admin", "viewer").part(t, "#health li", "operator-backup").has(t, "#health .chip.is-ok")
	w.ok(w.s.SetFact(ctx, store.FactBackup, "{}", hostedNow.Add(-8*24*time.Hour).UnixMicro()))
	w.get("/admin", "viewer").part(t, "#health li", "operator-old-backup").lacks(t, "#health .chip.is-ok")
}

// TestOperatorIsToldOfOneAddress holds that the page warns when everybody comes from one address and no proxy is named.
func TestOperatorIsToldOfOneAddress(t *testing.T) {
	w := newTown(t)
	ctx, now := context.Background(), hostedNow.UnixMicro()
	w.ok(w.s.SetOperator(ctx, store.Act{At: now}, w.people["owner"].ID, true))
	warned := func(when string, want bool) {
		t.Helper()
		name := "operator-no-backup"
		if want {
			name = "operator-one-address"
		}
		if w.get("/admin", "owner").part(t, "#health li", name); t.Failed() {
			t.Fatalf("%s the page is to warn: %v", when, want)
		}
	}
	from := func(role, address string) {
		w.ok(w.s.SaveSession(ctx, store.Session{Hash: store.NewID(), User: w.people[role].ID, Created: now, Used: now, Expires: now + time.Hour.Microseconds(), Address: address, Method: store.MethodPassword}))
	}
	from("owner", "203.0.113.9")
	warned("with one person", false)
	from("admin", "203.0.113.9")
	warned("with two at one address", true)
	w.h.Proxies, _ = web.ParseProxies([]string{"203.0.113.9"})
	warned("with a proxy", false)
	w.h.Proxies = nil
	from("member", "198.51.100.1")
	warned("with two addresses", false)
}

// What is remembered is bounded, and slow requests are forgotten after an hour.
func TestRecent(t *testing.T) {
	now := hostedNow
	r := &hosted.RecentActivity{Now: func() time.Time { return now }}
	for i := range 100 {
		r.Request(web.Event{Method: "GET", Route: fmt.Sprint("/", i), Duration: time.Duration(i%37) * time.Millisecond, Err: fmt.Errorf("e%d", i)})
		r.Guessed(nil)(web.Guess{What: fmt.Sprint(i)})
	}
	r.Request(web.Event{Method: "GET", Route: "/w/:workspace/events", Duration: time.Hour})
	var m accountpages.OperatorStatus
	r.Show(&m)
	if len(m.Slow) != hosted.MostRecent || len(m.Failures) != hosted.MostRecent || len(m.Guesses) != hosted.MostRecent {
		t.Fatalf("%d slow, %d failures, %d guesses are remembered", len(m.Slow), len(m.Failures), len(m.Guesses))
	}
	if m.Slow[0].Took != 36*time.Millisecond || m.Failures[0].Route != "/99" || m.Guesses[0].What != "99" {
		t.Errorf("first are %+v, %+v, %+v", m.Slow[0], m.Failures[0], m.Guesses[0])
	}
	if strings.Contains(m.Failures[0].Says, "e99") {
		t.Errorf("what is within is shown: %s", m.Failures[0].Says)
	}
	now = now.Add(61 * time.Minute)
	m = accountpages.OperatorStatus{}
	if r.Show(&m); len(m.Slow) != 0 || len(m.Failures) != hosted.MostRecent {
		t.Errorf("an hour later %d slow ones and %d failures are remembered", len(m.Slow), len(m.Failures))
	}
}
