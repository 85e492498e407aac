package pushapi

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/client"
	"github.com/figs-web/figs-web/internal/store"
)

var generations = map[string]client.Generation{"1.2": client.G12, "newer": client.Newer}

// One agent's life, as both generations of clients send it.
func TestClientsLife(t *testing.T) {
	for name, g := range generations {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			bo := w.client("bo", g)
			link, err := bo.Link(ctx, "acme")
			w.ok(err)
			if link.ID != w.acme.ID || link.Role != "member" {
				t.Fatalf("linked to %+v", link)
			}
			f := w.folder(
				"runs.jsonl", `{"id":"r","eventId":"e1","ts":"2026-11-20T10:00:00Z","state":"in-flight","result":"started","attachments":["log.txt"],"title":"October"}`+"\n"+
					`{"id":"r","eventId":"e2","ts":"2026-11-20T11:00:00Z","state":"settled","status":"ok","result":"done","attachments":["report.html","lost.csv"]}`+"\n",
				"asks.jsonl", aQuestion+"\n", "messages.jsonl", anAnswer+"\n"+`{"torn`,
				"artifacts/report.html", "<p>October", "artifacts/log.txt", "begun")
			w.pushed(bo, f, []string{"log.txt", "report.html"}, nil)
			r, err := w.s.Record(ctx, anAgent, figs.Runs, "r")
			w.ok(err)
			if want := map[string]int{"1.2": 1, "newer": 2}[name]; r.Versions != want {
				t.Errorf("%d versions, want %d", r.Versions, want)
			}
			before := w.hash()
			w.pushed(bo, f, nil, []string{"log.txt", "report.html"})
			if w.hash() != before {
				t.Error("the same push again changed something")
			}
			f["runs.jsonl"].Data = append(f["runs.jsonl"].Data, `{"id":"r2","ts":"2026-11-20T11:30:00Z","eventId":"e3"}`+"\n"...)
			w.pushed(bo, f, nil, []string{"log.txt", "report.html"})
			w.repliesComeDown(bo, f)
		})
	}
}

// pushed pushes a folder and holds what became of its files.
func (w *world) pushed(c *client.Client, f fstest.MapFS, uploaded, unchanged []string) *client.Result {
	w.Helper()
	w.later(time.Second)
	r, err := c.Push(ctx, f, "")
	w.ok(err)
	if !slices.Equal(r.Uploaded, uploaded) || !slices.Equal(r.Unchanged, unchanged) || len(r.Answer.Refused) > 0 {
		w.Errorf("pushed: %+v, want uploaded %v, unchanged %v", r, uploaded, unchanged)
	}
	return r
}

// repliesComeDown mints replies, syncs them, and pushes them up again.
func (w *world) repliesComeDown(c *client.Client, f fstest.MapFS) {
	w.Helper()
	w.later(time.Second)
	_, err := w.s.Reply(ctx, store.Act{By: w.people["ana"].ID, At: w.at()}, anAgent,
		[]byte(`{"id":"minted","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T12:00:00Z","source":"app","chosen":"y","extra":{"kept":1}}`))
	w.ok(err)
	grown, added, err := c.Sync(ctx, anAgent, f["messages.jsonl"].Data[:len(anAnswer)+1])
	w.ok(err)
	if added != 1 || !strings.Contains(string(grown), `"extra":{"kept":1}`) {
		w.Fatalf("synced %d: %s", added, grown)
	}
	f["messages.jsonl"].Data = grown
	w.pushed(c, f, nil, []string{"log.txt", "report.html"})
	m, err := w.s.Message(ctx, anAgent, "minted")
	w.ok(err)
	if !m.Verified {
		w.Error("a reply of ours that came back is not verified any more")
	}
}

