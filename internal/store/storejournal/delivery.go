package storejournal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// addDeliveries sets the delivery of an ask's verified replies, and whether they have a receipt.
func (j *Journal) addDeliveries(ctx context.Context, r *store.Record, thread []journal.Message) error {
	cited, verified := "", false
	if resolution := figs.ReadAsk(object(r.Fold)).Resolution; resolution != nil && r.State.Phase.Closed() {
		cited = resolution.Answer
	}
	for i := range thread {
		m := &r.Thread[i]
		if !m.Verified {
			continue
		}
		verified = true
		thread[i].Delivery = &journal.Delivery{Recorded: m.Received, PickedUp: m.PickedUp, Confirmed: m.Confirmed}
		if m.ID == cited {
			if err := j.addClose(ctx, r.Agent, m.ID, thread[i].Delivery); err != nil {
				return err
			}
		}
	}
	if !verified {
		return nil
	}
	decided, err := j.decisionIDs(ctx, r)
	for i := range thread {
		thread[i].Receipt = r.Thread[i].Verified && decided[r.Thread[i].ID]
	}
	return err
}

// addClose sets when a line arrived that closes the ask and cites the reply, and the job that it names.
func (j *Journal) addClose(ctx context.Context, agent, id string, d *journal.Delivery) error {
	stored, err := j.s.Delivery(ctx, agent, id)
	if err != nil {
		return err
	}
	if d.Closed = stored.Closed; stored.Run == "" {
		return nil
	}
	folds, err := j.s.Folds(ctx, agent, figs.Runs, []string{stored.Run})
	d.Job = &journal.Job{Run: figs.Run{ID: stored.Run}}
	if fold := folds[stored.Run]; fold != nil {
		d.Job = &journal.Job{Key: journal.Segment(stored.Run), Run: figs.ReadRun(object(fold)), Raw: fold}
	}
	return err
}

// decisionIDs returns the ids of an ask's replies that were decisions.
func (j *Journal) decisionIDs(ctx context.Context, r *store.Record) (map[string]bool, error) {
	ids := map[string]bool{}
	list, err := j.s.ListDecisions(ctx, j.workspace, r.Agent, r.ID, 0)
	for i := range list {
		ids[list[i].ID] = true
	}
	return ids, err
}
