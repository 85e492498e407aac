package pushapi

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/client"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

var ctx = context.Background()

const (
	anAgent     = "0d4f2a3c-1111-4222-8333-000000000001"
	secondAgent = "0d4f2a3c-1111-4222-8333-000000000002"
)

// world is a server with two workspaces: acme, where Ana is the owner, Bo a member and Vi a viewer;
// and secret, where only Zoe is. Each has a token of the own name.
type world struct {
	testing.TB
	s       *sqlstore.Store
	wire    *Wire
	server  *httptest.Server
	clock   time.Time
	acme    store.Workspace
	secret  store.Workspace
	people  map[string]store.User
	changed []string
	maySpew bool // answers of 5xx are expected
}

func newWorld(t testing.TB, change ...func(*Config)) *world {
	t.Helper()
	w := &world{TB: t, clock: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), people: map[string]store.User{}}
	dir := t.TempDir()
	var err error
	w.s, err = sqlstore.OpenSQLite(ctx, filepath.Join(dir, "figs.db"))
	w.ok(err)
	t.Cleanup(func() { w.s.Close() })
	blobs, err := blob.OpenFolder(filepath.Join(dir, "blobs"))
	w.ok(err)
	t.Cleanup(func() { blobs.Close() })
	w.populate()
	e := echo.New()
	e.IPExtractor = echo.ExtractIPDirect()
	e.HTTPErrorHandler = w.showError
	w.server = httptest.NewServer(e)
	t.Cleanup(w.server.Close)
	public, err := url.Parse(w.server.URL)
	w.ok(err)
	c := Config{Store: w.s, Blobs: blobs, Public: public, Now: func() time.Time { return w.clock }, Temp: dir,
		Changed: func(workspace string, _ int64) { w.changed = append(w.changed, workspace) }}
	for _, f := range change {
		f(&c)
	}
	w.wire = New(c)
	w.wire.Routes(e)
	return w
}

func (w *world) populate() {
	act := store.Act{At: w.at()}
	w.acme = store.Workspace{ID: "0d4f2a3c-2222-4222-8333-000000000001", Slug: "acme", Name: "Acme", Created: act.At}
	w.secret = store.Workspace{ID: "0d4f2a3c-2222-4222-8333-000000000002", Slug: "secret", Name: "Secret Society", Created: act.At}
	for name, role := range map[string]store.Role{"ana": store.Owner, "bo": store.Member, "vi": store.Viewer, "zoe": store.Owner} {
		u := store.User{ID: store.NewID(), Email: name + "@example.org", Name: strings.ToUpper(name[:1]) + name[1:], Created: act.At}
		w.people[name] = u
		w.ok(w.s.AddUser(ctx, act, u))
		w.ok(w.s.AddToken(ctx, act, store.Token{ID: store.NewID(), User: u.ID, Name: "t", Hash: store.Hash(name), Created: act.At}))
		where := w.acme
		if name == "zoe" {
			where = w.secret
		}
		if _, err := w.s.Workspace(ctx, where.ID); err != nil {
			w.ok(w.s.AddWorkspace(ctx, act, where, ""))
		}
		w.ok(w.s.SetMember(ctx, act, where.ID, u.ID, role))
	}
}

func (w *world) ok(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) at() int64 { return w.clock.UnixMicro() }

// later moves the clock.
func (w *world) later(d time.Duration) { w.clock = w.clock.Add(d) }

// showError writes errors as the server does.
func (w *world) showError(err error, c echo.Context) {
	p := httperr.Of(err)
	if p.Status >= 500 && !w.maySpew {
		w.Errorf("%s %s: %d: %v", c.Request().Method, c.Request().URL.Path, p.Status, err)
	}
	body := map[string]any{"error": p.Sentence(), "code": p.Code}
	for k, v := range p.Fields {
		body[k] = v
	}
	c.JSON(p.Status, body)
}

// answer is what came back.
type answer struct {
	*http.Response
	text string
	json map[string]any
}

