package hosted

import (
	"bytes"
	"errors"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/listview"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/listquery"
	"github.com/figs-web/figs-web/internal/store"
)

// listPages are the pages, below a workspace's, of the lists of which views can be saved.
var listPages = map[string]string{"inbox": "inbox", "chart": "", "members": "settings", "agents": "settings/agents", "audit": "settings/audit", "decisions": "decisions", "notifications": "news", "feedback": "settings/feedback"}

// ListRequest is what the URL of a page says about its list, with the saved views if it is a list of a workspace.
func (h *Host) ListRequest(c echo.Context, list string) (listview.Request, error) {
	r := listview.Request{Here: templ.SafeURL(c.Request().URL.EscapedPath()), Query: listquery.Parse(c.QueryParams()), SavedViews: ui.SavedViews{Notice: c.QueryParam("notice")}}
	if _, ok := listPages[list]; !ok {
		return r, nil
	}
	r.Here = pageOf(c, list) // a form that was refused has another
	saved, err := h.SavedViews(c, list)
	if err == nil {
		r.SavedViews = *saved
	}
	return r, err
}

// pageOf is the URL of the page of a list of the request's workspace.
func pageOf(c echo.Context, list string) templ.SafeURL {
	at := templ.SafeURL(web.Workspaces + viewer.Segment(auth.At(c).Workspace.Slug))
	if page := listPages[list]; page != "" {
		return at + "/" + templ.SafeURL(page)
	}
	return at
}

// SavedViews are the views of a list that the person can choose, with what a form about them has just done.
func (h *Host) SavedViews(c echo.Context, list string) (*ui.SavedViews, error) {
	at, person := auth.At(c), web.SignedIn(c).User.ID
	views := &ui.SavedViews{SaveTo: templ.SafeURL(web.Workspaces+viewer.Segment(at.Workspace.Slug)) + "/views", Shares: accounts.Can(at.Role, accounts.AgentRelation{}, accounts.ShareViews), Notice: c.QueryParam("notice")}
	saved, err := h.Store.SavedViews(c.Request().Context(), at.Workspace.ID, person, list)
	for _, v := range saved {
		views.Views = append(views.Views, ui.SavedView{Key: v.ID, Name: v.Name, Query: v.Query, Removes: v.Person == person || v.By == person || views.Shares})
	}
	return views, err
}

// SendListFile sends what a filter leaves of a list as a file, if the URL asks for one.
func SendListFile[T any](c echo.Context, r listview.Request, l *listview.List[T], rows []T) (sent bool, err error) {
	if !AsksForFile(c) {
		return false, nil
	}
	kept, _ := l.InMemory().Filtered(rows, r.Query)
	return true, SendRows(c, l, kept)
}

// AsksForFile reports whether the URL of a page asks for its list as a file.
func AsksForFile(c echo.Context) bool {
	return slices.Contains(listview.Formats, c.QueryParam("format"))
}

// SendRows sends rows of a list as a file.
func SendRows[T any](c echo.Context, l *listview.List[T], rows []T) error {
	format, body := c.QueryParam("format"), bytes.Buffer{}
	if err := l.Write(&body, format, rows); err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentDisposition, `attachment; filename="`+l.Name+"."+format+`"`)
	kind := "application/json"
	if format == "csv" {
		kind = "text/csv; charset=utf-8"
	}
	return c.Blob(http.StatusOK, kind, body.Bytes())
}

// SaveView saves the view of a list that a person has before them.
func (h *Host) SaveView(c echo.Context) error {
	act, at, list := h.Actor(c), auth.At(c), web.FormValue(c, "list")
	if _, ok := listPages[list]; !ok {
		return echo.ErrNotFound
	}
	name := strings.Join(strings.Fields(strings.ToValidUTF8(web.FormValue(c, "name"), "")), " ")
	if name == "" || utf8.RuneCountInString(name) > 60 {
		return backToList(c, list, "", "view-name")
	}
	query, err := listquery.Canonical(web.FormValue(c, "query"))
	if err != nil || len(query) > maxViewQuery {
		return echo.ErrBadRequest
	}
	v := store.SavedView{ID: store.NewID(), Workspace: at.Workspace.ID, Person: act.By, List: list, Name: name, Query: query, By: act.By, At: act.At}
	if web.FormValue(c, "shared") == "1" {
		if !accounts.Can(at.Role, accounts.AgentRelation{}, accounts.ShareViews) {
			return echo.ErrForbidden
		}
		v.Person = ""
	}
	switch err := h.Store.SaveView(c.Request().Context(), v); {
	case errors.Is(err, store.ErrLimitReached):
		return backToList(c, list, query, "view-limit")
	case err != nil:
		return err
	}
	return backToList(c, list, query, "view-saved")
}

// RemoveView removes a view that the person may remove.
func (h *Host) RemoveView(c echo.Context) error {
	at, list := auth.At(c), web.FormValue(c, "list")
	if _, ok := listPages[list]; !ok {
		return echo.ErrNotFound
	}
	shared := accounts.Can(at.Role, accounts.AgentRelation{}, accounts.ShareViews)
	err := h.Store.RemoveView(c.Request().Context(), at.Workspace.ID, web.SignedIn(c).User.ID, web.FormValue(c, "id"), shared)
	if err != nil && !errors.Is(err, store.ErrNotFound) { // removed in another tab
		return err
	}
	return backToList(c, list, "", "view-removed")
}

// maxViewQuery is the longest query of a view, in bytes; no form of a page has a longer one.
const maxViewQuery = 16 << 10

// backToList leads to the page of a list, with a query and a notice.
func backToList(c echo.Context, list, query, notice string) error {
	to := string(pageOf(c, list)) + "?"
	if query != "" {
		to += query + "&"
	}
	return c.Redirect(http.StatusSeeOther, to+"notice="+notice)
}
