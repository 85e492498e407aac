package storejournal

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// Trends implements journal.Workspace.
func (j *Journal) Trends(ctx context.Context, q journal.TrendsQuery) (*journal.Trends, error) {
	agent, err := j.agentID(ctx, q.Agent)
	if err != nil {
		return nil, err
	}
	days := q.Period()
	today := floor(j.now, day)
	first := today - int64(days) + 1
	from, to := first*day, (today+1)*day
	t := &journal.Trends{First: from, Days: make([]journal.TrendDay, days)}
	newest := int64(figs.NoTime)
	last, err := j.s.LastActiveHour(ctx, j.workspace, agent)
	switch {
	case err == nil:
		newest = last * hour
	case !errors.Is(err, store.ErrNotFound):
		return nil, err
	}
	// The calendar is longer than any period. It ends before today only if nothing has happened since.
	calendar, _ := j.calendarRange(newest)
	hours, err := j.s.HourlyActivity(ctx, j.workspace, agent, calendar*24, (today+1)*24)
	if err != nil {
		return nil, err
	}
	t.Heat = j.heatMap(hours, newest)
	for _, b := range hours {
		at := floor(b.Hour, 24) - first
		if at < 0 || at >= int64(days) {
			continue
		}
		switch d := &t.Days[at]; b.Kind {
		case store.ActivitySettled:
			addOutcome(&d.Week, b.Outcome, b.N)
			t.Jobs += b.N
		case store.ActivityRaised:
			d.Raised += b.N
		default:
			t.Hours[weekday(floor(b.Hour, 24))][b.Hour-floor(b.Hour, 24)*24] += b.N
			if b.Kind == store.ActivityReply {
				d.Replied += b.N
			}
		}
	}
	if t.Answers, err = j.s.AnswerTimes(ctx, j.workspace, agent, from, to); err != nil {
		return nil, err
	}
	used, err := j.s.TokenUsage(ctx, j.workspace, agent, from, to)
	if err != nil {
		return nil, err
	}
	t.Tokens, t.TokenJobs = used.Sum, used.Jobs
	const oldest = 8
	in, err := j.s.Inbox(ctx, store.InboxQuery{Workspace: j.workspace, Agent: agent, Viewer: q.Viewer, Now: j.now, Slice: store.Slice{N: oldest}})
	if err != nil {
		return nil, notFound(err)
	}
	t.Agents = j.rosterAgents(in.Roster)
	if t.Waits, err = j.inboxItems(ctx, in, q.Viewer); err != nil {
		return nil, err
	}
	standing, err := j.s.WaitingTimes(ctx, j.workspace, agent, j.now)
	for _, s := range standing {
		t.WaitingByAgent = append(t.WaitingByAgent, journal.AgentWaiting{Agent: j.rosterAgent(in.Roster, s.Agent), Asks: s.Asks, Sum: s.Sum})
	}
	return t, err
}

// heatMap returns the calendar of all lines. Lines outside of its days aren't counted.
func (j *Journal) heatMap(hours []store.HourCount, newest int64) *journal.Activity {
	byDay := map[store.DayCount]int{}
	for _, b := range hours {
		if b.Kind > store.ActivityReply {
			continue
		}
		byDay[store.DayCount{Day: floor(b.Hour, 24), File: figs.File(b.Kind)}] += b.N
	}
	list := make([]store.DayCount, 0, len(byDay))
	for d, n := range byDay {
		d.N = n
		list = append(list, d)
	}
	return j.calendar(list, newest)
}
