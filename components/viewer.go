package components

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/sandbox/report"
)

// compare is the tab beside the views of the report.
const compare = "compare"

// viewing is what the viewer of a page shows: a tab for each attachment, one of them open.
type viewing struct {
	agent  string
	path   string         // of the page, "/1/asks/2"
	all    string         // path of the page of all files around these, "/1/files"
	dir    string         // in which all of them lie, "runs/3/"; their names are shown without it
	files  []journal.File // a tab each
	others []journal.File // more to compare with: files of the ask's earlier rounds, or all
	open   int            // of files
	view   string         // a report.View, or compare
	with   string         // key of the file to compare with; "" when none is chosen
	sole   bool           // the page is about one file: its address need not name it
	wanted bool           // the address asks for a file or a view
	ask    string         // key of the sign-off for which the file was opened alone; ""
}

// opening is the part of an address that the viewer understands. ask is the sign-off for which somebody opened
// the page of one file.
type opening struct{ show, view, with, ask string }

func parseOpening(query string) opening {
	q, _ := url.ParseQuery(query) // what cannot be read is not asked for
	o := opening{q.Get("show"), q.Get("view"), q.Get("with"), q.Get("for")}
	if _, ok := journal.Named(o.ask); !ok {
		o.ask = ""
	}
	return o
}

// viewing opens the viewer on files as the address asks.
func (r *request) viewing(path string, files, others []journal.File) *viewing {
	v := openedAs(r.opening, path, files, others)
	v.agent, v.all = r.agent.Key, "/"+r.agent.Key+"/files"
	return v
}

// openedAs is the viewer of a page, opened on files as an address asks.
func openedAs(asked opening, path string, files, others []journal.File) *viewing {
	v := &viewing{path: path, files: files, others: others, view: asked.view, with: asked.with, wanted: asked != opening{}, ask: asked.ask}
	if at := slices.IndexFunc(files, func(f journal.File) bool { return f.Key != "" && f.Key == asked.show }); at >= 0 {
		v.open = at
	}
	if !slices.Contains(views, v.view) {
		v.view = views[0]
	}
	if v.view == compare && v.with == "" {
		v.with = v.likely()
	}
	return v
}

var views = []string{string(report.Rendered), string(report.Source), string(report.Text), string(report.Lens), compare}

// label is a file's name as the viewer shows it.
func (v *viewing) label(f *journal.File) string { return strings.TrimPrefix(f.Name, v.dir) }

func (v *viewing) file() *journal.File { return &v.files[v.open] }

// to is the address of a file under a view.
func (v *viewing) to(site Site, file, view, with string) templ.SafeURL {
	q := url.Values{}
	if !v.sole {
		q.Set("show", file)
	}
	if view != views[0] {
		q.Set("view", view)
	}
	if with != "" {
		q.Set("with", with)
	}
	if v.sole && v.ask != "" {
		q.Set("for", v.ask)
	}
	path := v.path
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	return templ.SafeURL(site.Links.To(path))
}

// compareTo is the address of the tab that compares: this page where there are other files, else
// the page of all files around this one.
func (v *viewing) compareTo(site Site) templ.SafeURL {
	if !v.sole {
		return v.to(site, v.file().Key, compare, v.likely())
	}
	return comparePage(site, v.all, v.file().Key)
}

// comparePage is where a file is compared with any other. A list holds few files, so the page
// begins with those that were named shortly before the file.
func comparePage(site Site, all, key string) templ.SafeURL {
	q := url.Values{"view": {compare}, "n": {strconv.Itoa(mostItems)}, "show": {key}}
	if from := around(key); from > 0 {
		q.Set("from", strconv.Itoa(from))
	}
	return templ.SafeURL(site.Links.To(all + "?" + q.Encode()))
}

// around is where the page of all files begins, so that the file is on it.
func around(key string) int {
	if n, _ := strconv.Atoi(key); n > mostItems {
		return n - mostItems/2
	}
	return 0
}

