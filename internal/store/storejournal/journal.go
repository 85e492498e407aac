// Package storejournal answers the questions of pages from a store, for the agents of one
// workspace. Addresses name agents and records by their ids and attachments by their names;
// how an id becomes a part of an address is for whoever makes addresses.
package storejournal

import (
	"context"
	"errors"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// Source is what a journal asks of a store.
type Source interface {
	store.Agents
	store.Reader
}

// Journal is a journal.Journal of one workspace at one moment.
type Journal struct {
	s         Source
	workspace string
	now       int64
}

var _ journal.Journal = (*Journal)(nil)

// New gives the journal of a workspace. Who may see it has been decided before. now, in
// microseconds since 1970 UTC, is where a calendar ends.
func New(s Source, workspace string, now int64) *Journal { return &Journal{s, workspace, now} }

// glanced and pictured are how many records of a kind, and how many lanes, the first view has.
const glanced, pictured = 12, 40

// missing makes what a store does not have what a journal does not have.
func missing(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return journal.ErrNotFound
	}
	return err
}

// agent finds an agent of this workspace; those of others do not exist here.
func (j *Journal) agent(ctx context.Context, id string) (*store.Agent, error) {
	a, err := j.s.Agent(ctx, id)
	if err == nil && a.Workspace != j.workspace {
		err = journal.ErrNotFound
	}
	return &a, missing(err)
}

// Agents implements journal.Journal.
func (j *Journal) Agents(ctx context.Context) ([]journal.Agent, error) {
	list, err := j.s.ListAgents(ctx, j.workspace)
	all := make([]journal.Agent, len(list))
	for i := range list {
		all[i] = agentOf(&list[i])
	}
	return all, err
}

// Agent implements journal.Journal.
func (j *Journal) Agent(ctx context.Context, id string) (*journal.Agent, error) {
	a, err := j.agent(ctx, id)
	if err != nil {
		return nil, err
	}
	agent := agentOf(a)
	return &agent, nil
}

func agentOf(a *store.Agent) journal.Agent {
	n := &a.Counts
	agent := journal.Agent{
		Key:    a.ID,
		Config: figs.Config{AgentID: a.ID, WorkspaceID: a.Workspace},
		Counts: journal.Counts{Jobs: n.Jobs, InFlight: n.InFlight, Failed: n.Failed, Warned: n.Warned, Unknown: n.Unknown,
			Asks: n.Asks, NeedsYou: n.NeedsYou, Waiting: n.Waiting, Closed: n.Closed, Messages: n.Messages, Files: n.Files,
			Errors: n.Errors, Warnings: n.Warnings, Infos: n.Infos},
		Last: journal.Place{TS: a.LastTS},
	}
	agent.Charter, _ = figs.ReadCharter(a.Charter)
	if agent.Charter.Name == "" {
		agent.Charter.Name = a.Name
	}
	if a.OldestNeed != figs.NoTime {
		agent.Oldest = written(a.OldestNeed)
	}
	return agent
}

// written is an instant as agents write theirs.
func written(at int64) string { return time.UnixMicro(at).UTC().Format(time.RFC3339) }

// Overview implements journal.Journal.
func (j *Journal) Overview(ctx context.Context, id string) (*journal.Overview, error) {
	a, err := j.agent(ctx, id)
	if err != nil {
		return nil, err
	}
	o := &journal.Overview{Agent: agentOf(a)}
	if a.LastTS != "" {
		o.Newest = &o.Agent.Last
	}
	if o.Needs, err = j.asks(ctx, id, store.Needs); err != nil {
		return nil, err
	}
	if o.Waiting, err = j.asks(ctx, id, store.Waiting); err != nil {
		return nil, err
	}
	flying, err := j.Jobs(ctx, id, journal.Query{State: "in-flight", N: glanced})
	if err != nil {
		return nil, err
	}
	o.InFlight = flying.Items
	newest, _, err := j.s.Records(ctx, store.RecordQuery{Agent: id, File: figs.Runs, N: pictured})
	if err != nil {
		return nil, err
	}
	for i := range newest {
		if newest[i].Outcome != figs.OutcomeInFlight {
			job := jobOf(&newest[i])
			o.Last = &job
			break
		}
	}
	report, err := j.report(ctx, id)
	if err == nil && len(report.Findings) > 0 {
		o.First = &report.Findings[0]
	}
	if err != nil {
		return nil, err
	}
	return o, j.picture(ctx, o, newest)
}

