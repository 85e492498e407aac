package handlers

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

// showSetup shows the form of a set-up link.
func (h *host) showSetup(c echo.Context) error {
	ctx, key := c.Request().Context(), c.QueryParam("key")
	if err := h.Store.Setup(ctx, store.Hash(key), h.Now().UnixMicro()); err != nil {
		return h.deadSetup(c, err)
	}
	return h.sendPerson(c, h.person(), http.StatusOK, components.SetupPage(ctx, components.Setup{Key: key, About: h.about()}))
}

// about is where workspaces have their addresses, in words.
func (h *host) about() string { return h.Public.Host + workspaces }

func (h *host) deadSetup(c echo.Context, err error) error {
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return h.sendPerson(c, h.person(), http.StatusNotFound, components.DeadSetupPage(c.Request().Context()))
}

// setUp makes the first person and the first workspace, and signs that person in.
func (h *host) setUp(c echo.Context) error {
	ctx, key, now := c.Request().Context(), typed(c, "key"), h.Now().UnixMicro()
	f := people.Founding{Name: typed(c, "name"), Email: typed(c, "email"), Password: typed(c, "password"), Workspace: typed(c, "workspace"), Slug: typed(c, "slug")}
	if err := h.Store.Setup(ctx, store.Hash(key), now); err != nil {
		return h.deadSetup(c, err)
	}
	user, w, err := people.Found(ctx, h.Store, key, f, now)
	if errors.Is(err, store.ErrNotFound) { // somebody else was quicker
		return h.deadSetup(c, err)
	}
	if err != nil {
		faults, status, err := faultsOf(takenAsWrong(err))
		if err != nil {
			return err
		}
		return h.sendPerson(c, h.person(), status, components.SetupPage(ctx, components.Setup{
			Key: key, Person: f.Name, Email: f.Email, Place: f.Workspace, Slug: f.Slug, About: h.about(), Faults: faults}))
	}
	if _, err := h.begin(c, user.ID, store.BySetup, people.Kept{Workspace: w.ID}); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, workspaces+segment(w.Slug)+"/connect")
}

// takenAsWrong says in a form's words that a name belongs to another.
func takenAsWrong(err error) error {
	var taken *store.Taken
	if !errors.As(err, &taken) {
		return err
	}
	if taken.What == "workspace address" {
		return &people.Wrong{Field: "slug", Sentence: "This address belongs to another workspace. Choose another."}
	}
	return &people.Wrong{Field: "email", Sentence: "This e-mail address has an account already."}
}
