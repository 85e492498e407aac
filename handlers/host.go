package handlers

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/visitor"
	"github.com/figs-web/figs-web/handlers/wire"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/live"
	"github.com/figs-web/figs-web/internal/mail"
	"github.com/figs-web/figs-web/internal/passkey"
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/replay"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/storejournal"
)

// Hosting is what a hosted reader is made of.
type Hosting struct {
	Config
	Serving
	Store     store.Store
	Blobs     blob.Store
	Public    *url.URL // the origin under which people and clients reach the server
	Now       func() time.Time
	MaxIngest int64       // bytes of a push's body; 0 is 64 MiB
	Guessed   func(Guess) // told of secrets that were given wrongly, at most once a minute of each kind and address; may be nil
	Sessions  people.SessionLimits
	OIDC      *OIDC        // the provider at which people sign in; nil: none
	Header    *Header      // the proxy that says who somebody is; nil: none
	Telling   Telling      // how people are told of what needs them
	Mail      mail.Sender  // sends letters; nil: the reader has no mail server
	Running   Running      // what the page of those who run the server says of it
	Live      *live.Broker // tells open pages of changes; nil: Host makes one, which finds all of them by asking
}

// host is a server of workspaces.
type host struct {
	*server
	Hosting
	desk     *visitor.Desk
	passkeys *passkey.Desk // nil: they do not work under the public address
	streams  streams
	due      due
	health   *health
	recent   *recent
	lenses   lensCache
	pasts    *storejournal.Pasts
	whole    *replay.Folders // agents read as folders, for what looks at all of one
	peopled  atomic.Bool     // the server has users
}

// Host returns the routes of a hosted reader, and lets what is decided count until it stops.
func Host(h Hosting) (http.Handler, error) {
	x, err := newHost(h)
	if err != nil {
		return nil, err
	}
	if x.Stopping != nil {
		go x.keepSettling(x.Stopping)
	}
	return x.routes(), nil
}

func newHost(h Hosting) (*host, error) {
	switch {
	case h.Inspector == nil, h.Store == nil, h.Blobs == nil, h.Now == nil:
		return nil, errors.New("handlers: no inspector, no store, no blobs or no clock given")
	case h.Public == nil || !originOnly.MatchString(h.Public.String()):
		return nil, ErrOrigin
	}
	assets, err := loadAssets()
	if err != nil {
		return nil, err
	}
	x := &host{Hosting: h, streams: newStreams(), health: newHealth(h.Now())}
	if x.Live == nil {
		x.Live = live.New(h.Store.Seq, time.Second)
	}
	x.desk = &visitor.Desk{Source: h.Store, Cookie: CookieName(h.Public), Now: h.Now, Limits: h.Sessions}
	x.recent = &recent{now: h.Now}
	x.lenses, x.pasts = newLensCache(), storejournal.NewPasts()
	x.whole = replay.New(h.Store, h.Now, replay.Usual)
	h.Log = x.recent.watch(x.health.watch(h.Log))
	x.server = &server{Config: h.Config, assets: assets, page: readPage(h.Inspector), notice: h.Notice, viewer: newViewer(&attachments{h.Store, h.Blobs})}
	x.looked = x.noteLooked
	if x.passkeys, err = passkey.New(h.Public, h.Store); err != nil {
		return nil, err
	}
	x.guesses = newGuesses(x.recent.guessed(h.Guessed), h.Now)
	return x, nil
}

// CookieName is that of the session's cookie at the address that people use. Over TLS the prefix makes browsers hold it
// to this host, to TLS and to the whole site. On plain http, loopback too, WebKit drops every cookie that is Secure, so
// that it has a plain one, named after the port: cookies do not know ports.
func CookieName(public *url.URL) string {
	if overTLS(public) {
		return "__Host-figs"
	}
	port := public.Port()
	if port == "" {
		port = "80"
	}
	return "figs-web-" + port
}

func overTLS(public *url.URL) bool { return public.Scheme == "https" }

