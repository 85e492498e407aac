package decide

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/handlers/api"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/internal/store"
)

// MostDraft is how many bytes of what was typed are kept as a draft.
const MostDraft = api.MostDraft

// draft is what a form holds as a draft of the visitor's. An empty form forgets it.
func (t *replyRequest) draft(f reply.Form) store.Draft {
	return store.Draft{Person: t.user.ID, Workspace: t.at.Workspace.ID, Agent: t.x.id, Ask: t.x.ask.Ask.ID, Revision: f.Revision,
		Verdict: f.Verdict, Chosen: f.Chosen, Text: f.Text, At: t.now}
}

// SaveDraft keeps what the visitor has typed so far. A script that asks for it gets no page.
func (h Handlers) SaveDraft(c echo.Context) error {
	t, err := h.ReadReply(c, false)
	if t == nil {
		return err
	}
	if kept, err := t.saveDraft(); !kept {
		return err
	}
	switch {
	case web.AsJSON(c):
		return c.NoContent(http.StatusNoContent)
	case t.form.Text == "" && t.form.Chosen == "" && t.form.Verdict == "":
		return t.back("draft-empty")
	}
	return t.back("draft-saved")
}

// saveDraft keeps the form as a draft; where it is too much for one, the page has been sent.
func (t *replyRequest) saveDraft() (kept bool, err error) {
	if len(t.form.Text)+len(t.form.Chosen)+len(t.form.Verdict) > MostDraft {
		return false, t.refuse(http.StatusRequestEntityTooLarge, RefusedForm{Form: t.form, Fault: &ui.Fault{Field: reply.FieldText,
			Sentence: "The draft was not saved: it is longer than 65,536 bytes.", Hint: "Your text is still in the form. Shorten it: a reply can have up to 32,768 bytes."}})
	}
	err = t.h.Store.SaveDraft(t.c.Request().Context(), t.draft(t.form))
	return err == nil, err
}

// back leads to the form of the ask, which says what has happened.
func (t *replyRequest) back(said string) error {
	return t.stay(said + "#decide")
}

// stay leads to the ask from its top, where the button was. The bar says what has happened.
func (t *replyRequest) stay(said string) error {
	return t.c.Redirect(http.StatusSeeOther, t.page(t.x, "?notice="+said))
}
