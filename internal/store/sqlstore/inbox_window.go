package sqlstore

import (
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/internal/listquery"
)

// placedAsk is an ask of a tab with its place there. Places are in the order of Key.Text, then Key.Number, then of the
// numbers that their IDs are.
type placedAsk = row[inboxEntry]

// Groups of a tab, as Key.Text: the second comes after the first, whatever its numbers are.
const (
	firstGroup  = ""
	secondGroup = "2"
)

// placed gives asks their places.
func placed(all []inboxEntry, place func(i int) listquery.Cursor) []placedAsk {
	rows := make([]placedAsk, len(all))
	for i := range all {
		rows[i] = placedAsk{all[i], place(i)}
	}
	return rows
}

// placeIn is the place of an ask in a group that is ordered by a number, then by the number of the ask.
func placeIn(group string, number, no int64) listquery.Cursor {
	at := placeOf(number, no)
	at.Key.Text = group
	return at
}

// longestFirst gives asks their places in a group where the longest wait comes first.
func longestFirst(all []inboxEntry, group string) []placedAsk {
	return placed(all, func(i int) listquery.Cursor { return placeIn(group, all[i].since-all[i].earlierWait, all[i].no) })
}

func comparePlaces(a, b listquery.Cursor) int {
	if c := strings.Compare(a.Key.Text, b.Key.Text); c != 0 {
		return c
	}
	if a.Key.Number != b.Key.Number {
		return compareInt64(a.Key.Number, b.Key.Number)
	}
	return compareInt64(numberOf(a), numberOf(b))
}

// numberOf is the number that the ID of a cursor is; 0 if it is none.
func numberOf(c listquery.Cursor) int64 {
	n, _ := strconv.ParseInt(c.ID, 10, 64)
	return n
}

// includes reports whether a place is on the side of the window's cursor that is shown.
func (w *window) includes(at listquery.Cursor) bool {
	switch {
	case w.at == nil:
		return true
	case w.back:
		return comparePlaces(at, *w.at) < 0
	}
	return comparePlaces(at, *w.at) > 0
}

// nearest returns the rows that a page and the check for more need, nearest to the window's cursor first.
func (w *window) nearest(rows []placedAsk) []placedAsk {
	rows = slices.DeleteFunc(rows, func(x placedAsk) bool { return !w.includes(x.at) })
	slices.SortFunc(rows, func(a, b placedAsk) int {
		if w.back {
			a, b = b, a
		}
		return comparePlaces(a.at, b.at)
	})
	return rows[:min(len(rows), w.N+1)]
}
