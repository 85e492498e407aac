package selected

import (
	"bytes"
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/wasm/bridge"
)

var _ journal.Replay = (*Journal)(nil)

// Timeline implements journal.Replay.
func (j *Journal) Timeline(_ context.Context, agent string, _ journal.Query) (*journal.Timeline, error) {
	if !j.hasPage(agent) || len(j.s.Days) < 2 {
		return nil, journal.ErrNotFound
	}
	info, rows := &j.s.Agents[j.s.Agent], j.s.Days
	n := rows[0][0]
	t := &journal.Timeline{Now: *instant(info), Past: info.Past, TooLarge: rows[0][1] == 1, From: int64(rows[1][0]), To: int64(rows[1][1])}
	rows = rows[2:]
	for _, slices := range [...]*[]journal.Slice{&t.ByTime, &t.ByLine} {
		for range n {
			if len(rows) < 2 {
				return nil, journal.ErrNotFound
			}
			*slices = append(*slices, journal.Slice{Lines: rows[0], Failed: rows[1][0], Needs: rows[1][1], Step: rows[1][2]})
			rows = rows[2:]
		}
	}
	asks := info.Point[figs.Asks] // number of lines of asks before each of the rows, which are consecutive
	for _, row := range rows {
		if row[2] <= info.Step {
			asks -= isAsk(row)
		}
	}
	for _, row := range rows {
		asks += isAsk(row)
		t.Lines = append(t.Lines, j.stepLine(row, asks))
	}
	return t, nil
}

// isAsk returns 1 for a line of asks, else 0.
func isAsk(row bridge.Day) int {
	if figs.File(row[0]) == figs.Asks {
		return 1
	}
	return 0
}

// selectedLine returns the line of a row, which has its ledger, its number there, and its step.
func (j *Journal) selectedLine(row bridge.Day) *bridge.Line {
	for i := range j.s.Lines {
		if l := &j.s.Lines[i]; l.File == figs.File(row[0]) && l.Number == row[1] {
			return l
		}
	}
	return nil
}

// stepLine returns the step of a row, described as of that line. asks is the number of lines of asks up to it, or -1 for
// all.
func (j *Journal) stepLine(row bridge.Day, asks int) journal.StepLine {
	s := journal.StepLine{N: row[2], Position: journal.Position{File: figs.File(row[0]), Line: row[1]}, At: figs.NoTime, Kind: "note"}
	l := j.selectedLine(row)
	if l == nil { // the middle of a very long trail, or a repeated reply
		if s.Position.File == figs.Messages {
			s.Kind = "reply"
		}
		return s
	}
	s.At, s.Position.TS, s.Code = l.TS, formatTime(l.TS), l.Code
	if l.Aside() {
		s.Kind = "aside"
		return s
	}
	r := bridge.Ref{File: l.File, Record: l.Record}
	s.Owner = j.recordAddress(r)
	n := j.recordIn(r)
	if n < 0 {
		return s
	}
	all := j.fold(l.File, n)
	at := 0
	for at < len(all.refs)-1 && j.origin(l.File, all.refs[at]).Number < l.Number {
		at++
	}
	texts := make([][]byte, at+1)
	for i := range texts {
		texts[i] = j.f.Bytes(l.File, all.refs[i])
	}
	then := figs.Fold(texts)
	s.First, s.Title = at == 0, headline(l.File, then)
	s.Position.TS = j.position(l.File, all.refs[at]).TS
	switch l.File {
	case figs.Runs:
		line, fold := figs.ReadRun(all.lines[at]), figs.ReadRun(then)
		s.Label, s.Flight = line.Result, fold.State == "in-flight"
		s.Kind = runKind(&fold, s.Flight)
	case figs.Asks:
		raises, closes := j.f.Raises(n)
		line := figs.ReadAsk(all.lines[at])
		s.Label = line.Found
		switch {
		case closes[at]:
			s.Kind, s.Label = "close", ""
			if line.Resolution != nil {
				s.Label = line.Resolution.Note
				if at, ok := figs.ParseTime(line.Resolution.TS); ok && s.At == figs.NoTime {
					s.At, s.Position.TS = at, line.Resolution.TS
				}
			}
		case raises[at]:
			s.Kind = "raise"
		}
	default:
		m := figs.ReadMessage(then)
		s.Kind, s.Label = "reply", journal.ReplySummary(&m)
		if ask := j.f.AskOf(n); ask >= 0 {
			s.Title = j.titleAt(ask, asks)
		} else {
			s.Title = ""
		}
	}
	return s
}

