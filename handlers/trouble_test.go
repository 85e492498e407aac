package handlers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
)

// troubled is a store that fails as it is told to.
type troubled struct {
	*sqlStore
	settle, session, push, decide error
}

func (s *troubled) Settle(ctx context.Context, now int64) (store.SettleResult, error) {
	if s.settle != nil {
		return store.SettleResult{}, s.settle
	}
	return s.sqlStore.Settle(ctx, now)
}

func (s *troubled) Session(ctx context.Context, hash string, at int64) (store.Session, error) {
	if s.session != nil {
		return store.Session{}, s.session
	}
	return s.sqlStore.Session(ctx, hash, at)
}

func (s *troubled) Push(ctx context.Context, p store.Push) (store.PushResult, error) {
	if s.push != nil {
		return store.PushResult{}, s.push
	}
	return s.sqlStore.Push(ctx, p)
}

func (s *troubled) Decide(ctx context.Context, act store.Act, d store.DecisionInput) (store.Decision, error) {
	if s.decide != nil {
		return store.Decision{}, s.decide
	}
	return s.sqlStore.Decide(ctx, act, d)
}

// unreachable is a bucket that does not answer.
type unreachable struct{}

func (unreachable) Put(context.Context, io.Reader, int64) (string, int64, error) {
	return "", 0, fmt.Errorf("https://secret: %w", blob.ErrUnavailable)
}

func (unreachable) Open(context.Context, string) (io.ReadSeekCloser, int64, error) {
	return nil, 0, fmt.Errorf("https://secret: %w", blob.ErrUnavailable)
}

func (unreachable) Remove(context.Context, string) error { return blob.ErrUnavailable }

// rehost serves the council over another store and other bytes.
func (c *council) rehost(s store.Store, b blob.Store) {
	c.t.Helper()
	hosting := c.h.Options
	hosting.Store, hosting.Blobs, hosting.Live = s, b, nil
	h, err := newHost(hosting)
	c.must(err)
	c.h, c.routes = h, newApp(h).routes()
}

// client adds a token of Ada's, and returns how a program calls with it.
func (c *council) client() func(address, body string) answer {
	c.t.Helper()
	c.must(c.store.AddToken(context.Background(), store.Act{At: c.at()}, store.Token{ID: store.NewID(), User: c.ada.ID, Name: "t", Hash: store.Hash("secret-token"), Created: c.at()}))
	b := c.browser()
	b.headers = map[string]string{"Authorization": "Bearer secret-token", "Content-Type": "application/json", "Origin": "", "Sec-Fetch-Site": ""}
	return func(address, body string) answer { return b.send("POST", address, body) }
}

// program holds an answer to what clients make of it: they print "error", and come again after 5xx.
func (a answer) program(t *testing.T, status int, code string, name ...string) {
	t.Helper()
	var said struct{ Error, Code string }
	if err := json.Unmarshal([]byte(a.body), &said); err != nil || said.Code != code || strings.Contains(a.body, "secret") {
		t.Errorf("%s, want %q", a.body, code)
	}
	a.says(t, status, name...)
	if a.Header.Get("Retry-After") == "" {
		t.Error("it does not say when to come again")
	}
}

// TestDatabaseTrouble holds that a database which does not answer, or has no room, is said so to people and to
// programs, with when to come again, and nothing from within.
func TestDatabaseTrouble(t *testing.T) {
	c := newCouncil(t)
	s := &troubled{sqlStore: c.store}
	c.rehost(s, c.h.Blobs)
	call, bo := c.client(), c.as(c.bo)
	body := fmt.Sprintf(`{"workspaceId":%q,"agent":{"id":%q,"name":"Closer"},"runs":[{"id":"r","ts":"2026-11-20T10:00:00Z","state":"settled","status":"ok","result":"done"}]}`, c.acme.ID, ofCouncil)
	form := c.form(bo, "which", "chosen", "Daily")
	gone := &store.UnavailableError{Err: errors.New("dial tcp secret:5432: connection refused")}

	s.settle = gone
	c.wait(time.Minute) // something may be due
	got := bo.get("/w/acme")
	got.says(t, 503, "database-down")
	if got.Header.Get("Retry-After") == "" || strings.Contains(got.body, "secret") {
		t.Errorf("the page: %v %s", got.Header, got.words())
	}
	s.settle, s.session = nil, gone
	bo.get("/settings").says(t, 503, "database-down")
	lost := bo.post(askPages+"which/decide", append(form, "text", "Typed <with> care")...)
	lost.says(t, 503, "database-down").has(t, "form[method=post] button")
	if lost.Header.Get("Retry-After") == "" {
		t.Error("the kept form does not say when to come again")
	}
	elsewhere := c.as(c.bo)
	elsewhere.headers = map[string]string{"Sec-Fetch-Site": "cross-site"}
	if got := elsewhere.post(askPages+"which/decide", form...); got.StatusCode != 403 || strings.Contains(got.body, "<form") {
		t.Errorf("a form of another page is kept: %d %s", got.StatusCode, got.body)
	}
	s.session, s.push = nil, gone
	call("/api/ingest", body).program(t, 503, "database_down", "program-database-down")

	s.push, s.decide = &store.UnavailableError{MayBeCommitted: true, Err: gone.Err}, &store.UnavailableError{MayBeCommitted: true, Err: gone.Err}
	c.wait(time.Minute)
	call("/api/ingest", body).program(t, 503, "database_down", "program-database-unsure")
	bo.post(askPages+"which/decide", form...).says(t, 503, "database-unsure")
	s.push, s.decide = &store.DiskFullError{Err: errors.New("/secret: 53100")}, &store.DiskFullError{Err: errors.New("/secret: 53100")}
	call("/api/ingest", body).program(t, 507, "disk_full", "program-disk-full")
	bo.post(askPages+"which/decide", form...).says(t, 507, "disk-full")
	s.push = fmt.Errorf("writing /secret: %w", syscall.ENOSPC)
	call("/api/ingest", body).program(t, 507, "disk_full", "program-disk-full")

	s.push, s.decide = nil, nil
	if got := call("/api/ingest", body); got.StatusCode != 200 {
		t.Errorf("and then the push: %d %s", got.StatusCode, got.body)
	}
	kept := []string{}
	for _, field := range hiddenInput.FindAllStringSubmatch(lost.body, -1) {
		kept = append(kept, field[1], html.UnescapeString(field[2]))
	}
	bo.post(askPages+"which/decide", kept...).leads(t, askPages+"which")
	if made := c.pending("which"); made == nil || !strings.Contains(string(made.Line), "Typed \\u003cwith\\u003e care") && !strings.Contains(string(made.Line), "Typed <with> care") {
		t.Errorf("what was typed is lost: %+v", made)
	}
}

