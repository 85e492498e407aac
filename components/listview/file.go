package listview

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/internal/listquery"
)

// Formats are the formats of Write.
var Formats = []string{"csv", "json"}

// Write writes rows as a file: a CSV table with the columns' names as its head, or a JSON array of objects with these names.
// Times are RFC 3339 in UTC.
func (l *List[T]) Write(w io.Writer, format string, rows []T) error {
	if format == "json" {
		return l.writeJSON(w, rows)
	}
	table := csv.NewWriter(w)
	columns := l.valued()
	var head []string
	for _, c := range columns {
		head = append(head, c.Name)
	}
	if err := table.Write(head); err != nil {
		return err
	}
	cells := make([]string, len(head))
	for i := range rows {
		for k, c := range columns {
			cells[k] = CSVCell(c.value(&rows[i]))
		}
		if err := table.Write(cells); err != nil {
			return err
		}
	}
	table.Flush()
	return table.Error()
}

// CSVCell puts an apostrophe before a value that a spreadsheet would take for a formula.
func CSVCell(value string) string {
	if value != "" && strings.ContainsRune("=+-@\t\r", rune(value[0])) {
		return "'" + value
	}
	return value
}

func (l *List[T]) writeJSON(w io.Writer, rows []T) error {
	columns := l.valued()
	all := make([]map[string]any, len(rows))
	for i := range rows {
		all[i] = make(map[string]any, len(columns))
		for _, c := range columns {
			if c.Kind == listquery.Number && c.Number != nil {
				all[i][c.Name] = c.Number(&rows[i])
			} else {
				all[i][c.Name] = c.value(&rows[i])
			}
		}
	}
	return json.NewEncoder(w).Encode(all)
}

// valued are the columns that have a value beside their looks.
func (l *List[T]) valued() (all []*Column[T]) {
	for i := range l.Columns {
		if c := &l.Columns[i]; c.Text != nil || c.Number != nil {
			all = append(all, c)
		}
	}
	return all
}

// titles are the headings of the columns that are shown.
func (v *view) titles() (all []string) {
	for _, h := range v.heads {
		if h.shown {
			all = append(all, h.title)
		}
	}
	return all
}

// ordered says how the list is ordered by a column.
func ordered(h head) templ.Attributes {
	if h.order == "" {
		return nil
	}
	return templ.Attributes{"aria-sort": h.order}
}
