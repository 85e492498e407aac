package handlers

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
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
)

// Folder is what lies open on this machine.
type Folder interface {
	journal.Attachments
	Digests
	// Journal answers the questions of the page with that path, "/1/jobs?state=ok".
	Journal(ctx context.Context, page string) (journal.Journal, error)
}

// Kinds are the folders of other kinds than .figs that lie there.
type Kinds interface {
	// Project is all of them; nil when there are none.
	Project(ctx context.Context) (*project.Project, error)
}

// Opening is how a folder is opened.
type Opening struct {
	Folder    Folder
	Listen    string // where the pages are served, host and port of this machine
	Workspace string // the folder's name in addresses
	// ViewerListen is where documents are served when they are to have an origin of their own;
	// "" serves them beside the pages. ViewerOrigin is that origin as a browser sees it, where
	// something stands in between; "" is http and ViewerListen.
	ViewerListen, ViewerOrigin string
	// Replies takes what the person says; nil: pages only show.
	Replies Replies
	// Shares gives the folders for copies that are shown to others; nil: no page makes one.
	Shares Shares
	// Kinds are shown, too; nil: pages show agents alone.
	Kinds    Kinds
	Now      func() time.Time // its zone is the one that pages show
	Stopping context.Context  // ends when the program is told to stop, and event streams with it; nil never does
	Log      func(Event)      // told of each request once it is answered; may be nil
}

// Opened are the routes of an open folder.
type Opened struct {
	Address string       // for one person, once: it holds the key
	Pages   http.Handler // for Listen
	Viewer  http.Handler // for ViewerListen; nil without one
}

const (
	workspaces = "/w/" // and the workspace
	enterPath  = "/open"
)

// folderServer is a server of one folder, behind its door.
type folderServer struct {
	*server
	opening Opening
	door    *door
	replies *memory // of a folder that can be replied to; nil elsewhere
}

// Open returns the routes that show a folder to the one who holds its address.
func Open(o Opening) (*Opened, error) {
	s, err := newOpen(o)
	if err != nil {
		return nil, err
	}
	return s.handlers(), nil
}

func newOpen(o Opening) (*folderServer, error) {
	if o.Folder == nil || o.Now == nil || o.Workspace == "" {
		return nil, errors.New("handlers: no folder, no clock or no workspace given")
	}
	assets, err := loadAssets()
	if err != nil {
		return nil, err
	}
	door, err := newDoor(o.Listen)
	if err != nil {
		return nil, err
	}
	s := &folderServer{server: &server{Config: Config{Log: o.Log}, assets: assets, viewer: newViewer(o.Folder)}, opening: o, door: door}
	if o.Replies != nil {
		s.replies, s.looked = newMemory(o.Replies.Seq), s.noteOpened
	}
	if o.ViewerListen != "" {
		err = s.moveViewer()
	}
	return s, err
}

func (s *folderServer) handlers() *Opened {
	opened := &Opened{Address: "http://" + s.opening.Listen + enterPath + "?key=" + s.door.key, Pages: s.openRoutes()}
	if s.viewer.signer != nil {
		opened.Viewer = s.viewerRoutes()
	}
	return opened
}

func (s *folderServer) openRoutes() *echo.Echo {
	e := s.echo(known(s.door.hosts), s.opened)
	e.GET(enterPath, s.enter)
	e.GET("/static/:hash/*", s.sendAsset)
	inside := func(path string, h echo.HandlerFunc) { e.GET(path, h, s.door.guard) }
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
	inside("/a/:workspace/:sha256/:name", s.sendDownload)
	if s.viewer.signer == nil {
		inside("/v/:workspace/:file", s.showFrame)
		inside("/v/:workspace/:file/:other", s.showFrame)
	}
	return e
}

// explained ends the address of the page that explains a record. The router knows that last part as
// any, for it takes an address that begins like a page's, and is a form's, for one that nobody has.
const explained = "why"

// moveViewer gives the viewer an origin of its own: it knows no session there, only addresses
// that a page has signed.
func (s *folderServer) moveViewer() error {
	o := s.opening
	_, port, err := net.SplitHostPort(o.ViewerListen)
	if err != nil {
		return err
	}
	origin := o.ViewerOrigin
	if origin == "" {
		origin = "http://" + o.ViewerListen
	}
	if !originOnly.MatchString(origin) {
		return ErrOrigin
	}
	var ancestors []string
	for host := range s.door.hosts {
		ancestors = append(ancestors, "http://"+host)
	}
	slices.Sort(ancestors)
	s.viewer.elsewhere(origin, strings.Join(ancestors, " "), o.Now)
	s.viewer.hosts = hosts(o.ViewerListen, port)
	_, host, _ := strings.Cut(origin, "://")
	s.viewer.hosts[strings.ToLower(host)] = true
	return nil
}

