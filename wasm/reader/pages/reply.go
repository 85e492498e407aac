package pages

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/figs-web/figs-web/components"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/journal/selected"
	"github.com/figs-web/figs-web/internal/reply"
)

// statusUnfit is the status of HTTP for what was understood and cannot be taken.
const statusUnfit = 422

// mostForm is the longest form that is read, in bytes.
const mostForm = 4 << 20

// compose makes the line of a ledger out of a form, or says why there is none. The words stay
// with the page, which has the form.
func compose(r *Request, selection []byte) []byte {
	j, wrong := journalOf(r, selection)
	if wrong != nil {
		return wrong
	}
	a, ask, err := wanted(j, r.Path)
	if errors.Is(err, journal.ErrNotFound) {
		return answer(head{Error: "there is no ask at this address"}, nil)
	} else if err != nil {
		return answer(head{Error: err.Error()}, nil)
	}
	sheet, note := written(r, a, ask)
	html, err := components.RenderComposed(r.spoken(), sheet)
	h := head{Status: statusOK, Note: note, Ask: ask.Ask.ID, Told: slices.ContainsFunc(sheet.Lacks, func(m reply.Missing) bool { return m.Unresolved > 0 })}
	if sheet.Line == "" {
		h.Status = statusUnfit
	}
	if err != nil {
		h.Error = err.Error()
	}
	return answer(h, html)
}

// wanted finds the ask of a page's address, "/1/asks/2".
func wanted(j *selected.Journal, path string) (*journal.Agent, *journal.Ask, error) {
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if len(parts) != 3 || parts[1] != "asks" {
		return nil, nil, journal.ErrNotFound
	}
	a, err := j.Agent(context.Background(), parts[0])
	if err != nil {
		return nil, nil, err
	}
	ask, err := j.Ask(context.Background(), parts[0], parts[2])
	return a, ask, err
}

// written is the sheet with the line, or with what is wrong, and a note on the line.
func written(r *Request, a *journal.Agent, ask *journal.Ask) (s *ui.DecisionForm, note string) {
	s, _ = desk{r}.DecisionForm(context.Background(), a, ask) // which cannot fail here
	if len(r.Form) > mostForm {
		return refused(s, "text", figs.ProblemTooLong.Sentence(), ""), ""
	}
	values, err := url.ParseQuery(r.Form)
	form := reply.Read(values)
	now, ok := figs.ParseTime(r.Now)
	at, ahead := dated(ask, now)
	switch {
	case err != nil || !ok:
		return refused(s, "", "The form couldn't be read, so no line was made.", "Reload the page and send it again."), ""
	case s.Why.Sentence != "":
		return refused(s, "", s.Why.Sentence, ""), ""
	case changed(&form, s):
		return refused(s, "", "The ask has changed since this form was loaded, so no line was made.", "Open the ask again. Your text is kept."), ""
	case form.By == "":
		return refused(s, "by", "The reply needs a name, so the agent knows who replied.", "Enter your name."), ""
	}
	if s.Lacks = s.Gate.Missing(&form); len(s.Lacks) > 0 {
		return s, ""
	}
	line, wrong := form.Line(folded(ask), figs.ReplyInput{ID: r.ID, By: form.By, TS: time.UnixMicro(at).UTC().Format(time.RFC3339), Chat: true, Extra: extra(ask, &s.Gate, &form)})
	if wrong != figs.ReplyOK {
		return refused(s, field(wrong), wrong.Sentence(), ""), ""
	}
	s.Line = string(line)
	if ahead {
		note = "The latest line on this ask is dated later than this computer's clock. Your reply is dated after it, so that it counts for what you have read."
	}
	return s, note
}

func refused(s *ui.DecisionForm, field, sentence, hint string) *ui.DecisionForm {
	s.Fault = &ui.Fault{Field: field, Sentence: sentence, Hint: hint}
	return s
}

// field is the field of the form that a misfit is about.
func field(wrong figs.ReplyProblem) string {
	switch wrong {
	case figs.ProblemChosen:
		return "chosen"
	case figs.ProblemNoteMissing, figs.ProblemEmpty, figs.ProblemTooLong, figs.ProblemHidden:
		return "text"
	case figs.ProblemVerdict, figs.ProblemAnswer, figs.ProblemUnknownVerdict:
		return "verdict"
	}
	return ""
}

const second = 1_000_000 // microseconds

// dated is when a reply is given, in whole seconds, and whether that is ahead of the clock. A reply
// that ties with a line of its ask would count as given before it, and one that is older than
// another would not be the newest (§6).
func dated(ask *journal.Ask, now int64) (at int64, ahead bool) {
	at = now - now%second
	floor := int64(figs.NoTime)
	for i := range ask.Trail {
		floor = max(floor, ask.Trail[i].At)
	}
	if floor != figs.NoTime {
		floor += second
	}
	for i := range ask.Thread {
		floor = max(floor, ask.Thread[i].At)
	}
	if floor > at {
		at = floor - floor%second
		if at < floor {
			at += second
		}
	}
	return at, at > now+2*second
}

// extra is what a reply is bound to: a verdict to what was asked, each reply to the attachments.
func extra(ask *journal.Ask, g *reply.Gate, form *reply.Form) figs.Object {
	if form.Verdict == "" {
		return g.Reviewed(form)
	}
	return append(reply.AskedField(folded(ask), ask.State.Round), g.Reviewed(form)...)
}
