package components

import (
	"context"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// What a line of a job is, seen from the lines before it.
const (
	momentOpened = iota
	momentCheckpoint
	momentSettled
	momentReported
	momentReopened
)

// jobFiles are the attachments of a job, those of its newest lines first, each once.
func jobFiles(j *journal.Job) []journal.File {
	var out []journal.File
	for i := len(j.Trail) - 1; i >= 0; i-- {
		for _, f := range j.Trail[i].Files {
			if !slices.ContainsFunc(out, func(o journal.File) bool { return o.Key == f.Key }) {
				out = append(out, f)
			}
		}
	}
	return out
}

// runMoment is a line of a job's trail with its sign.
type runMoment struct {
	*journal.Moment
	Kind string
	Word int
}

// runTrail reads the trail from its start: a line's status holds until another is set, as
// in the fold (§4.3), and the word depends on what the job was before.
func runTrail(j *journal.Job) []runMoment {
	out := make([]runMoment, 0, len(j.Trail))
	var fold figs.Run
	for i := range j.Trail {
		m := runMoment{Moment: &j.Trail[i]}
		was := fold.State
		if m.Run != nil {
			if m.Run.Status != "" {
				fold.Status = m.Run.Status
			}
			if m.Run.State != "" {
				fold.State = m.Run.State
			}
		}
		m.Word = momentIs(i == 0, was == "in-flight", inFlight(&fold))
		m.Kind = momentKind(&fold)
		out = append(out, m)
	}
	return out
}

func momentIs(first, was, is bool) int {
	switch {
	case first && is:
		return momentOpened
	case first:
		return momentReported
	case is && was:
		return momentCheckpoint
	case is:
		return momentReopened
	}
	return momentSettled
}

func momentKind(fold *figs.Run) string {
	out := outcome(fold)
	switch {
	case out == "":
		return "note"
	case inFlight(fold) && out == "ok":
		return "checkpoint"
	}
	return out
}

func triggerOf(run *figs.Run) string {
	if run == nil || run.Session == nil {
		return ""
	}
	return run.Session.Trigger
}

// tokens is a number of tokens, or "unknown".
func tokens(ctx context.Context, n int64) string {
	if n < 0 {
		return say(ctx, "unknown")
	}
	return grouped(ctx, int(n))
}

// tokenSum is what a session reported in one figure; parts that are unknown leave it unknown.
func tokenSum(ctx context.Context, t figs.Tokens) string {
	if t.Input < 0 || t.Output < 0 {
		return say(ctx, "tokens unknown")
	}
	return say(ctx, "%s tokens", grouped(ctx, int(t.Input+t.Output)))
}

// unitName is a unit's name by the charter, else its id.
func unitName(a *journal.Agent, id string) string {
	for i := range a.Charter.Units {
		if u := &a.Charter.Units[i]; u.ID == id && u.Name != "" {
			return u.Name
		}
	}
	return id
}

// trailHead is how many lines a cut trail shows of its beginning; its end gets the rest.
const trailHead = 50

// shownInTrail reports whether the i-th of n lines is shown: of very long trails the middle
// is left out, and the page says so.
func shownInTrail(i, n int) bool {
	return n <= mostItems || i < trailHead || i >= n-(mostItems-trailHead)
}
