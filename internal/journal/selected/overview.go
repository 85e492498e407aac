package selected

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/wasm/bridge"
)

// maxListed is the maximum length of each list of an overview.
const maxListed = 12

// Overview implements journal.Journal.
func (j *Journal) Overview(_ context.Context, agent string) (*journal.Overview, error) {
	if !j.hasPage(agent) {
		return nil, journal.ErrNotFound
	}
	o := &journal.Overview{Agent: j.agent(j.s.Agent), Hidden: j.s.Hidden}
	if last := o.Agent.Last; last.Line > 0 {
		o.Newest = &last
	}
	if o.Event = j.lastEvent(); o.Event != nil {
		o.Newest = &o.Event.Position
	}
	if len(j.s.Findings) > 0 {
		o.First = &j.s.Findings[0]
	}
	for _, r := range j.s.Main {
		n := j.recordIn(r)
		if n < 0 {
			continue
		}
		if r.File == figs.Asks {
			o.Lanes = append(o.Lanes, j.addAsk(o, n))
		} else if r.File == figs.Runs {
			o.Lanes = append(o.Lanes, j.addJob(o, n))
		}
	}
	return o, nil
}

// lastEvent returns the last line of the history; nil if there is none.
func (j *Journal) lastEvent() *journal.StepLine {
	file, ref := j.f.Step(j.f.Steps())
	if file == figs.NoFile || len(j.lines[file]) != j.f.Lines(file) {
		return nil
	}
	event := j.stepLine(bridge.Day{int(file), j.origin(file, ref).Number, 0}, -1)
	if file == figs.Messages { // a reply has no page, so use its ask's
		event.Owner = "messages"
		if ask := j.f.AskOf(ref.Record); ask >= 0 {
			event.Owner = "asks/" + j.key(figs.Asks, ask)
		}
	}
	return &event
}

// addAsk adds an ask to the lists of the overview and returns its lane.
func (j *Journal) addAsk(o *journal.Overview, n int) journal.Lane {
	ask := j.ask(n)
	switch {
	case ask.State.Phase.Closed():
	case ask.State.Phase.Waiting():
		if len(o.Waiting) < maxListed {
			o.Waiting = append(o.Waiting, ask)
		}
	case len(o.Needs) < maxListed:
		o.Needs = append(o.Needs, ask)
	}
	return j.askLane(n, &ask)
}

// askLane returns the lane of an ask, with its waits.
func (j *Journal) askLane(n int, ask *journal.Ask) journal.Lane {
	lane := journal.Lane{Ask: true, Key: ask.Key, ID: ask.Ask.ID, Title: ask.Ask.Title, Open: !ask.State.Phase.Closed()}
	raises, closes := j.f.Raises(n)
	rounds := j.f.Rounds(n)
	r := j.fold(figs.Asks, n)
	var marks journal.AskMarks
	for i, ref := range r.refs {
		line := figs.ReadAsk(r.lines[i])
		marks.Line(journal.Mark{Position: j.position(figs.Asks, ref), At: ref.TS}, &line, rounds[i], raises[i], closes[i])
	}
	for _, reply := range j.f.Thread(n) {
		m := j.message(reply)
		marks.Reply(journal.Mark{Position: m.Position, At: reply.At}, &m.Message, reply.Round)
	}
	lane.Marks = marks.Sorted()
	for _, w := range ask.Waits {
		lane.Waits = append(lane.Waits, journal.Wait{From: w.From, To: w.To})
	}
	return lane
}

// addJob adds a job to the overview and returns its lane.
func (j *Journal) addJob(o *journal.Overview, n int) journal.Lane {
	job := j.job(n)
	switch {
	case j.f.Outcome(n) == figs.OutcomeInFlight:
		if len(o.InFlight) < maxListed {
			o.InFlight = append(o.InFlight, job)
		}
	case o.Last == nil:
		o.Last = &job
	}
	if o.Failed == nil && j.f.Outcome(n) == figs.OutcomeFail {
		o.Failed = &job
	}
	return j.jobLane(n, &job)
}

// jobLane returns the lane of a job.
func (j *Journal) jobLane(n int, job *journal.Job) journal.Lane {
	open := j.f.Outcome(n) == figs.OutcomeInFlight
	lane := journal.Lane{Key: job.Key, ID: job.Run.ID, Title: job.Run.Headline(), Open: open}
	r := j.fold(figs.Runs, n)
	var marks journal.JobMarks
	for i, ref := range r.refs {
		line := figs.ReadRun(r.lines[i])
		lane.Marks = append(lane.Marks, marks.Next(journal.Mark{Position: j.position(figs.Runs, ref), At: ref.TS}, &line))
	}
	return lane
}
