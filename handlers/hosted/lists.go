package hosted

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/listview"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/listquery"
	"github.com/figs-web/figs-web/internal/store"
)

// listPages are the pages, below a workspace's, of the lists of which views can be saved.
var listPages = map[string]string{"members": "settings", "agents": "settings/agents", "audit": "settings/audit", "decisions": "decisions", "notifications": "news", "feedback": "settings/feedback"}

// ListRequest is what the URL of a page says about its list, with the saved views if it is a list of a workspace.
func (h *Host) ListRequest(c echo.Context, list string) (listview.Request, error) {
	r := listview.Request{Here: templ.SafeURL(c.Request().URL.EscapedPath()), Query: listquery.Parse(c.QueryParams()), Notice: c.QueryParam("notice")}
	page, ok := listPages[list]
	if !ok {
		return r, nil
	}
	at, person := auth.At(c), web.SignedIn(c).User.ID
	workspace := templ.SafeURL(web.Workspaces + viewer.Segment(at.Workspace.Slug))
	r.Here = workspace + "/" + templ.SafeURL(page) // a form that was refused has another
	r.SaveTo, r.Shares = workspace+"/views", accounts.Can(at.Role, accounts.AgentRelation{}, accounts.ShareViews)
	saved, err := h.Store.SavedViews(c.Request().Context(), at.Workspace.ID, person, list)
	for _, v := range saved {
		r.Views = append(r.Views, listview.SavedView{Key: v.ID, Name: v.Name, Query: v.Query, Shared: v.Person == "", Removes: v.Person == person || v.By == person || r.Shares})
	}
	return r, err
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
	page, ok := listPages[list]
	if !ok {
		return echo.ErrNotFound
	}
	name := strings.Join(strings.Fields(strings.ToValidUTF8(web.FormValue(c, "name"), "")), " ")
	if name == "" || utf8.RuneCountInString(name) > 60 {
		return h.backToList(c, page, "", "view-name")
	}
	values, err := url.ParseQuery(web.FormValue(c, "query"))
	if err != nil {
		return echo.ErrBadRequest
	}
	query := listquery.Parse(values).First().String()
	v := store.SavedView{ID: store.NewID(), Workspace: at.Workspace.ID, Person: act.By, List: list, Name: name, Query: query, By: act.By, At: act.At}
	if web.FormValue(c, "shared") == "1" {
		if !accounts.Can(at.Role, accounts.AgentRelation{}, accounts.ShareViews) {
			return echo.ErrForbidden
		}
		v.Person = ""
	}
	switch err := h.Store.SaveView(c.Request().Context(), v); {
	case errors.Is(err, store.ErrLimitReached):
		return h.backToList(c, page, query, "view-limit")
	case err != nil:
		return err
	}
	return h.backToList(c, page, query, "view-saved")
}

// RemoveView removes a view that the person may remove.
func (h *Host) RemoveView(c echo.Context) error {
	at, page := auth.At(c), listPages[web.FormValue(c, "list")]
	if page == "" {
		return echo.ErrNotFound
	}
	shared := accounts.Can(at.Role, accounts.AgentRelation{}, accounts.ShareViews)
	err := h.Store.RemoveView(c.Request().Context(), at.Workspace.ID, web.SignedIn(c).User.ID, web.FormValue(c, "id"), shared)
	if err != nil && !errors.Is(err, store.ErrNotFound) { // removed in another tab
		return err
	}
	return h.backToList(c, page, "", "view-removed")
}

// backToList leads to the page of a list, with a query and a notice.
func (h *Host) backToList(c echo.Context, page, query, notice string) error {
	to := web.Workspaces + viewer.Segment(auth.At(c).Workspace.Slug) + "/" + page + "?"
	if query != "" {
		to += query + "&"
	}
	return c.Redirect(http.StatusSeeOther, to+"notice="+notice)
}