func (s *folderServer) viewerRoutes() *echo.Echo {
	e := s.echo(known(s.viewer.hosts))
	e.GET("/v/:workspace/:file", s.showFrame)
	e.GET("/v/:workspace/:file/:other", s.showFrame)
	return e
}

// originOnly is strict, because an origin becomes a part of policies.
var originOnly = regexp.MustCompile(`^https?://(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(:[0-9]{1,5})?$`)

// ErrOrigin says that a viewer's origin is none.
var ErrOrigin = errors.New("handlers: an origin is http:// or https:// and a host, and nothing after it")

// opened sets what every page of an open folder carries.
func (s *folderServer) opened(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		h := c.Response().Header()
		privately(h)
		h.Set("Referrer-Policy", "same-origin") // without it, forms would not say where they come from
		viewer := s.viewer.origin
		if viewer == "" {
			viewer = "http://" + c.Request().Host
		}
		h.Set("Content-Security-Policy", appPolicy(viewer+"/v/"))
		h.Set("Permissions-Policy", appFeatures)
		return next(c)
	}
}

// kinds are the words with which addresses of other folders than .figs begin, below their workspace.
var kinds = []string{project.Channels.String(), project.Registry.String(), project.Workflows.String()}

// kinds are those of them that are shown.
func (s *folderServer) kinds() []string {
	if s.opening.Kinds == nil {
		return nil
	}
	return kinds
}

// kindOf is the kind that an address, or a page's path, is of; "" when it is of an agent.
func kindOf(path string) string {
	word, _, more := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if more && slices.Contains(kinds, word) {
		return word
	}
	return ""
}

// inWorkspace are the addresses of the pages of a workspace.
type inWorkspace struct{ workspace string }

// To puts a page's path below its workspace: "/1/jobs/3" becomes "/w/local/agents/1/jobs/3", and
// "/channels/1" becomes "/w/local/channels/1".
func (w inWorkspace) To(path string) string {
	page, query, asked := strings.Cut(path, "?")
	if asked {
		query = "?" + query
	}
	switch {
	case page == "/rules" || strings.HasPrefix(page, "/rules/"):
		return path
	case page == "/":
		return workspaces + w.workspace + query
	case kindOf(page) != "":
		return workspaces + w.workspace + page + query
	}
	return workspaces + w.workspace + "/agents" + page + query
}

var pageSegment = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// showStart leads to the folder.
func (s *folderServer) showStart(c echo.Context) error {
	return c.Redirect(http.StatusSeeOther, workspaces+segment(s.opening.Workspace))
}

// showOpen shows a page of the folder.
func (s *folderServer) showOpen(c echo.Context) error {
	if w := c.Param("workspace"); w != "" && w != s.opening.Workspace {
		return echo.ErrNotFound
	}
	path := "/"
	if strings.HasPrefix(c.Path(), "/rules") {
		path = "/rules/"
	} else if kind := kindOf(strings.TrimPrefix(c.Path(), "/w/:workspace")); kind != "" {
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
	if of := c.Param("of"); of == explained {
		path += of
	} else if of != "" {
		return echo.ErrNotFound
	}
	if s.opening.Shares != nil && asksForCopy(c) {
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
func (s *folderServer) showFolder(c echo.Context, path string, d *openDesk, status int) (found int, err error) {
	ctx := c.Request().Context()
	attached := &shown{viewer: s.viewer, digests: s.opening.Folder, workspace: s.opening.Workspace, alone: s.noteAlone(c)}
	site, err := s.openSite(ctx, attached, d)
	if err != nil {
		return 0, err
	}
	j, err := s.opening.Folder.Journal(ctx, path)
	if err != nil {
		return 0, err
	}
	found, title, main, err := components.Render(ctx, site, j, path)
	switch {
	case err != nil:
		return 0, err
	case attached.fault != nil:
		c.Set(faultKey, attached.fault)
	}
	if status != http.StatusOK {
		if found != http.StatusOK {
			return found, nil
		}
		found = status
	}
	return found, s.sendPage(c, site, found, title, main)
}

// openSite is the site of an open folder. What changes after its number was read is news.
func (s *folderServer) openSite(ctx context.Context, attached components.Attachments, d *openDesk) (site components.Site, err error) {
	now := s.opening.Now()
	zone, offset := now.Zone()
	site = components.Site{
		Links: inWorkspace{segment(s.opening.Workspace)}, Assets: s.assets.address, Now: now.UnixMicro(), Zone: offset / 60, ZoneName: zone,
		Offline: true, Attached: attached, Records: recordLens(s.opening.Folder), Script: script,
	}
	if d != nil {
		site.Desk, site.Base = d, workspaces+segment(s.opening.Workspace)
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
