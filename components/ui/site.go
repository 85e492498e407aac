// Package ui has what all pages are made of: the site and its addresses, the frame around a page, lists, forms, signs, times,
// and the types through which a page is given what only its surroundings know (a DecisionFormSource, Attachments, a Shell).
package ui

import (
	"context"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
	"github.com/figs-web/figs-web/internal/share"
	"github.com/figs-web/figs-web/sandbox/report"
)

// Links turns the path of a page ("/1/jobs/3?state=ok") into the address that a link
// carries. Paths are built from keys and numbers only, never from text that an agent wrote.
type Links interface {
	To(path string) string
}

// Fragment are the addresses of the inspector, after the #: the page is one file, and
// nothing of its address ever reaches a server.
type Fragment struct{}

// To puts the path behind the #.
func (Fragment) To(path string) string { return "#" + path }

// Site is what a page must know besides its journal.
type Site struct {
	Links         Links
	Assets        func(name string) string // address of a file of static/, with its hash; nil: the bare name
	Now           int64                    // microseconds since 1970 UTC; 0 or figs.NoTime: unknown
	Zone          int                      // minutes east of UTC of the person who looks
	ZoneName      string                   // "Europe/Vienna"; may be empty
	Offline       bool                     // a dropped folder: nobody can answer here
	Attached      Attachments              // makes what the viewer shows; nil: the page's script does
	Records       HiddenTextSource         // looks for hidden text in an agent's own files; nil: the page's script does, or nobody
	Script        string                   // the file of static/ that a served page runs; "": none
	Version       string                   // of the program; may be empty
	Shell         *Shell                   // the frame of a hosted workspace; nil elsewhere
	Notice        string                   // a sentence of ours across the top of pages without a Shell; "" is none
	Sharer        ShareSource              // looks through folders for copies; nil: the page's script does, or nobody may
	DecisionForms DecisionFormSource       // what the person may decide; nil: nothing is said of it
	Base          string                   // of an open folder: where its pages begin, "/w/local"; "" elsewhere
	Seq           int64                    // of its last change, for scripts that look for news
	Project       *project.Project         // other folders of agents beside .figs; nil when there are none
	Path          string                   // of the page that is shown, with its query, "/1/jobs?state=ok"; Render sets it
	Beside        *BesideList              // the list of the inbox beside an ask; nil: none
	Rows          *RowFilter               // the rows that an open page asks for again; nil: the whole page
	Saved         *SavedViews              // views of the list on the page; nil where it has none
	Public        string                   // origin of the server as clients reach it, "https://figs.example"; "" offline
}

func (s Site) asset(name string) string {
	if s.Assets == nil {
		return name
	}
	return s.Assets(name)
}

// Href builds an address from path segments, each a key or a fixed word.
func (s Site) Href(segments ...string) templ.SafeURL {
	return templ.SafeURL(s.Links.To(pathOf(segments)))
}

// pathOf joins segments to a path.
func pathOf(segments []string) string {
	if len(segments) == 0 {
		return "/"
	}
	size := 0
	for _, s := range segments {
		size += len(s) + 1
	}
	var b strings.Builder
	b.Grow(size)
	for _, s := range segments {
		b.WriteByte('/')
		b.WriteString(s)
	}
	return b.String()
}

// List is the address of a list with its filters.
func (s Site) List(q journal.Query, segments ...string) templ.SafeURL {
	path := pathOf(segments)
	if query := q.String(); query != "" {
		path += "?" + query
	}
	return templ.SafeURL(s.Links.To(path))
}

// moving tells scripts of an open folder where its pages begin, and of its last change.
func (s Site) moving() templ.Attributes {
	if s.Base == "" {
		return nil
	}
	return templ.Attributes{"data-base": s.Base, "data-seq": seqText(s.Seq)}
}

// IsLive reports whether the page changes by itself while somebody looks.
func (s Site) IsLive() bool { return s.Shell != nil || s.Base != "" }

// Owner is the address of a record named as in journal.File.Owner, "jobs/3". A reply has no
// page of its own: its line stands for it.
func (s Site) Owner(agent, owner string, p journal.Position) templ.SafeURL {
	switch {
	case strings.HasPrefix(owner, "messages/") && s.Shell != nil:
		return s.Href(agent, "messages")
	case strings.HasPrefix(owner, "messages/"):
		return s.Line(agent, p)
	}
	return s.Href(agent, owner)
}

// fullTitle returns the <title> of every page that a server sends: "Page · Workspace · figs-web", and "Page · figs-web"
// outside a workspace.
func (s Site) fullTitle(title string) string {
	if s.Shell != nil {
		title += " · " + agenttext.Title(s.Shell.Workspace.Name)
	}
	return CleanTitle(title) + " · figs-web"
}

// CleanTitle removes the invisible isolates that agenttext.Plain puts around names: window and tab titles are copied,
// bookmarked and searched. Other hidden characters are already spelled out.
func CleanTitle(title string) string {
	title = strings.TrimSuffix(strings.TrimPrefix(title, "\u2068"), "\u2069") // without a copy, if one name is all
	return strings.ReplaceAll(strings.ReplaceAll(title, "\u2068", ""), "\u2069", "")
}

// before is how many lines the page of a ledger shows above the one that was asked for.
const before = 3

// Line is the address of a line of a ledger; the page begins a little above it.
func (s Site) Line(agent string, p journal.Position) templ.SafeURL {
	return s.List(journal.Query{From: max(0, p.Line-1-before), Line: p.Line}, agent, "lines", p.File.String())
}

// PageLocation is the address of a finding's place, or "" where there is no page for it: a server keeps
// records, no files of lines.
func (s Site) Place(agent string, file string, line int) templ.SafeURL {
	if root := s.rootAt(agent); root != nil {
		return s.rootPlace(root, file, line)
	}
	f := figs.ParseFile(file)
	switch {
	case s.Shell != nil:
		return ""
	case f < figs.Ledgers && line > 0:
		return s.Line(agent, journal.Position{File: f, Line: line})
	case f < figs.Ledgers:
		return s.Href(agent, "lines", f.String())
	case f != figs.NoFile:
		return s.Href(agent, "text", f.String())
	}
	return ""
}

func (s Site) Rule(code figs.Code) templ.SafeURL { return s.Href("rules", code.String()) }

// IsCurrent marks the link of a row that leads to what is shown.
func IsCurrent(on bool) templ.Attributes {
	if !on {
		return nil
	}
	return templ.Attributes{"aria-current": "page"}
}

func seqText(seq int64) string { return strconv.FormatInt(seq, 10) }

// HiddenTextSource looks through an agent's own files, its ledgers first, where a server does. Offline there is
// none: the page's script has the files.
type HiddenTextSource interface {
	Records(ctx context.Context, agent string) ([]report.Reading, error)
}

// ShareSource looks through an agent's folder for somebody who may take a copy of it.
type ShareSource interface {
	// Share is what there is to replace in the folder, or in the ask with that id; ask "" is the folder.
	Share(ctx context.Context, agent, ask string, c *share.Options) (*share.Preview, error)
}
