package storejournal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// maxListed and maxLanes are how many records of a kind, and how many lanes, an overview has.
const maxListed, maxLanes = 12, 40

// Overview implements journal.Journal.
func (j *Journal) Overview(ctx context.Context, key string) (*journal.Overview, error) {
	agent, err := j.Agent(ctx, key)
	if err != nil {
		return nil, err
	}
	o := &journal.Overview{Agent: *agent}
	if agent.Last.TS != "" {
		o.Newest = &o.Agent.Last
	}
	if o.Needs, err = j.firstAsks(ctx, key, store.TabNeeds); err != nil {
		return nil, err
	}
	if o.Waiting, err = j.firstAsks(ctx, key, store.TabWaiting); err != nil {
		return nil, err
	}
	inFlight, err := j.Jobs(ctx, key, journal.Query{State: "in-flight", N: maxListed})
	if err != nil {
		return nil, err
	}
	o.InFlight = inFlight.Items
	id := agent.Config.AgentID
	page, err := j.s.Records(ctx, store.RecordQuery{Agent: id, File: figs.Runs, Slice: store.Slice{N: maxLanes}})
	if err != nil {
		return nil, err
	}
	newest := page.Items
	for i := range newest {
		if newest[i].Outcome != figs.OutcomeInFlight {
			job := jobOf(&newest[i])
			o.Last = &job
			break
		}
	}
	if agent.Counts.Failed > 0 {
		failed, err := j.Jobs(ctx, key, journal.Query{State: "fail", N: 1})
		if err != nil {
			return nil, err
		}
		if len(failed.Items) > 0 {
			o.Failed = &failed.Items[0]
		}
	}
	report, err := j.report(ctx, id)
	if err != nil {
		return nil, err
	}
	if len(report.Findings) > 0 {
		o.First = &report.Findings[0]
	}
	err = j.setLanes(ctx, o, newest)
	o.Event = lastEvent(o.Lanes)
	return o, err
}

// lastEvent returns the newest mark of the lanes as a step; at equal times, the later one in its lane. It returns nil if
// there is none.
func lastEvent(lanes []journal.Lane) (event *journal.StepLine) {
	for i := range lanes {
		lane := &lanes[i]
		for k, m := range lane.Marks {
			if m.At == figs.NoTime || event != nil && m.At < event.At {
				continue
			}
			file, owner := figs.Runs, "jobs/"+lane.Key
			if lane.Ask {
				file, owner = figs.Asks, "asks/"+lane.Key
			}
			if m.Kind == "reply" {
				file = figs.Messages
			}
			event = &journal.StepLine{Position: journal.Position{File: file, TS: m.Position.TS}, At: m.At, Kind: m.Kind, First: k == 0, Owner: owner, Title: lane.Title,
				Label: m.Label, Flight: m.Kind == "checkpoint" || file == figs.Runs && lane.Open}
		}
	}
	return event
}

// firstAsks returns the first asks of a tab.
func (j *Journal) firstAsks(ctx context.Context, key string, tab store.Tab) ([]journal.Ask, error) {
	page, err := j.Asks(ctx, key, journal.Query{State: string(tab), N: maxListed})
	if err != nil {
		return nil, err
	}
	return page.Items, nil
}

// laneRef identifies the record of a lane.
type laneRef struct {
	file figs.File
	id   string
}

// setLanes sets the lanes of an overview: what needs a human and what is in flight, then the newest of the rest.
func (j *Journal) setLanes(ctx context.Context, o *journal.Overview, jobs []store.Record) error {
	var order []laneRef
	seen := map[laneRef]bool{}
	add := func(file figs.File, id string) {
		if d := (laneRef{file, id}); !seen[d] && len(order) < maxLanes {
			seen[d] = true
			order = append(order, d)
		}
	}
	for _, list := range [][]journal.Ask{o.Needs, o.Waiting} {
		for i := range list {
			add(figs.Asks, list[i].Ask.ID)
		}
	}
	for i := range o.InFlight {
		add(figs.Runs, o.InFlight[i].Run.ID)
	}
	for i := range jobs {
		add(figs.Runs, jobs[i].ID)
	}
	id := o.Agent.Config.AgentID
	closed, err := j.s.Records(ctx, store.RecordQuery{Agent: id, File: figs.Asks, State: string(store.TabClosed), Slice: store.Slice{N: maxLanes}})
	if err != nil {
		return err
	}
	for i := range closed.Items {
		add(figs.Asks, closed.Items[i].ID)
	}
	o.Lanes, err = j.lanes(ctx, id, order)
	o.Hidden = o.Agent.Counts.Jobs + o.Agent.Counts.Asks - len(o.Lanes)
	return err
}

// lanes returns the lanes of records, in order.
func (j *Journal) lanes(ctx context.Context, id string, order []laneRef) ([]journal.Lane, error) {
	found := map[laneRef]journal.Lane{}
	for _, file := range [...]figs.File{figs.Runs, figs.Asks} {
		var ids []string
		for _, d := range order {
			if d.file == file {
				ids = append(ids, d.id)
			}
		}
		if len(ids) == 0 {
			continue
		}
		list, err := j.s.FullRecords(ctx, id, file, ids)
		if err != nil {
			return nil, err
		}
		for i := range list {
			shortenTrail(&list[i])
			found[laneRef{file, list[i].ID}] = laneOf(&list[i])
		}
	}
	var lanes []journal.Lane
	for _, d := range order {
		if lane, ok := found[d]; ok {
			lanes = append(lanes, lane)
		}
	}
	return lanes, nil
}
