// Package handlers is the web server: routes that parse a request, ask, and show. It serves the
// inspector, which needs nothing of the server once it is loaded, the pages on rules, and a
// folder that is open on this machine, with what is attached in it.
package handlers

import (
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/handlers/account"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/decide"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/local"
	"github.com/figs-web/figs-web/handlers/pushapi"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/handlers/workspaces"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/changefeed"
	"github.com/figs-web/figs-web/internal/foldercache"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/passkey"
	"github.com/figs-web/figs-web/internal/store/storejournal"
)

// Host returns the routes of a hosted reader, and lets what is decided count until it stops.
func Host(h hosted.Hosting) (http.Handler, error) {
	x, err := newHost(h)
	if err != nil {
		return nil, err
	}
	if x.Stopping != nil {
		go newApp(x).keepSettling(x.Stopping)
	}
	return newApp(x).routes(), nil
}

func newHost(h hosted.Hosting) (*hosted.Host, error) {
	switch {
	case h.Inspector == nil, h.Store == nil, h.Blobs == nil, h.Now == nil:
		return nil, errors.New("handlers: no inspector, no store, no blobs or no clock given")
	case h.Public == nil || !web.OriginOnly.MatchString(h.Public.String()):
		return nil, web.ErrOrigin
	}
	assets, err := web.LoadAssets()
	if err != nil {
		return nil, err
	}
	x := &hosted.Host{Hosting: h, Streams: web.NewStreams(), Health: hosted.NewHealth(h.Now())}
	if x.Live == nil {
		x.Live = changefeed.New(h.Store.Seq, time.Second)
	}
	x.Desk = &auth.Desk{Source: h.Store, Cookie: hosted.CookieName(h.Public), Now: h.Now, Limits: h.Sessions}
	x.Recent = &hosted.Recent{Now: h.Now}
	x.Lenses, x.Pasts = hosted.NewLensCache(), storejournal.NewPasts()
	x.Whole = foldercache.New(h.Store, h.Now, foldercache.Usual)
	h.Log = x.Recent.LogRequests(x.Health.LogFaults(h.Log))
	x.Server = &web.Server{Config: h.Config, Assets: assets, Page: web.ReadPage(h.Inspector), Notice: h.Notice, Viewer: viewer.New(&hosted.Attachments{Store: h.Store, Blobs: h.Blobs})}
	x.Looked = x.RecordView
	if x.Passkeys, err = passkey.New(h.Public, h.Store); err != nil {
		return nil, err
	}
	x.Guesses = web.NewGuesses(x.Recent.Guessed(h.Guessed), h.Now)
	return x, nil
}

func (h app) routes() *echo.Echo {
	workspace := workspaces.New(h.Host)
	acct := account.New(h.Host)
	e := h.front()
	h.PublicRoutes(e)
	pushapi.New(pushapi.Config{Store: h.Store, Blobs: h.Blobs, Public: h.Public, Now: h.Now, MaxIngest: h.MaxIngest, Temp: h.Temp, Changed: h.Live.Changed}).Routes(e)
	h.api(e)

	browser := hosted.Under(e, "", h.PageHeaders, h.CheckForms, h.Recognise, web.WithLanguage, acct.ExtendSession)
	w := browser.Under("/w/:workspace", h.SignedIn, h.Desk.Member, hosted.RedirectID, acct.RememberWorkspace, hosted.RejectPast)
	h.peopleRoutes(browser, w)
	h.operatorRoutes(browser)
	h.deskRoutes(e)
	h.receiptRoutes(e, w)
	h.shareRoutes(w)
	h.feedbackRoutes(w)
	h.dataRoutes(w)
	h.notifyRoutes(browser, w)
	h.agentRoutes(w)
	w.POST("/demo", workspace.FillDemo, h.May(accounts.FillDemo))
	w.GET("", h.showWorkspace)
	w.GET("/events", h.SendEvents)
	w.GET("/:page", h.showWorkspace)
	w.GET("/agents/:agent", h.showAgent, workspace.RedirectMoved)
	w.GET("/agents/:agent/:section", h.showAgent, workspace.RedirectMoved)
	w.GET("/agents/:agent/:section/:key", h.showAgent, workspace.RedirectMoved)
	w.GET("/agents/:agent/:section/:key/:of", h.showAgent, workspace.RedirectMoved)
	files := browser.Under("", h.Desk.Member)
	files.GET("/v/:workspace/:file", h.ShowFrame)
	files.GET("/v/:workspace/:file/:other", h.ShowFrame)
	files.GET("/a/:workspace/:sha256/:name", h.SendDownload)
	return e
}

// showWorkspace shows a page about all agents.
func (h app) showWorkspace(c echo.Context) error {
	page := c.Param("page")
	switch page {
	case "":
		page = "chart"
	case "chart":
		return echo.ErrNotFound // one page has one address
	}
	site, err := h.Site(c, page, nil)
	if err != nil {
		return err
	}
	status, title, main, err := components.RenderWorkspace(c.Request().Context(), site, h.Journal(c), page, c.Request().URL.RawQuery)
	if err != nil {
		return err
	}
	return h.SendPage(c, site, status, title, main)
}

// showAgent shows a page of one agent.
func (h app) showAgent(c echo.Context) error {
	decisions := decide.New(h.Host)
	if hosted.IsFormAddress(c) {
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
	if of := c.Param("of"); of == local.Explained {
		path += "/" + of
	} else if of != "" {
		return echo.ErrNotFound
	}
	if q := c.Request().URL.RawQuery; q != "" {
		path += "?" + q
	}
	return decisions.ShowRecord(c, path, decisions.DeskOf(c), http.StatusOK)
}
