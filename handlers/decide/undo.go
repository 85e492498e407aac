package decide

import (
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/internal/store"
)

// Undo takes a decision of the visitor's back that does not count yet, and makes its words a
// draft again. Whoever made it may, whatever they may do since.
func (h Handlers) Undo(c echo.Context) error {
	t, err := h.ReadReply(c, true)
	if t == nil {
		return err
	}
	ctx, id := c.Request().Context(), web.FormValue(c, "id")
	made, err := h.Store.Decision(ctx, t.x.id, id)
	if err == nil && made.Ask != t.x.ask.Ask.ID {
		err = store.ErrNotFound
	}
	already := made.State == store.DecisionUndone
	if err == nil {
		made, err = h.Store.Undo(ctx, store.Act{By: t.user.ID, At: t.now}, t.x.id, id)
	}
	var late *store.TooLateError
	switch {
	case errors.As(err, &late):
		return t.refuse(http.StatusConflict, RefusedForm{Unread: true, Fault: t.lateFault(late)})
	case errors.Is(err, store.ErrForbidden):
		by, err := t.maker(id)
		if err != nil {
			return err
		}
		return t.refuse(http.StatusForbidden, RefusedForm{Unread: true, Fault: &ui.Fault{Sentence: "Only {0} can undo this reply.", Hint: "Nothing was changed. Talk to {0}.", Args: []any{by}}})
	case err != nil:
		return err
	}
	h.Live.Changed(made.Workspace, made.Seq)
	if !already {
		m := figs.ReadMessage(figs.Fold([][]byte{made.Line}))
		words := reply.Form{Verdict: m.Verdict, Chosen: m.Chosen, Text: m.Text, Revision: made.Saw.Revision.String()}
		if err := h.Store.SaveDraft(ctx, t.draft(words)); err != nil {
			return err
		}
	}
	return t.back("reply-undone")
}

// lateFault says when the decision began to count.
func (t *replyRequest) lateFault(late *store.TooLateError) *ui.Fault {
	at := time.UnixMicro(late.Effective).In(t.h.Now().Location()).Format("15:04:05 MST")
	return &ui.Fault{Sentence: "It's too late to undo this reply: it took effect at {0}.",
		Hint: "The agent may have read it already. To correct it, reply again: the agent gets both replies and the newer one counts.", Args: []any{at}}
}

// maker is the name of who made a decision.
func (t *replyRequest) maker(id string) (string, error) {
	ctx := t.c.Request().Context()
	made, err := t.h.Store.Decision(ctx, t.x.id, id)
	if err != nil {
		return "", err
	}
	by, err := t.person(ctx, made.By)
	return by.Name, err
}
