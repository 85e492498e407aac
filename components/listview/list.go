// Package listview shows a list as a table with a filter, sortable and selectable columns, pages, saved views and files.
// A list is defined once, as a List: pages, filters, orders and files follow from its columns.
package listview

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/listquery"
)

// Column is a column of a list.
type Column[T any] struct {
	listquery.Column[T]
	Title string                   // heading; a sentence of ours
	Cell  func(*T) templ.Component // nil for Text, or the time of a Time column
	Extra bool                     // shown only if it is chosen
	Fixed bool                     // the database has it, but can't order by it

	Suggested bool // the values on the page are suggested as filters
}

// List is a list of rows. The first column names the row.
type List[T any] struct {
	Name    string // in saved views and the names of files: "members"
	Title   string // what it lists, for screen readers; a sentence of ours
	ID      func(*T) string
	Columns []Column[T]
	Default string                   // listquery.Query.Sort of the list's own order
	Actions func(*T) templ.Component // links and forms of a row; nil for none
	Empty   templ.Component          // shown if there are no rows at all
	Live    func(*T) string          // data-live key of a row, which keeps it up to date; nil for none
	Above   templ.Component          // between the filter and the rows; nil for nothing
	Rows    templ.Component          // shows the rows, of which the list shows a table if it is nil
}

// Request is what a page's URL says about its list, and what the server knows about it.
type Request struct {
	Here  templ.SafeURL // of the page: "/w/acme/settings"
	Query listquery.Query
	Keep  url.Values // other parameters of the page, which its links and forms keep
	ui.SavedViews
}

// To is the URL of the page with another query.
func (r *Request) To(q listquery.Query) templ.SafeURL {
	if query := r.values(q).Encode(); query != "" {
		return r.Here + "?" + templ.SafeURL(query)
	}
	return r.Here
}

// values are the parameters of the page with another query.
func (r *Request) values(q listquery.Query) url.Values {
	v := q.Values()
	maps.Copy(v, r.Keep)
	return v
}

// current is the query of the page, from its first row on.
func (r *Request) current() string { return r.values(r.Query.First()).Encode() }

// file is the URL of the filtered list as a file.
func (r *Request) file(format string) templ.SafeURL {
	v := r.values(r.Query.First())
	v.Set("format", format)
	return r.Here + "?" + templ.SafeURL(v.Encode())
}

// InMemory is the list without its looks.
func (l *List[T]) InMemory() *listquery.List[T] {
	plain := &listquery.List[T]{ID: l.ID, Default: l.Default}
	for _, c := range l.Columns {
		plain.Columns = append(plain.Columns, c.Column)
	}
	return plain
}

// Show filters, orders and cuts rows, and shows them.
func (l *List[T]) Show(ctx context.Context, site ui.Site, r Request, rows []T) templ.Component {
	v := l.view(ctx, site, r, l.InMemory().Select(rows, r.Query))
	v.suggestions = suggestions(l, rows)
	return table(v)
}

// ShowPage shows a page that a database selected. Total is -1 if it wasn't counted; values are suggested as filters,
// and so are the names on the page.
func (l *List[T]) ShowPage(ctx context.Context, site ui.Site, r Request, page listquery.Page[T], values []string) templ.Component {
	v := l.view(ctx, site, r, page)
	v.suggestions = append(names(l, page.Items), values...)
	return table(v)
}

// view is a list as the template shows it.
type view struct {
	Request
	name, title string
	heads       []head
	rows        []row
	from, total int
	shown, all  int
	prev, next  string
	unknown     []string
	suggestions []string
	actions     bool
	empty       templ.Component
	above, grid templ.Component
	live        bool
	isPart      bool // only some rows are asked for, and not what is around them
}

type head struct {
	name, title string
	shown       bool
	sort        string // Query.Sort of its link; "" if the list can't be ordered by it
	order       string // aria-sort: "ascending", "descending" or ""
	number      bool
}

type row struct {
	cells   []templ.Component // of all columns that are shown
	actions templ.Component
	live    templ.Attributes
}

func (l *List[T]) view(ctx context.Context, site ui.Site, r Request, page listquery.Page[T]) *view {
	v := &view{Request: r, name: l.Name, title: l.Title, from: page.From, total: page.Total, all: page.All, shown: len(page.Items), prev: page.Prev, next: page.Next, unknown: page.Unknown, actions: l.Actions != nil, empty: l.Empty, above: l.Above, grid: l.Rows, live: l.Live != nil, isPart: site.Rows != nil}
	asked := r.Query.Sort
	if name, _ := r.Query.Order(); !slices.ContainsFunc(l.Columns, func(c Column[T]) bool { return c.Name == name }) {
		asked = l.Default
	}
	column, descending := listquery.Query{Sort: asked}.Order()
	for i, c := range l.Columns {
		h := head{name: c.Name, title: c.Title, shown: i == 0 || !c.Extra, number: c.Kind == listquery.Number && c.Cell == nil}
		if r.Query.Columns != nil {
			h.shown = i == 0 || slices.Contains(r.Query.Columns, c.Name)
		}
		if c.Sortable() && !c.Fixed {
			h.sort = c.Name
			switch {
			case c.Name == column && descending:
				h.order = "descending"
			case c.Name == column:
				h.order, h.sort = "ascending", "-"+c.Name
			case c.Number != nil:
				h.sort = "-" + c.Name // newest and largest first
			}
		}
		v.heads = append(v.heads, h)
	}
	for i := range page.Items {
		if v.grid != nil {
			break
		}
		item := &page.Items[i]
		var x row
		if l.Live != nil {
			x.live = templ.Attributes{"data-live": l.Live(item)}
			if !site.Rows.Has(l.Live(item)) {
				x.live["data-same"] = true // without cells
				v.rows = append(v.rows, x)
				continue
			}
		}
		for k := range l.Columns {
			if v.heads[k].shown {
				x.cells = append(x.cells, l.Columns[k].cell(site, item))
			}
		}
		if l.Actions != nil {
			x.actions = l.Actions(item)
		}
		v.rows = append(v.rows, x)
	}
	return v
}

