package storejournal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

var _ journal.WaitReporter = (*Journal)(nil)

// WaitReport implements journal.WaitReporter.
func (j *Journal) WaitReport(ctx context.Context, key string, q journal.Query) (*journal.WaitReport, error) {
	a, err := j.agent(ctx, key)
	if err != nil {
		return nil, err
	}
	if IsLong(a) {
		return j.longWaitReport(ctx, a, q)
	}
	var report *journal.WaitReport
	var list []askFlights
	err = j.withLoadedAgent(ctx, a, func(w *LoadedAgent) error {
		report, list = j.waitReport(w.Folder, q)
		return nil
	})
	if err != nil {
		return nil, err
	}
	ids, flights := make([]string, len(list)), map[string][]figs.Span{}
	for i := range list {
		ids[i] = list[i].id
		flights[list[i].id] = list[i].flights
	}
	whole, err := j.s.FullRecords(ctx, a.ID, figs.Asks, ids)
	if err != nil {
		return nil, err
	}
	roster, err := j.s.Roster(ctx, j.workspace)
	if err != nil {
		return nil, notFound(err)
	}
	for i := range whole {
		ask := askOf(&whole[i], roster)
		ask.Waits, ask.Flights = whole[i].Waits, flights[whole[i].ID]
		report.LongestWaits.Items = append(report.LongestWaits.Items, ask)
	}
	return report, nil
}

// askFlights is an ask with the times at which the job that it names was in flight.
type askFlights struct {
	id      string
	flights []figs.Span
}

// waitReport sums up a folder's waits, and returns the asks of a page, longest wait first.
func (j *Journal) waitReport(f *figs.Folder, q journal.Query) (*journal.WaitReport, []askFlights) {
	const months = 24
	sums := figs.NewWaitCounter(j.now)
	n := f.Records(figs.Asks)
	costs, asks := make([]int64, n), make([]journal.Ask, n)
	for i := range n {
		ask := &asks[i]
		ask.Waits = f.Waits(i)
		if job := f.JobOf(i); job >= 0 {
			ask.Flights = f.Flights(job)
		}
		costs[i] = sums.Add(ask.Waits, ask.Flights).Sum
	}
	longest, page := longestWaits(costs, q)
	report := &journal.WaitReport{LongestWaits: page}
	report.WaitSummary, report.Months = sums.Sum(months)
	var list []askFlights
	for _, ask := range longest {
		list = append(list, askFlights{f.ID(figs.Asks, ask), asks[ask].Flights})
	}
	return report, list
}
