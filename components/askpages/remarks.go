package askpages

import (
	"context"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/remark"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/sandbox/report"
)

// RemarksPanel is the panel beside the document, for a page whose script puts it in the place of an older one.
func RemarksPanel(site ui.Site, a *journal.Agent, b *viewer.ReplyBar) templ.Component {
	return remarksPanel(site, a, b)
}

// toSend says how many remarks go with the reply; "" for none.
func toSend(ctx context.Context, n int) string {
	if n == 0 {
		return ""
	}
	return sendCount(ctx, n)
}

func sendCount(ctx context.Context, n int) string {
	return i18n.Count(ctx, n, "One comment to send", "%d comments to send")
}

// unread reports whether an attachment must still be read to say what became of a place.
func unread(b *viewer.ReplyBar) bool {
	return slices.ContainsFunc(b.Earlier, func(e ui.EarlierRemark) bool { return e.Now == nil })
}

// remarkDoes are the attributes of a button that changes the comments. In the inspector the page's script does it.
func remarkDoes(b *viewer.ReplyBar, do string) templ.Attributes {
	a := templ.Attributes{"name": reply.FieldRemarkDo, "value": do}
	if b.At != "" {
		a["formaction"] = string(b.To("remark"))
	}
	return a
}

// remarkData tell scripts where to mark a remark in the document.
func remarkData(b *viewer.ReplyBar, r *remark.Remark) templ.Attributes {
	a := templ.Attributes{"data-sha256": r.SHA256, "data-quote": agenttext.AsData(r.Quote), "data-before": agenttext.AsData(r.Before), "data-after": agenttext.AsData(r.After)}
	if f := fileOfRemark(b, r); f != nil && r.File != "" {
		a["data-file"] = f.Key
	}
	if r.Area != nil {
		a["data-area"] = areaValue(r.Area)
	}
	return a
}

func areaValue(r *remark.Rect) string {
	return strconv.Itoa(r.X) + "," + strconv.Itoa(r.Y) + "," + strconv.Itoa(r.Width) + "," + strconv.Itoa(r.Height)
}

// fileOfRemark is the attachment that a remark is about, or the one that has taken its place; nil if there is none.
func fileOfRemark(b *viewer.ReplyBar, r *remark.Remark) *journal.File {
	key := viewer.Successor(b.Ask.Files, r.File)
	for i := range b.Ask.Files {
		if f := &b.Ask.Files[i]; f.Key == key && key != "" {
			return f
		}
	}
	return nil
}

// placeOnly is the place of a remark. The form has its text and suggestion as fields.
func placeOnly(r *remark.Remark) *remark.Remark {
	place := *r
	place.Text, place.Suggestion = "", nil
	return &place
}

// remarkLink leads to the attachment that a remark is about, or to the one that has taken its place; "" if there is none.
func remarkLink(site ui.Site, b *viewer.ReplyBar, r *remark.Remark) templ.SafeURL {
	f := fileOfRemark(b, r)
	if f == nil {
		return ""
	}
	return b.V.Link(site, f.Key, viewOfRemark(r), "")
}

// viewOfRemark is the view in which the place of a remark is found.
func viewOfRemark(r *remark.Remark) string {
	if r.Kind == remark.Passage && r.Line > 0 {
		return string(report.Source)
	}
	return viewer.ViewNames[0]
}

// viewOfPage is the view that the page shows.
func viewOfPage(b *viewer.ReplyBar) string {
	if b.V == nil {
		return ""
	}
	return b.V.View
}

// outcomeSign says what became of the place of a remark.
func outcomeSign(ctx context.Context, o *remark.Outcome) (kind, word string) {
	switch o.State {
	case remark.Changed:
		return "revise", i18n.Say(ctx, "changed")
	case remark.Gone:
		return "missing", i18n.Say(ctx, "gone")
	}
	return "plain", i18n.Say(ctx, "unchanged")
}

// outcomeData tells scripts what became of the place of a remark.
func outcomeData(o *remark.Outcome) templ.Attributes {
	return templ.Attributes{"data-outcome": string(o.State)}
}
