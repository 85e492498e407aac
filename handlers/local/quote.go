package local

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/decide"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/sandbox/report"
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

// quoteFile puts a passage of an attachment behind what the person has typed, and keeps both as
// the draft.
func (s *FolderServer) quoteFile(c echo.Context) error {
	t, err := s.readReply(c)
	if t == nil {
		return err
	}
	key := web.FormValue(c, reply.FieldQuoteFile)
	text, err := t.quoted(c.Request().Context(), key)
	var not *reply.QuoteError
	if errors.As(err, &not) {
		return t.refuse(http.StatusUnprocessableEntity, decide.RefusedForm{Form: t.form, Fault: &ui.Fault{Field: reply.FieldQuotePassage, Sentence: not.Sentence, Hint: not.Hint, Args: not.Args}})
	}
	if err != nil {
		t.keepWords()
		return t.lost(err)
	}
	t.form.Text = reply.Append(t.form.Text, text)
	if !s.replies.keep(t.at, t.form, s.opening.Now().UnixMicro()) {
		return t.refuse(http.StatusRequestEntityTooLarge, decide.RefusedForm{Form: t.form, Fault: tooLongForDraft})
	}
	q := url.Values{"show": {key}, "view": {string(report.Source)}, "notice": {"quote-added"}}
	return c.Redirect(http.StatusSeeOther, t.at+"?"+q.Encode()+"#decide")
}

// quoted is the passage that the form names.
func (t *localReply) quoted(ctx context.Context, key string) (string, error) {
	s, err := t.source(ctx, key)
	if err != nil {
		return "", err
	}
	if passage := web.FormValue(t.c, reply.FieldQuotePassage); strings.TrimSpace(passage) != "" {
		return s.Passage(passage)
	}
	from, to := strings.TrimSpace(web.FormValue(t.c, reply.FieldQuoteFrom)), strings.TrimSpace(web.FormValue(t.c, reply.FieldQuoteTo))
	if to == "" {
		to = from
	}
	first, wrong := strconv.Atoi(from)
	last, err := strconv.Atoi(to)
	if wrong != nil || err != nil {
		first, last = 0, 0 // which are no lines
	}
	return s.Lines(first, last)
}

// source reads the file that the form quotes: its very bytes, and what a person reads of it.
func (t *localReply) source(ctx context.Context, key string) (*reply.Source, error) {
	name, ok := nameOfKey(t.ask, key)
	if !ok {
		return nil, &reply.QuoteError{Sentence: "No file was chosen to quote from.", Hint: "Choose one of the ask's attachments, and the lines or passage to quote."}
	}
	o := &t.s.opening
	sum, err := o.Folder.Digest(ctx, t.agent.Key, name)
	if errors.Is(err, journal.ErrNotFound) {
		return nil, &reply.QuoteError{Sentence: "The file to quote from is missing.", Hint: "It isn't in the folder, or it can't be read."}
	}
	if err != nil {
		return nil, err
	}
	d := viewer.Document{SHA256: sum, Ext: viewer.Extension(name), View: report.Text}
	if figs.ClassOf(name) != figs.Rendered {
		return nil, decide.NotQuotable
	}
	r, err := t.s.Viewer.Result(ctx, o.Workspace, d)
	if err != nil {
		return nil, err
	}
	if r.Kind == report.Image || r.Kind == report.Download {
		return nil, decide.NotQuotable
	}
	a, err := t.s.Viewer.Attached(ctx, o.Workspace, d)
	if err != nil {
		return nil, err
	}
	content, err := t.s.Viewer.Read(ctx, a, d)
	return &reply.Source{Name: name, SHA256: sum, Content: content, Plain: decide.DocumentText(r.Document)}, err
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