// send makes one call as somebody; more are header names and values.
func (w *world) send(method, path, who string, body io.Reader, more ...string) answer {
	w.Helper()
	r, err := http.NewRequest(method, w.server.URL+path, body)
	w.ok(err)
	r.Header.Set("Content-Type", "application/json")
	if who != "" {
		r.Header.Set("Authorization", "Bearer "+who)
	}
	for i := 0; i+1 < len(more); i += 2 {
		r.Header.Set(more[i], more[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	w.ok(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	w.ok(err)
	a := answer{Response: response, text: string(text)}
	json.Unmarshal(text, &a.json)
	return a
}

func (w *world) post(path, who, body string, more ...string) answer {
	w.Helper()
	return w.send(http.MethodPost, path, who, strings.NewReader(body), more...)
}

// is holds an answer to its status and, for refusals, to its code and to a sentence that teaches.
func (w *world) is(a answer, status int, code string, words ...string) {
	w.Helper()
	if a.StatusCode != status {
		w.Fatalf("%s: status %d, want %d: %s", a.Request.URL.Path, a.StatusCode, status, a.text)
	}
	if status < 400 {
		return
	}
	sentence, _ := a.json["error"].(string)
	if a.json["code"] != code || len(sentence) < 40 {
		w.Fatalf("%s: code %v, want %s, in %s", a.Request.URL.Path, a.json["code"], code, a.text)
	}
	for _, word := range words {
		if !strings.Contains(sentence, word) {
			w.Errorf("%s: %q does not say %q", a.Request.URL.Path, sentence, word)
		}
	}
}

func (w *world) hash() string {
	w.Helper()
	hash, err := w.s.StateHash(ctx)
	w.ok(err)
	return hash
}

// push is an ingest of acme's; lists are JSON texts, one record each.
type push struct {
	workspace, agent, name, charter, more string
	runs, asks, messages, events          []string
}

func (w *world) body(p push) string {
	or := func(s, other string) string {
		if s == "" {
			return other
		}
		return s
	}
	list := func(l []string) string { return "[" + strings.Join(l, ",") + "]" }
	events := ""
	if p.events != nil {
		events = `,"runEvents":` + list(p.events)
	}
	return fmt.Sprintf(`{"workspaceId":%q,"agent":{"id":%q,"name":%q%s},"runs":%s,"asks":%s,"messages":%s%s%s}`,
		or(p.workspace, w.acme.ID), or(p.agent, anAgent), or(p.name, "Reconciliation"), p.charter, list(p.runs), list(p.asks), list(p.messages), events, p.more)
}

func (w *world) ingest(who string, p push) answer {
	w.Helper()
	return w.post("/api/ingest", who, w.body(p))
}

func (w *world) upload(who, agent, name, content string) answer {
	w.Helper()
	text, _ := json.Marshal(map[string]string{"workspaceId": w.acme.ID, "agentId": agent, "name": name, "content": base64.StdEncoding.EncodeToString([]byte(content))})
	return w.send(http.MethodPost, "/api/artifacts/upload", who, bytes.NewReader(text))
}

func (w *world) client(who string, g client.Generation) *client.Client {
	return client.New(client.Options{Endpoint: w.server.URL, Token: who, Generation: g, Sleep: func(context.Context, time.Duration) error { w.later(3 * time.Second); return nil }})
}

const (
	aRun      = `{"id":"r","ts":"2026-11-20T10:00:00Z","title":"October","result":"98% matched","status":"warn","attachments":["report.html"]}`
	anAsk     = `{"id":"a","type":"sign-off","title":"Send it","ts":"2026-11-20T10:00:00Z","run":"r","onApprove":["send"],"attachments":["report.html"]}`
	aQuestion = `{"id":"q","type":"question","title":"Which?","ts":"2026-11-20T10:30:00Z","options":["x","y"]}`
	anAnswer  = `{"id":"m","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T11:00:00Z","source":"app","chosen":"x"}`
)

// folder is a .figs folder that is linked to acme.
func (w *world) folder(files ...string) fstest.MapFS {
	f := fstest.MapFS{
		"config.json": {Data: fmt.Appendf(nil, `{"agentId":%q,"endpoint":%q,"workspaceId":%q}`, anAgent, w.server.URL, w.acme.ID)},
		"agent.json":  {Data: []byte("{\n  \"name\": \"Reconciliation\",\n  \"x-own\": {\"kept\": true}\n}\n")},
	}
	for i := 0; i+1 < len(files); i += 2 {
		f[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return f
}

func newBuffered(r io.Reader) *bufio.Reader { return bufio.NewReader(r) }