// secureContext reports whether browsers take the address for a secure context: https, and this machine.
func secureContext(public *url.URL) bool {
	ip, err := netip.ParseAddr(public.Hostname())
	return overTLS(public) || public.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

func (h *host) routes() *echo.Echo {
	e := h.front()
	h.publicRoutes(e)
	wire.New(wire.Config{Store: h.Store, Blobs: h.Blobs, Public: h.Public, Now: h.Now, MaxIngest: h.MaxIngest, Temp: h.Temp, Changed: h.Live.Changed}).Routes(e)
	h.api(e)

	browser := under(e, "", h.pageHeaders, h.forms, h.recognise, chosen, h.slide)
	w := browser.under("/w/:workspace", h.signedIn, h.desk.Member, bySlug, h.remember, present)
	h.peopleRoutes(browser, w)
	h.operatorRoutes(browser)
	h.deskRoutes(e)
	h.receiptRoutes(e, w)
	h.shareRoutes(w)
	h.feedbackRoutes(w)
	h.dataRoutes(w)
	h.notifyRoutes(browser, w)
	h.agentRoutes(w)
	w.POST("/demo", h.fillDemo, h.may(people.FillDemo))
	w.GET("", h.showWorkspace)
	w.GET("/events", h.sendEvents)
	w.GET("/:page", h.showWorkspace)
	w.GET("/agents/:agent", h.showAgent, h.follow)
	w.GET("/agents/:agent/:section", h.showAgent, h.follow)
	w.GET("/agents/:agent/:section/:key", h.showAgent, h.follow)
	w.GET("/agents/:agent/:section/:key/:of", h.showAgent, h.follow)
	files := browser.under("", h.desk.Member)
	files.GET("/v/:workspace/:file", h.showFrame)
	files.GET("/v/:workspace/:file/:other", h.showFrame)
	files.GET("/a/:workspace/:sha256/:name", h.sendDownload)
	return e
}

// routing adds routes below a prefix, behind the same middleware. Groups of Echo would also answer
// for every address below theirs: a wrong method would be no such page.
type routing struct {
	e      *echo.Echo
	prefix string
	use    []echo.MiddlewareFunc
}

func under(e *echo.Echo, prefix string, use ...echo.MiddlewareFunc) *routing {
	return &routing{e, prefix, use}
}

func (r *routing) under(prefix string, use ...echo.MiddlewareFunc) *routing {
	return &routing{r.e, r.prefix + prefix, slices.Concat(r.use, use)}
}

// GET adds a page.
func (r *routing) GET(path string, h echo.HandlerFunc, use ...echo.MiddlewareFunc) {
	r.e.GET(r.prefix+path, h, slices.Concat(r.use, use)...)
}

// HEAD adds what a page says of itself without its content.
func (r *routing) HEAD(path string, h echo.HandlerFunc) {
	r.e.HEAD(r.prefix+path, h, r.use...)
}

// POST adds what a form is sent to.
func (r *routing) POST(path string, h echo.HandlerFunc, use ...echo.MiddlewareFunc) {
	r.e.POST(r.prefix+path, h, slices.Concat(r.use, use)...)
}

// pageHeaders sets what every page of a workspace carries. Its referrer policy lets a form name
// its origin, which no-referrer would make "null".
func (h *host) pageHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		head := c.Response().Header()
		privately(head)
		head.Set("Referrer-Policy", "same-origin")
		head.Set("Content-Security-Policy", appPolicy(h.Public.String()+"/v/"))
		head.Set("Permissions-Policy", appFeatures)
		return next(c)
	}
}

// signedIn leads those who are not to the sign-in page, and back afterwards.
func (h *host) signedIn(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if visitor.Of(c) != nil {
			return next(c)
		}
		to := "/sign-in"
		if c.Request().Method == http.MethodGet {
			to += "?next=" + url.QueryEscape(c.Request().URL.RequestURI())
		}
		return c.Redirect(http.StatusSeeOther, to)
	}
}

// bySlug leads pages that were asked for by the workspace's id, as clients print it, to their one
// address.
func bySlug(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		asked, slug := c.Param("workspace"), visitor.At(c).Workspace.Slug
		if asked == slug || c.Request().Method != http.MethodGet {
			return next(c)
		}
		to := strings.Replace(c.Request().URL.RequestURI(), workspaces+asked, workspaces+segment(slug), 1)
		return c.Redirect(http.StatusSeeOther, to)
	}
}

// journal is the journal of the workspace of the address.
func (h *host) journal(c echo.Context) *storejournal.Journal {
	return storejournal.New(h.Store, visitor.At(c).Workspace.ID, h.Now().UnixMicro()).Reading(h.whole)
}

// showWorkspace shows a page about all agents.
func (h *host) showWorkspace(c echo.Context) error {
	page := c.Param("page")
	switch page {
	case "":
		page = "chart"
	case "chart":
		return echo.ErrNotFound // one page has one address
	}
	site, err := h.site(c, page, nil)
	if err != nil {
		return err
	}
	status, title, main, err := components.RenderWorkspace(c.Request().Context(), site, h.journal(c), page, c.Request().URL.RawQuery)
	if err != nil {
		return err
	}
	return h.sendPage(c, site, status, title, main)
}

