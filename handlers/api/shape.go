package api

import (
	"encoding/json"
	"net/url"
	"strconv"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// list is a part of a list whose length is known.
type list[T any] struct {
	Items []T     `json:"items"`
	From  int     `json:"from"`
	Total int     `json:"total"`
	Next  *string `json:"next"` // address of the next part
}

// listOf makes a part of a list from a page of a journal.
func listOf[T, S any](r *request, page *journal.Page[S], of func(*request, *S) T) list[T] {
	l := list[T]{Items: each(r, page.Items, of), From: page.From, Total: page.Total}
	l.Next = r.next(page.From, len(l.Items), page.From+len(l.Items) < page.Total)
	return l
}

// each is never null in JSON.
func each[T, S any](r *request, items []S, of func(*request, *S) T) []T {
	out := make([]T, len(items))
	for i := range items {
		out[i] = of(r, &items[i])
	}
	return out
}

// next is the address of the part of a list after this one; nil when there is none.
func (r *request) next(from, shown int, more bool) *string {
	if !more || shown == 0 {
		return nil
	}
	values, _ := url.ParseQuery(r.query)
	values.Set("from", strconv.Itoa(from+shown))
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

// when is an instant in RFC 3339; nil when it is not known.
func when(at int64) *string {
	if at == figs.NoTime || at == 0 {
		return nil
	}
	text := time.UnixMicro(at).UTC().Format("2006-01-02T15:04:05.999999Z07:00")
	return &text
}

// words is a text that may be missing.
func words(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// person is somebody of the workspace.
type person struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func personOf(p journal.Person) *person {
	if p.ID == "" {
		return nil
	}
	return &person{p.ID, p.Name}
}

// erased is what stays of a text or of bytes that an owner erased.
type erased struct {
	At     *string `json:"at"`
	By     *person `json:"by"`
	Why    string  `json:"why"`
	SHA256 *string `json:"sha256"`
	Came   *string `json:"came_again"`
}

func erasedOf(e *journal.Erased) *erased {
	if e == nil {
		return nil
	}
	return &erased{when(e.At), personOf(e.By), e.Why, words(e.SHA256), when(e.Came)}
}

// raw is a record as the agent wrote it; nil when it is none.
func raw(b []byte) json.RawMessage {
	if !json.Valid(b) {
		return nil
	}
	return b
}

// moment is a version of a record.
type moment struct {
	TS       *string         `json:"ts"`
	At       *string         `json:"at"`
	Received *string         `json:"received"`
	PushedBy *person         `json:"pushed_by"`
	Round    int             `json:"round,omitempty"`
	Changed  []string        `json:"changed"`
	Files    []file          `json:"files"`
	Lines    int             `json:"lines"`
	Line     json.RawMessage `json:"line"`
}

func momentOf(r *request, m *journal.Moment) moment {
	changed := m.Changed
	if changed == nil {
		changed = []string{}
	}
	return moment{TS: words(m.Place.TS), At: when(m.At), Received: when(m.Received), PushedBy: personOf(m.PushedBy), Round: m.Round,
		Changed: changed, Files: each(r, m.Files, fileOf), Lines: max(1, m.Folded), Line: raw(m.Raw)}
}

// finding is one finding as `figs-web doctor --json` writes it.
func finding(_ *request, f *figs.Finding) json.RawMessage {
	return figs.AppendFinding(nil, f)
}
