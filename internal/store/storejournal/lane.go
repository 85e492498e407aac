package storejournal

import (
	"sort"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// laneOf returns the lane of a record.
func laneOf(r *store.Record) journal.Lane {
	if r.File == figs.Runs {
		return jobLane(r)
	}
	return askLane(r)
}

func jobLane(r *store.Record) journal.Lane {
	lane := journal.Lane{Key: journal.Segment(r.ID), ID: r.ID, Title: titleOf(r), Open: r.Outcome == figs.OutcomeInFlight}
	var state, status string
	for i := range r.Trail {
		line := figs.ReadRun(object(r.Trail[i].Line))
		if line.State != "" {
			state = line.State
		}
		if line.Status != "" {
			status = line.Status
		}
		mark := markOf(r.File, line.TS, r.Trail[i].At)
		mark.Kind, mark.Label = "ok", line.Result
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

// markOf returns the mark of a version at its own time, or else at its arrival.
func markOf(file figs.File, ts string, arrived int64) journal.Mark {
	m := journal.Mark{Position: journal.Position{File: file, TS: ts}, At: arrived}
	if at, ok := figs.ParseTime(ts); ok {
		m.At = at
	}
	return m
}

func askLane(r *store.Record) journal.Lane {
	var turns []int // at equal times, a round's versions come before its replies, and a close last
	lane := journal.Lane{Ask: true, Key: journal.Segment(r.ID), ID: r.ID, Title: titleOf(r), Open: !r.State.Phase.Closed()}
	for i := range r.Trail {
		line := figs.ReadAsk(object(r.Trail[i].Line))
		mark := markOf(r.File, line.TS, r.Trail[i].At)
		mark.Kind, mark.Label = "note", line.Title
		turn := 2 * r.Rounds[i]
		switch {
		case r.Closes[i]:
			mark.Kind, turn = "close", 1<<30
			if res := line.Resolution; res != nil {
				mark.Label = res.Note
				if at, ok := figs.ParseTime(res.TS); ok && line.TS == "" {
					mark.At, mark.Position.TS = at, res.TS
				}
			}
		case r.Raises[i]:
			mark.Kind = "raise"
		}
		lane.Marks, turns = append(lane.Marks, mark), append(turns, turn)
	}
	for i := range r.Thread {
		m := &r.Thread[i]
		lane.Marks = append(lane.Marks, journal.Mark{Position: positionOf(figs.Messages, m.Line), At: m.At, Kind: "reply", Label: replySummary(m.Line)})
		turns = append(turns, 2*m.Round+1)
	}
	for _, w := range r.Waits {
		lane.Waits = append(lane.Waits, journal.Wait{From: w.From, To: w.To})
	}
	sortMarks(&lane, turns)
	return lane
}

// flightsOf returns when a job was in flight: from each version that makes it so to the next one that ends it.
func flightsOf(r *store.Record) (flights []figs.Span) {
	state, last := "", int64(figs.NoTime)
	for i := range r.Trail {
		line := figs.ReadRun(object(r.Trail[i].Line))
		if line.State != "" {
			state = line.State
		}
		last = max(last, markOf(r.File, line.TS, r.Trail[i].At).At)
		open := len(flights) > 0 && flights[len(flights)-1].To == figs.NoTime
		switch inFlight := state == "in-flight"; {
		case inFlight && !open:
			flights = append(flights, figs.Span{From: last, To: figs.NoTime})
		case !inFlight && open:
			flights[len(flights)-1].To = last
		}
	}
	return flights
}

// sortMarks sorts a lane's marks by time, and at equal times by turn.
func sortMarks(lane *journal.Lane, turns []int) {
	order := make([]int, len(lane.Marks))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(x, y int) bool {
		a, b := order[x], order[y]
		if at := lane.Marks[a].At; at != lane.Marks[b].At {
			return at < lane.Marks[b].At
		}
		return turns[a] < turns[b]
	})
	marks := make([]journal.Mark, len(order))
	for i, n := range order {
		marks[i] = lane.Marks[n]
	}
	lane.Marks = marks
}

// replySummary returns the most important text of a reply.
func replySummary(line []byte) string {
	m := figs.ReadMessage(object(line))
	for _, s := range [...]string{m.Verdict, m.Chosen, m.Text} {
		if s != "" {
			return s
		}
	}
	return m.Kind
}
