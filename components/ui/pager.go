package ui

import (
	"context"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/internal/journal"
)

// PagerOf leads through the pages of a list, by cursors if the list has them.
func PagerOf[T any](site Site, path []string, q journal.Query, page *journal.Page[T]) templ.Component {
	return PagerShown(site, path, q, page, len(page.Items))
}

// PagerShown is PagerOf for a page that shows that many items.
func PagerShown[T any](site Site, path []string, q journal.Query, page *journal.Page[T], shown int) templ.Component {
	if page.Prev == "" && page.Next == "" {
		return Pager(site, path, q, page.From, shown, page.Total)
	}
	v := cursorPages{total: page.Total, atLeast: page.AtLeast, shown: shown}
	if page.Prev == "" || page.From > 0 {
		v.from = page.From + 1
	}
	if page.Prev != "" {
		v.earlier = site.List(AtCursor(q, "", page.Prev), path...)
	}
	if page.Next != "" {
		v.further = site.List(AtCursor(q, page.Next, ""), path...)
	}
	return cursorPager(v)
}

// AtCursor is the same query at another page.
func AtCursor(q journal.Query, after, before string) journal.Query {
	q.From, q.After, q.Before = 0, after, before
	return q
}

// cursorPages is what the pager of a list with cursors shows.
type cursorPages struct {
	earlier, further templ.SafeURL
	from             int // number of the first item, from 1; 0 if it isn't known
	shown, total     int
	atLeast          bool
}

// where says which part of the list is shown.
func (v *cursorPages) where(ctx context.Context) string {
	total := AtLeast(ctx, v.total, v.atLeast)
	if v.from > 0 {
		return i18n.Say(ctx, "%s to %s of %s", i18n.Number(ctx, v.from), i18n.Number(ctx, v.from+v.shown-1), total)
	}
	return i18n.Say(ctx, "%s of %s", i18n.Number(ctx, v.shown), total)
}

// AtLeast writes a number, with a plus sign if there are that many or more.
func AtLeast(ctx context.Context, n int, more bool) string {
	if more {
		return i18n.Number(ctx, n) + "+"
	}
	return i18n.Number(ctx, n)
}
