package handlers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

const hostedAt = "http://127.0.0.1:4100"

var hostedNow = time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)

// town is a hosted reader with two workspaces, somebody of every role in the first, and one
// agent in each.
type town struct {
	t      testing.TB
	h      *hosted.Host
	routes *echo.Echo
	s      *sqlstore.Store
	acme   store.Workspace
	other  store.Workspace
	hash   string // of report.html, which acme's agent attaches
	people map[string]store.User
}

const (
	acmeAgent  = "0d4f2a3c-1111-4222-8333-000000000001"
	otherAgent = "0d4f2a3c-1111-4222-8333-000000000002"
)

// founded is the first town of this run as it was laid: every town is a copy of it.
var founded struct {
	sync.Mutex
	first *town
	files map[string][]byte
}

func newTown(t testing.TB) *town {
	t.Helper()
	founded.Lock()
	defer founded.Unlock()
	if founded.first == nil {
		dir := t.TempDir()
		w := openTown(t, dir)
		w.found()
		w.ok(w.s.Close()) // which puts everything into one file
		files := map[string][]byte{}
		w.ok(filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			name, err := filepath.Rel(dir, path)
			if err == nil {
				files[name], err = os.ReadFile(path)
			}
			return err
		}))
		founded.first, founded.files = w, files
	}
	dir := t.TempDir()
	for name, content := range founded.files {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700), os.WriteFile(filepath.Join(dir, name), content, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	w, first := openTown(t, dir), founded.first
	t.Cleanup(func() { w.s.Close() })
	w.acme, w.other, w.hash, w.people = first.acme, first.other, first.hash, maps.Clone(first.people)
	return w
}

// openTown is a reader over a folder, whatever there is in it.
func openTown(t testing.TB, dir string) *town {
	t.Helper()
	s, err := sqlstore.OpenSQLite(context.Background(), filepath.Join(dir, "figs.db"))
	if err != nil {
		t.Fatal(err)
	}
	blobs, err := blob.OpenFolder(filepath.Join(dir, "blobs"))
	if err != nil {
		t.Fatal(err)
	}
	public, _ := url.Parse(hostedAt)
	h, err := newHost(hosted.Options{Config: web.Config{Inspector: carried{}}, Store: s, Blobs: blobs, Public: public, Now: func() time.Time { return hostedNow }})
	if err != nil {
		t.Fatal(err)
	}
	return &town{t: t, h: h, routes: newApp(h).routes(), s: s, people: map[string]store.User{}}
}

// found lays what every town has.
func (w *town) found() {
	w.t.Helper()
	s, ctx := w.s, context.Background()
	now := hostedNow.UnixMicro()
	act := store.Act{At: now}
	_, _, err := s.SigningKey(ctx, make([]byte, 32), now) // which the first page that shows it would make
	w.ok(err)
	w.acme = store.Workspace{ID: store.NewID(), Slug: "acme", Name: "Acme", Created: now}
	w.other = store.Workspace{ID: store.NewID(), Slug: "other", Name: "Secret Society", Created: now}
	for _, x := range []store.Workspace{w.acme, w.other} {
		w.ok(s.AddWorkspace(ctx, act, x, ""))
	}
	for _, role := range append(store.Roles(), "foreign", "guest") {
		u := store.User{ID: store.NewID(), Email: string(role) + "@example.org", Name: "The " + string(role), Created: now}
		w.people[string(role)] = u
		w.ok(s.AddUser(ctx, act, u))
		w.ok(s.SaveSession(ctx, store.Session{Hash: store.Hash("session-" + string(role)), User: u.ID, Created: now, Used: now, Expires: now + time.Hour.Microseconds(), Method: store.MethodPassword, Proved: now}))
		w.ok(s.AddToken(ctx, act, store.Token{ID: store.NewID(), User: u.ID, Name: "t", Hash: store.Hash("token-" + string(role)), Created: now}))
		if role == "foreign" {
			w.ok(s.SetMember(ctx, act, w.other.ID, u.ID, store.Owner))
			continue
		}
		if role == store.Owner {
			w.ok(s.AddToken(ctx, act, store.Token{ID: "spare", User: u.ID, Name: "spare", Hash: store.Hash("token-spare"), Created: now}))
		}
		if role == "guest" { // whom others may change
			role = store.Viewer
		}
		w.ok(s.SetMember(ctx, act, w.acme.ID, u.ID, role))
	}
	w.push(w.acme, acmeAgent, "Closer")
	w.push(w.other, otherAgent, "Hidden Hand")
	var size int64
	w.hash, size, err = w.h.Blobs.Put(ctx, strings.NewReader("<p>report"), 100)
	w.ok(err)
	_, err = s.Attach(ctx, act, store.Attachment{Agent: acmeAgent, Name: "report.html", SHA256: w.hash, Size: size, Uploaded: now}, "report")
	w.ok(err)
}