func TestClientsExit(t *testing.T) {
	w := newWorld(t)
	w.maySpew = true
	good := w.folder("runs.jsonl", aRun+"\n")
	stranger := w.folder("runs.jsonl", aRun+"\n")
	stranger["config.json"].Data = fmt.Appendf(nil, `{"agentId":%q,"workspaceId":%q}`, anAgent, w.secret.ID)
	odd := w.folder("asks.jsonl", `{"id":"a","type":"fyi","title":"T"}`+"\n")
	for name, c := range map[string]struct {
		who    string
		folder fstest.MapFS
		exit   int
		says   string
	}{
		"published":           {"bo", good, 0, ""},
		"revoked token":       {"nobody", good, client.Mend, "figs login"},
		"not a member":        {"bo", stranger, client.Mend, "figs link"},
		"a viewer":            {"vi", good, client.Mend, "member"},
		"refused by itself":   {"bo", odd, client.Mend, "local validation"},
		"an upload refused":   {"bo", w.folder("runs.jsonl", `{"id":"r9","ts":"2026-11-20T10:00:00Z","attachments":["../agent.json"]}`), client.Retry, "doesn't work on every system"},
		"a flag for a token":  {"--force", good, client.Mend, "not a token"},
		"nobody is logged in": {"", good, client.Mend, "not logged in"},
	} {
		_, err := w.client(c.who, client.G12).Push(ctx, c.folder, "")
		if client.ExitOf(err) != c.exit || c.says != "" && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: exit %d, %v; want %d, %q", name, client.ExitOf(err), err, c.exit, c.says)
		}
	}
	w.server.Close()
	if _, err := w.client("bo", client.G12).Push(ctx, good, ""); client.ExitOf(err) != client.Retry {
		t.Errorf("no server: exit %d, %v", client.ExitOf(err), err)
	}
}

func TestVersion(t *testing.T) {
	w := newWorld(t)
	a := w.send("GET", "/api/version", "", nil)
	if a.StatusCode != 200 || strings.TrimSpace(a.text) != `{"spec":2,"cli":{"min":"1.0.0"}}` || a.Header.Get("Cache-Control") != "" {
		t.Errorf("%s %v", a.text, a.Header)
	}
	a = w.send("GET", "/llms.txt", "", nil)
	if a.StatusCode != 200 || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/plain") || !strings.Contains(a.text, "FIGS_ENDPOINT="+w.server.URL+" figs login") || strings.Contains(a.text, "{public}") {
		t.Errorf("%v %s", a.Header, a.text)
	}
}

func TestWorkspaces(t *testing.T) {
	w := newWorld(t)
	list, account, err := w.client("vi", client.G12).Workspaces(ctx)
	w.ok(err)
	if len(list) != 1 || list[0] != (client.Workspace{ID: w.acme.ID, Slug: "acme", Name: "Acme", Role: "viewer"}) ||
		account != (client.Account{ID: w.people["vi"].ID, Email: "vi@example.org", Name: "Vi"}) {
		t.Errorf("%+v %+v", list, account)
	}
	w.ok(w.s.DeleteWorkspace(ctx, store.Act{At: w.at()}, w.acme.ID))
	if a := w.send("GET", "/api/workspaces", "vi", nil); !strings.Contains(a.text, `"workspaces":[]`) {
		t.Errorf("after it is deleted: %s", a.text)
	}
}

func TestTokens(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		headers []string
		status  int
		code    string
	}{
		"bearer":             {[]string{"Authorization", "Bearer bo"}, 200, ""},
		"any case":           {[]string{"Authorization", "bearer   bo "}, 200, ""},
		"legacy":             {[]string{"X-Figs-Token", "bo"}, 200, ""},
		"both":               {[]string{"Authorization", "Bearer bo", "X-Figs-Token", "bo"}, 200, ""},
		"bearer counts":      {[]string{"Authorization", "Bearer other", "X-Figs-Token", "bo"}, 401, "token_unknown"},
		"none":               {nil, 401, "token_missing"},
		"another scheme":     {[]string{"Authorization", "Basic Ym86Ym8="}, 401, "token_missing"},
		"empty bearer":       {[]string{"Authorization", "Bearer "}, 401, "token_missing"},
		"a flag":             {[]string{"Authorization", "Bearer --force", "X-Figs-Token", "--force"}, 401, "token_unknown"},
		"unknown":            {[]string{"Authorization", "Bearer \xff'; DROP"}, 401, "token_unknown"},
		"a hash is no token": {[]string{"Authorization", "Bearer " + store.Hash("bo")}, 401, "token_unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			a := w.send("GET", "/api/workspaces", "", nil, c.headers...)
			w.is(a, c.status, c.code, w.server.URL, "figs login")
			if c.status == 401 && a.Header.Get("WWW-Authenticate") != "Bearer" || a.Header.Get("Cache-Control") != "no-store" || a.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("headers %v", a.Header)
			}
		})
	}
	tokens, err := w.s.ListTokens(ctx, w.people["bo"].ID)
	w.ok(err)
	w.ok(w.s.RevokeToken(ctx, store.Act{At: w.at()}, w.people["bo"].ID, tokens[0].ID))
	w.is(w.send("GET", "/api/workspaces", "bo", nil), 401, "token_unknown", "revoked")
}

