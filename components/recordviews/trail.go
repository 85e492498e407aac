package recordviews

import (
	"context"
	"slices"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// What a line of a job is, seen from the lines before it.
const (
	MomentOpened = iota
	momentCheckpoint
	MomentSettled
	MomentReported
	MomentReopened
)

// JobFiles are the attachments of a job, those of its newest lines first, each once.
func JobFiles(j *journal.Job) []journal.File {
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

// RunMoment is a line of a job's trail with its sign.
type RunMoment struct {
	*journal.TrailEntry
	Kind string
	Word int
}

// RunTrail reads the trail from its start: a line's status holds until another is set, as
// in the fold (§4.3), and the word depends on what the job was before.
func RunTrail(j *journal.Job) []RunMoment {
	out := make([]RunMoment, 0, len(j.Trail))
	var fold figs.Run
	for i := range j.Trail {
		m := RunMoment{TrailEntry: &j.Trail[i]}
		was := fold.State
		if m.Run != nil {
			if m.Run.Status != "" {
				fold.Status = m.Run.Status
			}
			if m.Run.State != "" {
				fold.State = m.Run.State
			}
		}
		m.Word = momentIs(i == 0, was == "in-flight", ui.InFlight(&fold))
		m.Kind = momentKind(&fold)
		out = append(out, m)
	}
	return out
}

func momentIs(first, was, is bool) int {
	switch {
	case first && is:
		return MomentOpened
	case first:
		return MomentReported
	case is && was:
		return momentCheckpoint
	case is:
		return MomentReopened
	}
	return MomentSettled
}

func momentKind(fold *figs.Run) string {
	out := ui.OutcomeOf(fold)
	switch {
	case out == "":
		return "note"
	case ui.InFlight(fold) && out == "ok":
		return "checkpoint"
	}
	return out
}

func TriggerOf(run *figs.Run) string {
	if run == nil || run.Session == nil {
		return ""
	}
	return run.Session.Trigger
}

// tokens is a number of tokens, or "unknown".
func tokens(ctx context.Context, n int64) string {
	if n < 0 {
		return i18n.Say(ctx, "unknown")
	}
	return i18n.Number(ctx, int(n))
}

// tokenSum is what a session reported in one figure; parts that are unknown leave it unknown.
func tokenSum(ctx context.Context, t figs.Tokens) string {
	if t.Input < 0 || t.Output < 0 {
		return i18n.Say(ctx, "tokens unknown")
	}
	return i18n.Say(ctx, "%s tokens", i18n.Number(ctx, int(t.Input+t.Output)))
}

// UnitName is a unit's name by the charter, else its id.
func UnitName(a *journal.Agent, id string) string {
	for i := range a.Charter.Units {
		if u := &a.Charter.Units[i]; u.ID == id && u.Name != "" {
			return u.Name
		}
	}
	return id
}

// TrailHead is how many lines a cut trail shows of its beginning; its end gets the rest.
const TrailHead = 50

// ShownInTrail reports whether the i-th of n lines is shown: of very long trails the middle
// is left out, and the page says so.
func ShownInTrail(i, n int) bool {
	return n <= agenttext.MostItems || i < TrailHead || i >= n-(agenttext.MostItems-TrailHead)
}
