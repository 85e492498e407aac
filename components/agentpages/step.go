package agentpages

import (
	"context"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/recordviews"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs/jsonl"
	"github.com/figs-web/figs-web/internal/journal"
)

// Step is the page of one line: what it set, and what came of it.
func Step(r *recordviews.Request) (ui.View, error) {
	replay, ok := r.J.(journal.Replay)
	if !ok {
		return ui.View{}, journal.ErrNotFound
	}
	s, err := replay.Step(r.Ctx, r.Agent.Key, r.Query)
	title := i18n.Say(r.Ctx, "Line by line")
	if err == nil {
		title = i18n.Say(r.Ctx, "Line %d", s.N)
	}
	return r.Page(title, err, func() templ.Component { return StepPage(r.Site, r.Agent, s) })
}

// turn is where a record stood before and after a line.
type turn struct {
	to      templ.SafeURL
	title   string // of the record; an agent's
	was, is []ui.Sign
	words   string // where it stands now, a sentence
}

// turnsOf are what the line did to its job or ask; none when it is neither's.
func turnsOf(ctx context.Context, site ui.Site, a *journal.Agent, s *journal.Step) (out []turn) {
	if s.Job != nil {
		t := turn{to: site.Href(a.Key, "jobs", s.Job.Key), title: s.Job.Run.Headline(), is: ui.RunSigns(ctx, &s.Job.Run)}
		if s.WasJob != nil {
			t.was = ui.RunSigns(ctx, &s.WasJob.Run)
		}
		out = append(out, t)
	}
	if s.Ask != nil {
		t := turn{to: site.Href(a.Key, "asks", s.Ask.Key), title: ui.AskHeadline(&s.Ask.Ask), is: askSigns(ctx, s.Ask), words: recordviews.WaitsFor(ctx, s.Ask)}
		if s.WasAsk != nil {
			t.was = askSigns(ctx, s.WasAsk)
		}
		out = append(out, t)
	}
	return out
}

// askSigns are where an ask stands, with its round once there are several.
func askSigns(ctx context.Context, ask *journal.Ask) []ui.Sign {
	out := []ui.Sign{ui.AskSign(ctx, ask)}
	if ask.State.Round > 1 {
		out = append(out, ui.Sign{Kind: "note", Word: i18n.Say(ctx, "round %d", ask.State.Round)})
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

// stepNews is what the line did, for the headline.
func stepNews(ctx context.Context, s *journal.Step) string {
	if s.Kind == "raise" && !s.First && s.Ask != nil && s.WasAsk != nil && s.Ask.State.Round > s.WasAsk.State.Round {
		return i18n.Say(ctx, "Ask raised again: round %d", s.Ask.State.Round)
	}
	return recordviews.StepWords(ctx, &s.StepLine)
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
		{"title", i18n.Say(ctx, "Title")}, {"found", i18n.Say(ctx, "Background")}, {"need", i18n.Say(ctx, "Request")}, {"type", i18n.Say(ctx, "Type")}, {"to", i18n.Say(ctx, "To")},
		{"unit", i18n.Say(ctx, "Unit")}, {"run", i18n.Say(ctx, "Job")}, {"onApprove", i18n.Say(ctx, "Steps after approval")}, {"options", i18n.Say(ctx, "Options")},
		{"attachments", i18n.Say(ctx, "Attachments")}, {"status", i18n.Say(ctx, "Status")}, {"state", i18n.Say(ctx, "State")}, {"result", i18n.Say(ctx, "Outcome")}, {"period", i18n.Say(ctx, "Period")},
		{"details", i18n.Say(ctx, "Details")},
	} {
		if f.key == key {
			return f.word
		}
	}
	return ""
}