// picture draws what needs somebody and what is in flight, then the newest of the rest.
func (j *Journal) picture(ctx context.Context, o *journal.Overview, jobs []store.Record) error {
	id := o.Agent.Key
	drawn := map[string]bool{}
	lane := func(file figs.File, record string) error {
		k := file.String() + record
		if drawn[k] || len(o.Lanes) == pictured {
			return nil
		}
		drawn[k] = true
		r, err := j.s.Record(ctx, id, file, record)
		if err != nil {
			return missing(err)
		}
		o.Lanes = append(o.Lanes, laneOf(r))
		return nil
	}
	var order []store.Record
	for _, list := range [][]journal.Ask{o.Needs, o.Waiting} {
		for i := range list {
			order = append(order, store.Record{File: figs.Asks, ID: list[i].Ask.ID})
		}
	}
	for i := range o.InFlight {
		order = append(order, store.Record{File: figs.Runs, ID: o.InFlight[i].Run.ID})
	}
	order = append(order, jobs...)
	closed, _, err := j.s.Records(ctx, store.RecordQuery{Agent: id, File: figs.Asks, State: string(store.Closed), N: pictured})
	if err != nil {
		return err
	}
	for _, r := range append(order, closed...) {
		if err := lane(r.File, r.ID); err != nil {
			return err
		}
	}
	o.Hidden = o.Agent.Counts.Jobs + o.Agent.Counts.Asks - len(o.Lanes)
	return nil
}

// asks lists the first asks of a tab.
func (j *Journal) asks(ctx context.Context, id string, tab store.Tab) ([]journal.Ask, error) {
	page, err := j.Asks(ctx, id, journal.Query{State: string(tab), N: glanced})
	if err != nil {
		return nil, err
	}
	return page.Items, nil
}

// Activity implements journal.Journal: 53 weeks that begin on a Monday, the last of them that
// of today, or that of the newest line when that is more than a year old.
func (j *Journal) Activity(ctx context.Context, id string) (*journal.Activity, error) {
	a, err := j.agent(ctx, id)
	if err != nil {
		return nil, err
	}
	days, err := j.s.Days(ctx, id)
	if err != nil || len(days) == 0 || a.Last == figs.NoTime {
		return &journal.Activity{}, err
	}
	const day, past = int64(24 * time.Hour / time.Microsecond), 7 * 52
	last := a.Last / day
	if today := j.now / day; today-last < past {
		last = today
	}
	first := last - past - ((last+3)%7+7)%7 // 1970 began on a Thursday
	x := &journal.Activity{First: first * day, Days: make([]journal.Day, last-first+1)}
	for _, d := range days {
		switch {
		case d.Day < first:
			x.Before += d.N
		case d.Day > last:
			x.After += d.N
		default:
			at := &x.Days[d.Day-first]
			*[...]*int{&at.Jobs, &at.Asks, &at.Replies}[d.File] += d.N
		}
	}
	return x, nil
}

// Lines implements journal.Journal. A store has versions, no ledgers: there are no lines.
func (j *Journal) Lines(ctx context.Context, id string, _ figs.File, q journal.Query) (*journal.Page[journal.Line], error) {
	_, err := j.agent(ctx, id)
	return &journal.Page[journal.Line]{From: q.From}, err
}

// Text implements journal.Journal. Of the small files only agent.json is pushed (§2).
func (j *Journal) Text(ctx context.Context, id, file string) (*journal.Text, error) {
	a, err := j.agent(ctx, id)
	if err != nil {
		return nil, err
	}
	if figs.FileNamed(file) != figs.AgentJSON {
		return nil, journal.ErrNotFound
	}
	return &journal.Text{Name: file, Content: a.Charter, Size: int64(len(a.Charter))}, nil
}
