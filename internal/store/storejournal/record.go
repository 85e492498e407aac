package storejournal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

func object(line []byte) figs.Object { return figs.Fold([][]byte{line}) }

// listRecords returns runs or asks, converted by of.
func listRecords[T any](ctx context.Context, j *Journal, key string, q journal.Query, file figs.File, of func(*store.Record) T) (*journal.Page[T], error) {
	a, err := j.agent(ctx, key)
	if err != nil {
		return nil, err
	}
	oldest := file == figs.Runs && q.Sort == journal.SortOldest
	list, err := j.s.Records(ctx, store.RecordQuery{Agent: a.ID, File: file, State: q.State, Words: q.Text, Oldest: oldest, Slice: sliceOf(q)})
	if err != nil {
		return nil, err
	}
	return pageOf(list, of), nil
}

// sliceOf returns the part of a list that a query asks for.
func sliceOf(q journal.Query) store.Slice {
	return store.Slice{After: q.After, Before: q.Before, N: q.Size()}
}

// pageOf converts a page of the store.
func pageOf[S, T any](list *store.Page[S], of func(*S) T) *journal.Page[T] {
	page := &journal.Page[T]{Total: list.Total, AtLeast: list.AtLeast, Prev: list.Prev, Next: list.Next, Searched: list.Searched}
	for i := range list.Items {
		page.Items = append(page.Items, of(&list.Items[i]))
	}
	return page
}

// Jobs implements journal.Journal.
func (j *Journal) Jobs(ctx context.Context, key string, q journal.Query) (*journal.Page[journal.Job], error) {
	return listRecords(ctx, j, key, q, figs.Runs, jobOf)
}

// Asks implements journal.Journal.
func (j *Journal) Asks(ctx context.Context, key string, q journal.Query) (*journal.Page[journal.Ask], error) {
	roster, err := j.s.Roster(ctx, j.workspace)
	if err != nil {
		return nil, notFound(err)
	}
	page, err := listRecords(ctx, j, key, q, figs.Asks, func(r *store.Record) journal.Ask { return askOf(r, roster) })
	if err != nil {
		return nil, err
	}
	return page, j.setContradicted(ctx, key, page.Items)
}

// setContradicted sets Contradicted of asks.
func (j *Journal) setContradicted(ctx context.Context, key string, asks []journal.Ask) error {
	byID := map[string]*journal.Ask{}
	var ids []string
	for i := range asks {
		if state := asks[i].State; state.Phase.Waiting() && !state.Reported || state.Phase.Closed() && state.Reported {
			ids, byID[asks[i].Ask.ID] = append(ids, asks[i].Ask.ID), &asks[i]
		}
	}
	if len(ids) == 0 {
		return nil
	}
	agent, err := parseSegment(key)
	if err != nil {
		return err
	}
	whole, err := j.s.FullRecords(ctx, agent, figs.Asks, ids)
	for i := range whole {
		byID[whole[i].ID].Contradicted = contradictedBy(&whole[i])
	}
	return err
}

// contradictedBy returns the name in the last verified reply, if it differs from an earlier reply of the same round that
// the agent reported; else "".
func contradictedBy(r *store.Record) string {
	var reported *figs.Message
	by := ""
	for i := range r.Thread {
		m := &r.Thread[i]
		reply := figs.ReadMessage(object(m.Line))
		switch {
		case m.Earlier:
		case !m.Verified:
			reported = &reply
		case reported != nil && (reply.Verdict != reported.Verdict || reply.Chosen != reported.Chosen || reply.Verdict == "" && reply.Text != reported.Text):
			by = reply.By
		default:
			by = ""
		}
	}
	return by
}

func jobOf(r *store.Record) journal.Job {
	job := journal.Job{Key: journal.Segment(r.ID), Run: figs.ReadRun(object(r.Fold)), Lines: r.Versions, Raw: r.Fold}
	job.First, job.Last = positions(r, job.Run.TS)
	return job
}

// askOf converts an ask; the roster has the names of the people it asks.
func askOf(r *store.Record, roster *store.Roster) journal.Ask {
	return askOfFold(r, figs.ReadAsk(object(r.Fold)), roster)
}

// askOfFold is askOf for a fold that has already been parsed.
func askOfFold(r *store.Record, says figs.Ask, roster *store.Roster) journal.Ask {
	ask := journal.Ask{Key: journal.Segment(r.ID), Ask: says, State: r.State, Lines: r.Versions, Raw: r.Fold}
	ask.First, ask.Last = positions(r, ask.Ask.TS)
	if ask.Ask.Run != "" {
		ask.JobKey = journal.Segment(ask.Ask.Run) // only the page of the ask checks whether the job exists
	}
	ask.AskedOf = membersOf(roster, r.AskedOf)
	return ask
}

