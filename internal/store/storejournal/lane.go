package storejournal

import (
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
	var marks journal.JobMarks
	for i := range r.Trail {
		line := figs.ReadRun(object(r.Trail[i].Line))
		lane.Marks = append(lane.Marks, marks.Next(markOf(r.File, line.TS, r.Trail[i].At), &line))
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
	lane := journal.Lane{Ask: true, Key: journal.Segment(r.ID), ID: r.ID, Title: titleOf(r), Open: !r.State.Phase.Closed()}
	var marks journal.AskMarks
	for i := range r.Trail {
		line := figs.ReadAsk(object(r.Trail[i].Line))
		marks.Line(markOf(r.File, line.TS, r.Trail[i].At), &line, r.Rounds[i], r.Raises[i], r.Closes[i])
	}
	for i := range r.Thread {
		m := &r.Thread[i]
		reply := figs.ReadMessage(object(m.Line))
		marks.Reply(journal.Mark{Position: positionOf(figs.Messages, m.Line), At: m.At}, &reply, m.Round)
	}
	lane.Marks = marks.Sorted()
	for _, w := range r.Waits {
		lane.Waits = append(lane.Waits, journal.Wait{From: w.From, To: w.To})
	}
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
