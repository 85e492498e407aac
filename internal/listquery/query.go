// Package listquery has the query of a list (filter, order, position, columns), as a page's URL contains it, and answers
// it for lists in memory. Lists in a database take the same Query and Filter and build their own conditions, with
// parameters only.
package listquery

import (
	"net/url"
	"strconv"
	"strings"
)

// PageSize is the default number of rows on a page; MaxPageSize is the most that a URL can ask for.
const (
	PageSize    = 50
	MaxPageSize = 200
)

// Query says which rows of a list are shown. The zero value is the first page of all rows in the list's own order. Its URL
// parameters are q, sort, after, before, n and columns.
type Query struct {
	Filter        string   // see Filter
	Sort          string   // name of a column, with "-" before it for descending order; "" for the list's own order
	After, Before string   // a Cursor: show the rows after it, or those before it; not both
	N             int      // rows on a page; 0 for PageSize
	Columns       []string // names of the columns to show; nil for the list's own choice
}

// Parse reads the parameters of a query. What it can't use it ignores, so that old URLs keep working.
func Parse(values url.Values) Query {
	q := Query{Filter: cut(values.Get("q")), Sort: cut(values.Get("sort")), After: values.Get("after"), Before: values.Get("before")}
	if q.After != "" {
		q.Before = ""
	}
	if n, err := strconv.Atoi(values.Get("n")); err == nil && n > 0 {
		q.N = min(n, MaxPageSize)
	}
	for _, list := range values["columns"] { // a form sends one for each box that is ticked
		for name := range strings.SplitSeq(list, ",") {
			if name = cut(name); name != "" && len(q.Columns) < 50 {
				q.Columns = append(q.Columns, name)
			}
		}
	}
	return q
}

// cut shortens a text to what a filter reads.
func cut(s string) string { return strings.TrimSpace(strings.ToValidUTF8(s[:min(len(s), 1000)], "")) }

// Values is the inverse of Parse.
func (q Query) Values() url.Values {
	v := url.Values{}
	for name, value := range map[string]string{"q": q.Filter, "sort": q.Sort, "after": q.After, "before": q.Before, "columns": strings.Join(q.Columns, ",")} {
		if value != "" {
			v.Set(name, value)
		}
	}
	if q.N > 0 && q.N != PageSize {
		v.Set("n", strconv.Itoa(q.N))
	}
	return v
}

// String is the query of a URL; "" for the zero value.
func (q Query) String() string { return q.Values().Encode() }

// Canonical is the query of a list's URL as saved views contain it: parameters in the order of their names, without those of
// the page (after, before) and those that no view has (notice, format).
func Canonical(query string) (string, error) {
	values, err := url.ParseQuery(query)
	for _, name := range []string{"after", "before", "notice", "format"} {
		values.Del(name)
	}
	return values.Encode(), err
}

// First is the first page of the same query.
func (q Query) First() Query {
	q.After, q.Before = "", ""
	return q
}

// Size returns the number of rows on a page.
func (q Query) Size() int {
	if q.N <= 0 {
		return PageSize
	}
	return min(q.N, MaxPageSize)
}

// Order returns the name of the column to order by, and whether from high to low.
func (q Query) Order() (column string, descending bool) {
	column, descending = strings.CutPrefix(q.Sort, "-")
	return column, descending
}
