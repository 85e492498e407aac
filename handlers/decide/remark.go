package decide

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
	pageviewer "github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/handlers/web"
	"github.com/figs-web/figs-web/internal/attachtext"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/remark"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/sandbox/report"
)

// Remark adds a remark to what the visitor has typed, removes one or repeats one of the previous round, and keeps all as the
// draft.
func (h Handlers) Remark(c echo.Context) error {
	t, err := h.ReadReply(c, false)
	if t == nil {
		return err
	}
	ctx := c.Request().Context()
	if stale := ChangedUnder(&t.form, &t.x.gate); stale != nil {
		return t.refuse(http.StatusConflict, RefusedForm{Form: t.form, Stale: stale, Fault: FaultChangedUnder})
	}
	in := RemarkInput(c, t.x.ask)
	in.Open = func(key string) (*reply.Attachment, error) { return t.desk.attachment(ctx, t.x, key) }
	at, err := t.form.ChangeRemarks(in)
	var not *remark.Error
	if errors.As(err, &not) {
		return t.refuse(http.StatusUnprocessableEntity, RefusedForm{Form: t.form, Fault: ui.FaultOfRemark(not)})
	}
	if err != nil {
		return err
	}
	if kept, err := t.saveDraft(); !kept {
		return err
	}
	return c.Redirect(http.StatusSeeOther, t.page(t.x, RemarkReturn(&t.form, in.Do, at)))
}

// RemarkInput is what a form's remarks on an ask are changed with; it opens no attachment yet.
func RemarkInput(c echo.Context, ask *journal.Ask) *reply.RemarkChange {
	return pageviewer.RemarkInput(ask, web.FormValue(c, reply.FieldRemarkDo))
}

// RemarkReturn is where a form leads that has changed its remarks: to the view in which the person is.
func RemarkReturn(f *reply.Form, do string, at int) string {
	q := url.Values{}
	if f.New.At != "" && !strings.HasPrefix(f.New.At, "/") {
		q.Set("show", f.New.At)
		if slices.Contains(pageviewer.ViewNames[1:], f.New.View) {
			q.Set("view", f.New.View)
		}
	}
	notice, fragment := "remark-added", "#remarks"
	if strings.HasPrefix(do, "remove ") {
		notice = "remark-removed"
	}
	if at > 0 {
		fragment = "#remark-" + strconv.Itoa(at)
	}
	q.Set("notice", notice)
	return "?" + q.Encode() + fragment
}

// FaultChangedUnder says that a remark is about bytes that are others now.
var FaultChangedUnder = &ui.Fault{Field: reply.FieldNewText, Sentence: "This file has changed since you opened the page, so the comment wasn't added.",
	Hint: "Your comment is still in the form. Look at the file as it is now, then add it again."}

// ChangedUnder is the attachment that a new remark is about, if it isn't what the form's page showed; nil if it is.
func ChangedUnder(f *reply.Form, g *reply.Gate) *ui.StaleReply {
	for i := range g.Files {
		now := &g.Files[i]
		if now.Key != f.New.At || f.New.At == "" {
			continue
		}
		for _, shown := range f.Files {
			if shown.Name == now.Name && shown.SHA256 != now.SHA256 {
				return &ui.StaleReply{Files: []ui.StaleFile{{Name: now.Name, Before: shown.SHA256, After: now.SHA256}}}
			}
		}
	}
	return nil
}

// earlier are the visitor's own and other remarks of the previous round.
func (d *desk) earlier(ctx context.Context, x *askContext) []ui.EarlierRemark {
	return pageviewer.EarlierRemarks(x.ask, func(m *journal.Message) bool { return m.Verified && m.Message.By == d.user.Name },
		func(key string) (*reply.Attachment, error) { return d.attachment(ctx, x, key) })
}

// attachment reads an attachment of the ask, to make a remark on it.
func (d *desk) attachment(ctx context.Context, x *askContext, key string) (*reply.Attachment, error) {
	name, ok := nameOfKey(x.ask, key)
	if !ok {
		return nil, &remark.Error{Sentence: "This file is not attached to the ask.", Hint: "Choose one of its attachments."}
	}
	f, err := d.h.Store.File(ctx, x.id, name)
	if errors.Is(err, store.ErrNotFound) || err == nil && f.SHA256 == "" {
		return nil, &remark.Error{Sentence: "This file is not here.", Hint: "It was not uploaded, or the ask no longer attaches it."}
	}
	if err != nil {
		return nil, err
	}
	return ReadAttachment(ctx, d.h.Viewer, d.at.Workspace.ID, name, f.SHA256)
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

// ReadAttachment reads what a remark can be made on: an attachment's bytes, and what a person reads of it.
func ReadAttachment(ctx context.Context, v *viewer.Viewer, workspace, name, sha256 string) (*reply.Attachment, error) {
	a := &reply.Attachment{Document: remark.Document{Name: name, SHA256: sha256}}
	if figs.ClassOf(name) != figs.Rendered {
		return a, nil
	}
	d := viewer.Document{SHA256: sha256, Ext: viewer.Extension(name), View: report.Text}
	r, err := v.Result(ctx, workspace, d)
	if err != nil {
		return nil, err
	}
	if r.Kind == report.Image || r.Kind == report.SVG {
		a.Width, a.Height = r.Pixels()
	}
	if r.Kind == report.Image || r.Kind == report.Download {
		return a, nil
	}
	at, err := v.Attached(ctx, workspace, d)
	if err != nil {
		return nil, err
	}
	a.Content, err = v.Read(ctx, at, d)
	a.HasText, a.Plain = true, attachtext.OfDocument(r.Document)
	return a, err
}
