package components

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/internal/journal"
)

// item is a row of a list, whatever it is about.
type item struct {
	to     templ.SafeURL   // where it leads; "" is nowhere
	lead   templ.Component // a picture before it; nil is none
	title  templ.Component
	gist   templ.Component   // a line about it; nil is none
	notes  []templ.Component // small facts, with dots between them
	signs  []sign
	more   templ.Component // what stands below them; nil is nothing
	side   templ.Component // a time; nil is none
	needed bool            // a person is owed
	depth  int             // how far it is set in, below the row that it belongs to
}

// note adds a small fact.
func (i *item) note(c templ.Component) { i.notes = append(i.notes, c) }

// remark adds a small fact that an agent wrote, unless it is empty.
func (i *item) remark(words string) {
	if words != "" {
		i.note(agentLine(words))
	}
}

// mark adds a sign.
func (i *item) mark(kind, word string) { i.signs = append(i.signs, sign{kind, word}) }

// facts are labelled values.
type facts struct {
	ctx  context.Context
	list []templ.Component // a label of ours, a value, and so on
}

func (r *rootRequest) facts() *facts { return &facts{ctx: r.ctx} }

// lines adds what an agent wrote: a label of ours, its value, and so on. Empty values are left out; one whose label
// begins with "#" is meant for machines.
func (f *facts) lines(pairs ...string) *facts {
	for i := 0; i+1 < len(pairs); i += 2 {
		label, code := strings.CutPrefix(pairs[i], "#")
		switch value := pairs[i+1]; {
		case value == "":
		case code:
			f.put(label, ident(value))
		default:
			f.put(label, agentLine(value))
		}
	}
	return f
}

// put adds any value.
func (f *facts) put(label string, value templ.Component) *facts {
	f.list = append(f.list, spoken(say(f.ctx, label)), value)
	return f
}

// choice is a link that narrows a list.
type choice struct {
	kind  string // of its sign; "" is none
	word  templ.Component
	count int
	to    templ.SafeURL
	on    bool
}

// filters is one row of links that narrow a list of an agent.
func filters(site Site, label string, path []string, options []filter) templ.Component {
	links := make([]choice, len(options))
	for i, f := range options {
		links[i] = choice{f.kind, spoken(f.word), f.count, site.list(f.query, path...), f.on}
	}
	return choices(label, links)
}

// pager leads through the parts of a list of an agent.
func pager(site Site, path []string, q journal.Query, from, shown, total int) templ.Component {
	return pagerTo(site.list(turned(q, max(0, from-q.Size())), path...), site.list(turned(q, from+shown), path...), from, shown, total)
}

// block is a section with a heading of ours.
func block(title string, parts ...templ.Component) templ.Component {
	return wordBlock(spoken(title), parts...)
}

// linked are words that lead somewhere, if there is a place to lead to.
func linked(to templ.SafeURL, words templ.Component) templ.Component {
	if to == "" {
		return words
	}
	return link(to, words)
}
