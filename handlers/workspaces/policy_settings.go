package workspaces

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// ShowPolicy shows what an approval takes, and what notifications may say.
func (h Handlers) ShowPolicy(c echo.Context) error {
	return h.sendPolicy(c, http.StatusOK, accountpages.Policy{Called: auth.At(c).Workspace.Name, Done: c.QueryParam("notice")})
}

// sendPolicy fills in everything that m does not say.
func (h Handlers) sendPolicy(c echo.Context, status int, m accountpages.Policy) (err error) {
	at := auth.At(c)
	m.Renames, m.Sets = accounts.Can(at.Role, accounts.AgentRelation{}, accounts.RenameWorkspace), accounts.Can(at.Role, accounts.AgentRelation{}, accounts.SetPolicy)
	m.TickAll, m.StepUp, m.HidePeople = at.Workspace.TickEveryStep, at.Workspace.StepUp, at.Workspace.HidePeople
	m.Text = accountpages.TextLevel{Level: at.Workspace.Text.String(), Place: at.Workspace.Name, Fixed: !m.Sets, Owner: accounts.Can(at.Role, accounts.AgentRelation{}, accounts.AllowText)}
	if m.Signing, err = h.SigningKey(c); err != nil {
		return err
	}
	site, err := h.Site(c, "settings", nil)
	if err != nil {
		return err
	}
	return h.SendPerson(c, site, status, accountpages.PolicyPage(c.Request().Context(), site, m))
}

// SetPolicy sets all of it, as the form has it. What protects less than before takes a fresh proof; the store compares, since
// another admin may set a stricter policy at the same time.
func (h Handlers) SetPolicy(c echo.Context) error {
	err := h.savePolicy(c, false)
	if errors.Is(err, store.ErrReauthRequired) {
		return h.RequireProof(accounts.WeakenPolicy)(func(c echo.Context) error { return h.savePolicy(c, true) })(c)
	}
	return err
}

func (h Handlers) savePolicy(c echo.Context, proved bool) error {
	at := auth.At(c)
	level := at.Workspace.Text
	if text := web.FormValue(c, "text"); text != "" {
		var known bool
		if level, known = store.ParseTextLevel(text); !known {
			level = store.TextLink
		}
	}
	if level > at.Workspace.Text && level == store.TextEverywhere && !accounts.Can(at.Role, accounts.AgentRelation{}, accounts.AllowText) {
		return h.sendPolicy(c, http.StatusForbidden, accountpages.Policy{Called: at.Workspace.Name, Faults: ui.Faults{"": {Sentence: "Only an owner can let other services read names and titles. Nothing was changed."}}})
	}
	p := store.Policy{TickEveryStep: web.FormValue(c, "all") == "1", StepUp: web.FormValue(c, "step-up") == "1", HidePeople: web.FormValue(c, "hide-people") == "1", Text: level}
	if err := h.Store.SetPolicy(c.Request().Context(), h.Actor(c), at.Workspace.ID, p, proved); err != nil {
		return err
	}
	return onPolicy(c, "policy-saved")
}

// RenameWorkspace changes what the workspace is called, never its address.
func (h Handlers) RenameWorkspace(c echo.Context) error {
	name, err := accounts.CheckName("name", web.FormValue(c, "name"))
	if err != nil {
		faults, status, err := web.FaultsOf(err)
		if err != nil {
			return err
		}
		return h.sendPolicy(c, status, accountpages.Policy{Called: web.FormValue(c, "name"), Faults: faults})
	}
	if err := h.Store.RenameWorkspace(c.Request().Context(), h.Actor(c), auth.At(c).Workspace.ID, name); err != nil {
		return err
	}
	return onPolicy(c, "name-saved")
}

// onPolicy leads back to the page, which says what was done.
func onPolicy(c echo.Context, notice string) error {
	return c.Redirect(http.StatusSeeOther, web.Workspaces+viewer.Segment(auth.At(c).Workspace.Slug)+"/settings/policy?notice="+notice)
}
