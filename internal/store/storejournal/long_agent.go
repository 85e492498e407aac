package storejournal

import (
	"context"
	"slices"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// maxWholeRecords is how many jobs, asks and replies an agent may have to be read as a whole for a page. What pages say of
// an agent with more comes from derived rows.
const maxWholeRecords = 20_000

// IsLong reports whether an agent has too many records to be read as a whole for a page.
func IsLong(a *store.Agent) bool {
	return a.Counts.Jobs+a.Counts.Asks+a.Counts.Messages > maxWholeRecords
}

// newPastError returns the error for an earlier point in time of an agent that is long.
func newPastError(a *store.Agent) error {
	return &journal.Missing{TooLarge: true, Sentence: "This agent has too many records to show an earlier point in time.", Args: []any{a.Counts.Jobs + a.Counts.Asks + a.Counts.Messages, maxWholeRecords},
		Hint: "It has {0} jobs, asks and replies; an earlier point needs all of them, up to {1}. See History for each month and the page of a job or ask for its versions, or export the agent and open the folder with figs-web open or in the inspector."}
}

// newStepError returns the error for a line of an agent that is long.
func newStepError(a *store.Agent) error {
	return &journal.Missing{TooLarge: true, Sentence: "This agent has too many records to show its history line by line.", Args: []any{a.Counts.Jobs + a.Counts.Asks + a.Counts.Messages, maxWholeRecords},
		Hint: "It has {0} jobs, asks and replies; ordering their lines needs all of them, up to {1}. See the page of a job or ask for its versions, or export the agent and open the folder with figs-web open or in the inspector."}
}

// waitOf returns the wait of an ask as far as its derived row knows it: from its first raise to its first reply, or to its
// newest line if it was closed without a reply; and the current wait.
func waitOf(x *store.AskWait) (waits []figs.Wait) {
	add := func(from, to int64, lasts bool) {
		if from != figs.NoTime && (lasts || to != figs.NoTime) {
			waits = append(waits, figs.Wait{Span: figs.Span{From: from, To: to}, Round: len(waits) + 1, Reply: -1, Lasts: lasts})
		}
	}
	open := x.Tab == store.TabNeeds
	if !open || x.Round > 1 {
		end := x.Answered
		if end == figs.NoTime {
			end = x.At
		}
		add(x.Raised, max(x.Raised, end), false)
	}
	if open {
		add(x.Since, figs.NoTime, true)
	}
	return waits
}

// longWaitReport is WaitReport for an agent that is long. It knows the first round of each ask and the current one.
func (j *Journal) longWaitReport(ctx context.Context, a *store.Agent, q journal.Query) (*journal.WaitReport, error) {
	const months = 24
	asks, err := j.s.AskWaits(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	sums := figs.NewWaitCounter(j.now)
	costs := make([]int64, len(asks))
	report := &journal.WaitReport{FirstRounds: true}
	for i := range asks {
		waits := waitOf(&asks[i])
		costs[i] = sums.Add(waits, nil).Sum
		if asks[i].Round > len(waits) {
			report.LaterRounds++
		}
	}
	var longest []int
	longest, report.LongestWaits = longestWaits(costs, q)
	report.WaitSummary, report.Months = sums.Sum(months)
	var ids []string
	for _, i := range longest {
		ids = append(ids, asks[i].ID)
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
		ask.Waits = whole[i].Waits
		report.LongestWaits.Items = append(report.LongestWaits.Items, ask)
	}
	return report, nil
}

var _ journal.Replay = (*Journal)(nil)

// Timeline implements journal.Replay for an agent that is long, from what is counted by the day. It can't go back in time.
func (j *Journal) Timeline(ctx context.Context, key string, _ journal.Query) (*journal.Timeline, error) {
	a, err := j.agent(ctx, key)
	if err != nil {
		return nil, err
	}
	const end = int64(1) << 40
	days, err := j.s.ActivityByDay(ctx, j.workspace, a.ID)
	if err != nil {
		return nil, err
	}
	t := &journal.Timeline{TooLarge: true, From: figs.NoTime, To: figs.NoTime, Now: journal.Instant{TS: figs.NoTime}}
	first, last := end, -end
	for _, b := range days {
		if b.Kind <= store.ActivityReply {
			first, last = min(first, b.Hour/24), max(last, b.Hour/24)
			t.Now.Steps += b.N
		}
	}
	if t.Now.Step = t.Now.Steps; t.Now.Steps == 0 {
		return t, nil
	}
	t.From, t.To = first*day, (last+1)*day
	parts := min(last+1-first, 100)
	t.ByTime = make([]journal.Slice, parts)
	partOf := func(at int64) int64 { return min(max((at-t.From)/((t.To-t.From)/parts), 0), parts-1) }
	for _, b := range days {
		s, m := &t.ByTime[partOf(b.Hour*hour)], monthOf(t, b.Hour*hour)
		switch b.Kind {
		case store.ActivitySettled:
			m.Settled += b.N
			if b.Outcome == figs.OutcomeFail {
				s.Failed += b.N
				m.Failed += b.N
			}
		case store.ActivityRaised:
			m.Raised += b.N
		default:
			s.Lines[b.Kind] += b.N
			m.Lines += b.N
			if b.Kind == store.ActivityReply {
				m.Replies += b.N
			}
		}
	}
	slices.SortFunc(t.Months, func(a, b journal.TimelineMonth) int { return int((b.From - a.From) / hour) })
	asks, err := j.s.AskWaits(ctx, a.ID)
	for i := range asks {
		for _, w := range waitOf(&asks[i]) {
			to := parts
			if !w.Lasts {
				to = partOf(w.To)
			}
			for n := partOf(w.From); n < to; n++ {
				t.ByTime[n].Needs++
			}
		}
	}
	return t, err
}

// monthOf returns the row of a month of UTC, which it adds if necessary.
func monthOf(t *journal.Timeline, at int64) *journal.TimelineMonth {
	day := time.UnixMicro(at).UTC()
	from := time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	i := slices.IndexFunc(t.Months, func(m journal.TimelineMonth) bool { return m.From == from })
	if i < 0 {
		i, t.Months = len(t.Months), append(t.Months, journal.TimelineMonth{From: from})
	}
	return &t.Months[i]
}

// Step implements journal.Replay. An agent that is long can't be replayed.
func (j *Journal) Step(ctx context.Context, key string, _ journal.Query) (*journal.Step, error) {
	a, err := j.agent(ctx, key)
	if err != nil {
		return nil, err
	}
	return nil, newStepError(a)
}
