package local

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/ui"
	pageviewer "github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/handlers/decide"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/remark"
	"github.com/figs-web/figs-web/internal/reply"
)

// keepDraft keeps what the person has typed so far, as long as the program runs. A script that
// asks for it gets no page.
func (s *FolderServer) keepDraft(c echo.Context) error {
	t, err := s.readReply(c)
	if t == nil {
		return err
	}
	if !s.replies.keep(t.at, t.form, s.opening.Now().UnixMicro()) {
		return t.refuse(http.StatusRequestEntityTooLarge, decide.RefusedForm{Form: t.form, Fault: tooLongForDraft})
	}
	switch {
	case web.AsJSON(c):
		return c.NoContent(http.StatusNoContent)
	case t.form.Text == "" && t.form.Chosen == "":
		return c.Redirect(http.StatusSeeOther, t.at+"?notice=draft-empty#decide")
	}
	return c.Redirect(http.StatusSeeOther, t.at+"?notice=draft-saved#decide")
}

var tooLongForDraft = &ui.Fault{Field: reply.FieldText, Sentence: "The draft was not saved: it is longer than 65,536 bytes.",
	Hint: "Your text is still in the form. Shorten it: a reply can have up to 32,768 bytes."}

// remarkFile adds a remark to what the person has typed, removes one or repeats one of the previous round, and keeps all as
// the draft.
func (s *FolderServer) remarkFile(c echo.Context) error {
	t, err := s.readReply(c)
	if t == nil {
		return err
	}
	if stale := decide.ChangedUnder(&t.form, &t.gate); stale != nil {
		return t.refuse(http.StatusConflict, decide.RefusedForm{Form: t.form, Stale: stale, Fault: decide.FaultChangedUnder})
	}
	ctx := c.Request().Context()
	in := decide.RemarkInput(c, t.ask)
	in.Open = func(key string) (*reply.Attachment, error) { return t.attachment(ctx, t.agent.Key, t.ask, key) }
	at, err := t.form.ChangeRemarks(in)
	var not *remark.Error
	if errors.As(err, &not) {
		return t.refuse(http.StatusUnprocessableEntity, decide.RefusedForm{Form: t.form, Fault: ui.FaultOfRemark(not)})
	}
	if err != nil {
		t.keepWords()
		return t.lost(err)
	}
	if !s.replies.keep(t.at, t.form, s.opening.Now().UnixMicro()) {
		return t.refuse(http.StatusRequestEntityTooLarge, decide.RefusedForm{Form: t.form, Fault: tooLongForDraft})
	}
	return c.Redirect(http.StatusSeeOther, t.at+decide.RemarkReturn(&t.form, in.Do, at))
}

// attachment reads an attachment of the ask, to make a remark on it.
func (d *openDesk) attachment(ctx context.Context, agent string, ask *journal.Ask, key string) (*reply.Attachment, error) {
	name, ok := nameOfKey(ask, key)
	if !ok {
		return nil, &remark.Error{Sentence: "This file is not attached to the ask.", Hint: "Choose one of its attachments."}
	}
	o := &d.s.opening
	sum, err := o.Folder.Digest(ctx, agent, name)
	if errors.Is(err, journal.ErrNotFound) {
		return nil, &remark.Error{Sentence: "This file is missing.", Hint: "It isn't in the folder, or it can't be read."}
	}
	if err != nil {
		return nil, err
	}
	return decide.ReadAttachment(ctx, d.s.Viewer, o.Workspace, name, sum)
}

// earlier are the remarks of the previous round. Nothing proves who made them, so each of them counts as the person's own.
func (d *openDesk) earlier(ctx context.Context, agent string, ask *journal.Ask) []ui.EarlierRemark {
	return pageviewer.EarlierRemarks(ask, func(*journal.Message) bool { return true },
		func(key string) (*reply.Attachment, error) { return d.attachment(ctx, agent, ask, key) })
}

// nameOfKey finds an attachment of an ask by its key in addresses.
func nameOfKey(ask *journal.Ask, key string) (string, bool) {
	for _, f := range slices.Concat(ask.Files, ask.Earlier) {
		if f.Key == key && key != "" {
			return f.Name, true
		}
	}
	return "", false
}
