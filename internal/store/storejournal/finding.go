package storejournal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// report returns the report of the agent's last push.
func (j *Journal) report(ctx context.Context, id string) (*figs.Report, error) {
	text, err := j.s.Findings(ctx, id)
	if err != nil {
		return nil, notFound(err)
	}
	return readReport(text)
}

// readReport parses what figs.AppendFindings wrote. It skips rules that this program doesn't know.
func readReport(text []byte) (*figs.Report, error) {
	r := &figs.Report{}
	if len(text) == 0 {
		return r, nil
	}
	var written struct {
		Now                     string
		Errors, Warnings, Infos int
		Findings                []struct {
			Code, File, Pointer, Record, Message, Hint, Expected, Suggestion string
			Line, Column, EndColumn                                          int
			Offset                                                           int64
			Related                                                          []figs.Position
		}
		More []struct {
			Code  string
			Count int
		}
	}
	if err := json.Unmarshal(text, &written); err != nil {
		return nil, fmt.Errorf("storejournal: the stored report: %w", err)
	}
	r.Now, r.Errors, r.Warnings, r.Infos = written.Now, written.Errors, written.Warnings, written.Infos
	for _, f := range written.Findings {
		if code, ok := figs.ParseCode(f.Code); ok {
			r.Findings = append(r.Findings, figs.Finding{Code: code, Severity: code.Severity(), File: f.File, Line: f.Line, Column: f.Column, EndColumn: f.EndColumn,
				Offset: f.Offset, Pointer: f.Pointer, Record: f.Record, Message: f.Message, Hint: f.Hint, Expected: f.Expected, Suggestion: f.Suggestion, Related: f.Related})
		}
	}
	for _, m := range written.More {
		if code, ok := figs.ParseCode(m.Code); ok {
			r.More = append(r.More, figs.Overflow{Code: code, Count: m.Count})
		}
	}
	return r, nil
}

// findingsOf returns the findings of one record.
func findingsOf(r *figs.Report, file figs.File, id string) []figs.Finding {
	var list []figs.Finding
	for _, f := range r.Findings {
		if f.File == file.String() && f.Record == id {
			list = append(list, f)
		}
	}
	return list
}

// Findings implements journal.Journal. The pushed lines aren't stored, so excerpts show the current records.
func (j *Journal) Findings(ctx context.Context, key string, q journal.Query) (*journal.Findings, error) {
	a, err := j.agent(ctx, key)
	if err != nil {
		return nil, err
	}
	r, err := j.report(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	f := &journal.Findings{Report: *r}
	f.Report.Findings = nil
	var matching []figs.Finding
	counts := map[figs.Code]int{}
	for i := range r.Findings {
		x := &r.Findings[i]
		if counts[x.Code]++; counts[x.Code] == 1 {
			f.ByCode = append(f.ByCode, journal.CodeCount{Code: x.Code})
		}
		if q.Severity != "" && x.Severity.String() != q.Severity || q.Code != "" && x.Code.String() != q.Code || q.File != "" && x.File != q.File {
			continue
		}
		matching = append(matching, *x)
	}
	matching, f.Page = findingsPart(matching, q, func(x *figs.Finding) *figs.Finding { return x })
	f.Items = matching
	for _, m := range r.More {
		counts[m.Code] += m.Count
	}
	for i := range f.ByCode {
		f.ByCode[i].Count = counts[f.ByCode[i].Code]
	}
	if err := j.addResolvedFindings(ctx, a, q, f); err != nil {
		return nil, err
	}
	f.Excerpts, err = j.excerpts(ctx, a, f.Items)
	return f, err
}

// maxQuickRecords is up to how many records and replies are read again just to count resolved findings.
const maxQuickRecords = 2000

// addResolvedFindings adds the findings that later versions resolved, if they are requested or quick to find.
func (j *Journal) addResolvedFindings(ctx context.Context, a *store.Agent, q journal.Query, f *journal.Findings) error {
	requested := q.State == journal.StateResolved
	if n := &a.Counts; !requested && n.Jobs+n.Asks+n.Messages > maxQuickRecords {
		f.ResolvedTotal = -1
		return nil
	}
	if IsLong(a) {
		return j.addNewestResolved(ctx, a, q, f)
	}
	var all []figs.ResolvedFinding
	err := j.withLoadedAgent(ctx, a, func(w *LoadedAgent) error {
		all = slices.Clone(w.Folder.Finish().Resolved)
		return nil
	})
	var large *journal.Missing
	if requested && errors.As(err, &large) {
		return err
	}
	if errors.Is(err, journal.ErrNotFound) {
		f.ResolvedTotal = -1
		return nil
	}
	if err != nil {
		return err
	}
	f.ResolvedTotal = len(all)
	if !requested { // newest versions first, as far as their positions tell
		slices.SortStableFunc(all, func(x, y figs.ResolvedFinding) int { return y.By.Line - x.By.Line })
		f.Resolved = all[:min(len(all), q.Size())]
	} else {
		f.Resolved, f.Page = findingsPart(all, q, func(x *figs.ResolvedFinding) *figs.Finding { return &x.Finding })
	}
	clearLines(f.Resolved)
	return nil
}

// clearLines removes the line numbers of an export, which mean nothing on a page.
func clearLines(resolved []figs.ResolvedFinding) {
	for i := range resolved {
		m := &resolved[i]
		m.By.Line, m.Line, m.Column, m.EndColumn, m.Offset, m.Related = 0, 0, 0, 0, 0, nil
	}
}
