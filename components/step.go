package components

import (
	"context"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/journal"
)

// step is the page of one line: what it set, and what came of it.
func (r *request) step() (view, error) {
	replay, ok := r.j.(journal.Replay)
	if !ok {
		return view{}, journal.ErrNotFound
	}
	s, err := replay.Step(r.ctx, r.agent.Key, r.query)
	title := say(r.ctx, "Line by line")
	if err == nil {
		title = say(r.ctx, "Line %d", s.N)
	}
	return r.page(title, err, func() templ.Component { return StepPage(r.site, r.agent, s) })
}

// turn is where a record stood before and after a line.
type turn struct {
	to      templ.SafeURL
	title   string // of the record; an agent's
	was, is []sign
	words   string // where it stands now, a sentence
}

// turnsOf are what the line did to its job or ask; none when it is neither's.
func turnsOf(ctx context.Context, site Site, a *journal.Agent, s *journal.Step) (out []turn) {
	if s.Job != nil {
		t := turn{to: site.to(a.Key, "jobs", s.Job.Key), title: s.Job.Run.Headline(), is: runSigns(ctx, &s.Job.Run)}
		if s.WasJob != nil {
			t.was = runSigns(ctx, &s.WasJob.Run)
		}
		out = append(out, t)
	}
	if s.Ask != nil {
		t := turn{to: site.to(a.Key, "asks", s.Ask.Key), title: askHeadline(&s.Ask.Ask), is: askSigns(ctx, s.Ask), words: standing(ctx, s.Ask)}
		if s.WasAsk != nil {
			t.was = askSigns(ctx, s.WasAsk)
		}
		out = append(out, t)
	}
	return out
}

// askSigns are where an ask stands, with its round once there are several.
func askSigns(ctx context.Context, ask *journal.Ask) []sign {
	out := []sign{askSign(ctx, ask)}
	if ask.State.Round > 1 {
		out = append(out, sign{"note", say(ctx, "round %d", ask.State.Round)})
	}
	return out
}

// same reports whether the line changed nothing of where its record stands.
func (t *turn) same() bool {
	if len(t.was) != len(t.is) {
		return false
	}
	for i := range t.was {
		if t.was[i] != t.is[i] {
			return false
		}
	}
	return true
}

// news is what the line did, for the headline.
func stepNews(ctx context.Context, s *journal.Step) string {
	if s.Kind == "raise" && !s.First && s.Ask != nil && s.WasAsk != nil && s.Ask.State.Round > s.WasAsk.State.Round {
		return say(ctx, "An ask is raised again: round %d", s.Ask.State.Round)
	}
	return stepWords(ctx, &s.StepLine)
}

// valueWords is a value of JSON as people read it: a text as its text, anything else as it is written.
func valueWords(raw []byte) string {
	if len(raw) > 0 && raw[0] == '"' {
		return string(jsonl.AppendText(nil, raw))
	}
	return string(raw)
}

// fieldWord is a field of the protocol in words of ours; "" for any other.
func fieldWord(ctx context.Context, key string) string {
	for _, f := range [...]struct{ key, word string }{
		{"title", say(ctx, "Title")}, {"found", say(ctx, "What it found")}, {"need", say(ctx, "What it needs")}, {"type", say(ctx, "Type")}, {"to", say(ctx, "To")},
		{"unit", say(ctx, "Unit")}, {"run", say(ctx, "Job")}, {"onApprove", say(ctx, "What an approval sets in motion")}, {"options", say(ctx, "Options")},
		{"attachments", say(ctx, "Attachments")}, {"status", say(ctx, "Status")}, {"state", say(ctx, "State")}, {"result", say(ctx, "Outcome")}, {"period", say(ctx, "Period")},
		{"details", say(ctx, "Details")},
	} {
		if f.key == key {
			return f.word
		}
	}
	return ""
}
