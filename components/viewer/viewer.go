// Package viewer has the page's side of the attachment viewer: the tabs, the stage with its sandboxed frame, what was taken out,
// hidden text, and what changed between two attachments.
package viewer

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/remark"
	"github.com/figs-web/figs-web/sandbox/report"
)

// CompareView is the tab beside the views of the report.
const CompareView = "compare"

// View is what the viewer of a page shows: a tab for each attachment, one of them open.
type View struct {
	Agent  string
	Page   string         // of the page, "/1/asks/2"
	All    string         // path of the page of all files around these, "/1/files"
	Dir    string         // in which all of them lie, "runs/3/"; their names are shown without it
	Files  []journal.File // a tab each
	others []journal.File // more to compare with: files of the ask's earlier rounds, or all
	open   int            // of files
	View   string         // a report.View, or compare
	with   string         // key of the file to compare with; "" when none is chosen
	Sole   bool           // the page is about one file: its address need not name it
	wanted bool           // the address asks for a file or a view
	AskKey string         // key of the sign-off for which the file was opened alone; ""
	reads  bool           // the page has a reading mode
	read   bool           // the address asks for it
}

// OpenRequest is the part of an address that the viewer understands. ask is the sign-off for which someone opened
// the page of one file.
type OpenRequest struct {
	Show, View, with, ask string
	read                  bool
}

func ParseOpenRequest(query string) OpenRequest {
	q, _ := url.ParseQuery(query) // what cannot be read is not asked for
	o := OpenRequest{q.Get("show"), q.Get("view"), q.Get("with"), q.Get("for"), q.Get("read") == "1"}
	if _, ok := journal.ParseSegment(o.ask); !ok {
		o.ask = ""
	}
	return o
}

// OpenViewer is the viewer of a page, opened on files as an address asks.
func OpenViewer(asked OpenRequest, path string, files, others []journal.File) *View {
	v := &View{Page: path, Files: files, others: others, View: asked.View, with: asked.with, wanted: asked != OpenRequest{}, AskKey: asked.ask, read: asked.read}
	if at := slices.IndexFunc(files, func(f journal.File) bool { return f.Key != "" && f.Key == asked.Show }); at >= 0 {
		v.open = at
	}
	if !slices.Contains(ViewNames, v.View) {
		v.View = ViewNames[0]
	}
	if v.View == CompareView && v.with == "" {
		v.with = v.likely()
	}
	return v
}

var ViewNames = []string{string(report.Rendered), string(report.Source), string(report.Text), string(report.HiddenTextView), CompareView}

// label is a file's name as the viewer shows it.
func (v *View) label(f *journal.File) string { return strings.TrimPrefix(f.Name, v.Dir) }

func (v *View) File() *journal.File { return &v.Files[v.open] }

// Link is the address of a file under a view.
func (v *View) Link(site ui.Site, file, view, with string) templ.SafeURL {
	q := url.Values{}
	if !v.Sole {
		q.Set("show", file)
	}
	if view != ViewNames[0] {
		q.Set("view", view)
	}
	if with != "" {
		q.Set("with", with)
	}
	if v.Sole && v.AskKey != "" {
		q.Set("for", v.AskKey)
	}
	if v.read {
		q.Set("read", "1")
	}
	path := v.Page
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	return site.WithList(site.Links.To(path))
}

// compareTo is the address of the tab that compares: this page where there are other files, else
// the page of all files around this one.
func (v *View) compareTo(site ui.Site) templ.SafeURL {
	if !v.Sole {
		return v.Link(site, v.File().Key, CompareView, v.likely())
	}
	return comparePage(site, v, v.File().Key)
}

// comparePage is where a file is compared with any other. A list holds few files, so the page
// begins with those that were named shortly before the file.
func comparePage(site ui.Site, v *View, key string) templ.SafeURL {
	q := url.Values{"view": {CompareView}, "n": {strconv.Itoa(agenttext.MostItems)}, "show": {key}}
	if from := around(v.File().Number); from > 0 {
		q.Set("from", strconv.Itoa(from))
	}
	if v.InReading() {
		q.Set("read", "1")
	}
	return templ.SafeURL(site.Links.To(v.All + "?" + q.Encode()))
}