// TestDamaged holds that bytes which are not those that were sent are shown to nobody, and that each door says so.
func TestDamaged(t *testing.T) {
	c := newCouncil(t)
	hash := c.hash["report.html"]
	file := filepath.Join(c.dir, "blobs", hash[:2], hash)
	content, err := os.ReadFile(file)
	c.must(err)
	c.must(os.Chmod(file, 0o600))
	c.must(os.WriteFile(file, []byte(strings.Repeat("ZZZZ", len(content))[:len(content)]), 0o600))
	var faults []error
	c.h.Server.Log = func(e web.Event) { faults = append(faults, e.Err) }
	bo := c.as(c.bo)
	framed := c.as(c.bo)
	framed.headers = map[string]string{"Sec-Fetch-Dest": "iframe", "Sec-Fetch-Site": "same-origin"}
	for address, b := range map[string]*browser{"/v/acme/" + hash + ".html": framed, "/v/acme/" + hash + ".html?view=source": framed, "/a/acme/" + hash + "/report.html": bo, askPages + "send": bo} {
		faults = nil
		got, want := b.get(address), 500
		switch {
		case address == askPages+"send":
			want = 200
			got.says(t, want).part(t, ".stage .nothing", "attachment-damaged-page")
		case b == framed:
			got.says(t, want, "attachment-damaged-frame")
		default:
			got.says(t, want, "attachment-damaged")
		}
		if strings.Contains(got.body, "ZZZZ") || strings.Contains(got.Header.Get("Content-Disposition"), "report") {
			t.Errorf("%s shows other bytes: %v %s", address, got.Header, got.body)
		}
		var damaged *blob.DamagedError
		if len(faults) != 1 || !errors.As(faults[0], &damaged) && want == 500 {
			t.Errorf("%s: the operator is told %v", address, faults)
		}
	}
	c.must(c.store.AddToken(context.Background(), store.Act{At: c.at()}, store.Token{ID: store.NewID(), User: c.ada.ID, Name: "t", Hash: store.Hash("secret-token"), Created: c.at()}))
	token := c.browser()
	token.headers = map[string]string{"Authorization": "Bearer secret-token"}
	got := token.get("/api/v1/workspaces/acme/agents/" + ofCouncil + "/files/report.html/content")
	if got.StatusCode == http.StatusNotFound {
		t.Fatalf("the API has no such address: %s", got.body)
	}
	if got.says(t, 500, "program-attachment-damaged"); strings.Contains(got.body, "ZZZZ") {
		t.Errorf("the API: %v %s", got.Header, got.body)
	}
}

// TestAttachmentsDown holds that a bucket which cannot be reached takes nothing away but the attachments.
func TestAttachmentsDown(t *testing.T) {
	c := newCouncil(t)
	hash := c.hash["report.html"]
	c.rehost(c.store, unreachable{})
	bo, call := c.as(c.bo), c.client()
	framed := c.as(c.bo)
	framed.headers = map[string]string{"Sec-Fetch-Dest": "iframe", "Sec-Fetch-Site": "same-origin"}
	got := framed.get("/v/acme/" + hash + ".html")
	got.says(t, 503, "attachments-down-frame")
	if got.Header.Get("Retry-After") == "" {
		t.Error("the frame does not say when to come again")
	}
	bo.get("/a/acme/"+hash+"/report.html").says(t, 503, "attachments-down")
	bo.get(askPages+"send").says(t, 200).shows(t, "Send the report?").part(t, ".stage .nothing", "attachments-down-page")
	bo.get("/w/acme").says(t, 200)
	call("/api/artifacts/upload", fmt.Sprintf(`{"workspaceId":%q,"agentId":%q,"name":"new.txt","content":"aGVsbG8="}`, c.acme.ID, ofCouncil)).program(t, 503, "attachments_down", "program-attachments-down")
	c.decide(bo, "which", "chosen", "Daily").leads(t, askPages+"which")
}
