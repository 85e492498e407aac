package viewer

import (
	"slices"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/reply"
	"github.com/figs-web/figs-web/sandbox/report"
)

// ReplyBar is the sheet of a page beside its ask: what the decision bar shows. It stands apart from
// everything that an agent wrote.
type ReplyBar struct {
	*ui.DecisionForm
	Agent *journal.Agent
	Ask   *journal.Ask
	V     *View
	Host  bool // a server's page: it has an inbox to go on in
	More  bool // more than this ask needs the person
}

// views reports whether the page shows a file that can be viewed here for an approval.
func (b *ReplyBar) views(v *View) bool {
	if b == nil || !b.Verdict() || len(v.Files) == 0 || v.InReading() && !ui.Served {
		return false
	}
	f := b.gated(v.File().Key)
	return f != nil && !f.Absent() && (!IsShowable(v.File()) || v.Shows(f.Key))
}

// takesPassages reports whether the page shows a file in which a passage can be selected for a remark.
func (b *ReplyBar) takesPassages(v *View) bool {
	return b.Open() && len(v.Files) > 0 && v.Shows(v.File().Key)
}

// alonePage is the page of one file, opened to view it for the ask.
func alonePage(site ui.Site, b *ReplyBar, f *reply.GatedFile) templ.SafeURL {
	return templ.SafeURL(site.Links.To("/" + b.Agent.Key + "/files/" + f.Key + "?for=" + b.Ask.Key))
}

// Shows reports whether the page itself shows a file in a view in which it can be read.
func (v *View) Shows(key string) bool {
	counts := []string{string(report.Rendered), string(report.Source), string(report.Text)}
	return len(v.Files) > 0 && v.File().Key == key && v.File().Present() && IsShowable(v.File()) && slices.Contains(counts, v.View)
}

// Open reports whether the form stands there.
func (b *ReplyBar) Open() bool { return b != nil && b.Why.Sentence == "" && b.Pending == nil }

// Verdict reports whether the form takes a verdict, and with it what an approval waits for.
func (b *ReplyBar) Verdict() bool { return b.Open() && IsSignOff(b.Ask) }

// gated is the file before the gate that a tab shows; nil when there is no gate.
func (b *ReplyBar) gated(key string) *reply.GatedFile {
	if b == nil {
		return nil
	}
	for i := range b.Gate.Files {
		if f := &b.Gate.Files[i]; f.Key == key && key != "" {
			return f
		}
	}
	return nil
}

// gateMarks tell scripts which bytes a name stands for.
func gateMarks(f *reply.GatedFile) templ.Attributes {
	if f == nil || f.Absent() {
		return nil
	}
	return templ.Attributes{"data-sha256": f.SHA256}
}

// passed reports whether a file counts as viewed.
func passed(f *reply.GatedFile) bool { return f != nil && f.Opened }
