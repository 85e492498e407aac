package projectpages

import (
	"strconv"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/ui"
)

// narrowing is the form that narrows a list of a root. What agents wrote stands in no address: their values are
// numbered, in the order in which they were met.
type narrowing struct {
	at     templ.SafeURL // the list without any filter
	fields []narrowField
	on     int // how many filters are set
}

// narrowField is one filter of the form.
type narrowField struct {
	name, label string
	kind        string // "choice"; or of an input: "text", "date", "hidden"
	values      []choosable
	value       string // of an input, what a person typed
}

// choosable is one of the values of a choice.
type choosable struct {
	value, word string // the word is an agent's, made plain, or ours
	on          bool
}

// pick adds a choice among what agents wrote, and returns the one that the address asks for; "" is any. What somebody
// has typed into the address stands for itself.
func (r *rootRequest) pick(n *narrowing, name, label string, each func(yield func(string))) string {
	met, all := map[string]bool{"": true}, []string{}
	each(func(value string) {
		if !met[value] {
			met[value] = true
			all = append(all, value)
		}
	})
	asked := r.fields.Get(name)
	chosen := asked
	if at := ui.KeyNumber(asked, len(all)); at > 0 {
		chosen = all[at-1]
	}
	if chosen != "" {
		n.on++
	} else if len(all) < 2 {
		return ""
	}
	f := narrowField{name: name, label: label, kind: "choice", values: []choosable{{"", r.say("any"), chosen == ""}}}
	for i, value := range ui.FirstItems(all) {
		f.values = append(f.values, choosable{strconv.Itoa(i + 1), agenttext.Plain(value), value == chosen})
	}
	if chosen != "" && (!met[chosen] || len(all) > agenttext.MostItems) {
		f.values = append(f.values, choosable{asked, agenttext.Plain(chosen), true})
	}
	n.fields = append(n.fields, f)
	return chosen
}

// offer adds a choice among words of the protocol, each with what a page calls it; the first is the one without a choice.
func (r *rootRequest) offer(n *narrowing, name, label string, words ...[2]string) string {
	f, chosen := narrowField{name: name, label: label, kind: "choice"}, ""
	for i, word := range words {
		on := word[0] == r.fields.Get(name)
		if on && i > 0 {
			chosen = word[0]
			n.on++
		}
		f.values = append(f.values, choosable{word[0], word[1], on})
	}
	n.fields = append(n.fields, f)
	return chosen
}

// typed adds a field to write in, and returns what it holds.
func (r *rootRequest) typed(n *narrowing, name, label, kind string) string {
	value := r.fields.Get(name)
	if value != "" && kind != "hidden" {
		n.on++
	}
	if value != "" || kind != "hidden" {
		n.fields = append(n.fields, narrowField{name: name, label: label, kind: kind, value: value})
	}
	return value
}

// numberOf is the number by which an address asks for a value that pick would offer; "" when it offers none.
func numberOf(value string, each func(yield func(string))) string {
	met, found := map[string]bool{"": true}, ""
	each(func(v string) {
		if found == "" && !met[v] {
			if v == value {
				found = strconv.Itoa(len(met))
			}
			met[v] = true
		}
	})
	return found
}
