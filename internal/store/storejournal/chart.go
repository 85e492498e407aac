package storejournal

import (
	"context"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// Chart implements journal.Workspace. It selects from summaries, which are cached, and reads charters, jobs and weeks of the
// agents on the page only.
func (j *Journal) Chart(ctx context.Context, q journal.ChartQuery) (*journal.Chart, error) {
	seq, err := j.Seq(ctx) // read before the rest, so that a concurrent change is not missed
	if err != nil {
		return nil, err
	}
	all, err := j.summaries(ctx)
	if err != nil {
		return nil, err
	}
	chart := journal.SelectAgents(all, q)
	chart.Seq = seq
	if q.Whole {
		return chart, nil
	}
	isWanted := func(c *journal.Card) bool { return q.Only == nil || q.Only(c.Summary.Key) }
	if !slices.ContainsFunc(chart.Items, func(c journal.Card) bool { return isWanted(&c) }) {
		return chart, nil
	}
	err = j.addDetails(ctx, chart.Items, isWanted)
	chart.Items = slices.DeleteFunc(chart.Items, func(c journal.Card) bool { return c.Agent.Key == "" && isWanted(&c) }) // moved away meanwhile
	return chart, err
}

// summaries returns the summaries of all agents, ordered by name.
func (j *Journal) summaries(ctx context.Context) ([]journal.AgentSummary, error) {
	roster, err := j.s.Roster(ctx, j.workspace)
	if err != nil {
		return nil, notFound(err)
	}
	figures, err := j.s.AgentFigures(ctx, j.workspace)
	if err != nil {
		return nil, notFound(err)
	}
	all := make([]journal.AgentSummary, 0, len(roster.Agents))
	for i := range roster.Agents {
		a := &roster.Agents[i]
		f, ok := figures[a.ID]
		if !ok {
			continue // moved away after the roster was read
		}
		all = append(all, journal.AgentSummary{Key: journal.Segment(a.ID), Name: a.Name, Role: a.Role, Department: a.Department, Status: a.Status,
			Manager: roster.Names[a.Manager], Builder: roster.Names[a.Builder], Jobs: f.Jobs, InFlight: f.InFlight, Needs: f.Needs, Outcome: f.Outcome,
			Oldest: f.OldestNeed, Last: f.Last, Pushed: f.Pushed, Registered: f.Registered, Archived: f.Archived})
	}
	return all, nil
}

// addDetails reads what wanted cards show beyond summaries.
func (j *Journal) addDetails(ctx context.Context, items []journal.Card, isWanted func(*journal.Card) bool) error {
	cards := make(map[string]*journal.Card, len(items))
	var ids []string
	for i := range items {
		if !isWanted(&items[i]) {
			continue
		}
		id, err := parseSegment(items[i].Summary.Key)
		if err != nil {
			return err
		}
		cards[id], ids = &items[i], append(ids, id)
	}
	list, err := j.s.SomeAgents(ctx, j.workspace, ids)
	if err != nil {
		return err
	}
	who, err := j.userNames(ctx, userIDsOf(list)...)
	if err != nil {
		return err
	}
	for i := range list {
		cards[list[i].ID].Agent = agentOf(&list[i], who)
	}
	if err := j.addJobs(ctx, ids, cards); err != nil {
		return err
	}
	return j.addWeeks(ctx, ids, cards)
}

// addJobs sets the newest job in flight, and the one that settled last, of each card.
func (j *Journal) addJobs(ctx context.Context, ids []string, cards map[string]*journal.Card) error {
	for _, settled := range [...]bool{false, true} {
		list, err := j.s.LatestJobs(ctx, j.workspace, ids, settled)
		if err != nil {
			return err
		}
		for i := range list {
			card, job := cards[list[i].Agent], jobOf(&list[i])
			if settled {
				card.Last = &job
			} else {
				card.InFlight = &job
			}
		}
	}
	return nil
}

// addWeeks counts the jobs that settled in the last twelve weeks.
func (j *Journal) addWeeks(ctx context.Context, ids []string, cards map[string]*journal.Card) error {
	today := floor(j.now, day)
	monday := today - weekday(today)
	last := (monday + 3) / 7
	list, err := j.s.WeeklyJobs(ctx, j.workspace, ids, (monday-7*11)*day)
	for _, w := range list {
		if at := w.Week - last + 11; at >= 0 && at < 12 {
			addOutcome(&cards[w.Agent].Weeks[at], w.Outcome, w.N)
		}
	}
	return err
}

func addOutcome(w *journal.Week, outcome figs.Outcome, n int) {
	switch outcome {
	case figs.OutcomeOK:
		w.OK += n
	case figs.OutcomeWarn:
		w.Warned += n
	case figs.OutcomeFail:
		w.Failed += n
	case figs.OutcomeUnknown:
		w.Unknown += n
	}
}
