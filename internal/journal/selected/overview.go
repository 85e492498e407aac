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
	thread := j.f.Thread(n)
	raises, closes := j.f.Raises(n)
	rounds := j.f.Rounds(n)
	r := j.fold(figs.Asks, n)
	for i, ref := range r.refs {
		line := figs.ReadAsk(r.lines[i])
		mark := journal.Mark{Position: j.position(figs.Asks, ref), At: ref.TS, Kind: "note", Label: line.Title}
		switch {
		case closes[i]:
			mark.Kind = "close"
			if line.Resolution != nil {
				mark.Label = line.Resolution.Note
				if at, ok := figs.ParseTime(line.Resolution.TS); ok && mark.At == figs.NoTime {
					mark.At, mark.Position.TS = at, line.Resolution.TS
				}
			}
		case raises[i]:
			mark.Kind = "raise"
		}
		lane.Marks = append(lane.Marks, mark)
	}
	for _, reply := range thread {
		m := j.message(reply)
		lane.Marks = append(lane.Marks, journal.Mark{Position: m.Position, At: reply.At, Kind: "reply", Label: replySummary(&m.Message)})
	}
	sortMarks(&lane, rounds, thread)
	for _, w := range ask.Waits {
		lane.Waits = append(lane.Waits, journal.Wait{From: w.From, To: w.To})
	}
	return lane
}

// sortMarks sorts a lane's marks by time. At equal times a raise comes before the replies of its round, and a close last. A
// mark without a time stays after the mark before it.
func sortMarks(lane *journal.Lane, rounds []int, thread []figs.Reply) {
	type step struct {
		at   int64
		turn int
	}
	steps := make([]step, len(lane.Marks))
	last := int64(figs.NoTime)
	for i, mark := range lane.Marks {
		switch {
		case mark.Kind == "close":
			steps[i].turn = 1 << 30
		case i < len(rounds):
			steps[i].turn = 2 * rounds[i]
		default:
			steps[i].turn = 2*thread[i-len(rounds)].Round + 1
		}
		if mark.At != figs.NoTime {
			last = mark.At
		}
		steps[i].at = last
	}
	order := make([]int, len(lane.Marks))
	for i := range order {
		order[i] = i
	}
	figs.Sort(order, func(x, y int) bool {
		return steps[x].at < steps[y].at || steps[x].at == steps[y].at && steps[x].turn < steps[y].turn
	})
	marks := make([]journal.Mark, len(order))
	for i, n := range order {
		marks[i] = lane.Marks[n]
	}
	lane.Marks = marks
}

// replySummary returns the most important text of a reply.
func replySummary(m *figs.Message) string {
	for _, s := range [...]string{m.Verdict, m.Chosen, m.Text} {
		if s != "" {
			return s
		}
	}
	return m.Kind
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
	state, status := "", ""
	for i, ref := range r.refs {
		line := figs.ReadRun(r.lines[i])
		if line.State != "" {
			state = line.State
		}
		if line.Status != "" {
			status = line.Status
		}
		mark := journal.Mark{Position: j.position(figs.Runs, ref), At: ref.TS, Kind: "ok", Label: line.Result}
		switch {
		case status == "warn" || status == "fail": // in flight or settled, as in the trail
			mark.Kind = status
		case status != "" && status != "ok":
			mark.Kind = "note"
		case state == "in-flight":
			mark.Kind = "checkpoint"
		}
		lane.Marks = append(lane.Marks, mark)
	}
	return lane
}
