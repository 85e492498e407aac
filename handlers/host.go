// Package handlers is the web server: routes that parse a request, ask, and show. It serves the
// inspector, which needs nothing of the server once it is loaded, the pages on rules, and a
// folder that is open on this machine, with what is attached in it.
package handlers

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/hosted"
	"github.com/figs-web/figs-web/handlers/local"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/changefeed"
	"github.com/figs-web/figs-web/internal/foldercache"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/passkey"
	"github.com/figs-web/figs-web/internal/store/storejournal"
)

// Host returns the routes of a hosted reader, and lets what is decided count until it stops.
func Host(h hosted.Options) (http.Handler, error) {
	x, err := newHost(h)
	if err != nil {
		return nil, err
	}
	if x.Stopping != nil {
		go newApp(x).keepSettling(x.Stopping)
	}
	return newApp(x).routes(), nil
}

// keepSettling settles each second until the server stops: what other processes have decided
// counts here, too, and pages that only wait are told.
func (h app) keepSettling(stopping context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for n := 0; ; n++ {
		if n%60 == 0 {
			h.Viewer.Renders.Expire(time.Now().Add(-viewer.CacheLasts))
		}
		if err := h.Settle(stopping, func() bool { return true }); err != nil && h.Options.Log != nil && stopping.Err() == nil {
			h.Options.Log(web.Event{Route: "settle", Err: err})
		}
		h.Guesses.CatchUp()
		select {
		case <-stopping.Done():
			return
		case <-tick.C:
		}
	}
}

func newHost(h hosted.Options) (*hosted.Host, error) {
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
	x := &hosted.Host{Options: h, Streams: web.NewStreams(), Health: hosted.NewHealth(h.Now())}
	if x.Live == nil {
		x.Live = changefeed.New(h.Store.Seq, time.Second)
	}
	x.Rows = x.NewRows()
	x.Auth = &auth.Authenticator{Source: h.Store, Cookie: hosted.CookieName(h.Public), Now: h.Now, Limits: h.Sessions}
	x.Recent = &hosted.RecentActivity{Now: h.Now}
	x.Lenses, x.Pasts = hosted.NewHiddenTextCache(), storejournal.NewPastCache()
	x.Whole = foldercache.New(h.Store, h.Now, foldercache.DefaultLimits)
	h.Log = x.Recent.LogRequests(x.Health.LogFaults(h.Log))
	x.Server = &web.Server{Config: h.Config, Assets: assets, Page: web.ReadPage(h.Inspector), Notice: h.Notice, Viewer: viewer.New(&hosted.Attachments{Store: h.Store, Blobs: h.Blobs})}
	x.Looked = x.RecordView
	if x.Passkeys, err = passkey.New(h.Public, h.Store); err != nil {
		return nil, err
	}
	x.Guesses = web.NewGuesses(x.Recent.Guessed(h.Guessed), h.Now)
	return x, nil
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
	if page == "chart" && hosted.AsksForFile(c) {
		return h.sendChart(c)
	}
	site, err := h.Site(c, page, nil)
	if err != nil {
		return err
	}
	if page == "chart" || page == "inbox" {
		if site.Rows = ui.ParseRows(c.Request().Header.Get(ui.RowsHeader)); site.Rows == nil {
			if site.Saved, err = h.SavedViews(c, page); err != nil {
				return err
			}
		}
	}
	status, title, main, err := components.RenderWorkspace(c.Request().Context(), site, h.Journal(c), page, c.Request().URL.RawQuery)
	if err != nil {
		return err
	}
	return h.SendPage(c, site, status, title, main)
}

// showAgent shows a page of one agent.
func (h app) showAgent(c echo.Context) error {
	if hosted.IsFormAddress(c) {
		return echo.ErrMethodNotAllowed
	}
	path := ""
	for _, name := range []string{"agent", "section", "key"} {
		if part := c.Param(name); part != "" {
			if _, ok := journal.ParseSegment(part); !ok {
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
	return h.decide.ShowRecord(c, path, h.decide.DeskOf(c), http.StatusOK)
}