func TestDeviceLogin(t *testing.T) {
	w := newWorld(t)
	c := w.client("", client.G12)
	var code string
	decide := func(approve bool) func(client.Device) {
		return func(d client.Device) {
			code = d.DeviceCode
			if d.VerificationURI != w.server.URL+"/device" || d.VerificationURIComplete != w.server.URL+"/device?code="+d.UserCode || d.ExpiresIn != 600 || d.Interval < 1 || len(d.UserCode) != 9 || len(code) < 26 {
				t.Errorf("device %+v", d)
			}
			if _, status, err := c.Poll(ctx, code); err != nil || status != "pending" {
				t.Errorf("before anybody decided: %s, %v", status, err)
			}
			w.ok(w.s.DecideDevice(ctx, store.Act{By: w.people["bo"].ID, At: w.at()}, d.UserCode, map[bool]*store.TokenGrant{true: {}}[approve]))
		}
	}
	token, err := c.Login(ctx, decide(true))
	w.ok(err)
	if _, account, err := w.client(token, client.G12).Workspaces(ctx); err != nil || account.ID != w.people["bo"].ID {
		t.Errorf("with the token: %+v, %v", account, err)
	}
	tokens, err := w.s.ListTokens(ctx, w.people["bo"].ID)
	w.ok(err)
	for _, kept := range tokens {
		if strings.Contains(fmt.Sprint(kept), token) {
			t.Error("the token itself is stored")
		}
	}
	for status, code := range map[string]string{"already_claimed": code, "not_found": "nothing"} {
		if token, got, err := c.Poll(ctx, code); err != nil || got != status || token != "" {
			t.Errorf("poll: %q %q %v, want %s", token, got, err, status)
		}
	}
	if _, err := c.Login(ctx, decide(false)); err == nil || !strings.Contains(err.Error(), "denied") {
		t.Errorf("denied: %v", err)
	}
	if _, err := c.Login(ctx, func(d client.Device) { w.later(11 * time.Minute) }); err == nil || !strings.Contains(err.Error(), "expired") {
		t.Errorf("expired: %v", err)
	}
	w.is(w.post("/api/device/poll", "", `{"device_code":7}`), 400, "device_code_missing")
	w.is(w.post("/api/device/poll", "", `{`), 400, "device_code_missing")
	w.is(w.post("/api/device/poll", "", `{"device_code":"`+strings.Repeat("x", 9000)+`"}`), 413, "body_too_large")
}

func TestDeviceLimits(t *testing.T) {
	w := newWorld(t)
	d := w.post("/api/device/start", "", "").json
	code := fmt.Sprintf(`{"device_code":%q}`, d["device_code"])
	for range 60 {
		w.is(w.post("/api/device/poll", "", code), 200, "")
	}
	a := w.post("/api/device/poll", "", code)
	w.is(a, 429, "slow_down", "Wait")
	if a.json["status"] != "pending" { // clients read nothing else, and go on
		t.Errorf("%s", a.text)
	}
	w.later(time.Minute)
	w.is(w.post("/api/device/poll", "", code), 200, "")
	for range 29 {
		w.is(w.post("/api/device/start", "", ""), 200, "")
	}
	w.is(w.post("/api/device/start", "", ""), 429, "slow_down")
	w.later(11 * time.Minute)
	w.is(w.post("/api/device/start", "", ""), 200, "")
}

// Who polls too often with codes of their own making fills the store no further.
func TestDeviceCodesMadeUp(t *testing.T) {
	w := newWorld(t)
	for range 600 {
		_, err := w.s.Attempt(ctx, "device poll 127.0.0.1", w.at(), time.Minute.Microseconds(), 600)
		w.ok(err)
	}
	w.is(w.post("/api/device/poll", "", `{"device_code":"made up"}`), 429, "slow_down")
	if wait, err := w.s.Attempt(ctx, "device poll "+store.Hash("made up"), w.at(), time.Minute.Microseconds(), 1); wait > 0 || err != nil {
		t.Errorf("a poll that was turned away is noted: %d, %v", wait, err)
	}
}
