package ui

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/internal/journal"
)

// Item is a row of a list, whatever it is about.
type Item struct {
	Href   templ.SafeURL   // where it leads; "" is nowhere
	Lead   templ.Component // a picture before it; nil is none
	Title  templ.Component
	Gist   templ.Component   // a line about it; nil is none
	Notes  []templ.Component // small facts, with dots between them
	Signs  []Sign
	More   templ.Component // what stands below them; nil is nothing
	Side   templ.Component // a time; nil is none
	Needed bool            // a person is owed
	Depth  int             // how far it is set in, below the row that it belongs to
}

// Class is the class attribute of what every row of a list has. templ's own list of classes makes two maps for each.
func Class(names string) templ.OrderedAttributes {
	return templ.OrderedAttributes{{Key: "class", Value: names}}
}

// Note adds a small fact.
func (i *Item) Note(c templ.Component) { i.Notes = append(i.Notes, c) }

// AgentNote adds a small fact that an agent wrote, unless it is empty.
func (i *Item) AgentNote(words string) {
	if words != "" {
		i.Note(agenttext.Line(words))
	}
}

// Sign adds a sign.
func (i *Item) Sign(kind, word string) { i.Signs = append(i.Signs, Sign{kind, word}) }

// Facts are labelled values.
type Facts struct {
	Ctx  context.Context
	List []templ.Component // a label of ours, a value, and so on
}

// Lines adds what an agent wrote: a label of ours, its value, and so on. Empty values are left out; one whose label
// begins with "#" is meant for machines.
func (f *Facts) Lines(pairs ...string) *Facts {
	for i := 0; i+1 < len(pairs); i += 2 {
		label, code := strings.CutPrefix(pairs[i], "#")
		switch value := pairs[i+1]; {
		case value == "":
		case code:
			f.Add(label, Ident(value))
		default:
			f.Add(label, agenttext.Line(value))
		}
	}
	return f
}

// Add adds any value.
func (f *Facts) Add(label string, value templ.Component) *Facts {
	f.List = append(f.List, SentenceText(i18n.Say(f.Ctx, label)), value)
	return f
}

// Choice is a link that narrows a list.
type Choice struct {
	Kind  string // of its sign; "" is none
	Word  templ.Component
	Count int // not shown if it is negative
	Href  templ.SafeURL
	On    bool
}

// Filters is one row of links that narrow a list of an agent.
func Filters(site Site, label string, path []string, options []Filter) templ.Component {
	links := make([]Choice, len(options))
	for i, f := range options {
		links[i] = Choice{f.Kind, SentenceText(f.Word), f.Count, site.List(f.Query, path...), f.On}
	}
	return Choices(label, links)
}

// Pager leads through the parts of a list of an agent.
func Pager(site Site, path []string, q journal.Query, from, shown, total int) templ.Component {
	return PagerTo(site.List(FromItem(q, max(0, from-q.Size())), path...), site.List(FromItem(q, from+shown), path...), from, shown, total)
}

// Block is a section with a heading of ours.
func Block(title string, parts ...templ.Component) templ.Component {
	return WordBlock(SentenceText(title), parts...)
}

// LinkTo are words that lead somewhere, if there is a place to lead to.
func LinkTo(to templ.SafeURL, words templ.Component) templ.Component {
	if to == "" {
		return words
	}
	return Link(to, words)
}
