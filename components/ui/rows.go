package ui

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// RowsHeader is the header with which an open page asks for some of its rows alone: names of rows of agents, or "-" for none.
const RowsHeader = "Figs-Rows"

// MaxRows is how many agents one such request can name. A page of more is fetched whole.
const MaxRows = 100

// RowFilter is the rows that a page is asked for. Nil has all of them.
type RowFilter struct{ agents map[string]bool }

// ParseRows reads the header. Without one, or with one that is too long, it returns nil.
func ParseRows(header string) *RowFilter {
	names := strings.Fields(header)
	if len(names) == 0 || len(names) > MaxRows {
		return nil
	}
	f := &RowFilter{agents: map[string]bool{}}
	for _, name := range names {
		f.agents[name] = true
	}
	return f
}

// AgentRow names what a page shows of an agent, in its data-live attribute. Scripts find it again on the page of a moment later.
func AgentRow(agent string) string { return "a:" + agent }

// AskRow is AgentRow of an ask.
func AskRow(agent, ask string) string { return "a:" + agent + "/" + ask }

// Has reports whether a row is asked for: each with its agent.
func (f *RowFilter) Has(row string) bool {
	if f == nil {
		return true
	}
	agent, _, _ := strings.Cut(row, "/")
	return f.agents[agent]
}

// Row is a row if the page is asked for it. Otherwise it is an empty element that tells scripts where the row is.
func (f *RowFilter) Row(element, name string, row templ.Component) templ.Component {
	if f.Has(name) {
		return row
	}
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, "<"+element+` data-live="`+templ.EscapeString(name)+`" data-same></`+element+">")
		return err
	})
}
