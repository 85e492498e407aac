package api

import (
	"net/url"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/recordjson"
)

// list is a part of a list whose length is known.
type list[T any] struct {
	Items []T     `json:"items"`
	From  int     `json:"from"` // how many items come before, if that is known
	Total int     `json:"total"`
	Next  *string `json:"next"` // address of the next part
	// AtLeast means that Total isn't exact: there are that many or more.
	AtLeast bool `json:"atLeast,omitempty"`
}

// listOf makes a part of a list from a page of a journal.
func listOf[T, S any](r *request, page *journal.Page[S], convert func(*S) T) list[T] {
	l := list[T]{Items: recordjson.Each(page.Items, convert), From: page.From, Total: page.Total, AtLeast: page.AtLeast}
	l.Next = r.next(page.Next)
	return l
}

// next is the address of the part of a list after a cursor; nil if it is "".
func (r *request) next(cursor string) *string {
	if cursor == "" {
		return nil
	}
	values, _ := url.ParseQuery(r.query)
	values.Del("from")
	values.Set("after", cursor)
	address := r.c.Request().URL.EscapedPath() + "?" + values.Encode()
	return &address
}

// page is where people read of something: an address of a page of this server.
func (r *request) page(parts ...string) string {
	address := r.Public.String() + "/w/" + journal.Segment(r.at.Workspace.Slug) + "/agents"
	for _, part := range parts {
		address += "/" + part
	}
	return address
}