// membersOf returns members by user id.
func membersOf(roster *store.Roster, ids []string) []journal.Person {
	members := make([]journal.Person, len(ids))
	for i, id := range ids {
		members[i] = journal.Person{ID: id, Name: roster.Names[id]}
	}
	return members
}

// positions returns the positions of a record's first and last version. Without a trail only the fold's time is known.
func positions(r *store.Record, ts string) (first, last journal.Position) {
	first = journal.Position{File: r.File, TS: ts}
	if len(r.Trail) == 0 {
		return first, first
	}
	return positionOf(r.File, r.Trail[0].Line), positionOf(r.File, r.Trail[len(r.Trail)-1].Line)
}

func positionOf(file figs.File, line []byte) journal.Position {
	return journal.Position{File: file, TS: object(line).Get("ts").Text()}
}

// Job implements journal.Journal.
func (j *Journal) Job(ctx context.Context, key, job string) (*journal.Job, error) {
	x, err := j.loadRecord(ctx, key, figs.Runs, job)
	if err != nil {
		return nil, err
	}
	found := jobOf(x.Record)
	if found.Trail, err = j.trail(ctx, x.Record, x.folded); err != nil {
		return nil, err
	}
	const most = 200
	list, err := j.s.Records(ctx, store.RecordQuery{Agent: x.Agent, File: figs.Asks, Run: x.ID, Slice: store.Slice{N: most}})
	if err != nil {
		return nil, err
	}
	var order []laneRef
	for i := range list.Items {
		found.Asks = append(found.Asks, askOf(&list.Items[i], x.roster))
		if len(order) < maxLanes-1 {
			order = append(order, laneRef{figs.Asks, list.Items[i].ID})
		}
	}
	lanes, err := j.lanes(ctx, x.Agent, order)
	found.Lanes = append([]journal.Lane{laneOf(x.Record)}, lanes...)
	found.Findings, found.Erased = findingsOf(x.report, figs.Runs, x.ID), x.erased[erasureKey{store.EraseRun, x.ID}]
	return &found, err
}

// Ask implements journal.Journal.
func (j *Journal) Ask(ctx context.Context, key, ask string) (*journal.Ask, error) {
	x, err := j.loadRecord(ctx, key, figs.Asks, ask)
	if err != nil {
		return nil, err
	}
	found := askOf(x.Record, x.roster)
	if found.JobKey != "" {
		jobs, err := j.s.FullRecords(ctx, x.Agent, figs.Runs, []string{found.Ask.Run})
		if err != nil {
			return nil, err
		}
		if len(jobs) == 0 {
			found.JobKey = ""
		} else {
			found.Flights = flightsOf(&jobs[0])
		}
	}
	found.Waits = x.Waits
	if found.Trail, err = j.trail(ctx, x.Record, x.folded); err != nil {
		return nil, err
	}
	var ids []string
	for i := range x.Thread {
		ids = append(ids, x.Thread[i].PushedBy)
	}
	who, err := j.userNames(ctx, ids...)
	if err != nil {
		return nil, err
	}
	for i := range x.Thread {
		found.Thread = append(found.Thread, messageOf(&x.Thread[i], x.Record, who))
	}
	if err := j.addDeliveries(ctx, x.Record, found.Thread); err != nil {
		return nil, notFound(err)
	}
	found.Files, found.Earlier = journal.Attached(found.Trail)
	found.Findings, found.Erased = findingsOf(x.report, figs.Asks, x.ID), x.erased[erasureKey{store.EraseAsk, x.ID}]
	addErasures(found.Thread, x.erased)
	return &found, nil
}

// pageRecord is a record with what its page needs.
type pageRecord struct {
	*store.Record
	report *figs.Report
	folded int // versions in the middle of the trail that were folded into one
	erased erasures
	roster *store.Roster
}

func (j *Journal) loadRecord(ctx context.Context, key string, file figs.File, record string) (*pageRecord, error) {
	a, err := j.agent(ctx, key)
	if err != nil {
		return nil, err
	}
	id, err := parseSegment(record)
	if err != nil {
		return nil, err
	}
	r, err := j.s.Record(ctx, a.ID, file, id)
	if err != nil {
		return nil, notFound(err)
	}
	report, err := j.report(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	roster, err := j.s.Roster(ctx, j.workspace)
	if err != nil {
		return nil, notFound(err)
	}
	erased, err := j.erasures(ctx, a)
	return &pageRecord{r, report, shortenTrail(r), erased, roster}, err
}

// titleOf returns the title of a record, or its id.
func titleOf(r *store.Record) string {
	o := object(r.Fold)
	if title := o.Get("title").Text(); title != "" {
		return title
	}
	return r.ID
}
