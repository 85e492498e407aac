package handlers

import (
	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/internal/people"
)

// asksProof reports whether an approval would ask the visitor who they are.
func (d *desk) asksProof() bool {
	return d.at.Workspace.StepUp && !people.IsFresh(d.last, d.now)
}

// takesProof reports whether the form is an approval where those take a fresh proof of who approves.
func (t *try) takesProof() bool { return t.at.Workspace.StepUp && t.form.Verdict == "approved" }

// proved goes on with those who have proved lately who they are. Others are asked on a page that
// keeps the whole form: its key, what it is bound to, and every tick. What was typed is kept as a
// draft, too, for those who turn away from that page.
func (t *try) proved(next echo.HandlerFunc) error {
	if t.asksProof() && len(t.form.Text)+len(t.form.Verdict) <= mostDraft {
		if err := t.h.Store.SaveDraft(t.c.Request().Context(), t.draft(t.form)); err != nil {
			return err
		}
	}
	return t.h.proves(people.ApproveAsk)(next)(t.c)
}
