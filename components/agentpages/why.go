package agentpages

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/provenance"
)

// Why is the page that explains a job or an ask.
func Why(r *recordviews.Request, section, key, query string) (ui.View, error) {
	q, _ := url.ParseQuery(query) // what cannot be read is not asked for
	w := &explained{site: r.Site, agent: r.Agent, section: section, key: key, of: q.Get("of")}
	switch section {
	case "jobs":
		job, err := r.J.Job(r.Ctx, r.Agent.Key, key)
		if err != nil {
			return ui.View{}, err
		}
		w.Explanation, w.headline, w.id = provenance.Job(job), job.Run.Headline(), job.Run.ID
		w.trail = recordviews.RunTrail(job)
	case "asks":
		ask, err := r.J.Ask(r.Ctx, r.Agent.Key, key)
		if err != nil {
			return ui.View{}, err
		}
		w.Explanation, w.headline, w.id = provenance.Ask(ask), ui.AskHeadline(&ask.Ask), ask.Ask.ID
		if len(ask.Trail) > 0 {
			w.first = &ask.Trail[0]
		}
	default:
		return ui.View{}, journal.ErrNotFound
	}
	return r.OK(i18n.Say(r.Ctx, "Why?"), WhyPage(w)), nil
}

// explained is what the page of an explanation shows.
type explained struct {
	*provenance.Explanation
	site         ui.Site
	agent        *journal.Agent
	section, key string
	of           string                  // the value that the address asks about; ""
	headline, id string                  // of the record, an agent's words
	first        *journal.TrailEntry     // of an ask's trail
	trail        []recordviews.RunMoment // of a job
}

// moment is a line of a job's trail with its sign; nil for any other.
func (w *explained) moment(line *journal.TrailEntry) *recordviews.RunMoment {
	for i := range w.trail {
		if w.trail[i].TrailEntry == line {
			return &w.trail[i]
		}
	}
	return nil
}

func (w *explained) job() bool { return w.section == "jobs" }

// valueWord is what a page calls a derived value.
func (w *explained) valueWord(ctx context.Context, name string) string {
	switch name {
	case provenance.State:
		return i18n.Say(ctx, "State")
	case provenance.Round:
		return i18n.Say(ctx, "Round")
	case provenance.Grade:
		return i18n.Say(ctx, "Verification of the reply")
	case provenance.Files:
		return i18n.Say(ctx, "Attached now")
	case provenance.Outcome:
		return i18n.Say(ctx, "Outcome")
	case provenance.Title:
		return i18n.Say(ctx, "Title")
	}
	return i18n.Say(ctx, "Addressed to")
}

// fieldNumber is the number of a field by its name, "f3"; 0 for another.
func fieldNumber(name string) int {
	digits, is := strings.CutPrefix(name, "f")
	n, err := strconv.Atoi(digits)
	if !is || err != nil {
		return 0
	}
	return n
}

// jobReason is the value that a job's signs speak of first.
func jobReason(run *figs.Run) string {
	if ui.InFlight(run) {
		return "state"
	}
	return "outcome"
}

// stepSign is the shape of a step: what happened.
func (w *explained) stepSign(ctx context.Context, s *provenance.Step) string {
	switch {
	case s.Reply != nil:
		return recordviews.VerdictSign(ctx, s.Reply).Kind
	case s.Line == nil || s.Line.Ask == nil:
		if m := w.moment(s.Line); m != nil && s.Line != nil {
			return m.Kind
		}
		return "note"
	}
	e := recordviews.Entry{Moment: s.Line, Step: recordviews.EntryStep(s.Line), Round: s.Line.Round}
	return recordviews.EntryKind(e)
}

// whySignsOf are those of a job of which this much is known.
func whySignsOf(ctx context.Context, name, word string) []ui.Sign {
	if name == provenance.Outcome {
		return ui.RunSigns(ctx, &figs.Run{Status: word, State: "settled"})
	}
	switch word {
	case "in-flight":
		return []ui.Sign{{Kind: "run", Word: i18n.Say(ctx, "running")}}
	case "settled":
		return []ui.Sign{{Kind: "close", Word: i18n.Say(ctx, "settled")}}
	}
	return []ui.Sign{{Kind: "note", Word: i18n.Say(ctx, "unknown state")}}
}

// standingSign is where an ask of that type stands.
func standingSign(ctx context.Context, s *provenance.Step) ui.Sign {
	return ui.AskSign(ctx, &journal.Ask{Ask: figs.Ask{Type: s.Type}, State: *s.Standing})
}

// unlike reports whether a value is none of those that its sign stands for, so that the page must show it as well.
func unlike(name, word string) bool {
	if name == provenance.Outcome {
		return ui.OutcomeOf(&figs.Run{Status: word}) == ""
	}
	return word != "in-flight" && word != "settled"
}

// eventsWord says of how many lines and replies a value is made.
func eventsWord(ctx context.Context, v *provenance.Value) string {
	return i18n.Count(ctx, len(v.Steps), "%d step", "%d steps")
}

// cutRaw is enough of a value for one line.
func cutRaw(b []byte) []byte { return b[:min(len(b), 2*agenttext.TitleBytes)] }
