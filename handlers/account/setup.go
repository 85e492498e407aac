package account

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/accountpages"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/store"
)

// ShowSetup shows the form of a set-up link.
func (h Handlers) ShowSetup(c echo.Context) error {
	ctx, key := c.Request().Context(), c.QueryParam("key")
	if err := h.Store.Setup(ctx, store.Hash(key), h.Now().UnixMicro()); err != nil {
		return h.deadSetup(c, err)
	}
	return h.SendPerson(c, h.Person(), http.StatusOK, accountpages.SetupPage(ctx, accountpages.Setup{Key: key, About: h.about(), Text: store.TextMembers.String()}))
}

// about is where workspaces have their addresses, in words.
func (h Handlers) about() string { return h.Public.Host + web.Workspaces }

func (h Handlers) deadSetup(c echo.Context, err error) error {
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return h.SendPerson(c, h.Person(), http.StatusNotFound, accountpages.DeadSetupPage(c.Request().Context()))
}

// SetUp makes the first person and the first workspace, and signs that person in.
func (h Handlers) SetUp(c echo.Context) error {
	ctx, key, now := c.Request().Context(), web.FormValue(c, "key"), h.Now().UnixMicro()
	f := accounts.SetupInput{Name: web.FormValue(c, "name"), Email: web.FormValue(c, "email"), Password: web.FormValue(c, "password"), Workspace: web.FormValue(c, "workspace"), Slug: web.FormValue(c, "slug"), Text: store.TextMembers}
	if level, known := store.ParseTextLevel(web.FormValue(c, "text")); known {
		f.Text = level
	}
	if err := h.Store.Setup(ctx, store.Hash(key), now); err != nil {
		return h.deadSetup(c, err)
	}
	user, w, err := accounts.CompleteSetup(ctx, h.Store, key, f, now)
	if errors.Is(err, store.ErrNotFound) { // somebody else was quicker
		return h.deadSetup(c, err)
	}
	if err != nil {
		faults, status, err := web.FaultsOf(takenAsWrong(err))
		if err != nil {
			return err
		}
		return h.SendPerson(c, h.Person(), status, accountpages.SetupPage(ctx, accountpages.Setup{
			Key: key, Person: f.Name, Email: f.Email, Place: f.Workspace, Slug: f.Slug, About: h.about(), Text: f.Text.String(), Faults: faults}))
	}
	if _, err := h.Begin(c, user.ID, store.MethodSetup, accounts.SessionData{Workspace: w.ID}); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, web.Workspaces+viewer.Segment(w.Slug)+"/connect")
}

// takenAsWrong says in a form's words that a name belongs to another.
func takenAsWrong(err error) error {
	var taken *store.TakenError
	if !errors.As(err, &taken) {
		return err
	}
	if taken.What == "workspace address" {
		return &accounts.ValidationError{Field: "slug", Sentence: "This URL belongs to another workspace. Choose another one."}
	}
	return &accounts.ValidationError{Field: "email", Sentence: "This email address already has an account."}
}
