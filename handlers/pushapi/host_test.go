package pushapi_test

import (
	"bytes"
	"compress/gzip"
	"context"
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

	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/client"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

type inspector struct{}

func (inspector) File() ([]byte, error)   { return []byte("<!DOCTYPE html>"), nil }
func (inspector) Brotli() ([]byte, error) { return []byte("brotli"), nil }
func (inspector) Policy() (string, error) { return "default-src 'none'", nil }

// hosted is a whole server with one workspace, in which bo is a member and has the token "bo".
func hosted(t *testing.T) (address string, workspace store.Workspace, s *sqlstore.Store) {
	t.Helper()
	ctx, dir := context.Background(), t.TempDir()
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	s, err := sqlstore.OpenSQLite(ctx, filepath.Join(dir, "figs.db"))
	ok(err)
	t.Cleanup(func() { s.Close() })
	blobs, err := blob.OpenFolder(filepath.Join(dir, "blobs"))
	ok(err)
	t.Cleanup(func() { blobs.Close() })
	server := httptest.NewUnstartedServer(nil)
	address = "http://" + server.Listener.Addr().String()
	public, err := url.Parse(address)
	ok(err)
	server.Config.Handler, err = handlers.Host(handlers.Hosting{Config: handlers.Config{Inspector: inspector{}}, Store: s, Blobs: blobs, Public: public, Now: time.Now})
	ok(err)
	server.Start()
	t.Cleanup(server.Close)
	act := store.Act{At: time.Now().UnixMicro()}
	u := store.User{ID: store.NewID(), Email: "bo@example.org", Name: "Bo", Created: act.At}
	workspace = store.Workspace{ID: store.NewID(), Slug: "acme", Name: "Acme", Created: act.At}
	ok(s.AddUser(ctx, act, u))
	ok(s.AddWorkspace(ctx, act, workspace, ""))
	ok(s.SetMember(ctx, act, workspace.ID, u.ID, store.Member))
	ok(s.AddToken(ctx, act, store.Token{ID: store.NewID(), User: u.ID, Name: "t", Hash: store.Hash("bo"), Created: act.At}))
	return address, workspace, s
}

const hostedAgent = "0d4f2a3c-1111-4222-8333-000000000001"

// Both generations push, validate and sync against the whole server.
func TestHostedClients(t *testing.T) {
	ctx := context.Background()
	for _, g := range []client.Generation{client.G12, client.Newer} {
		address, workspace, _ := hosted(t)
		c := client.New(client.Options{Endpoint: address, Token: "bo", Generation: g})
		folder := fstest.MapFS{
			"config.json":        {Data: fmt.Appendf(nil, `{"agentId":%q,"workspaceId":%q}`, hostedAgent, workspace.ID)},
			"agent.json":         {Data: []byte(`{"name":"Reconciliation"}`)},
			"runs.jsonl":         {Data: []byte(`{"id":"r","eventId":"e","ts":"2026-11-20T10:00:00Z","attachments":["a.html"]}` + "\n")},
			"asks.jsonl":         {Data: []byte(`{"id":"q","type":"question","title":"Which?","ts":"2026-11-20T10:30:00Z","run":"r"}` + "\n")},
			"messages.jsonl":     {Data: []byte(`{"id":"m","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T11:00:00Z","text":"x"}` + "\n")},
			"artifacts/a.html":   {Data: []byte(strings.Repeat("<p>October", 10_000))},
			"artifacts/lone.txt": {Data: []byte("nobody names me")},
		}
		first, err := c.Push(ctx, folder, "")
		if err != nil || len(first.Uploaded) != 1 || !first.Answer.Registered || first.Answer.Errors > 0 {
			t.Fatalf("%v: %+v", err, first)
		}
		again, err := c.Push(ctx, folder, "")
		if err != nil || !again.Answer.Unchanged || len(again.Unchanged) != 1 {
			t.Errorf("%v: %+v", err, again)
		}
		if ok, issues, err := c.Validate(ctx, folder, ""); err != nil || !ok || len(issues) > 0 {
			t.Errorf("validate: %v %v %v", ok, issues, err)
		}
		if grown, added, err := c.Sync(ctx, hostedAgent, nil); err != nil || added != 1 || !bytes.Contains(grown, []byte(`"source":"chat"`)) {
			t.Errorf("synced %d %s %v", added, grown, err)
		}
		s, err := c.Messages(ctx, hostedAgent, "")
		if err != nil {
			t.Fatal(err)
		}
		if s, err = c.Messages(ctx, hostedAgent, s.Tag); err != nil || !s.NotModified {
			t.Errorf("again: %+v %v", s, err)
		}
	}
}

// What every answer carries, refusals too.
func TestHostedHeaders(t *testing.T) {
	address, workspace, _ := hosted(t)
	for _, c := range []struct {
		method, path, token, body string
		status                    int
	}{
		{"GET", "/api/version", "", "", 200}, {"GET", "/llms.txt", "", "", 200}, {"POST", "/api/device/start", "", "", 200}, {"POST", "/api/device/poll", "", `{"device_code":"x"}`, 200},
		{"GET", "/api/workspaces", "bo", "", 200}, {"GET", "/api/workspaces", "", "", 401}, {"POST", "/api/validate", "bo", "{}", 200}, {"POST", "/api/ingest", "bo", "{}", 400},
		{"POST", "/api/ingest", "bo", fmt.Sprintf(`{"workspaceId":%q,"agent":{"id":%q,"name":"N"}}`, workspace.ID, hostedAgent), 200},
		{"POST", "/api/artifacts/upload", "bo", "{}", 400}, {"GET", "/api/messages?agent=" + hostedAgent, "bo", "", 200}, {"GET", "/api/messages", "bo", "", 404},
		{"GET", "/api/ingest", "bo", "", 405}, {"OPTIONS", "/api/ingest", "", "", 204}, {"GET", "/api/unheard-of", "", "", 404},
	} {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			r, _ := http.NewRequest(c.method, address+c.path, strings.NewReader(c.body))
			r.Header.Set("Origin", "https://elsewhere.example")
			if c.token != "" {
				r.Header.Set("Authorization", "Bearer "+c.token)
			}
			a, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer a.Body.Close()
			text, _ := io.ReadAll(a.Body)
			if a.StatusCode != c.status {
				t.Fatalf("%d %s, want %d", a.StatusCode, text, c.status)
			}
			for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Access-Control-Allow-Origin": "", "Set-Cookie": ""} {
				if got := a.Header.Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
			if c.method == "OPTIONS" { // which methods there are, and nothing for other origins
				return
			}
			if known := a.StatusCode < 404 && c.path != "/api/version"; known && a.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("Cache-Control %q", a.Header.Get("Cache-Control"))
			}
			var said struct{ Error string }
			if c.path != "/llms.txt" && json.Unmarshal(text, &said) != nil || c.status >= 400 && said.Error == "" {
				t.Errorf("no JSON with an error: %s", text)
			}
		})
	}
}

