package handlers

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/pagetest"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

// club is a hosted reader whose clock the test holds, to test what people do with it.
type club struct {
	t      *testing.T
	h      *hosted.Host
	routes *echo.Echo
	store  *sqlstore.Store
	now    time.Time
	origin string
	dir    string // of its data
	open   func() (*sqlstore.Store, error)
}

const clubAt = "https://figs.example"

func newClub(t *testing.T) *club {
	t.Helper()
	return newClubAt(t, clubAt)
}

func newClubAt(t *testing.T, origin string) *club {
	t.Helper()
	dir := t.TempDir()
	public, err := url.Parse(origin)
	if err != nil {
		t.Fatal(err)
	}
	c := &club{t: t, origin: origin, dir: dir, now: time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)}
	c.open = func() (*sqlstore.Store, error) {
		return sqlstore.OpenSQLite(context.Background(), filepath.Join(dir, "figs.db"))
	}
	if onNodes != nil {
		c.open = onNodes(t, c.open)
	}
	var blobs blob.Store
	c.store, blobs = c.opened()
	c.h, err = newHost(hosted.Options{Config: web.Config{Inspector: carried{}}, Store: c.store, Blobs: blobs, Public: public, Now: func() time.Time { return c.now }})
	if err != nil {
		t.Fatal(err)
	}
	c.route()
	return c
}

// opened is what the club keeps, as one more program opens it.
func (c *club) opened() (*sqlstore.Store, blob.Store) {
	c.t.Helper()
	s, err := c.open()
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { s.Close() })
	blobs, err := blob.OpenFolder(filepath.Join(c.dir, "blobs"))
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { blobs.Close() })
	return s, blobs
}

// route makes the routes anew, of one server or of several.
func (c *club) route() {
	if c.routes = newApp(c.h).routes(); onNodes != nil {
		c.routes = c.between()
	}
}

func (c *club) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *club) at() int64 { return c.now.UnixMicro() }

const secretWords = "correct horse battery"

// oneHash is the encoding of secretWords, made once: it is dear.
var oneHash string

func (c *club) person(name string) store.User {
	c.t.Helper()
	if oneHash == "" {
		var err error
		oneHash, err = accounts.HashPassword(context.Background(), secretWords)
		c.must(err)
	}
	u := store.User{ID: store.NewID(), Email: name + "@example.org", Name: strings.ToUpper(name[:1]) + name[1:], Password: oneHash, Created: c.at()}
	c.must(c.store.AddUser(context.Background(), store.Act{At: c.at()}, u))
	return u
}

func (c *club) workspace(slug string, owner store.User) store.Workspace {
	c.t.Helper()
	w := store.Workspace{ID: store.NewID(), Slug: slug, Name: "The " + slug, Created: c.at()}
	c.must(c.store.AddWorkspace(context.Background(), store.Act{By: owner.ID, At: c.at()}, w, owner.ID))
	return w
}

func (c *club) member(w store.Workspace, u store.User, role store.Role) {
	c.t.Helper()
	c.must(c.store.SetMember(context.Background(), store.Act{At: c.at()}, w.ID, u.ID, role))
}

// browser keeps cookies as one does.
type browser struct {
	c       *club
	cookies map[string]string
	address string
	headers map[string]string // in place of those that a page of ours would cause
}

func (c *club) browser() *browser {
	return &browser{c: c, cookies: map[string]string{}, address: "192.0.2.1"}
}

// as is the browser of somebody who is signed in.
func (c *club) as(u store.User) *browser {
	c.t.Helper()
	s, secret := accounts.NewSession(u.ID, accounts.SessionStart{Method: store.MethodPassword, Agent: "test"}, accounts.SessionData{}, c.h.Sessions, c.at())
	c.must(c.store.SaveSession(context.Background(), s))
	b := c.browser()
	b.cookies[c.h.Auth.Cookie] = secret
	return b
}

