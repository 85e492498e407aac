package account

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/words"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
)

// ShowSettings shows what the person can see and set of themselves.
func (h Handlers) ShowSettings(c echo.Context) error {
	return h.sendSettings(c, http.StatusOK, accountpages.Settings{Done: c.QueryParam("notice")})
}

// sendSettings fills in everything that m does not say.
func (h Handlers) sendSettings(c echo.Context, status int, m accountpages.Settings) error {
	v, ctx := web.SignedIn(c), c.Request().Context()
	all, err := h.Store.Memberships(ctx, v.User.ID)
	if err != nil {
		return err
	}
	for _, x := range all {
		m.Places = append(m.Places, accountpages.DestinationRow{PageLocation: ui.PageLocation{Slug: x.Workspace.Slug, Name: x.Workspace.Name}, Role: string(x.Role)})
	}
	m.Email, m.Operator, m.About = v.User.Email, v.User.Operator, h.about()
	if m.Language == "" {
		m.Language = v.User.Language
	}
	if m.Person == "" {
		m.Person = v.User.Name
	}
	site := h.Person()
	site.Script = web.Script
	return h.SendPerson(c, site, status, accountpages.SettingsPage(ctx, site, m))
}

// refuseSettings shows the page again with what is wrong.
func (h Handlers) refuseSettings(c echo.Context, m accountpages.Settings, err error) error {
	web.RetryAfter(c, err)
	faults, status, err := web.FaultsOf(err)
	if err != nil {
		return err
	}
	m.Faults = faults
	return h.sendSettings(c, status, m)
}

// settled leads back to the page, which says what was done.
func settled(c echo.Context, notice string) error {
	return c.Redirect(http.StatusSeeOther, "/settings?notice="+notice)
}

// RenameMe changes the name that others see.
func (h Handlers) RenameMe(c echo.Context) error {
	name, err := accounts.CheckName("name", web.FormValue(c, "name"))
	if err != nil {
		return h.refuseSettings(c, accountpages.Settings{Person: web.FormValue(c, "name")}, err)
	}
	if err := h.Store.SetUserName(c.Request().Context(), h.Actor(c), web.SignedIn(c).User.ID, name); err != nil {
		return err
	}
	return settled(c, "name-saved")
}

// SetLanguage changes the language of the person's pages.
func (h Handlers) SetLanguage(c echo.Context) error {
	code := web.FormValue(c, "language")
	if code != "" && !words.Known(code) {
		return h.refuseSettings(c, accountpages.Settings{}, &accounts.ValidationError{Field: "language", Sentence: "This language isn't available. Choose one from the list."})
	}
	if err := h.Store.SetLanguage(c.Request().Context(), h.Actor(c), web.SignedIn(c).User.ID, code); err != nil {
		return err
	}
	return settled(c, "language-saved")
}

// AddWorkspace makes one more workspace, which its maker owns.
func (h Handlers) AddWorkspace(c echo.Context) error {
	typedName, slug := web.FormValue(c, "workspace"), web.FormValue(c, "slug")
	w, err := accounts.NewWorkspace(typedName, slug, h.Now().UnixMicro())
	if err == nil {
		err = takenAsWrong(h.Store.AddWorkspace(c.Request().Context(), h.Actor(c), w, web.SignedIn(c).User.ID))
	}
	if err != nil {
		return h.refuseSettings(c, accountpages.Settings{Place: typedName, Slug: slug}, err)
	}
	return c.Redirect(http.StatusSeeOther, web.Workspaces+viewer.Segment(w.Slug)+"/connect")
}
