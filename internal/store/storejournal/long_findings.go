package storejournal

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/export"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// newestRecords is how many of the newest jobs, and as many asks, of an agent that is long are looked through for resolved
// findings: a page of a list.
const newestRecords = 200

// addNewestResolved is addResolvedFindings for an agent that is long. It looks through its newest jobs and asks, with the
// jobs and the replies that these asks need.
func (j *Journal) addNewestResolved(ctx context.Context, a *store.Agent, q journal.Query, f *journal.Findings) error {
	runs, err := j.newestOf(ctx, a.ID, figs.Runs)
	if err != nil {
		return err
	}
	asks, err := j.newestOf(ctx, a.ID, figs.Asks)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for i := range runs {
		known[runs[i].ID] = true
	}
	var named []string
	for i := range asks {
		if run := object(asks[i].Fold).Get("run").Text(); run != "" && !known[run] {
			known[run] = true
			named = append(named, run)
		}
	}
	more, err := j.s.FullRecords(ctx, a.ID, figs.Runs, named)
	if err != nil {
		return err
	}
	part := &partOfAgent{agent: a, records: [2][]store.Record{append(runs, more...), asks}}
	if part.files, err = j.s.Attachments(ctx, a.ID); err != nil {
		return err
	}
	folder, err := export.Read(ctx, part, a.Workspace, a.ID, figs.Options{History: true, Now: time.UnixMicro(j.now).UTC().Format(time.RFC3339)})
	if err != nil {
		return err
	}
	all := slices.Clone(folder.Finish().Resolved)
	f.ResolvedTotal, f.ResolvedAmong = len(all), len(runs)+len(more)+len(asks)
	f.Resolved = all[min(q.From, len(all)):min(q.From+q.Size(), len(all))]
	f.Page = journal.Page[figs.Finding]{From: q.From, Total: len(all)}
	clearLines(f.Resolved)
	return nil
}

// newestOf returns the newest records of a file, with their trails.
func (j *Journal) newestOf(ctx context.Context, agent string, file figs.File) ([]store.Record, error) {
	page, err := j.s.Records(ctx, store.RecordQuery{Agent: agent, File: file, Slice: store.Slice{N: newestRecords}})
	if err != nil {
		return nil, err
	}
	var ids []string
	for i := range page.Items {
		ids = append(ids, page.Items[i].ID)
	}
	return j.s.FullRecords(ctx, agent, file, ids)
}

// partOfAgent exports some records of an agent.
type partOfAgent struct {
	store.Exports
	agent   *store.Agent
	records [2][]store.Record // runs and asks
	files   []store.Attachment
}

// Export implements store.Exports. It writes lines in order of arrival.
func (p *partOfAgent) Export(_ context.Context, _, _ string, to store.ExportWriter) error {
	if err := to.Agent(p.agent.ID, p.agent.Name, p.agent.Charter); err != nil {
		return err
	}
	type line struct {
		id    string
		no, n int
		*store.Entry
	}
	for file, records := range p.records {
		var lines []line
		for i := range records {
			for n := range records[i].Trail {
				lines = append(lines, line{records[i].ID, records[i].No, n, &records[i].Trail[n]})
			}
		}
		slices.SortFunc(lines, func(a, b line) int { return cmp.Or(cmp.Compare(a.Seq, b.Seq), a.no-b.no, a.n-b.n) })
		for _, l := range lines {
			if err := to.Line(figs.File(file), l.id, l.Version); err != nil {
				return err
			}
		}
	}
	var replies []store.Message
	for i := range p.records[figs.Asks] {
		replies = append(replies, p.records[figs.Asks][i].Thread...)
	}
	slices.SortFunc(replies, func(a, b store.Message) int { return a.No - b.No })
	for i := range replies {
		if err := to.Line(figs.Messages, "", figs.Version{Line: replies[i].Line}); err != nil {
			return err
		}
	}
	for _, file := range p.files {
		if err := to.Attachment(file); err != nil {
			return err
		}
	}
	return nil
}
