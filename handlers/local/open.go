// Package local serves one folder on this machine to the person who holds its address.
package local

import (
	"context"
	"errors"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
)

// Folder is what lies open on this machine.
type Folder interface {
	journal.Attachments
	web.Digests
	// Journal answers the questions of the page with that path, "/1/jobs?state=ok".
	Journal(ctx context.Context, page string) (journal.Journal, error)
}

// ProjectSource are the folders of other kinds than .figs that lie there.
type ProjectSource interface {
	// Project is all of them; nil when there are none.
	Project(ctx context.Context) (*project.Project, error)
}

// Options is how a folder is opened.
type Options struct {
	Folder    Folder
	Listen    string // where the pages are served, host and port of this machine
	Workspace string // the folder's name in addresses
	// ViewerListen is where documents are served when they are to have an origin of their own;
	// "" serves them beside the pages. ViewerOrigin is that origin as a browser sees it, where
	// something stands in between; "" is http and ViewerListen.
	ViewerListen, ViewerOrigin string
	// ReplyWriter takes what the person says; nil: pages only show.
	Replies ReplyWriter
	// ShareSource gives the folders for copies that are shown to others; nil: no page makes one.
	Shares ShareSource
	// ProjectSource are shown, too; nil: pages show agents alone.
	Kinds    ProjectSource
	Now      func() time.Time // its zone is the one that pages show
	Stopping context.Context  // ends when the program is told to stop, and event streams with it; nil never does
	Log      func(web.Event)  // told of each request once it is answered; may be nil
}

// Routes are the routes of an open folder.
type Routes struct {
	Address string       // for one person, once: it holds the key
	Pages   http.Handler // for Listen
	Viewer  http.Handler // for ViewerListen; nil without one
}

// FolderServer is a server of one folder, behind its door.
type FolderServer struct {
	*web.Server
	opening Options
	Door    *localAuth
	replies *memory // of a folder that can be replied to; nil elsewhere
}

// Open returns the routes that show a folder to the one who holds its address.
func Open(o Options) (*Routes, error) {
	s, err := NewOpen(o)
	if err != nil {
		return nil, err
	}
	return s.Handlers(), nil
}

// NewOpen returns the server of a folder.
func NewOpen(o Options) (*FolderServer, error) {
	if o.Folder == nil || o.Now == nil || o.Workspace == "" {
		return nil, errors.New("handlers: no folder, no clock or no workspace given")
	}
	assets, err := web.LoadAssets()
	if err != nil {
		return nil, err
	}
	door, err := newLocalAuth(o.Listen)
	if err != nil {
		return nil, err
	}
	s := &FolderServer{Server: &web.Server{Config: web.Config{Log: o.Log}, Assets: assets, Viewer: viewer.New(o.Folder)}, opening: o, Door: door}
	if o.Replies != nil {
		s.replies, s.Looked = newMemory(o.Replies.Seq), s.noteOpened
	}
	if o.ViewerListen != "" {
		err = s.moveViewer()
	}
	return s, err
}

// Handlers returns its routes and the address that opens it.
func (s *FolderServer) Handlers() *Routes {
	opened := &Routes{Address: "http://" + s.opening.Listen + web.EnterPath + "?key=" + s.Door.key, Pages: s.openRoutes()}
	if s.Viewer.Signer != nil {
		opened.Viewer = s.viewerRoutes()
	}
	return opened
}

func (s *FolderServer) openRoutes() *echo.Echo {
	e := s.Echo(known(s.Door.hosts), s.opened)
	e.GET(web.EnterPath, s.enter)
	e.GET("/static/:hash/*", s.SendAsset)
	inside := func(path string, h echo.HandlerFunc) { e.GET(path, h, s.Door.guard) }
	inside("/", s.showStart)
	inside("/rules", s.showOpen)
	inside("/rules/:code", s.showOpen)
	inside("/w/:workspace", s.showOpen)
	if s.opening.Replies != nil {
		inside("/w/:workspace/events", s.sendNews)
		s.replyRoutes(e)
	}
	inside("/w/:workspace/agents/:agent", s.showOpen)
	inside("/w/:workspace/agents/:agent/:section", s.showOpen)
	inside("/w/:workspace/agents/:agent/:section/:key", s.showOpen)
	inside("/w/:workspace/agents/:agent/:section/:key/:of", s.showOpen)
	for _, kind := range s.kinds() {
		inside("/w/:workspace/"+kind+"/:root", s.showOpen)
		inside("/w/:workspace/"+kind+"/:root/:section", s.showOpen)
		inside("/w/:workspace/"+kind+"/:root/:section/:key", s.showOpen)
	}
	inside("/a/:workspace/:sha256/:name", s.SendDownload)
	if s.Viewer.Signer == nil {
		inside("/v/:workspace/:file", s.ShowFrame)
		inside("/v/:workspace/:file/:other", s.ShowFrame)
	}
	return e
}

// Explained ends the address of the page that explains a record. The router knows that last part as
// any, for it takes an address that begins like a page's, and is a form's, for one that nobody has.
const Explained = "why"

// moveViewer gives the viewer an origin of its own: it knows no session there, only addresses
// that a page has signed.
func (s *FolderServer) moveViewer() error {
	o := s.opening
	_, port, err := net.SplitHostPort(o.ViewerListen)
	if err != nil {
		return err
	}
	origin := o.ViewerOrigin
	if origin == "" {
		origin = "http://" + o.ViewerListen
	}
	if !web.OriginOnly.MatchString(origin) {
		return web.ErrOrigin
	}
	var ancestors []string
	for host := range s.Door.hosts {
		ancestors = append(ancestors, "http://"+host)
	}
	slices.Sort(ancestors)
	s.Viewer.Elsewhere(origin, strings.Join(ancestors, " "), o.Now)
	s.Viewer.Hosts = web.Hosts(o.ViewerListen, port)
	_, host, _ := strings.Cut(origin, "://")
	s.Viewer.Hosts[strings.ToLower(host)] = true
	return nil
}