// around is where the page of all files begins, so that the file with that number is on it.
func around(n int) int {
	if n > agenttext.MostItems {
		return n - agenttext.MostItems/2
	}
	return 0
}

// choices are the files that the open one may be compared with, those most like it first.
func (v *View) choices() []journal.File {
	open := v.File()
	var out []journal.File
	for _, list := range [][]journal.File{v.others, v.Files} {
		for _, f := range list {
			if f.Key != open.Key && f.Present() && !slices.ContainsFunc(out, func(o journal.File) bool { return o.Key == f.Key }) {
				out = append(out, f)
			}
		}
	}
	return figs.Sorted(out, func(a, b *journal.File) bool {
		return VersionLikeness(a.Name, open.Name) > VersionLikeness(b.Name, open.Name)
	})
}

// likely is the key of the version that a person would compare the open file with; "" when
// no name looks like one.
func (v *View) likely() string {
	if choices := v.choices(); len(choices) > 0 && VersionLikeness(choices[0].Name, v.File().Name) > 0 {
		return choices[0].Key
	}
	return ""
}

// pair is the two files of a comparison, the one that was named first before the other; nil
// when the other is not among the choices.
func (v *View) pair() (before, after *journal.File) {
	open := v.File()
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
func (v *View) earlier(a, b *journal.File) bool {
	if len(a.Named) > 0 && len(b.Named) > 0 && a.Named[0] != b.Named[0] {
		x, y := ui.Instant(a.Named[0].TS), ui.Instant(b.Named[0].TS)
		if x != figs.NoTime && y != figs.NoTime && x != y {
			return x < y
		}
	}
	if a.Number != b.Number {
		return a.Number < b.Number
	}
	return len(a.Key) < len(b.Key) || len(a.Key) == len(b.Key) && a.Key < b.Key
}

// IsShowable reports whether the protocol lets readers show the file (§7).
func IsShowable(f *journal.File) bool { return f.Class == figs.Rendered }

// tabsOf are the views that a file has.
func tabsOf(f *journal.File) []string {
	if IsShowable(f) {
		return ViewNames
	}
	return []string{ViewNames[0], string(report.HiddenTextView), CompareView}
}

func viewWord(ctx context.Context, f *journal.File, view string) string {
	switch {
	case view == CompareView:
		return i18n.Say(ctx, "Compare")
	case view == string(report.HiddenTextView):
		return i18n.Say(ctx, "Hidden text")
	case !IsShowable(f):
		return i18n.Say(ctx, "Facts")
	case view == string(report.Source):
		return i18n.Say(ctx, "Source")
	case view == string(report.Text):
		return i18n.Say(ctx, "Plain text")
	}
	return i18n.Say(ctx, "Rendered")
}

// VersionLikeness says how much two names look like versions of one file: the length of what is left
// when version marks are taken off both, and 0 when nothing equal is left or the types differ.
func VersionLikeness(a, b string) int {
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

// Successor is the key of the attachment that has taken the place of an earlier one by that name, as remarks write names:
// the same one, the version most like it, or the only one of its type; "" if there is none.
func Successor(files []journal.File, name string) string {
	best, most, sameType, only := "", 0, 0, ""
	_, kind := extension(name)
	for i := range files {
		f := &files[i]
		if !f.Present() {
			continue
		}
		if remark.VisibleName(f.Name) == name {
			return f.Key
		}
		if n := VersionLikeness(f.Name, name); n > most {
			best, most = f.Key, n
		}
		if _, other := extension(f.Name); other == kind {
			sameType, only = sameType+1, f.Key
		}
	}
	if best == "" && sameType == 1 {
		return only
	}
	return best
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

// SnoozedForNews is a snooze without an end.
const SnoozedForNews = 1<<63 - 1

// IsSignOff reports whether the ask takes a verdict.
func IsSignOff(ask *journal.Ask) bool { return ask.Ask.Type == "sign-off" }
