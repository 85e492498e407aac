package pagetest

import (
	"context"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// BusyTrends is a period of so many days to the day of the fixture: most days have jobs, some fail.
func BusyTrends(days int) journal.Trends {
	t := journal.Trends{First: At("2026-11-21T00:00:00Z") - int64(days)*ui.Day, Tokens: 1_204_331, TokenJobs: 30}
	for i := range days {
		d := journal.TrendDay{}
		if i%7 < 5 || i%13 == 0 {
			d.Week = journal.Week{OK: (i*i + 3) % 8, Warned: i % 11 / 9, Failed: i % 9 / 8, Unknown: i % 29 / 28}
			d.Raised, d.Replied = i%6/5, i%7/6
		}
		t.Days = append(t.Days, d)
		settled := d.Week.OK + d.Week.Warned + d.Week.Failed + d.Week.Unknown
		t.Jobs += settled
		t.Hours[i%7][8+i%9] += 1 + settled
	}
	f := NewJournal()
	one, two := f.Overviews[0].Agent, f.Overviews[1].Agent
	t.WaitingByAgent = []journal.AgentWaiting{{Agent: one, Asks: 3, Sum: 9*ui.Day + 4*ui.Hour}, {Agent: two, Asks: 1, Sum: 50 * ui.Minute}}
	t.Agents = []journal.Agent{one, two}
	t.Answers = []int64{4 * ui.Minute, 40 * ui.Minute, 50 * ui.Minute, 3 * ui.Hour, 5 * ui.Hour, 20 * ui.Hour, 26 * ui.Hour, 30 * ui.Hour, 4 * ui.Day, 12 * ui.Day}
	t.Waits = []journal.InboxItem{
		{Agent: one, Ask: f.AllAsks[0], Since: At("2026-11-18T12:05:10Z"), Department: "Finance Ops"},
		{Agent: one, Ask: f.AllAsks[1], Since: figs.NoTime},
	}
	t.Heat, _ = f.Activity(context.Background(), "1")
	return t
}

func QuietTrends() journal.Trends {
	return journal.Trends{First: At("2026-10-24T00:00:00Z"), Days: make([]journal.TrendDay, 28), Heat: &journal.Activity{}}
}
