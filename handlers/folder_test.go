package handlers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/local"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

const (
	listens       = "127.0.0.1:4000"
	viewerListens = "127.0.0.1:4001"
)

// shelf holds attachments of the workspace "local" by name. Its journal is empty.
type shelf struct {
	files   map[string][]byte
	project *project.Project
}

func (s *shelf) Journal(context.Context, string) (journal.Journal, error) { return empty{}, nil }

func (s *shelf) Project(context.Context) (*project.Project, error) { return s.project, nil }

func (s *shelf) Digest(_ context.Context, agent, name string) (string, error) {
	if b, ok := s.files[name]; ok && agent == "1" {
		return sum(b), nil
	}
	return "", journal.ErrNotFound
}

func (s *shelf) Attachment(_ context.Context, workspace, sha256 string) (*journal.Attachment, error) {
	var a *journal.Attachment
	for name, b := range s.files {
		if workspace != "local" || sum(b) != sha256 {
			continue
		}
		if a == nil {
			a = &journal.Attachment{Size: int64(len(b)), Open: func(context.Context) (io.ReadCloser, error) {
				return io.NopCloser(strings.NewReader(string(b))), nil
			}}
		}
		a.Names = append(a.Names, name)
	}
	if a == nil {
		return nil, journal.ErrNotFound
	}
	return a, nil
}

// answering is a shelf that takes replies, though it holds no ask.
type answering struct {
	*shelf
	seq atomic.Int64
}

func (*answering) Reply(context.Context, reply.Entry) (*reply.WrittenReply, error) {
	return nil, journal.ErrNotFound
}
func (*answering) Revision(*journal.Ask) string                 { return "" }
func (*answering) ReadOnly() string                             { return "" }
func (a *answering) Seq(context.Context, string) (int64, error) { return a.seq.Load(), nil }

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// empty is a journal of nothing.
type empty struct{ journal.Journal }

func (empty) Agents(context.Context) ([]journal.Agent, error) { return nil, nil }
func (empty) Agent(context.Context, string) (*journal.Agent, error) {
	return nil, journal.ErrNotFound
}
func (empty) Overview(context.Context, string) (*journal.Overview, error) {
	return nil, journal.ErrNotFound
}

// full is a shelf with a few files.
func full() *shelf {
	return &shelf{files: map[string][]byte{"report.html": []byte("<p>report"), "same.txt": []byte("<p>report"), "data.csv": []byte("a,b\n"), "brief.md": []byte("# Brief")}}
}

// opened is a folder whose door was opened: its pages, and how to ask them as the person inside.
type opened struct {
	*local.Routes
	s      *local.FolderServer
	cookie string
	mutex  sync.Mutex // of events
	events []web.Event
	now    time.Time
}

func openFolder(t *testing.T, f local.Folder, apart bool) *opened {
	t.Helper()
	o := &opened{now: time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)}
	opening := local.Options{Folder: f, Workspace: "local", Listen: listens, Now: func() time.Time { return o.now }, Log: func(e web.Event) {
		o.mutex.Lock()
		defer o.mutex.Unlock()
		o.events = append(o.events, e)
	}}
	if replies, ok := f.(local.ReplyWriter); ok {
		stopped, stop := context.WithCancel(context.Background())
		stop() // so that streams of events end at once
		opening.Replies, opening.Stopping = replies, stopped
	}
	if kinds, ok := f.(local.ProjectSource); ok {
		opening.Kinds = kinds
	}
	if apart {
		opening.ViewerListen = viewerListens
	}
	s, err := local.NewOpen(opening)
	if err != nil {
		t.Fatal(err)
	}
	o.s, o.Routes = s, s.Handlers()
	o.cookie = "Cookie: " + s.Door.Cookie + "=" + s.Door.Session
	s.Viewer.Render = func(name string, content []byte, view report.View, limits report.Limits) *report.Result {
		r := &report.Result{Name: name, Kind: sandbox.KindOf(name, content), Asked: view, View: view, Limits: limits}
		if r.Kind != report.Download {
			r.Document = []byte("document of " + name + " as " + string(view) + ": " + string(content))
		}
		return r
	}
	s.Viewer.Compare = func(before, after sandbox.Attachment, limits report.Limits) *report.Comparison {
		return &report.Comparison{Document: []byte("from " + string(before.Content) + " to " + string(after.Content)), Limits: limits}
	}
	return o
}

// ask asks as the person inside does; headers are "Name: value".
func (o *opened) ask(address string, headers ...string) *http.Response {
	return request(o.Pages, "GET", listens, address, append([]string{o.cookie}, headers...)...)
}

