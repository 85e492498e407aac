package components

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/provenance"
)

// whySegment ends the address of the page that explains a record, "/1/asks/2/why".
const whySegment = "why"

// why is the page that explains a job or an ask.
func (r *request) why(section, key, query string) (view, error) {
	q, _ := url.ParseQuery(query) // what cannot be read is not asked for
	w := &explained{site: r.site, agent: r.agent, section: section, key: key, of: q.Get("of")}
	switch section {
	case "jobs":
		job, err := r.j.Job(r.ctx, r.agent.Key, key)
		if err != nil {
			return view{}, err
		}
		w.Explanation, w.headline, w.id = provenance.Job(job), job.Run.Headline(), job.Run.ID
		w.trail = runTrail(job)
	case "asks":
		ask, err := r.j.Ask(r.ctx, r.agent.Key, key)
		if err != nil {
			return view{}, err
		}
		w.Explanation, w.headline, w.id = provenance.Ask(ask), askHeadline(&ask.Ask), ask.Ask.ID
		if len(ask.Trail) > 0 {
			w.first = &ask.Trail[0]
		}
	default:
		return view{}, journal.ErrNotFound
	}
	return r.ok(say(r.ctx, "Why it says so"), WhyPage(w)), nil
}

// explained is what the page of an explanation shows.
type explained struct {
	*provenance.Explanation
	site         Site
	agent        *journal.Agent
	section, key string
	of           string          // the value that the address asks about; ""
	headline, id string          // of the record, an agent's words
	first        *journal.Moment // of an ask's trail
	trail        []runMoment     // of a job
}

// moment is a line of a job's trail with its sign; nil for any other.
func (w *explained) moment(line *journal.Moment) *runMoment {
	for i := range w.trail {
		if w.trail[i].Moment == line {
			return &w.trail[i]
		}
	}
	return nil
}

func (w *explained) job() bool { return w.section == "jobs" }

// why is the address of a value's explanation. Where a server sends the page, the browser goes to the value by itself.
func (s Site) why(agent, section, key, of string) templ.SafeURL {
	path := "/" + agent + "/" + section + "/" + key + "/" + whySegment
	if of == "" {
		return templ.SafeURL(s.Links.To(path))
	}
	to := s.Links.To(path + "?of=" + of)
	if !s.Offline {
		to += "#why-" + of
	}
	return templ.SafeURL(to)
}

// valueWord is what a page calls a derived value.
func (w *explained) valueWord(ctx context.Context, name string) string {
	switch name {
	case provenance.State:
		return say(ctx, "State")
	case provenance.Round:
		return say(ctx, "Round")
	case provenance.Grade:
		return say(ctx, "Who vouches for the reply")
	case provenance.Files:
		return say(ctx, "What is attached now")
	case provenance.Outcome:
		return say(ctx, "Outcome")
	case provenance.Title:
		return say(ctx, "Title")
	}
	return say(ctx, "Whom it asks")
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
	if inFlight(run) {
		return "state"
	}
	return "outcome"
}

// stepSign is the shape of a step: what happened.
func (w *explained) stepSign(ctx context.Context, s *provenance.Step) string {
	switch {
	case s.Reply != nil:
		return verdictSign(ctx, s.Reply).Kind
	case s.Line == nil || s.Line.Ask == nil:
		if m := w.moment(s.Line); m != nil && s.Line != nil {
			return m.Kind
		}
		return "note"
	}
	e := entry{Moment: s.Line, Step: momentStep(s.Line), Round: s.Line.Round}
	return entryKind(e)
}

// whySignsOf are those of a job of which this much is known.
func whySignsOf(ctx context.Context, name, word string) []sign {
	if name == provenance.Outcome {
		return runSigns(ctx, &figs.Run{Status: word, State: "settled"})
	}
	switch word {
	case "in-flight":
		return []sign{{"run", say(ctx, "in flight")}}
	case "settled":
		return []sign{{"close", say(ctx, "settled")}}
	}
	return []sign{{"note", say(ctx, "unknown state")}}
}

// standingSign is where an ask of that type stands.
func standingSign(ctx context.Context, s *provenance.Step) sign {
	return askSign(ctx, &journal.Ask{Ask: figs.Ask{Type: s.Type}, State: *s.Standing})
}

// unlike reports whether a value is none of those that its sign stands for, so that the page must show it as well.
func unlike(name, word string) bool {
	if name == provenance.Outcome {
		return outcome(&figs.Run{Status: word}) == ""
	}
	return word != "in-flight" && word != "settled"
}

// eventsWord says of how many lines and replies a value is made.
func eventsWord(ctx context.Context, v *provenance.Value) string {
	return count(ctx, len(v.Steps), "%d step", "%d steps")
}

// cutRaw is enough of a value for one line.
func cutRaw(b []byte) []byte { return b[:min(len(b), 2*titleBytes)] }