// choices are the files that the open one may be compared with, those most like it first.
func (v *viewing) choices() []journal.File {
	open := v.file()
	var out []journal.File
	for _, list := range [][]journal.File{v.others, v.files} {
		for _, f := range list {
			if f.Key != open.Key && f.Present() && !slices.ContainsFunc(out, func(o journal.File) bool { return o.Key == f.Key }) {
				out = append(out, f)
			}
		}
	}
	return figs.Sorted(out, func(a, b *journal.File) bool { return likeness(a.Name, open.Name) > likeness(b.Name, open.Name) })
}

// likely is the key of the version that a person would compare the open file with; "" when
// no name looks like one.
func (v *viewing) likely() string {
	if choices := v.choices(); len(choices) > 0 && likeness(choices[0].Name, v.file().Name) > 0 {
		return choices[0].Key
	}
	return ""
}

// pair is the two files of a comparison, the one that was named first before the other; nil
// when the other is not among the choices.
func (v *viewing) pair() (before, after *journal.File) {
	open := v.file()
	for _, f := range v.choices() {
		if f.Key == v.with {
			if v.earlier(&f, open) {
				return &f, open
			}
			return open, &f
		}
	}
	return nil, nil
}

// earlier reports whether a was named before b.
func (v *viewing) earlier(a, b *journal.File) bool {
	if len(a.Named) > 0 && len(b.Named) > 0 && a.Named[0] != b.Named[0] {
		x, y := instant(a.Named[0].TS), instant(b.Named[0].TS)
		if x != figs.NoTime && y != figs.NoTime && x != y {
			return x < y
		}
	}
	return len(a.Key) < len(b.Key) || len(a.Key) == len(b.Key) && a.Key < b.Key
}

// showable reports whether the protocol lets readers show the file (§7).
func showable(f *journal.File) bool { return f.Class == figs.Rendered }

// tabsOf are the views that a file has.
func tabsOf(f *journal.File) []string {
	if showable(f) {
		return views
	}
	return []string{views[0], string(report.Lens), compare}
}

func viewWord(ctx context.Context, f *journal.File, view string) string {
	switch {
	case view == compare:
		return say(ctx, "Compare")
	case view == string(report.Lens):
		return say(ctx, "What a model reads")
	case !showable(f):
		return say(ctx, "Facts")
	case view == string(report.Source):
		return say(ctx, "Source")
	case view == string(report.Text):
		return say(ctx, "Plain text")
	}
	return say(ctx, "Rendered")
}

// likeness says how much two names look like versions of one file: the length of what is left
// when version marks are taken off both, and 0 when nothing equal is left or the types differ.
func likeness(a, b string) int {
	a, typeA := extension(a)
	b, typeB := extension(b)
	if typeA != typeB {
		return 0
	}
	most := 0
	for x := a; x != ""; x = unversioned(x) {
		for y := b; y != ""; y = unversioned(y) {
			if x == y {
				most = max(most, len(x))
			}
		}
	}
	return most
}

// extension divides a name; types that are the same under two names count as one.
func extension(name string) (stem, kind string) {
	name = strings.ToLower(name)
	at := strings.LastIndexByte(name, '.')
	if at <= 0 {
		return name, ""
	}
	kind = name[at+1:]
	switch kind {
	case "htm":
		kind = "html"
	case "jpeg":
		kind = "jpg"
	}
	return name[:at], kind
}

// unversioned takes the last version mark off a stem: "-v2", "_2", " (1)", "-final", a part of
// a date. It returns "" when there is none.
func unversioned(stem string) string {
	at := strings.LastIndexAny(stem, "-_. (")
	if at <= 0 {
		return ""
	}
	mark := strings.TrimRight(stem[at+1:], ")")
	switch mark {
	case "final", "draft", "old", "new", "copy", "before", "after", "":
	default:
		if digits := strings.TrimPrefix(strings.TrimPrefix(mark, "rev"), "v"); digits == "" || strings.Trim(digits, "0123456789") != "" {
			return ""
		}
	}
	return strings.TrimRight(stem[:at], "-_. (")
}
