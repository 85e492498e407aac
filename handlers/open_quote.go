package handlers

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/sandbox/report"
)

// keepDraft keeps what the person has typed so far, as long as the program runs. A script that
// asks for it gets no page.
func (s *folderServer) keepDraft(c echo.Context) error {
	t, err := s.openTried(c)
	if t == nil {
		return err
	}
	if !s.replies.keep(t.at, t.form, s.opening.Now().UnixMicro()) {
		return t.refuse(http.StatusRequestEntityTooLarge, sent{form: t.form, fault: tooLongForDraft})
	}
	switch {
	case asJSON(c):
		return c.NoContent(http.StatusNoContent)
	case t.form.Text == "" && t.form.Chosen == "":
		return c.Redirect(http.StatusSeeOther, t.at+"?said=empty#decide")
	}
	return c.Redirect(http.StatusSeeOther, t.at+"?said=draft#decide")
}

var tooLongForDraft = &components.Fault{Field: reply.FieldText, Sentence: "A draft holds 65,536 bytes, and this is more, so it was not kept.",
	Hint: "It is in the form still. A reply may have 32,768 bytes: shorten it."}

// quoteFile puts a passage of an attachment behind what the person has typed, and keeps both as
// the draft.
func (s *folderServer) quoteFile(c echo.Context) error {
	t, err := s.openTried(c)
	if t == nil {
		return err
	}
	key := typed(c, reply.FieldQuoteFile)
	text, err := t.quoted(c.Request().Context(), key)
	var not *reply.Unquotable
	if errors.As(err, &not) {
		return t.refuse(http.StatusUnprocessableEntity, sent{form: t.form, fault: &components.Fault{Field: reply.FieldQuotePassage, Sentence: not.Sentence, Hint: not.Hint}})
	}
	if err != nil {
		t.keepWords()
		return t.lost(err)
	}
	t.form.Text = reply.Append(t.form.Text, text)
	if !s.replies.keep(t.at, t.form, s.opening.Now().UnixMicro()) {
		return t.refuse(http.StatusRequestEntityTooLarge, sent{form: t.form, fault: tooLongForDraft})
	}
	q := url.Values{"show": {key}, "view": {string(report.Source)}, "said": {"quoted"}}
	return c.Redirect(http.StatusSeeOther, t.at+"?"+q.Encode()+"#decide")
}

// quoted is the passage that the form names.
func (t *openTry) quoted(ctx context.Context, key string) (string, error) {
	s, err := t.source(ctx, key)
	if err != nil {
		return "", err
	}
	if passage := typed(t.c, reply.FieldQuotePassage); strings.TrimSpace(passage) != "" {
		return s.Passage(passage)
	}
	from, to := strings.TrimSpace(typed(t.c, reply.FieldQuoteFrom)), strings.TrimSpace(typed(t.c, reply.FieldQuoteTo))
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
func (t *openTry) source(ctx context.Context, key string) (*reply.Source, error) {
	name, ok := nameOfKey(t.ask, key)
	if !ok {
		return nil, &reply.Unquotable{Sentence: "No file was chosen to quote from.", Hint: "Choose one of the ask's attachments, and the lines or the passage."}
	}
	o := &t.s.opening
	sum, err := o.Folder.Digest(ctx, t.agent.Key, name)
	if errors.Is(err, journal.ErrNotFound) {
		return nil, &reply.Unquotable{Sentence: "The file to quote from is not here.", Hint: "It is not in the folder, or cannot be read."}
	}
	if err != nil {
		return nil, err
	}
	d := document{sum, extension(name), report.Text}
	if figs.ClassOf(name) != figs.Rendered {
		return nil, notQuotable
	}
	r, err := t.s.viewer.result(ctx, o.Workspace, d)
	if err != nil {
		return nil, err
	}
	if r.Kind == report.Image || r.Kind == report.Download {
		return nil, notQuotable
	}
	a, err := t.s.viewer.attached(ctx, o.Workspace, d)
	if err != nil {
		return nil, err
	}
	content, err := t.s.viewer.read(ctx, a, d)
	return &reply.Source{Name: name, SHA256: sum, Content: content, Plain: plainOf(r.Document)}, err
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
