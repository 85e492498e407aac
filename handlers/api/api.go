// Package api is the API for programs: what the pages of a workspace show, as JSON. It asks the
// same journal the same questions with the same queries as the pages do, and knows who asks by a
// session or by a token. With a token a program may also keep a draft for its person, end a token
// and send feedback. Nothing here decides.
package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/version"
)

// Base is where all addresses of the API begin.
const Base = "/api/v1"

// Config is what the API is made of; all of it is required.
type Config struct {
	Auth    *auth.Authenticator                      // who asks
	Journal func(workspace string) journal.Workspace // what is there, by the workspace's id
	Store   Store                                    // what is kept beside that
	Blobs   blob.Store                               // attachments' bytes
	Public  *url.URL                                 // the origin under which people and programs reach the server
}

// Store is what the API asks for and keeps beside the journal.
type Store interface {
	auth.Replies
	store.FeedbackStore
	store.RateLimits
	ChangedRecords(ctx context.Context, workspace, agent string, since int64, most int) ([]store.ChangedRecord, bool, error)
	FullRecords(ctx context.Context, agent string, file figs.File, ids []string) ([]store.Record, error)
	Folds(ctx context.Context, agent string, file figs.File, ids []string) (map[string][]byte, error)
	CreateDraft(ctx context.Context, d store.Draft) error
	Draft(ctx context.Context, person, agent, ask string) (store.Draft, error)
	DeleteDraft(ctx context.Context, d store.Draft) error
}

// API answers programs.
type API struct {
	Config
	document []byte
}

// New makes the API and its description. It panics when something required is missing.
func New(c Config) *API {
	if c.Auth == nil || c.Journal == nil || c.Store == nil || c.Blobs == nil || c.Public == nil {
		panic("api: no authenticator, no journal, no store, no blobs or no public address given")
	}
	document, err := encode(describe(c.Public.String(), c.Auth.Cookie))
	if err != nil {
		panic(err) // it is made of constants
	}
	return &API{c, document}
}

// Routes registers an address for every call, and the description of them, which is public.
func (a *API) Routes(e *echo.Echo) {
	// Not as a group of echo: that would take every other method and address below it too.
	read := func(path string, h echo.HandlerFunc, doors ...echo.MiddlewareFunc) {
		e.GET(Base+path, h, doors...)
		e.HEAD(Base+path, h, doors...)
	}
	read("/openapi.json", a.sendDocument, headers)
	for i := range calls {
		doors := []echo.MiddlewareFunc{headers, a.Auth.Session, a.recognised}
		if inside(calls[i].path) {
			doors = append(doors, a.Auth.Member)
		}
		read(calls[i].path, a.serve(&calls[i]), doors...)
	}
	for i := range changes {
		doors := []echo.MiddlewareFunc{headers, a.Auth.Session, a.recognised, byToken}
		if !changes[i].reads {
			doors = append(doors, a.writes)
		}
		if inside(changes[i].path) {
			doors = append(doors, a.Auth.Member)
		}
		e.Add(changes[i].method, Base+changes[i].path, a.change(&changes[i]), doors...)
	}
	a.mcpRoute(e)
}

// inside reports whether a path is that of something in a workspace.
func inside(path string) bool { return strings.Contains(path, "/:workspace") }

// headers keep answers to whoever asked, and make them nothing but data for a browser.
func headers(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		h.Set("Cache-Control", "private, no-cache")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Add("Vary", "Authorization, X-Figs-Token, Cookie")
		return next(c)
	}
}

// request is one call that was let in.
type request struct {
	*API
	c       echo.Context
	visitor *auth.Visitor
	at      *auth.Place       // nil outside of workspaces
	journal journal.Workspace // likewise
	query   string
}

// key is a part of the address that names an agent or a record.
func (r *request) key(name string) (string, error) {
	part := r.c.Param(name)
	if id, ok := journal.ParseSegment(part); !ok || !isText(id) {
		return "", journal.ErrNotFound
	}
	return part, nil
}

// isText reports whether every database takes a string as text.
func isText(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }

func (a *API) request(c echo.Context) *request {
	r := &request{API: a, c: c, visitor: auth.Of(c), at: auth.At(c), query: c.Request().URL.RawQuery}
	if r.at != nil {
		r.journal = a.Journal(r.at.Workspace.ID)
	}
	return r
}

// serve makes a handler of a call.
func (a *API) serve(k *call) echo.HandlerFunc {
	return func(c echo.Context) error {
		if err := k.check(c.Request().URL.RawQuery); err != nil {
			return err
		}
		r, tag := a.request(c), ""
		if k.gives == "" {
			_, err := k.answer(r)
			return err
		}
		if r.at != nil && !k.beside() {
			if tag = r.tag(); unchanged(c.Request(), tag) {
				return r.notModified(tag)
			}
		}
		if err := r.asOf(); err != nil {
			return err
		}
		value, err := k.answer(r)
		if err != nil {
			return err
		}
		body, err := encode(value)
		if err != nil {
			return err
		}
		if tag == "" {
			if tag = tagOf(string(body)); unchanged(c.Request(), tag) {
				return r.notModified(tag)
			}
		}
		c.Response().Header().Set("ETag", tag)
		return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, body)
	}
}

func (r *request) notModified(tag string) error {
	r.c.Response().Header().Set("ETag", tag)
	return r.c.NoContent(http.StatusNotModified)
}

// tag names an answer before it is made: it changes with the workspace, with who asks and what,
// and with the clock as far as the answer depends on it.
func (r *request) tag() string {
	clock := r.Auth.Now().UTC().Truncate(24 * time.Hour)
	if r.c.QueryParam("age") != "" {
		clock = r.Auth.Now().UTC().Truncate(time.Minute)
	}
	return tagOf(fmt.Sprint(version.Version, "\n", r.visitor.User.ID, "\n", r.at.Role, "\n", r.at.Workspace.ID, "\n", r.at.Workspace.Seq, "\n",
		r.c.Request().URL.EscapedPath(), "\n", r.query, "\n", clock.Unix()))
}

func tagOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return `W/"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
}

// unchanged reports whether the caller holds the answer with this tag.
func unchanged(r *http.Request, tag string) bool {
	for _, held := range strings.Split(strings.Join(r.Header.Values("If-None-Match"), ","), ",") {
		held = strings.TrimSpace(held)
		if held == "*" || strings.TrimPrefix(held, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// encode writes a value as JSON with a final newline. What an agent wrote keeps its characters:
// nobody reads these answers as a page.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}
