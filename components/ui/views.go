package ui

import (
	"context"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/internal/listquery"
)

// SavedViews are the views of a list that a person has saved and those of the workspace.
type SavedViews struct {
	Views  []SavedView
	SaveTo templ.SafeURL // where a form saves or removes one; "" where none can be saved
	Shares bool          // the person may save views for the workspace
	Notice string        // the URL's "notice": what a form has just done
}

// SavedView is a query of a list under a name.
type SavedView struct {
	Key, Name string
	Query     string // as listquery.Canonical writes it
	Removes   bool   // the person may remove it
}

// isAt reports whether the view is the page with that query.
func (v SavedView) isAt(query string) bool {
	canonical, err := listquery.Canonical(query)
	return err == nil && canonical == v.Query
}

// Said is what a form about views has just done; "" for nothing.
func (s *SavedViews) Said(ctx context.Context) string {
	switch s.Notice {
	case "view-saved":
		return i18n.Say(ctx, "View saved. It is one of the buttons above the list.")
	case "view-removed":
		return i18n.Say(ctx, "View removed.")
	case "view-limit":
		return i18n.Say(ctx, "The view wasn't saved: this list already has 30 views. Remove one first.")
	case "view-name":
		return i18n.Say(ctx, "The view wasn't saved: give it a name of 1 to 60 characters.")
	}
	return ""
}
