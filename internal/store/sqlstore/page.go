package sqlstore

import (
	"slices"
	"strconv"

	"github.com/figs-web/figs-web/internal/listquery"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// window is a store.Slice whose cursor has been parsed.
type window struct {
	listquery.Query
	at   *listquery.Cursor // nil at the start of the list
	back bool              // the rows before at, next to it
}

func windowOf(part store.Slice) window {
	w := window{Query: listquery.Query{N: sqldb.PageSize(part.N)}}
	if c, ok := listquery.ParseCursor(part.After); ok {
		w.After, w.at = part.After, &c
	} else if c, ok := listquery.ParseCursor(part.Before); ok && part.After == "" {
		w.Before, w.at, w.back = part.Before, &c, true
	}
	return w
}

// row is an item with its place.
type row[T any] struct {
	item T
	at   listquery.Cursor
}

// placeOf is the place of a row that is ordered by two numbers.
func placeOf(key, no int64) listquery.Cursor {
	return listquery.Cursor{Key: listquery.Key{Number: key}, ID: strconv.FormatInt(no, 10)}
}

// pageOf makes a page of the rows that a query for one more than fit returned, nearest to the window's cursor first.
func pageOf[T any](w window, rows []row[T]) *store.Page[T] {
	if w.back {
		slices.Reverse(rows)
	}
	cut := listquery.Cut(w.Query, rows, func(x *row[T]) listquery.Cursor { return x.at })
	page := &store.Page[T]{Prev: cut.Prev, Next: cut.Next}
	for i := range cut.Items {
		page.Items = append(page.Items, cut.Items[i].item)
	}
	return page
}

// order is how a list, or a lane of one, is ordered: by two columns, both in the same direction.
type order struct {
	key, no    string
	descending bool
}

// apply restricts a query to the window and orders it.
func (o order) apply(q *sqldb.Where, w window) {
	sign, word := ">", ""
	if o.descending != w.back {
		sign, word = "<", " DESC"
	}
	if w.at != nil {
		q.And(` AND (`+o.key+`, `+o.no+`) `+sign+` ($%d, `, w.at.Key.Number)
		q.And(`$%d)`, numberOf(*w.at))
	}
	q.SQL += ` ORDER BY ` + o.key + word + `, ` + o.no + word
}