// showAgent shows a page of one agent.
func (h *host) showAgent(c echo.Context) error {
	if sentTo(c) {
		return echo.ErrMethodNotAllowed
	}
	path := ""
	for _, name := range []string{"agent", "section", "key"} {
		if part := c.Param(name); part != "" {
			if _, ok := journal.Named(part); !ok {
				return echo.ErrNotFound
			}
			path += "/" + part
		}
	}
	if of := c.Param("of"); of == explained {
		path += "/" + of
	} else if of != "" {
		return echo.ErrNotFound
	}
	if q := c.Request().URL.RawQuery; q != "" {
		path += "?" + q
	}
	return h.showRecord(c, path, h.deskOf(c), http.StatusOK)
}

// shownIn is the viewer as a page of a workspace sees it.
func (h *host) shownIn(workspace string) *shown {
	return &shown{viewer: h.viewer, digests: &digests{h.Store}, workspace: workspace}
}

// site is what pages of a workspace know beside its journal.
func (h *host) site(c echo.Context, current string, attached components.Attachments) (components.Site, error) {
	v, at, ctx := visitor.Of(c), visitor.At(c), c.Request().Context()
	now := h.Now()
	mine, err := h.Store.Inbox(ctx, store.InboxQuery{Workspace: at.Workspace.ID, Mine: v.User.ID, Now: now.UnixMicro(), N: -1})
	if err != nil {
		return components.Site{}, err
	}
	pending, err := h.pendingReplies(ctx, v, at, mine.Pending)
	if err != nil {
		return components.Site{}, err
	}
	all, err := h.Store.Memberships(ctx, v.User.ID)
	if err != nil {
		return components.Site{}, err
	}
	news, err := h.Store.UnreadNews(ctx, v.User.ID, at.Workspace.ID)
	if err != nil {
		return components.Site{}, err
	}
	shell := &components.Shell{
		Workspace: components.Place{Slug: at.Workspace.Slug, Name: at.Workspace.Name},
		Person:    journal.Person{ID: v.User.ID, Name: v.User.Name}, Role: string(at.Role),
		Current: current, Needs: mine.Total, Seq: at.Workspace.Seq, Notice: h.Notice,
		Pending: pending, News: news, Operator: v.User.Operator,
	}
	for _, m := range all {
		shell.Workspaces = append(shell.Workspaces, components.Place{Slug: m.Workspace.Slug, Name: m.Workspace.Name})
	}
	zone, offset := now.Zone()
	return components.Site{
		Links: inWorkspace{segment(at.Workspace.Slug)}, Assets: h.assets.address, Now: now.UnixMicro(), Zone: offset / 60, ZoneName: zone,
		Attached: attached, Records: hostedLens{h.Store, at.Workspace.ID, h.lenses}, Script: script, Shell: shell, Public: h.Public.String(),
	}, nil
}

// attachments finds what a workspace attaches.
type attachments struct {
	store store.Store
	blobs blob.Store
}

// Attachment implements journal.Attachments.
func (a *attachments) Attachment(ctx context.Context, workspace, sha256 string) (*journal.Attachment, error) {
	w, err := a.store.Workspace(ctx, workspace)
	if err != nil {
		return nil, err
	}
	files, err := a.store.AttachmentsBySHA(ctx, w.ID, sha256)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, journal.ErrNotFound
	}
	found := &journal.Attachment{Size: files[0].Size}
	for _, f := range files {
		found.Names = append(found.Names, f.Name)
	}
	found.Open = func(ctx context.Context) (io.ReadCloser, error) {
		r, _, err := a.blobs.Open(ctx, sha256)
		if err != nil {
			return nil, err
		}
		return newWhole(r, sha256), nil
	}
	return found, nil
}

// digests names attachments by what they hold.
type digests struct{ store store.Reader }

// Digest implements Digests. agent and name are keys of a journal.
func (d *digests) Digest(ctx context.Context, agent, name string) (string, error) {
	id, ok := journal.Named(agent)
	if !ok {
		return "", journal.ErrNotFound
	}
	f, err := d.store.File(ctx, id, name)
	if err != nil {
		return "", err
	}
	if f.SHA256 == "" {
		return "", &journal.Missing{Sentence: "This file was not uploaded", Hint: "A push sends the records first and the files after them. It comes with the agent's next push, if the agent still has it."}
	}
	return f.SHA256, nil
}