func (s *FolderServer) viewerRoutes() *echo.Echo {
	e := s.Echo(known(s.Viewer.Hosts))
	e.GET("/v/:workspace/:file", s.ShowFrame)
	e.GET("/v/:workspace/:file/:other", s.ShowFrame)
	return e
}

// opened sets what every page of an open folder carries.
func (s *FolderServer) opened(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		viewer.Privately(h)
		h.Set("Referrer-Policy", "same-origin") // without it, forms would not say where they come from
		viewer := s.Viewer.Origin
		if viewer == "" {
			viewer = "http://" + c.Request().Host
		}
		h.Set("Content-Security-Policy", web.AppPolicy(viewer+"/v/"))
		h.Set("Permissions-Policy", web.AppFeatures)
		return next(c)
	}
}

// kinds are those of them that are shown.
func (s *FolderServer) kinds() []string {
	if s.opening.Kinds == nil {
		return nil
	}
	return hosted.Kinds
}

// pageSegment are the segments of pages: words, numbers, and those of package journal.
var pageSegment = regexp.MustCompile(`^(~[A-Za-z0-9_-]*|~\.[0-9]+|[A-Za-z0-9][A-Za-z0-9._-]*)$`)

// showStart leads to the folder.
func (s *FolderServer) showStart(c echo.Context) error {
	return c.Redirect(http.StatusSeeOther, web.Workspaces+viewer.Segment(s.opening.Workspace))
}

// showOpen shows a page of the folder.
func (s *FolderServer) showOpen(c echo.Context) error {
	if w := c.Param("workspace"); w != "" && w != s.opening.Workspace {
		return echo.ErrNotFound
	}
	path := "/"
	if strings.HasPrefix(c.Path(), "/rules") {
		path = "/rules/"
	} else if kind := hosted.KindOf(strings.TrimPrefix(c.Path(), "/w/:workspace")); kind != "" {
		path = "/" + kind + "/"
	}
	if s.opening.Replies != nil && isFormAddress(c) {
		return echo.ErrMethodNotAllowed
	}
	for _, name := range []string{"agent", "root", "section", "key", "code"} {
		if part := c.Param(name); part != "" {
			if !pageSegment.MatchString(part) {
				return echo.ErrNotFound
			}
			path += part + "/"
		}
	}
	if of := c.Param("of"); of == Explained {
		path += of
	} else if of != "" {
		return echo.ErrNotFound
	}
	if s.opening.Shares != nil && web.AsksForCopy(c) {
		return s.openCopy(c)
	}
	if path != "/" {
		path = strings.TrimSuffix(path, "/")
	}
	if q := c.Request().URL.RawQuery; q != "" {
		path += "?" + q
	}
	var d *openDesk
	if s.opening.Replies != nil {
		d = s.openDesk(c)
	}
	_, err := s.showFolder(c, path, d, http.StatusOK)
	return err
}

// showFolder sends a page of the folder to the person whose desk it is, under that status where
// there is such a page. It sends nothing when there is none and the status is another than OK.
func (s *FolderServer) showFolder(c echo.Context, path string, d *openDesk, status int) (found int, err error) {
	ctx := c.Request().Context()
	attached := &web.Shown{Viewer: s.Viewer, Digests: s.opening.Folder, Workspace: s.opening.Workspace, Alone: s.noteAlone(c)}
	site, err := s.openSite(ctx, attached, d)
	if err != nil {
		return 0, err
	}
	j, err := s.opening.Folder.Journal(ctx, path)
	if err != nil {
		return 0, err
	}
	if one, ok := j.(interface{ Canonical(path string) string }); ok && status == http.StatusOK && c.Request().Method == http.MethodGet {
		if to := one.Canonical(path); to != path {
			return http.StatusSeeOther, c.Redirect(http.StatusSeeOther, site.Links.To(to))
		}
	}
	found, title, main, err := components.Render(ctx, site, j, path)
	switch {
	case err != nil:
		return 0, err
	case attached.Fault != nil:
		c.Set(web.FaultKey, attached.Fault)
	}
	if status != http.StatusOK {
		if found != http.StatusOK {
			return found, nil
		}
		found = status
	}
	return found, s.SendPage(c, site, found, title, main)
}

// openSite is the site of an open folder. What changes after its number was read is news.
func (s *FolderServer) openSite(ctx context.Context, attached ui.Attachments, d *openDesk) (site ui.Site, err error) {
	now := s.opening.Now()
	zone, offset := now.Zone()
	site = ui.Site{
		Links: hosted.InWorkspace{Workspace: viewer.Segment(s.opening.Workspace)}, Assets: s.Assets.Address, Now: now.UnixMicro(), Zone: offset / 60, ZoneName: zone,
		Offline: true, Attached: attached, Records: recordLens(s.opening.Folder), Script: web.Script,
	}
	if d != nil {
		site.DecisionForms, site.Base = d, web.Workspaces+viewer.Segment(s.opening.Workspace)
		if site.Seq, err = s.opening.Replies.Seq(ctx, s.opening.Workspace); err != nil {
			return site, err
		}
	}
	if s.opening.Shares != nil {
		site.Sharer = sharer{s.opening.Shares}
	}
	if s.opening.Kinds != nil {
		site.Project, err = s.opening.Kinds.Project(ctx)
	}
	return site, err
}
