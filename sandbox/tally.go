package sandbox

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/sandbox/report"
)

// telling is the order in which removed things are listed: what a decision hangs on comes first.
var telling = []report.RemovalKind{
	report.Scripts, report.Handlers, report.Redirects, report.Loads, report.Frames, report.Forms,
	report.Addresses, report.Foreign, report.Data, report.Elements, report.Attributes, report.Styles, report.Comments,
}

// tally counts what a rendering took out and what it found. Its zero value is ready.
type tally struct {
	removed map[report.RemovalKind]*report.Removal
	hosts   map[string]int
	links   []report.Link
	more    report.Counts
	quiet   bool // count nothing more
}

// remove counts a removed thing. example is the name of an element, attribute, property or scheme.
func (t *tally) remove(what report.RemovalKind, example string) {
	t.add(report.Removal{What: what, Count: 1, Example: example})
}

func (t *tally) add(r report.Removal) {
	if t.quiet || r.Count == 0 {
		return
	}
	if t.removed == nil {
		t.removed = map[report.RemovalKind]*report.Removal{}
	}
	known := t.removed[r.What]
	if known == nil {
		r.Example = shorten(r.Example, 60)
		t.removed[r.What] = &r
		return
	}
	known.Count += r.Count
	if known.Example == "" {
		known.Example = shorten(r.Example, 60)
	}
}

// load counts an address that the content wanted to load.
func (t *tally) load(what report.RemovalKind, example, address string) {
	t.remove(what, example)
	t.host(hostOf(address))
}

// host counts a host that the content wanted to load from. Beyond a thousand different ones it
// counts them as left out.
func (t *tally) host(name string) {
	if t.quiet || name == "" {
		return
	}
	if t.hosts == nil {
		t.hosts = map[string]int{}
	}
	if _, known := t.hosts[name]; !known && len(t.hosts) >= 1000 {
		t.more.Hosts++
		return
	}
	t.hosts[name]++
}

// full reports whether a further link would only be counted.
func (t *tally) full() bool { return t.quiet || len(t.links) >= report.MaxItems }

func (t *tally) link(l report.Link) {
	switch {
	case t.quiet:
	case len(t.links) >= report.MaxItems:
		t.more.Links++
	default:
		l.Text, l.Address, l.Host = shorten(l.Text, 200), shorten(l.Address, 500), shorten(l.Host, 260)
		t.links = append(t.links, l)
	}
}

// fill puts the tally into the result.
func (t *tally) fill(r *report.Result) {
	for _, what := range telling {
		if x := t.removed[what]; x != nil {
			r.Removed = append(r.Removed, *x)
		}
	}
	for name, n := range t.hosts {
		r.Hosts = append(r.Hosts, report.Host{Name: shorten(name, 260), Count: n})
	}
	sort.Slice(r.Hosts, func(i, j int) bool {
		a, b := r.Hosts[i], r.Hosts[j]
		return a.Count > b.Count || a.Count == b.Count && a.Name < b.Name
	})
	if n := len(r.Hosts) - report.MaxItems; n > 0 {
		r.Hosts = r.Hosts[:report.MaxItems]
		t.more.Hosts += n
	}
	r.Links = t.links
	r.More.Hosts, r.More.Links = t.more.Hosts, t.more.Links
}

// shorten cuts s to at most n bytes of whole characters, and says so with an ellipsis.
func shorten(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	for n -= len("…"); n > 0 && !utf8.RuneStart(s[n]); n-- {
	}
	return strings.Clone(s[:n]) + "…"
}

// squeeze makes one space of every stretch of white space. It reads no more than the lists show.
func squeeze(s string) string {
	if len(s) > 4096 {
		s = s[:4096]
	}
	return strings.Join(strings.Fields(s), " ")
}
