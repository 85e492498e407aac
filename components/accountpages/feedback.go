package accountpages

import (
	"context"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/listview"
	"github.com/figs-web/figs-web/components/ui"
)

// Feedback is what the page of a workspace shows that tools have sent.
type Feedback struct {
	List    listview.Request
	Items   []FeedbackRow // newest first
	Removes bool          // the visitor may remove them
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

// FeedbackList is the list of feedback. A message is a text of several lines, so the page shows rows instead of a table.
func FeedbackList(ctx context.Context, site ui.Site) *listview.List[FeedbackRow] {
	return &listview.List[FeedbackRow]{
		Name: "feedback", Title: i18n.Say(ctx, "Feedback from tools"), Default: "-when",
		ID: func(r *FeedbackRow) string { return r.Key },
		Columns: []listview.Column[FeedbackRow]{
			listview.Text("message", i18n.Say(ctx, "Message"), func(r *FeedbackRow) string { return r.Text }),
			listview.Text("tool", i18n.Say(ctx, "Tool"), func(r *FeedbackRow) string { return r.Tool }),
			listview.Text("version", i18n.Say(ctx, "Version"), func(r *FeedbackRow) string { return r.Version }),
			listview.Text("by", i18n.Say(ctx, "Who"), func(r *FeedbackRow) string { return r.Who }),
			listview.Text("context", i18n.Say(ctx, "Context"), func(r *FeedbackRow) string { return r.Context }),
			listview.Time("when", i18n.Say(ctx, "When"), func(r *FeedbackRow) int64 { return r.At }),
		},
		Empty: noFeedback(site),
	}
}
