package decide

import (
	"context"
	"errors"
	"github.com/figs-web/figs-web/internal/journal"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/sandbox/report"
)

// Quote puts a passage of an attachment behind what the visitor has typed, and keeps both as the
// draft.
func (h Handlers) Quote(c echo.Context) error {
	t, err := h.ReadReply(c, false)
	if t == nil {
		return err
	}
	key := web.FormValue(c, reply.FieldQuoteFile)
	text, err := t.quoted(c.Request().Context(), key)
	var not *reply.QuoteError
	if errors.As(err, &not) {
		return t.refuse(http.StatusUnprocessableEntity, RefusedForm{Form: t.form, Fault: &ui.Fault{Field: reply.FieldQuotePassage, Sentence: not.Sentence, Hint: not.Hint, Args: not.Args}})
	}
	if err != nil {
		return err
	}
	t.form.Text = reply.Append(t.form.Text, text)
	if kept, err := t.saveDraft(); !kept {
		return err
	}
	q := url.Values{"show": {key}, "view": {string(report.Source)}, "notice": {"quote-added"}}
	return c.Redirect(http.StatusSeeOther, t.address(t.x)+"?"+q.Encode()+"#decide")
}

// quoted is the passage that the form names.
func (t *replyRequest) quoted(ctx context.Context, key string) (string, error) {
	s, err := t.source(ctx, key)
	if err != nil {
		return "", err
	}
	from, to, passage := web.FormValue(t.c, reply.FieldQuoteFrom), web.FormValue(t.c, reply.FieldQuoteTo), web.FormValue(t.c, reply.FieldQuotePassage)
	if strings.TrimSpace(passage) != "" {
		return s.Passage(passage)
	}
	if to == "" {
		to = from
	}
	first, wrong := strconv.Atoi(strings.TrimSpace(from))
	last, err := strconv.Atoi(strings.TrimSpace(to))
	if wrong != nil || err != nil {
		first, last = 0, 0 // which are no lines
	}
	return s.Lines(first, last)
}

var NotQuotable = &reply.QuoteError{Sentence: "This file has no text to quote from.", Hint: "Quote from a file that is shown as text, or describe the passage in your own words."}

// source reads the file that the form quotes: its very bytes, and what a person reads of it.
func (t *replyRequest) source(ctx context.Context, key string) (*reply.Source, error) {
	name, ok := journal.ParseSegment(key)
	if !ok {
		return nil, &reply.QuoteError{Sentence: "No file was chosen to quote from.", Hint: "Choose one of the ask's attachments, and the lines or passage to quote."}
	}
	f, err := t.h.Store.File(ctx, t.x.id, name)
	if errors.Is(err, store.ErrNotFound) || err == nil && f.SHA256 == "" {
		return nil, &reply.QuoteError{Sentence: "The file to quote from is not here.", Hint: "It was not uploaded, or the ask no longer attaches it."}
	}
	if err != nil {
		return nil, err
	}
	d := viewer.Document{SHA256: f.SHA256, Ext: viewer.Extension(name), View: report.Text}
	if figs.ClassOf(name) != figs.Rendered {
		return nil, NotQuotable
	}
	r, err := t.h.Viewer.Result(ctx, t.at.Workspace.ID, d)
	if err != nil {
		return nil, err
	}
	if r.Kind == report.Image || r.Kind == report.Download {
		return nil, NotQuotable
	}
	a, err := t.h.Viewer.Attached(ctx, t.at.Workspace.ID, d)
	if err != nil {
		return nil, err
	}
	content, err := t.h.Viewer.Read(ctx, a, d)
	return &reply.Source{Name: name, SHA256: f.SHA256, Content: content, Plain: DocumentText(r.Document)}, err
}

var anyMarkup = regexp.MustCompile(`<[^>]*>`)

// DocumentText is the text of a document that shows nothing else: a document of ours, in which every
// < of the attachment is written as &lt;.
func DocumentText(document []byte) string {
	_, text, _ := strings.Cut(string(document), "<pre")
	text, _, _ = strings.Cut("<pre"+text, "</pre>")
	return html.UnescapeString(anyMarkup.ReplaceAllString(text, ""))
}