// A large answer is compressed for who takes that, and its tag still is the tag.
func TestHostedSyncCompressed(t *testing.T) {
	address, workspace, _ := hosted(t)
	c := client.New(client.Options{Endpoint: address, Token: "bo"})
	var list []string
	for i := range 100 {
		list = append(list, fmt.Sprintf(`{"id":"m%d","kind":"answer","ask":"q","by":"Ana","ts":"2026-11-20T11:00:00Z","text":"%s"}`, i, strings.Repeat("x", 100)))
	}
	body := fmt.Sprintf(`{"workspaceId":%q,"agent":{"id":%q,"name":"N"},"messages":[%s]}`, workspace.ID, hostedAgent, strings.Join(list, ","))
	if _, err := c.Ingest(context.Background(), []byte(body)); err != nil {
		t.Fatal(err)
	}
	get := func(tag string) *http.Response {
		r, _ := http.NewRequest("GET", address+"/api/messages?agent="+hostedAgent, nil)
		r.Header.Set("Authorization", "Bearer bo")
		r.Header.Set("Accept-Encoding", "gzip")
		r.Header.Set("If-None-Match", tag)
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { a.Body.Close() })
		return a
	}
	a := get("")
	if a.Header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("headers %v", a.Header)
	}
	z, err := gzip.NewReader(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Messages []any }
	if err := json.NewDecoder(z).Decode(&got); err != nil || len(got.Messages) != 100 {
		t.Errorf("%d messages, %v", len(got.Messages), err)
	}
	if again := get(a.Header.Get("ETag")); again.StatusCode != 304 {
		t.Errorf("again: %d", again.StatusCode)
	}
}
