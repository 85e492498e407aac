// Package hosted is what the areas of a hosted reader share: the host, who may do what, confirming with a password or
// passkey, the page around every page, and whether the server is well.
package hosted

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/changefeed"
	"github.com/figs-web/figs-web/internal/foldercache"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/mail"
	"github.com/figs-web/figs-web/internal/passkey"
	"github.com/figs-web/figs-web/internal/safedial"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/storejournal"
)

// Options is what a hosted reader is made of.
type Options struct {
	web.Config
	web.Serving
	Store         store.Store
	Blobs         blob.Store
	Public        *url.URL // the origin under which people and clients reach the server
	Now           func() time.Time
	MaxIngest     int64           // bytes of a push's body; 0 is 64 MiB
	Guessed       func(web.Guess) // told of secrets that were given wrongly, at most once a minute of each kind and address; may be nil
	Sessions      accounts.SessionLimits
	OIDC          *OIDC               // the provider at which people sign in; nil: none
	Header        *Header             // the proxy that says who somebody is; nil: none
	Notifications NotificationOptions // how people are told of what needs them
	Mail          mail.Sender         // sends letters; nil: the reader has no mail server
	Running       ProgramInfo         // what the page of those who run the server says of it
	Live          *changefeed.Broker  // tells open pages of changes; nil: Host makes one, which finds all of them by asking
}

// Host is a server of workspaces.
type Host struct {
	*web.Server
	Options
	Auth     *auth.Authenticator
	Passkeys *passkey.Authenticator // nil: they do not work under the public address
	Streams  web.Streams
	Rows     *changefeed.Rows
	Due      settleTimer
	Health   *health
	Recent   *RecentActivity
	Lenses   lensCache
	Pasts    *storejournal.PastCache
	Whole    *foldercache.Folders // agents read as folders, for what looks at all of one
	Peopled  atomic.Bool          // the server has users
}

// CookieName is that of the session's cookie at the address that people use. Over TLS the prefix makes browsers hold it
// to this host, to TLS and to the whole site. On plain http, loopback too, WebKit drops every cookie that is Secure, so
// that it has a plain one, named after the port: cookies do not know ports.
func CookieName(public *url.URL) string {
	if web.OverTLS(public) {
		return "__Host-figs"
	}
	port := public.Port()
	if port == "" {
		port = "80"
	}
	return "figs-web-" + port
}

// SecureContext reports whether browsers take the address for a secure context: https, and this machine.
func SecureContext(public *url.URL) bool {
	return web.OverTLS(public) || safedial.IsLoopback(public.Hostname())
}

// Routing adds routes below a prefix, behind the same middleware. Groups of Echo would also answer
// for every address below theirs: a wrong method would be no such page.
type Routing struct {
	e      *echo.Echo
	prefix string
	use    []echo.MiddlewareFunc
}

// NewRouting registers routes below prefix that all go through use.
func NewRouting(e *echo.Echo, prefix string, use ...echo.MiddlewareFunc) *Routing {
	return &Routing{e, prefix, use}
}

// NewRouting is a part of them that goes through more.
func (r *Routing) Under(prefix string, use ...echo.MiddlewareFunc) *Routing {
	return &Routing{r.e, r.prefix + prefix, slices.Concat(r.use, use)}
}

// GET adds a page.
func (r *Routing) GET(path string, h echo.HandlerFunc, use ...echo.MiddlewareFunc) {
	r.e.GET(r.prefix+path, h, slices.Concat(r.use, use)...)
}

// HEAD adds what a page says of itself without its content.
func (r *Routing) HEAD(path string, h echo.HandlerFunc) {
	r.e.HEAD(r.prefix+path, h, r.use...)
}

// POST adds what a form is sent to.
func (r *Routing) POST(path string, h echo.HandlerFunc, use ...echo.MiddlewareFunc) {
	r.e.POST(r.prefix+path, h, slices.Concat(r.use, use)...)
}

// Policy is the policy of the pages of a server with that origin, which can be installed as an app.
func Policy(origin string) string { return web.AppPolicy(origin+"/v/") + "; manifest-src 'self'" }

// PageHeaders sets what every page of a workspace carries. Its referrer policy lets a form name
// its origin, which no-referrer would make "null".
func (h *Host) PageHeaders(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		head := c.Response().Header()
		viewer.Privately(head)
		head.Set("Referrer-Policy", "same-origin")
		head.Set("Content-Security-Policy", Policy(h.Public.String()))
		head.Set("Permissions-Policy", web.AppFeatures)
		return next(c)
	}
}

// SignedIn leads those who are not to the sign-in page, and back afterwards.
func (h *Host) SignedIn(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if auth.Of(c) != nil {
			return next(c)
		}
		to := "/sign-in"
		if c.Request().Method == http.MethodGet {
			to += "?next=" + url.QueryEscape(c.Request().URL.RequestURI())
		}
		return c.Redirect(http.StatusSeeOther, to)
	}
}

