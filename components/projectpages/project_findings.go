package projectpages

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
)

// findings is the report of a root.
func (r *rootRequest) findings() (ui.View, error) {
	report := r.root.Report
	all := &journal.Findings{Report: figs.Report{Now: report.Now, Errors: report.Errors, Warnings: report.Warnings, Infos: report.Infos, More: report.More}}
	for i := range report.Findings {
		f := &report.Findings[i]
		if (r.query.Severity == "" || r.query.Severity == f.Severity.String()) && (r.query.Code == "" || r.query.Code == f.Code.String()) {
			all.Items = append(all.Items, *f)
		}
	}
	all.Total = len(all.Items)
	from, to := r.part(all.Total)
	if all.Items = all.Items[from:to]; to > 0 {
		all.From = from
	}
	for i := range all.Items {
		all.Excerpts = append(all.Excerpts, excerptFrom(r.root, &all.Items[i]))
	}
	news, lede := troubleNews(r.ctx, report)
	parts := []templ.Component{reportHead(r.root, news, lede)}
	if report.Errors+report.Warnings+report.Infos > 0 {
		parts = append(parts, ui.Filters(r.site, r.say("Show findings"), []string{r.root.Kind.String(), strconv.Itoa(r.root.No), "findings"}, recordviews.FindingFilters(r.ctx, report, r.query)))
	}
	if all.Total == 0 && report.Errors+report.Warnings+report.Infos == 0 {
		parts = append(parts, ui.Nothing(r.say("No rules broken"), ""))
	} else if all.Total == 0 {
		parts = append(parts, ui.Nothing(r.say("No matching findings."), ""))
	}
	parts = append(parts, recordviews.FindingGroups(r.site, r.root.Key(), all), r.pager(all.Total, "findings"), recordviews.UncountedFindings(r.site, report.More), recordviews.ReportClock(r.site, report))
	return r.ok(r.say("Findings"), "findings", parts...)
}

// troubleNews is the headline of the report on a root.
func troubleNews(ctx context.Context, report *figs.Report) (news, lede string) {
	news, lede = recordviews.FindingsNews(ctx, &journal.Counts{}, report)
	switch {
	case report.Errors > 0:
		return news, i18n.Say(ctx, "Not valid. An error breaks the format: programs may misread or skip what is there. What can be read is shown.")
	case report.Warnings > 0:
		return news, i18n.Say(ctx, "Valid. Warnings are likely mistakes; nothing is left out because of them.")
	}
	return news, lede
}

// foundOn are the findings about a file, or about the record with that id.
func (r *rootRequest) foundOn(file, id string) templ.Component {
	return r.found(func(f *figs.Finding) bool { return f.File == file || id != "" && f.Record == id })
}

func (r *rootRequest) foundOnLine(file string, line int) templ.Component {
	return r.found(func(f *figs.Finding) bool { return f.File == file && f.Line == line })
}

func (r *rootRequest) foundBelow(dir string) templ.Component {
	return r.found(func(f *figs.Finding) bool { return strings.HasPrefix(f.File, dir+"/") })
}

func (r *rootRequest) found(about func(*figs.Finding) bool) templ.Component {
	var list []figs.Finding
	for i := range r.root.Report.Findings {
		if f := &r.root.Report.Findings[i]; about(f) {
			list = append(list, *f)
		}
	}
	return recordviews.FindingCards(r.site, r.root.Key(), list)
}

// excerptAround is how much of a line an excerpt shows on each side of the marked bytes.
const excerptAround = 120

// excerptFrom is the offending line of a record or an entry, as far as it is at hand.
func excerptFrom(root *project.Root, f *figs.Finding) (e journal.Excerpt) {
	var line []byte
	if x := ui.RecordIn(root, f.File); x > 0 {
		line = lineOf(root.Channels.Records[x-1].Raw, f.Line)
	} else if x := ui.EntryIn(root, f.File, f.Line); x > 0 {
		line = root.Registry.Entries[x-1].Raw
	}
	if f.Line == 0 || len(line) == 0 {
		return e
	}
	start, end := min(max(f.Column-1, 0), len(line)), min(max(f.EndColumn-1, 0), len(line))
	if end < start || f.Column == 0 {
		end = start
	}
	before, after := max(0, start-excerptAround), min(len(line), max(end, start)+excerptAround)
	if end-start > 2*excerptAround {
		end = start + 2*excerptAround
		after = end
	}
	return journal.Excerpt{Before: line[before:start], Marked: line[start:end], After: line[end:after], CutBefore: before > 0, CutAfter: after < len(line)}
}

// lineOf is a line of a text, from 1.
func lineOf(text []byte, n int) []byte {
	for ; n > 1; n-- {
		_, rest, found := bytes.Cut(text, []byte{'\n'})
		if !found {
			return nil
		}
		text = rest
	}
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	return line
}
