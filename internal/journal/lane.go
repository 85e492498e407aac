package journal

import (
	"cmp"
	"slices"

	"github.com/figs-web/figs-web/figs"
)

// JobMarks makes the marks of a job's lines, in order.
type JobMarks struct{ state, status string }

// Next returns the mark of the next line. m has its position and time.
func (j *JobMarks) Next(m Mark, line *figs.Run) Mark {
	j.state, j.status = cmp.Or(line.State, j.state), cmp.Or(line.Status, j.status)
	m.Kind, m.Label = "ok", line.Result
	switch {
	case j.status == "warn" || j.status == "fail": // in flight or settled, as in the trail
		m.Kind = j.status
	case j.status != "" && j.status != "ok":
		m.Kind = "note"
	case j.state == "in-flight":
		m.Kind = "checkpoint"
	}
	return m
}

// AskMarks collects the marks of an ask's lines and of its replies.
type AskMarks struct{ steps []askStep }

type askStep struct {
	mark Mark
	at   int64
	turn int // at equal times: a round's lines, its replies, the next round, and a close last
}

const closeTurn = 1 << 30

// Line adds a line of the ask. mark has its position and time; if a close has no readable time, that of its resolution counts.
func (a *AskMarks) Line(mark Mark, line *figs.Ask, round int, raises, closes bool) {
	mark.Kind, mark.Label = "note", line.Title
	turn := 2 * round
	switch {
	case closes:
		mark.Kind, turn = "close", closeTurn
		if res := line.Resolution; res != nil {
			mark.Label = res.Note
			if _, timed := figs.ParseTime(line.TS); !timed {
				if at, ok := figs.ParseTime(res.TS); ok {
					mark.At, mark.Position.TS = at, res.TS
				}
			}
		}
	case raises:
		mark.Kind = "raise"
	}
	a.steps = append(a.steps, askStep{mark: mark, turn: turn})
}

// Reply adds a reply to a round.
func (a *AskMarks) Reply(mark Mark, reply *figs.Message, round int) {
	mark.Kind, mark.Label = "reply", ReplySummary(reply)
	a.steps = append(a.steps, askStep{mark: mark, turn: 2*round + 1})
}

// Sorted returns the marks by time. One without a time stays after the one that was added before it.
func (a *AskMarks) Sorted() []Mark {
	last := int64(figs.NoTime)
	for i := range a.steps {
		step := &a.steps[i]
		if step.mark.At != figs.NoTime {
			last = step.mark.At
		}
		step.at = last
	}
	slices.SortStableFunc(a.steps, func(x, y askStep) int {
		return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.turn, y.turn))
	})
	marks := make([]Mark, len(a.steps))
	for i := range a.steps {
		marks[i] = a.steps[i].mark
	}
	return marks
}

// ReplySummary returns the most important text of a reply.
func ReplySummary(reply *figs.Message) string {
	return cmp.Or(reply.Verdict, reply.Chosen, reply.Text, reply.Kind)
}
