package local

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/decide"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/reply"
)

// showCommand shows the reply as a command of a figs client. Nothing is written, and an approval
// waits for the same as one that is.
func (s *FolderServer) showCommand(c echo.Context) error {
	t, err := s.readReply(c)
	if t == nil {
		return err
	}
	if f := faultOfName(t.form.By); f != nil {
		return t.refuse(http.StatusUnprocessableEntity, decide.RefusedForm{Form: t.form, Fault: f})
	}
	if bar := reply.CheckOpen(&t.ask.Ask, t.ask.State); bar != figs.NotBlocked {
		return t.refused(&reply.BlockedError{Bar: bar}, nil)
	}
	ask := objectOf(t.ask)
	t.form.Place(&t.gate)
	if _, wrong := t.form.Line(ask, figs.ReplyInput{ID: "reply", By: t.form.By, TS: "2026-01-01T00:00:00Z", Chat: true}); wrong != figs.ReplyOK {
		return t.refused(&reply.InvalidReplyError{Misfit: wrong}, nil)
	}
	if lacks := t.gate.Missing(&t.form); len(lacks) > 0 {
		return t.refused(&reply.InvalidReplyError{Misfit: figs.ProblemEvent}, lacks)
	}
	d := *t.openDesk
	d.sent, d.command = &decide.RefusedForm{Form: t.form}, t.form.Command(ask, t.form.By)
	if d.command == "" {
		d.sent.Fault = &ui.Fault{Sentence: "This ask's ID starts with a hyphen, so figs answer would read it as an option.", Hint: "There is no command for this reply."}
	}
	t.keepWords()
	return t.show(http.StatusOK, &d)
}

// objectOf is an ask with the fields that a reply depends on.
func objectOf(ask *journal.Ask) figs.Object {
	b := figs.AppendString([]byte(`{"id":`), ask.Ask.ID)
	b = figs.AppendString(append(b, `,"type":`...), ask.Ask.Type)
	for i, option := range ask.Ask.Options {
		if i == 0 {
			b = append(b, `,"options":[`...)
		} else {
			b = append(b, ',')
		}
		b = figs.AppendString(b, option)
	}
	if len(ask.Ask.Options) > 0 {
		b = append(b, ']')
	}
	return figs.Fold([][]byte{append(b, '}')})
}
