package sqlstore

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// cursor is the place of a row in a list: its lane, what its lane is ordered by, and what tells rows apart that are equal
// in that. It needn't be the place of a row that still exists.
type cursor struct {
	lane    int
	key, no int64
	name    string
}

// String returns the cursor as URLs contain it.
func (c cursor) String() string {
	s := strconv.Itoa(c.lane) + "." + strconv.FormatInt(c.key, 36) + "." + strconv.FormatInt(c.no, 36)
	if c.name != "" {
		s += "." + base64.RawURLEncoding.EncodeToString([]byte(c.name))
	}
	return s
}

// parseCursor is the inverse of cursor.String; ok is false if s isn't a cursor.
func parseCursor(s string) (c cursor, ok bool) {
	parts := strings.SplitN(s, ".", 4)
	if len(parts) < 3 || len(s) > 2000 {
		return c, false
	}
	lane, err := strconv.Atoi(parts[0])
	if err != nil {
		return c, false
	}
	if c.key, err = strconv.ParseInt(parts[1], 36, 64); err != nil {
		return c, false
	}
	if c.no, err = strconv.ParseInt(parts[2], 36, 64); err != nil {
		return c, false
	}
	if len(parts) == 4 {
		name, err := base64.RawURLEncoding.DecodeString(parts[3])
		if err != nil {
			return c, false
		}
		c.name = sqldb.CleanText(string(name))
	}
	c.lane = lane
	return c, true
}

// window is a store.Slice whose cursor has been parsed.
type window struct {
	at   *cursor // nil at the start of the list
	back bool    // the rows before at, next to it
	from int     // rows to skip, without a cursor
	n    int     // rows on the page
}

func windowOf(part store.Slice) window {
	w := window{n: sqldb.PageSize(part.N), from: max(0, part.From)}
	text, back := part.After, false
	if text == "" {
		text, back = part.Before, true
	}
	if c, ok := parseCursor(text); ok {
		w.at, w.back, w.from = &c, back, 0
	}
	return w
}

// row is an item with its place.
type row[T any] struct {
	item T
	at   cursor
}

// pageOf makes a page of the rows that a query for n+1 rows returned, nearest to the window's cursor first.
func pageOf[T any](w window, rows []row[T]) *store.Page[T] {
	more := len(rows) > w.n
	if more {
		rows = rows[:w.n]
	}
	if w.back {
		slices.Reverse(rows)
	}
	page := &store.Page[T]{}
	for i := range rows {
		page.Items = append(page.Items, rows[i].item)
	}
	if len(rows) == 0 {
		if w.at != nil && !w.back {
			page.Prev = w.at.String() // everything behind the cursor is gone
		}
		return page
	}
	if w.back && more || !w.back && (w.at != nil || w.from > 0) {
		page.Prev = rows[0].at.String()
	}
	if w.back || more {
		page.Next = rows[len(rows)-1].at.String()
	}
	return page
}

// order is how a list, or a lane of one, is ordered: by two columns, both in the same direction.
type order struct {
	key, no    string
	descending bool
}

// apply restricts a query to the window and orders it.
func (o order) apply(q *sqldb.Where, w window, lane int) {
	sign, word := ">", ""
	if o.descending != w.back {
		sign, word = "<", " DESC"
	}
	if w.at != nil && w.at.lane == lane {
		q.And(` AND (`+o.key+`, `+o.no+`) `+sign+` ($%d, `, w.at.key)
		q.And(`$%d)`, w.at.no)
	}
	q.SQL += ` ORDER BY ` + o.key + word + `, ` + o.no + word
}