func (w *town) ok(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *town) push(x store.Workspace, agent, name string) {
	w.t.Helper()
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":%q,"name":%q},"runs":[{"id":"close","ts":"2026-11-20T10:00:00Z","state":"settled","status":"ok","result":"done","attachments":["report.html"]}],"asks":[{"id":"send","ts":"2026-11-20T10:00:00Z","type":"question","title":"Send it?","options":["Yes"],"status":"open"}]}`, x.ID, agent, name))
	w.ok(err)
	_, err = w.s.Push(context.Background(), store.Push{Workspace: x.ID, Act: store.Act{At: hostedNow.UnixMicro()}, Body: body})
	w.ok(err)
}

// ask sends a request as somebody: "" is nobody, "token" the owner of a token, else whose session.
func (w *town) ask(method, address, who, form string) *http.Response {
	w.t.Helper()
	var body io.Reader
	if form != "" {
		body = strings.NewReader(form)
	}
	r := httptest.NewRequest(method, hostedAt+address, body)
	if form != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if form[0] == '{' {
			r.Header.Set("Content-Type", "application/json")
		}
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if strings.HasPrefix(address, "/v/") {
		r.Header.Set("Sec-Fetch-Dest", "iframe")
	}
	r.Header.Set("Origin", hostedAt)
	switch role, token := strings.CutPrefix(who, "token-"); {
	case token:
		r.Header.Set("Authorization", "Bearer token-"+role)
	case who != "":
		r.Header.Set("Cookie", w.h.Auth.Cookie+"=session-"+who)
	}
	ctx, leave := context.WithCancel(r.Context())
	defer leave()
	answer := &leaving{httptest.NewRecorder(), leave}
	w.routes.ServeHTTP(answer, r.WithContext(ctx))
	return answer.Result()
}

// leaving is a visitor who leaves at the first that arrives: a stream of events lasts until then.
type leaving struct {
	*httptest.ResponseRecorder
	leave func()
}

func (l *leaving) Flush() {
	l.ResponseRecorder.Flush()
	l.leave()
}

// fingerprint changes with everything that a request may change.
func (w *town) fingerprint() string {
	w.t.Helper()
	ctx := context.Background()
	hash, err := w.s.StateHash(ctx)
	w.ok(err)
	out := hash
	for _, x := range []store.Workspace{w.acme, w.other} {
		now, err := w.s.Workspace(ctx, x.ID)
		w.ok(err)
		members, err := w.s.Members(ctx, x.ID)
		w.ok(err)
		audit, err := w.s.Audit(ctx, x.ID, store.AuditQuery{N: 1000})
		w.ok(err)
		pending, err := w.s.PendingIn(ctx, x.ID)
		w.ok(err)
		out += fmt.Sprint(now, members, len(audit), len(pending))
	}
	for _, agent := range []string{acmeAgent, otherAgent} {
		claims, err := w.s.Claims(ctx, agent, "send", 0)
		w.ok(err)
		notes, err := w.s.AskNotes(ctx, agent, "send")
		w.ok(err)
		out += fmt.Sprint(len(claims), len(notes))
	}
	audit, err := w.s.Audit(ctx, "", store.AuditQuery{N: 1000})
	w.ok(err)
	out += fmt.Sprint(len(audit))
	for _, role := range slices.Sorted(maps.Keys(w.people)) {
		tokens, err := w.s.ListTokens(ctx, w.people[role].ID)
		w.ok(err)
		for _, t := range tokens {
			t.Used, t.Address = 0, ""
			out += fmt.Sprint(t)
		}
		for _, agent := range []string{acmeAgent, otherAgent} {
			snoozed, err := w.s.Snoozed(ctx, w.people[role].ID, agent, "send", 0)
			w.ok(err)
			out += fmt.Sprint(snoozed)
		}
	}
	return out
}

// drafts are what people have begun to write.
func (w *town) drafts() (out string) {
	w.t.Helper()
	for _, role := range slices.Sorted(maps.Keys(w.people)) {
		for _, agent := range []string{acmeAgent, otherAgent} {
			draft, err := w.s.Draft(context.Background(), w.people[role].ID, agent, "send")
			if !errors.Is(err, store.ErrNotFound) {
				w.ok(err)
				out += fmt.Sprint(draft)
			}
		}
	}
	return out
}

// reply is a form as the page of acme's ask has it, with some fields more.
func (w *town) reply(more string) string {
	w.t.Helper()
	rec, err := w.s.Record(context.Background(), acmeAgent, figs.Asks, "send")
	w.ok(err)
	return "key=one&revision=" + store.RevisionOf(rec).String() + "&" + more
}
