package ui

import (
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/internal/journal"
)

// ListParameter is the parameter of an ask's URL with the query of the inbox list beside it.
const ListParameter = "list"

// BesideList is the list of the inbox that is shown beside an ask.
type BesideList struct {
	Query journal.InboxQuery
	Open  string // the row of the ask, as its data-live attribute says
}

// WithList adds to an address of the ask what keeps the list beside it. A nil list adds nothing.
func (l *BesideList) WithList(address string) string {
	if l == nil {
		return address
	}
	page, hash, hashed := strings.Cut(address, "#")
	if strings.Contains(page, "?") {
		page += "&"
	} else {
		page += "?"
	}
	page += ListParameter + "=" + url.QueryEscape(l.Query.String())
	if hashed {
		page += "#" + hash
	}
	return page
}

// IsOpen reports whether the ask of a row is the one that the list is beside.
func (l *BesideList) IsOpen(row string) bool { return l != nil && l.Open == row }

// WithList is BesideList.WithList for the list of the page.
func (s Site) WithList(address string) templ.SafeURL {
	return templ.SafeURL(s.Beside.WithList(address))
}

// To is the address that one of the forms of the ask is sent to: "decide", "draft", "quote", "undo", "claim", "snooze".
func (f *DecisionForm) To(form string) templ.SafeURL {
	return templ.SafeURL(f.Beside.WithList(f.At + "/" + form))
}
