package viewer

import (
	"net/url"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/sandbox/report"
)

// readingFrame is the name of the frame in reading mode, at which the links of the outline aim.
const readingFrame = "reading-frame"

// CanRead reports whether the page offers reading mode for the open file.
func (v *View) CanRead() bool {
	return v.reads && len(v.Files) > 0 && v.File().Present() && IsShowable(v.File())
}

// InReading reports whether the page is to show its open file in reading mode, and nothing else.
func (v *View) InReading() bool { return v.read && v.CanRead() }

// AllowReading lets the page offer reading mode. It must then call Reading where InReading says so.
func (v *View) AllowReading() { v.reads = true }

// readLink is the address of what is shown now, in reading mode or out of it.
func (v *View) readLink(site ui.Site, read bool) templ.SafeURL {
	to := *v
	to.read = read
	return to.Link(site, v.File().Key, v.View, v.with)
}

// lastVersion is the file that most likely is the version before the open one; nil when no name looks like one.
func (v *View) lastVersion() *journal.File {
	key := v.likely()
	for _, f := range v.choices() {
		if f.Key == key && key != "" {
			return &f
		}
	}
	return nil
}

// headingKey is the id of a heading as an address has it: it may hold characters that leave no mark.
func headingKey(id string) string { return url.PathEscape(agenttext.AsData(id)) }

// headingLink is the address of a heading inside of the frame.
func headingLink(frame string, h report.Heading) templ.SafeURL {
	return templ.SafeURL(frame + "#" + headingKey(agenttext.AsData(h.ID)))
}

// indent is how far a heading is set in, from 0: a document that begins with a second level begins at the margin.
func indent(level, top int) int { return min(max(level-top, 0), 3) }
