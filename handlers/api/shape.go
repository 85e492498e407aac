package api

import (
	"net/url"
	"strconv"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/recordjson"
)

// list is a part of a list whose length is known.
type list[T any] struct {
	Items []T     `json:"items"`
	From  int     `json:"from"`
	Total int     `json:"total"`
	Next  *string `json:"next"` // address of the next part
	// AtLeast means that Total isn't exact: there are that many or more.
	AtLeast bool `json:"atLeast,omitempty"`
}

// listOf makes a part of a list from a page of a journal.
func listOf[T, S any](r *request, page *journal.Page[S], convert func(*S) T) list[T] {
	l := list[T]{Items: recordjson.Each(page.Items, convert), From: page.From, Total: page.Total, AtLeast: page.AtLeast}
	if page.Next != "" {
		l.Next = r.nextBy("after", page.Next)
	} else if page.Prev == "" {
		l.Next = r.next(page.From, len(l.Items), page.From+len(l.Items) < page.Total)
	}
	return l
}

// next is the address of the part of a list after this one; nil when there is none.
func (r *request) next(from, shown int, more bool) *string {
	if !more || shown == 0 {
		return nil
	}
	return r.nextBy("from", strconv.Itoa(from+shown))
}

// nextBy is the address of the same list at another place.
func (r *request) nextBy(key, value string) *string {
	values, _ := url.ParseQuery(r.query)
	values.Del("from")
	values.Set(key, value)
	address := r.c.Request().URL.EscapedPath() + "?" + values.Encode()
	return &address
}

// nextAfter is the address of the next page of a list whose pages have no numbers; nil if cursor is "".
func (r *request) nextAfter(cursor string) *string {
	if cursor == "" {
		return nil
	}
	values, _ := url.ParseQuery(r.query)
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