// keeps is how many cookies there are besides the one that tries whether they are kept.
func (b *browser) keeps() (n int) {
	for name := range b.cookies {
		if !strings.HasSuffix(name, "-kept") && !strings.HasSuffix(name, "-device") {
			n++
		}
	}
	return n
}

// answer is one, with its body read.
type answer struct {
	*http.Response
	body string
}

func answerOf(t testing.TB, r *http.Response) answer {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{r, string(body)}
}

func (a answer) location() string { return a.Header.Get("Location") }

func (b *browser) get(address string) answer { return b.send("GET", address, "") }

// post sends a form of fields and values in turn.
func (b *browser) post(address string, fields ...string) answer {
	form := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	return b.send("POST", address, form.Encode())
}

func (b *browser) send(method, address, form string) answer {
	b.c.t.Helper()
	r := httptest.NewRequest(method, b.c.origin+address, strings.NewReader(form))
	r.RemoteAddr = b.address + ":5000"
	if strings.Contains(b.address, ":") {
		r.RemoteAddr = "[" + b.address + "]:5000"
	}
	r.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36")
	if method == "POST" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("Origin", b.c.origin)
	}
	for name, value := range b.headers {
		r.Header.Set(name, value)
		if value == "" {
			r.Header.Del(name)
		}
	}
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	b.c.routes.ServeHTTP(w, r)
	got := w.Result()
	for _, cookie := range got.Cookies() {
		if b.cookies[cookie.Name] = cookie.Value; cookie.MaxAge < 0 {
			delete(b.cookies, cookie.Name)
		}
	}
	body, err := io.ReadAll(got.Body)
	b.c.must(err)
	return answer{got, string(body)}
}

var anyTag = regexp.MustCompile(`<[^>]*>`)

// words are those of a page without its markup.
func (a answer) words() string {
	return strings.Join(strings.Fields(anyTag.ReplaceAllString(a.body, " ")), " ")
}

// says holds a page to its status, and to what it tells in a case of testdata/messages.golden.
func (a answer) says(t testing.TB, status int, cases ...string) answer {
	t.Helper()
	if a.StatusCode != status {
		t.Errorf("status %d, want %d: %s", a.StatusCode, status, a.words())
		return a
	}
	for _, name := range cases {
		messages.Check(t, name, pagetest.Told(t, a.body))
	}
	return a
}

// part holds what a part of a page says to a case of testdata/messages.golden.
func (a answer) part(t testing.TB, path, name string) answer {
	t.Helper()
	messages.Check(t, name, pagetest.Lines(pagetest.All(pagetest.Parse(t, a.body), path)...))
	return a
}

// has holds a page to elements that are on it, as pagetest.All finds them.
func (a answer) has(t testing.TB, paths ...string) answer {
	t.Helper()
	page := pagetest.Parse(t, a.body)
	for _, path := range paths {
		if len(pagetest.All(page, path)) == 0 {
			t.Errorf("the page has no %s: %s", path, a.words())
		}
	}
	return a
}

// lacks holds a page to elements that are not on it.
func (a answer) lacks(t testing.TB, paths ...string) answer {
	t.Helper()
	page := pagetest.Parse(t, a.body)
	for _, path := range paths {
		if len(pagetest.All(page, path)) > 0 {
			t.Errorf("the page has %s: %s", path, a.words())
		}
	}
	return a
}

// shows holds a page to what people, agents or the test itself have written.
func (a answer) shows(t testing.TB, words ...string) answer {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(a.words(), w) {
			t.Errorf("the page does not show %q: %s", w, a.words())
		}
	}
	return a
}

// leads holds an answer to a redirect.
func (a answer) leads(t *testing.T, to string) {
	t.Helper()
	if a.StatusCode != http.StatusSeeOther || a.location() != to {
		t.Errorf("%d to %q, want 303 to %q: %s", a.StatusCode, a.location(), to, a.words())
	}
}

// sqlStore is the store under a name that others can embed.
type sqlStore = sqlstore.Store
