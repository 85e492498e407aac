package selected

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

var _ journal.SearchReporter = (*Journal)(nil)

// Search implements journal.Journal.
func (j *Journal) Search(ctx context.Context, agent string, q journal.Query) (*journal.Page[journal.Hit], error) {
	report, err := j.SearchReport(ctx, agent, q)
	if err != nil {
		return nil, err
	}
	return &report.Page, nil
}

// SearchReport implements journal.SearchReporter.
func (j *Journal) SearchReport(_ context.Context, agent string, _ journal.Query) (*journal.SearchReport, error) {
	if !j.hasPage(agent) {
		return nil, journal.ErrNotFound
	}
	s := j.s.Searched()
	report := &journal.SearchReport{Page: *page[journal.Hit](j, nil), Remaining: s.Left, IDsOnly: !s.Kept, Read: s.Read, Texts: s.Texts}
	report.Counts = &journal.HitCounts{Jobs: s.Jobs, Asks: s.Asks, Replies: s.Replies, Files: s.Files}
	names := map[int]string{}
	for i := range j.s.Files {
		names[j.s.Files[i].Key] = j.s.Files[i].Name
	}
	for i, r := range j.s.Hits {
		hit := journal.Hit{Owner: j.recordAddress(r)}
		if i < len(j.s.Excerpts) {
			hit.Excerpt = trimExcerpt(&j.s.Excerpts[i])
		}
		if r.File == figs.NoFile {
			hit.Title = names[r.Record+1]
			hit.Owner = "files/" + journal.RecordSegment(hit.Title, r.Record+1)
		} else if n := j.recordIn(r); n >= 0 {
			hit.Title, hit.ID = j.title(r.File, n), j.f.ID(r.File, n)
			_, last, _ := j.f.Ends(r.File, n)
			hit.Position = j.position(r.File, last)
			switch {
			case !s.Kept:
			case r.File == figs.Runs:
				run := figs.ReadRun(j.fold(r.File, n).whole)
				hit.Run = &figs.Run{State: run.State, Status: run.Status}
			case r.File == figs.Asks:
				hit.Ask = &journal.Ask{Ask: figs.Ask{Type: j.fold(r.File, n).whole.Get("type").Text()}, State: j.f.State(n)}
			}
		}
		report.Items = append(report.Items, hit)
	}
	return report, nil
}
