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
func (j *Journal) Chart(ctx context.Context) (*journal.Chart, error) {
	seq, err := j.Seq(ctx) // before what it stands for
	if err != nil {
		return nil, err
	}
	list, err := j.s.ListAgents(ctx, j.workspace)
	if err != nil {
		return nil, err
	}
	who, err := j.people(ctx, userIDsOf(list)...)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b store.Agent) int { // they come by name
		if (a.Department == "") != (b.Department == "") {
			return cmp.Compare(b.Department, a.Department) // without one: at the end
		}
		return cmp.Compare(a.Department, b.Department)
	})
	live, archived := split(list)
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
	if err := j.jobs(ctx, cards); err != nil {
		return nil, err
	}
	return chart, j.weeks(ctx, cards)
}

// split tells archived agents from others.
func split(list []store.Agent) (live, archived []store.Agent) {
	for i := range list {
		if list[i].Archived != 0 {
			archived = append(archived, list[i])
		} else {
			live = append(live, list[i])
		}
	}
	return live, archived
}

// jobs gives cards their newest job in flight and the one that settled last.
func (j *Journal) jobs(ctx context.Context, cards map[string]*journal.Card) error {
	for _, settled := range [...]bool{false, true} {
		list, err := j.s.LatestJobs(ctx, j.workspace, settled)
		if err != nil {
			return err
		}
		for i := range list {
			card := cards[list[i].Agent]
			if card == nil {
				continue // it came between two questions
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

// weeks counts what settled in the last twelve.
func (j *Journal) weeks(ctx context.Context, cards map[string]*journal.Card) error {
	today := floor(j.now, day)
	monday := today - weekday(today)
	last := (monday + 3) / 7
	list, err := j.s.WeeklyJobs(ctx, j.workspace, (monday-7*11)*day)
	for _, w := range list {
		at := w.Week - last + 11
		if card := cards[w.Agent]; card != nil && at >= 0 && at < 12 {
			count(&card.Weeks[at], w.Outcome, w.N)
		}
	}
	return err
}

func count(w *journal.Week, outcome figs.Outcome, n int) {
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
	who, err := j.people(ctx, pushers...)
	all := make([]journal.Refusal, len(list))
	for i, r := range list {
		all[i] = journal.Refusal{RefusedRecord: r.RefusedRecord, At: r.At, PushedBy: who.person(r.PushedBy)}
	}
	return all, err
}
