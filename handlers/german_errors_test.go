package handlers

import (
	"context"
	"errors"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	catalogue "github.com/figs-web/figs-web/components/words"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/auth"
	"github.com/figs-web/figs-web/handlers/httperr"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/accounts"
	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

var anyPlace = regexp.MustCompile(`\{\d\}|%(\[\d\])?[sd]`)

// noEnglish fails for each sentence of the catalogue of which a page has a longer part in English.
func noEnglish(t *testing.T, page string) {
	t.Helper()
	page = html.UnescapeString(page)
	for english, german := range catalogue.For("de").Translations() {
		for _, part := range anyPlace.Split(english, -1) {
			if part = strings.Trim(part, " ."); len(part) > 15 && strings.Contains(page, part) && !strings.Contains(german, part) {
				t.Errorf("the page says %q in English: %.600s", part, page)
			}
		}
	}
}

// TestGermanProblems shows the page of each error in German.
func TestGermanProblems(t *testing.T) {
	ctx := i18n.WithLanguage(context.Background(), "de")
	wait := &accounts.RateLimitError{For: 1_000_000 * 90 * 60}
	for _, err := range []error{
		errors.New("anything"), httperr.ErrBusy, httperr.ErrLate, httperr.ErrChanged, journal.ErrNotFound, context.DeadlineExceeded, syscall.ENOSPC, blob.ErrUnavailable,
		echo.ErrNotFound, echo.ErrMethodNotAllowed, echo.ErrTeapot,
		&store.OtherWorkspaceError{}, &store.RenamedError{Registered: "Ada", Pushed: "Bo"}, &store.AttachmentConflictError{Name: "a.html"}, &store.UnavailableError{}, &store.StaleError{},
		&store.UnavailableError{MayBeCommitted: true}, &store.TakenError{What: "workspace address", Name: "acme"}, &store.TakenError{What: "passkey", Name: "phone"}, &store.TakenError{Name: "x"},
		&store.PendingError{}, &store.TooLateError{}, store.ErrForbidden, &store.ReplyRejectedError{Bar: figs.BlockedClosed}, &store.InvalidReplyError{Misfit: figs.ProblemHidden}, auth.TooManyTokens(wait),
	} {
		p := httperr.Of(fmt.Errorf("around: %w", err))
		noEnglish(t, string(web.HTMLOf(ctx, p))+web.TitleOf(ctx, p))
	}
	for _, err := range []error{wait, &accounts.RateLimitError{For: 1}, &accounts.RateLimitError{For: 1_000_000 * 3600 * 24}, accounts.CheckSlug("admin"), accounts.CheckSlug("A B"), accounts.ErrOwnersOnly} {
		faults, status, other := web.FaultsOf(err)
		if other != nil || status == http.StatusOK {
			t.Errorf("%v is no fault of a form", err)
		}
		for _, f := range faults {
			noEnglish(t, ui.Message(ctx, f.Sentence, f.Args))
		}
	}
	if got := ui.Message(ctx, "Too many attempts. Wait {0}, then try again.", []any{wait.Wait()}); !strings.Contains(got, "Warten Sie 90 Minuten,") {
		t.Errorf("it says %q", got)
	}
	for _, role := range []store.Role{store.Viewer, store.Member} {
		for _, agent := range []*journal.Hosted{nil, {Manager: journal.Person{ID: "a", Name: "Ada"}}, {Builder: journal.Person{ID: "b", Name: "Bo"}}, {Manager: journal.Person{ID: "a", Name: "Ada"}, Builder: journal.Person{ID: "b", Name: "Bo"}}} {
			f := (&auth.Place{Role: role}).MayNot(agent)
			noEnglish(t, ui.Message(ctx, f.Sentence, f.Args)+" "+ui.Message(ctx, f.Hint, f.Args))
		}
	}
}

// TestGermanRefusals sends forms that are refused from a browser that asks for German.
func TestGermanRefusals(t *testing.T) {
	c := newCouncil(t)
	german := func(u store.User) *browser {
		b := c.as(u)
		b.headers = map[string]string{"Accept-Language": "de"}
		return b
	}
	bo, vi, ada, cy := german(c.bo), german(c.vi), german(c.ada), german(c.cy)
	at := askPages + "which/decide"
	refused := func(got answer, status int) {
		t.Helper()
		if got.StatusCode != status {
			t.Errorf("status %d, want %d: %s", got.StatusCode, status, got.words())
		}
		noEnglish(t, got.words())
	}
	first, second := c.form(bo, "which", "chosen", "Daily"), c.form(ada, "which", "chosen", "Monthly")
	refused(bo.post(at, "text", strings.Repeat("é", 1<<20)), 413)
	refused(bo.send("POST", at, "text=%zz"), 400)
	refused(c.decide(bo, "which", "text", "a\u200bb"), 422)
	refused(c.decide(bo, "which", "chosen", "Yearly"), 422)
	refused(vi.post(at, first...), 403)
	refused(cy.post(at, first...), 403)
	refused(vi.get(askPages+"which"), 200)
	bo.post(at, first...)
	refused(ada.post(at, second...), 409)
	c.wait(time.Minute)
	refused(ada.post(at, second...), 409)
	stranger := c.browser()
	stranger.headers = map[string]string{"Accept-Language": "de"}
	for range 30 {
		stranger.post("/sign-in", "email", "ada@example.org", "password", "wrong words")
	}
	refused(stranger.post("/sign-in", "email", "ada@example.org", "password", "wrong words"), 429)
	refused(bo.get("/none"), 404)
}
