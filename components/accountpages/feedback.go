package accountpages

import (
	"context"
	"strconv"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
)

// Feedback is what the page of a workspace shows that tools have sent.
type Feedback struct {
	Items       []FeedbackRow // newest first
	From, Total int
	Size        int    // how many stand on one page
	Removes     bool   // the visitor may remove them
	Done        string // the URL's "notice"
}

// FeedbackRow is one thing that somebody's tool had to say. Every text but Key is a stranger's.
type FeedbackRow struct {
	Key, Who               string // Who is whose token it came with
	Tool, Version, Context string // as it says of itself; ""
	Text                   string
	At                     int64
}

// FeedbackPage is the page of what tools have sent to those who run a workspace.
func FeedbackPage(ctx context.Context, site ui.Site, m Feedback) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Feedback from tools"), Body: feedbackPage(site, m)}
}

// pageOf is the address of a part of the list.
func (m *Feedback) pageOf(site ui.Site, from int) templ.SafeURL {
	if from <= 0 {
		return site.Shell.To("settings/feedback")
	}
	return site.Shell.To("settings/feedback?from=" + strconv.Itoa(from))
}
