package components

import (
	"context"
	"encoding/base64"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/smallest"
	"github.com/figs-web/figs-web/internal/journal"
)

// smallest is the page with a small folder that shows a finding.
func (r *request) smallest() (view, error) {
	j, ok := r.j.(journal.Shrinking)
	if !ok {
		return view{}, journal.ErrNotFound
	}
	s, err := j.Smallest(r.ctx, r.agent.Key, r.query)
	return r.page(say(r.ctx, "A small example"), err, func() templ.Component { return SmallestPage(r.site, r.agent, s) })
}

// shrinks reports whether a small example of a finding can be asked for: where there are ledgers, of rules about .figs.
func shrinks(site Site, f *figs.Finding) bool { return site.Shell == nil && !f.Code.OfKind() }

// smallest is the address of a finding's example. It names the rule and the line; a file only where the protocol
// names it.
func (s Site) smallest(agent string, f *figs.Finding) templ.SafeURL {
	q := journal.Query{Code: f.Code.String(), Line: f.Line}
	if file := figs.FileNamed(f.File); file != figs.NoFile {
		q.File = file.String()
	}
	return s.list(q, agent, "smallest")
}

// exampleReport is the example as text, and exampleZip as a zip in base64: data for the page's buttons, which the page
// itself never shows.
//
//go:noinline
func exampleReport(e *smallest.Example) string { return asData(string(e.AppendReport(nil))) }

//go:noinline
func exampleZip(e *smallest.Example) string {
	return asData(base64.StdEncoding.EncodeToString(e.Zip()))
}

// smallWords is what an example came to.
//
//go:noinline
func smallWords(ctx context.Context, e *smallest.Example) string {
	return say(ctx, "%s of %s, and each file is as short as it can be.", count(ctx, e.Lines, "%d line", "%d lines"), grouped(ctx, e.From))
}

// exampleSays are the sentences about what an example still holds.
//
//go:noinline
func exampleSays(ctx context.Context, e *smallest.Example) []string {
	var notes []string
	if e.Replaced > 0 {
		notes = append(notes, count(ctx, e.Replaced, "%d text or number is a placeholder now; the same words have the same placeholder everywhere.", "%d texts and numbers are placeholders now; the same words have the same placeholder everywhere."))
	}
	switch e.Times {
	case 0:
		notes = append(notes, say(ctx, "Times are kept, and so are the protocol's own words."))
	case 1:
		notes = append(notes, say(ctx, "Times are kept, except the faulty one, and so are the protocol's own words."))
	default:
		notes = append(notes, say(ctx, "Times are kept, except the faulty ones, and so are the protocol's own words."))
	}
	if len(e.Kept) == 0 {
		return append(notes, say(ctx, "Nothing that the agent wrote is left in it."))
	}
	return append(notes, say(ctx, "The finding depends on these, so they are kept as the agent wrote them. Read them before you send them to anyone."))
}

// exampleEnd says of a file what its text does not show.
//
//go:noinline
func exampleEnd(ctx context.Context, f *smallest.File) string {
	switch n := len(f.Text); {
	case n == 0:
		return say(ctx, "The file is empty.")
	case f.File < figs.Ledgers && f.Text[n-1] != '\n':
		return say(ctx, "Its last line has no line break at its end.")
	}
	return ""
}