// titleAt returns an ask's title after that many lines of asks, or -1 for all; "" before its first line.
func (j *Journal) titleAt(ask, asks int) string {
	if asks < 0 {
		return j.title(figs.Asks, ask)
	}
	var texts [][]byte
	for _, ref := range j.f.Trail(figs.Asks, ask) {
		if j.origin(figs.Asks, ref).Index < asks {
			texts = append(texts, j.f.Bytes(figs.Asks, ref))
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return headline(figs.Asks, figs.Fold(texts))
}

// runKind returns the Kind of a job's line, given the fold up to it.
func runKind(run *figs.Run, flight bool) string {
	switch {
	case run.Status == "warn", run.Status == "fail":
		return run.Status
	case run.Status != "" && run.Status != "ok":
		return "note"
	case flight:
		return "checkpoint"
	}
	return "ok"
}

// Step implements journal.Replay.
func (j *Journal) Step(ctx context.Context, agent string, _ journal.Query) (*journal.Step, error) {
	if !j.hasPage(agent) || len(j.s.Days) != 3 {
		return nil, journal.ErrNotFound
	}
	rows := j.s.Days
	s := &journal.Step{StepLine: j.stepLine(rows[0], j.s.Agents[j.s.Agent].Point[figs.Asks]), Steps: rows[1][0], PreviousStep: rows[1][1], NextStep: rows[1][2]}
	opened := min(max(rows[2][0], 0), len(j.s.Findings))
	s.MoreFindings = rows[2][1] == 1
	s.Opened, s.Closed = j.s.Findings[:opened:opened], j.s.Findings[opened:]
	l := j.selectedLine(rows[0])
	if l == nil {
		return s, nil
	}
	s.Raw = l.Text
	if l.Aside() || len(j.s.Main) == 0 {
		return s, nil
	}
	before := j.withoutLine(l)
	s.Job, s.Ask = j.mainRecord()
	s.WasJob, s.WasAsk = before.mainRecord()
	if n := j.recordIn(bridge.Ref{File: l.File, Record: l.Record}); l.File == figs.Messages && n >= 0 {
		for _, reply := range j.f.Replies() {
			if reply.Message == n {
				m := j.message(reply)
				s.Reply = &m
			}
		}
	}
	s.Fields = changedFields(before.foldOf(l), j.foldOf(l))
	return s, nil
}

// withoutLine returns a journal of the same selection without a line.
func (j *Journal) withoutLine(line *bridge.Line) *Journal {
	rest := *j.s
	rest.Lines = nil
	for i := range j.s.Lines {
		if l := &j.s.Lines[i]; l != line {
			rest.Lines = append(rest.Lines, *l)
		}
	}
	return New(&rest, j.now)
}

// mainRecord returns the job or the ask that the selection is about; nil if there is none.
func (j *Journal) mainRecord() (*journal.Job, *journal.Ask) {
	r := j.s.Main[0]
	n := j.recordIn(r)
	switch {
	case n < 0:
	case r.File == figs.Runs:
		job := j.job(n)
		return &job, nil
	case r.File == figs.Asks:
		ask := j.ask(n)
		return nil, &ask
	}
	return nil, nil
}

// foldOf returns the fold of the record of a line.
func (j *Journal) foldOf(l *bridge.Line) figs.Object {
	n := j.recordIn(bridge.Ref{File: l.File, Record: l.Record})
	if n < 0 {
		return nil
	}
	return j.fold(l.File, n).whole
}

// changedFields returns the fields that differ, except those that identify or date the line.
func changedFields(was, is figs.Object) (out []journal.FieldChange) {
	for _, f := range is {
		if f.Key == "id" || f.Key == "ts" || f.Key == "eventId" {
			continue
		}
		if before := was.Get(f.Key).Raw; !bytes.Equal(before, f.Value.Raw) {
			out = append(out, journal.FieldChange{Key: f.Key, Before: before, After: f.Value.Raw})
		}
	}
	return out
}