// cell is what a row shows in a column.
func (c *Column[T]) cell(site ui.Site, item *T) templ.Component {
	switch {
	case c.Cell != nil:
		return c.Cell(item)
	case c.Kind == listquery.Time && c.Number(item) == 0:
		return templ.NopComponent
	case c.Kind == listquery.Time:
		return ui.WhenAt(site, c.Number(item))
	case c.Text == nil:
		return number(c.Number(item))
	}
	return agenttext.Line(c.Text(item))
}

// value is what files contain of a row in a column.
func (c *Column[T]) value(item *T) string {
	switch {
	case c.Kind == listquery.Time && c.Number(item) == 0:
		return ""
	case c.Kind == listquery.Time:
		return time.UnixMicro(c.Number(item)).UTC().Format(time.RFC3339)
	case c.Text != nil:
		return c.Text(item)
	case c.Number != nil:
		return strconv.FormatInt(c.Number(item), 10)
	}
	return ""
}

// mostSuggestions is how many values of a column are offered.
const mostSuggestions = 12

// suggestions are filters to choose from: the values of columns that have few.
func suggestions[T any](l *List[T], rows []T) (all []string) {
	for _, c := range l.Columns {
		if c.Kind != listquery.Word || c.Text == nil {
			continue
		}
		var values []string
		for i := range rows {
			if value := c.Text(&rows[i]); isWord(value) && len(values) <= mostSuggestions && !slices.Contains(values, value) {
				values = append(values, value)
			}
		}
		if slices.Sort(values); len(values) > mostSuggestions {
			continue
		}
		for _, value := range values {
			all = append(all, c.Name+":"+value)
		}
	}
	return all
}

// names are filters to choose from: the names on a page, without those that a filter can't contain as they are.
func names[T any](l *List[T], rows []T) (all []string) {
	for _, c := range l.Columns {
		if !c.Suggested {
			continue
		}
		var values []string
		for i := range rows {
			name := c.Text(&rows[i])
			if name != "" && len(name) <= 60 && !strings.Contains(name, `"`) && ui.CleanTitle(agenttext.Plain(name)) == name && !slices.Contains(values, name) {
				values = append(values, name)
			}
		}
		slices.Sort(values)
		for _, name := range values {
			if strings.ContainsAny(name, " \t") {
				name = `"` + name + `"`
			}
			all = append(all, c.Name+":"+name)
		}
	}
	return all
}

// isWord reports whether a value is a word of ours.
func isWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '.' })
}

// count says how many rows there are.
func (v *view) count(ctx context.Context) string {
	switch {
	case v.total < 0:
		return ""
	case v.total != v.all:
		return i18n.Say(ctx, "%s of %s", i18n.Number(ctx, v.total), i18n.Number(ctx, v.all))
	default:
		return i18n.Count(ctx, v.total, "%d row", "%d rows")
	}
}

// paged says which rows are shown, if these aren't all.
func (v *view) paged(ctx context.Context) string {
	if v.prev == "" && v.next == "" {
		return ""
	}
	if v.total < 0 {
		return i18n.Count(ctx, v.shown, "%d on this page", "%d on this page")
	}
	return i18n.Say(ctx, "%s to %s of %s", i18n.Number(ctx, min(v.from+1, v.total)), i18n.Number(ctx, v.from+v.shown), i18n.Number(ctx, v.total))
}

// narrowed reports whether a filter is on.
func (v *view) narrowed() bool { return v.Query.Filter != "" }

func (v *view) sorted(sort string) templ.SafeURL {
	q := v.Query.First()
	q.Sort = sort
	return v.To(q)
}

func (v *view) before() templ.SafeURL {
	q := v.Query.First()
	q.Before = v.prev
	return v.To(q)
}

func (v *view) after() templ.SafeURL {
	q := v.Query.First()
	q.After = v.next
	return v.To(q)
}

func (v *view) unfiltered() templ.SafeURL {
	q := v.Query.First()
	q.Filter = ""
	return v.To(q)
}

// keep are the parameters, beside those that a form has fields for, that it sends.
func (v *view) keep(without ...string) (all [][2]string) {
	for name, values := range v.values(v.Query.First()) {
		if !slices.Contains(without, name) {
			all = append(all, [2]string{name, values[0]})
		}
	}
	slices.SortFunc(all, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return all
}