// RedirectID leads pages that were asked for by the workspace's id, as clients print it, to their one
// address.
func RedirectID(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		asked, slug := c.Param("workspace"), auth.At(c).Workspace.Slug
		if asked == slug || c.Request().Method != http.MethodGet {
			return next(c)
		}
		to := strings.Replace(c.Request().URL.RequestURI(), web.Workspaces+asked, web.Workspaces+viewer.Segment(slug), 1)
		return c.Redirect(http.StatusSeeOther, to)
	}
}

// Journal is the journal of the workspace of the address.
func (h *Host) Journal(c echo.Context) *storejournal.Journal {
	return storejournal.New(h.Store, auth.At(c).Workspace.ID, h.Now().UnixMicro()).WithFolderCache(h.Whole)
}

// ShownIn is the viewer as a page of a workspace sees it.
func (h *Host) ShownIn(workspace string) *web.Shown {
	return &web.Shown{Viewer: h.Viewer, Digests: &digests{h.Store}, Workspace: workspace}
}

// Site is what pages of a workspace know beside its journal.
func (h *Host) Site(c echo.Context, current string, attached ui.Attachments) (ui.Site, error) {
	v, at, ctx := auth.Of(c), auth.At(c), c.Request().Context()
	now := h.Now()
	mine, err := h.Store.Inbox(ctx, store.InboxQuery{Workspace: at.Workspace.ID, Mine: v.User.ID, Now: now.UnixMicro(), Slice: store.Slice{N: -1}})
	if err != nil {
		return ui.Site{}, err
	}
	pending, err := h.pendingReplies(ctx, v, at, mine.Pending)
	if err != nil {
		return ui.Site{}, err
	}
	all, err := h.Store.Memberships(ctx, v.User.ID)
	if err != nil {
		return ui.Site{}, err
	}
	news, err := h.Store.UnreadNotifications(ctx, v.User.ID, at.Workspace.ID)
	if err != nil {
		return ui.Site{}, err
	}
	elsewhere, err := store.CountNeeds(ctx, h.Store, v.User.ID, slices.DeleteFunc(slices.Clone(all), func(m store.Membership) bool { return m.Workspace.ID == at.Workspace.ID }), now.UnixMicro())
	if err != nil {
		return ui.Site{}, err
	}
	shell := &ui.Shell{
		Workspace: ui.PageLocation{Slug: at.Workspace.Slug, Name: at.Workspace.Name},
		Person:    journal.Person{ID: v.User.ID, Name: v.User.Name}, Role: string(at.Role),
		Current: current, Needs: mine.Total, Badge: mine.Total + elsewhere, Seq: at.Workspace.Seq, Notice: h.Notice,
		Pending: pending, News: news, Operator: v.User.Operator,
	}
	for _, m := range all {
		shell.Workspaces = append(shell.Workspaces, ui.PageLocation{Slug: m.Workspace.Slug, Name: m.Workspace.Name})
	}
	zone, offset := now.Zone()
	return ui.Site{
		Links: InWorkspace{viewer.Segment(at.Workspace.Slug)}, Assets: h.Assets.Address, Now: now.UnixMicro(), Zone: offset / 60, ZoneName: zone,
		Attached: attached, Records: HiddenTextReader{h.Store, at.Workspace.ID, h.Lenses}, Script: web.Script, Shell: shell, Public: h.Public.String(),
	}, nil
}

// Attachments finds what a workspace attaches.
type Attachments struct {
	Store store.Store
	Blobs blob.Store
}

// Attachment implements journal.Attachments.
func (a *Attachments) Attachment(ctx context.Context, workspace, sha256 string) (*journal.Attachment, error) {
	w, err := a.Store.Workspace(ctx, workspace)
	if err != nil {
		return nil, err
	}
	files, err := a.Store.AttachmentsBySHA(ctx, w.ID, sha256)
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
		r, _, err := a.Blobs.Open(ctx, sha256)
		if err != nil {
			return nil, err
		}
		return viewer.NewHashReader(r, sha256), nil
	}
	return found, nil
}

// digests names attachments by what they hold.
type digests struct{ store store.Reader }

// Digest implements Digests. agent and name are keys of a journal.
func (d *digests) Digest(ctx context.Context, agent, name string) (string, error) {
	id, ok := journal.ParseSegment(agent)
	if !ok {
		return "", journal.ErrNotFound
	}
	f, err := d.store.File(ctx, id, name)
	if err != nil {
		return "", err
	}
	if f.SHA256 == "" {
		return "", &journal.Missing{Sentence: "This file was not uploaded", Hint: "A push sends records first, then files. This file arrives with the agent's next push if the agent still has it."}
	}
	return f.SHA256, nil
}