func request(h http.Handler, method, host, address string, headers ...string) *http.Response {
	r := httptest.NewRequest(method, address, nil)
	r.Host = host
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		if name == "Host" {
			r.Host = value
			continue
		}
		r.Header.Add(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// expect holds an answer to a status and some of its text.
func expect(t *testing.T, what string, r *http.Response, status int, part string) {
	t.Helper()
	if body := text(t, r); r.StatusCode != status || !strings.Contains(body, part) {
		t.Errorf("%s = %d %.300q, want %d with %q", what, r.StatusCode, body, status, part)
	}
}

func TestOpenChecks(t *testing.T) {
	for name, o := range map[string]local.Options{
		"no folder": {Workspace: "local", Listen: listens, Now: time.Now},
		"no clock":  {Folder: full(), Workspace: "local", Listen: listens},
		"no port":   {Folder: full(), Workspace: "local", Listen: "127.0.0.1", Now: time.Now},
	} {
		if _, err := local.Open(o); err == nil {
			t.Errorf("%s: Open() succeeds", name)
		}
	}
	for _, origin := range []string{"viewer.example", "https://viewer.example/", "https://viewer.example/x", "https://u@viewer.example", "ftp://viewer.example", "https://", "https://a;script-src", "https://a b"} {
		_, err := local.Open(local.Options{Folder: full(), Workspace: "local", Listen: listens, ViewerListen: viewerListens, ViewerOrigin: origin, Now: time.Now})
		if !errors.Is(err, web.ErrOrigin) {
			t.Errorf("the origin %q: %v, want ErrOrigin", origin, err)
		}
	}
}

func TestLinks(t *testing.T) {
	links := hosted.InWorkspace{Workspace: "local"}
	for page, want := range map[string]string{
		"/": "/w/local", "/1": "/w/local/agents/1", "/1/jobs/3": "/w/local/agents/1/jobs/3", "/1/jobs?state=ok&q=%2F": "/w/local/agents/1/jobs?state=ok&q=%2F",
		"/rules": "/rules", "/rules/line_torn": "/rules/line_torn", "/1/files/4?view=source": "/w/local/agents/1/files/4?view=source",
		"/channels/1": "/w/local/channels/1", "/registry/2/entries/3?q=a": "/w/local/registry/2/entries/3?q=a", "/workflows/1/runs": "/w/local/workflows/1/runs",
	} {
		if got := links.To(page); got != want {
			t.Errorf("To(%q) = %q, want %q", page, got, want)
		}
	}
}

// paths notes which page is asked for.
type paths struct {
	shelf
	asked []string
}

func (p *paths) Journal(ctx context.Context, page string) (journal.Journal, error) {
	p.asked = append(p.asked, page)
	return p.shelf.Journal(ctx, page)
}

// Every address that a link carries leads back to the page that it was made for.
func TestAddressesLeadBack(t *testing.T) {
	p := &paths{}
	o := openFolder(t, p, false)
	for _, page := range []string{"/", "/1", "/1/jobs", "/1/jobs?state=ok&q=a%20b", "/1/asks/2?view=source", "/1/lines/runs.jsonl?from=4", "/rules", "/rules/line_torn", "/channels/1", "/registry/2/entries?q=a%20b", "/workflows/1/runs/3"} {
		o.ask(hosted.InWorkspace{Workspace: "local"}.To(page))
		if got := p.asked[len(p.asked)-1]; got != page {
			t.Errorf("%s leads to %q", page, got)
		}
	}
	n := len(p.asked)
	for _, address := range []string{"/w/other", "/w/other/agents/1", "/w/local/agents/..", "/w/local/agents/1/text/%2e%2e", "/w/local/agents/1/jobs/a%2Fb", "/w/local/agents/1/jobs/1/2", "/w/local/jobs", "/w/", "/w/local/channels", "/w/other/channels/1", "/w/local/channels/..", "/w/local/registry/1/entries/1/2"} {
		expect(t, address, o.ask(address), 404, "<h1>")
	}
	if len(p.asked) != n {
		t.Errorf("the journal was asked for %q", p.asked[n:])
	}
}

// A folder that cannot be read any more is a page that says so, and the operator learns why.
func TestOpenFails(t *testing.T) {
	o := openFolder(t, broken{full()}, false)
	expect(t, "a page", o.ask("/w/local"), 500, "<h1>")
	if e := o.events[0]; e.Err == nil || !strings.Contains(e.Err.Error(), "inner cause") {
		t.Errorf("event %+v, want the cause in it", e)
	}
}

type broken struct{ *shelf }

func (broken) Journal(context.Context, string) (journal.Journal, error) {
	return nil, errors.New("inner cause")
}

// Every attachment can be downloaded, whatever its name is.
func TestNamesTravel(t *testing.T) {
	dir := "../static/samples/reconciliation/.figs/artifacts"
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	s := &shelf{files: map[string][]byte{"ümlaut “quoted”.html": []byte("x"), "..": []byte("y"), "a b%2F.txt": []byte("z"), strings.Repeat("long", 60) + ".txt": []byte("l")}}
	for _, e := range entries {
		b, err := os.ReadFile(path.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		s.files[e.Name()] = b
	}
	o := openFolder(t, s, false)
	for name, b := range s.files {
		r := o.ask("/a/local/" + sum(b) + "/" + viewer.Segment(name))
		if got := text(t, r); r.StatusCode != 200 || got != string(b) {
			t.Errorf("%q = %d and %d bytes, want its %d", name, r.StatusCode, len(got), len(b))
		}
	}
}
