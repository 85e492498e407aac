package storejournal

import (
	"cmp"
	"context"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

var _ journal.Workspace = (*Journal)(nil)

// Seq implements journal.Workspace.
func (j *Journal) Seq(ctx context.Context) (int64, error) {
	seq, err := j.s.Seq(ctx, j.workspace)
	return seq, notFound(err)
}

// Chart implements journal.Workspace.
func (j *Journal) Chart(ctx context.Context) (*journal.Chart, error) { // read before the rest, which may be newer
	seq, err := j.Seq(ctx) // read before the rest, so that a concurrent change is not missed
	if err != nil {
		return nil, err
	}
	list, err := j.s.ListAgents(ctx, j.workspace)
	if err != nil {
		return nil, err
	}
	who, err := j.userNames(ctx, userIDsOf(list)...)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b store.Agent) int { // they are already sorted by name
		if (a.Department == "") != (b.Department == "") {
			return cmp.Compare(b.Department, a.Department) // agents without a department come last
		}
		return cmp.Compare(a.Department, b.Department)
	})
	live, archived := splitArchived(list)
	chart := &journal.Chart{Cards: make([]journal.Card, len(live)), Archived: make([]journal.Card, len(archived)), Seq: seq}
	for i := range archived {
		chart.Archived[i].Agent = agentOf(&archived[i], who)
	}
	list = live
	cards := make(map[string]*journal.Card, len(list))
	for i := range list {
		card := &chart.Cards[i]
		card.Agent = agentOf(&list[i], who)
		cards[list[i].ID] = card
		chart.Needs += list[i].Counts.NeedsYou
	}
	if err := j.addJobs(ctx, cards); err != nil {
		return nil, err
	}
	return chart, j.addWeeks(ctx, cards)
}

// splitArchived separates archived agents from the others.
func splitArchived(list []store.Agent) (live, archived []store.Agent) {
	for i := range list {
		if list[i].Archived != 0 {
			archived = append(archived, list[i])
		} else {
			live = append(live, list[i])
		}
	}
	return live, archived
}

// addJobs sets the newest job in flight, and the one that settled last, of each card.
func (j *Journal) addJobs(ctx context.Context, cards map[string]*journal.Card) error {
	for _, settled := range [...]bool{false, true} {
		list, err := j.s.LatestJobs(ctx, j.workspace, settled)
		if err != nil {
			return err
		}
		for i := range list {
			card := cards[list[i].Agent]
			if card == nil {
				continue // registered after the agents were listed
			}
			job := jobOf(&list[i])
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
func (j *Journal) addWeeks(ctx context.Context, cards map[string]*journal.Card) error {
	today := floor(j.now, day)
	monday := today - weekday(today)
	last := (monday + 3) / 7
	list, err := j.s.WeeklyJobs(ctx, j.workspace, (monday-7*11)*day)
	for _, w := range list {
		at := w.Week - last + 11
		if card := cards[w.Agent]; card != nil && at >= 0 && at < 12 {
			addOutcome(&card.Weeks[at], w.Outcome, w.N)
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

// Refusals implements journal.Workspace.
func (j *Journal) Refusals(ctx context.Context, key string) ([]journal.Refusal, error) {
	a, err := j.agent(ctx, key)
	if err != nil {
		return nil, err
	}
	list, err := j.s.Refusals(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	var pushers []string
	for _, r := range list {
		pushers = append(pushers, r.PushedBy)
	}
	who, err := j.userNames(ctx, pushers...)
	all := make([]journal.Refusal, len(list))
	for i, r := range list {
		all[i] = journal.Refusal{RefusedRecord: r.RefusedRecord, At: r.At, PushedBy: who.person(r.PushedBy)}
	}
	return all, err
}
