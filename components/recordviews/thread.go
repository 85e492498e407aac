package recordviews

import (
	"context"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

func FirstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// Entry is one thing that happened to an ask: a line of its trail or a reply.
type Entry struct {
	Round  int
	Moment *journal.TrailEntry
	Reply  *journal.Message
	Step   int // within a round: raised, replied, changed, closed
}

const (
	stepRaised = iota
	stepReplied
	stepChanged
	stepClosed
)

// threadOf tells an ask's life in order: by round, in it the raise, the replies by time,
// then the close. Clocks are whole seconds, so times alone cannot order it (§6).
func threadOf(ask *journal.Ask) []Entry {
	var out []Entry
	raises := 0
	for i := range ask.Trail {
		m := &ask.Trail[i]
		e := Entry{Moment: m, Step: EntryStep(m), Round: m.Round}
		if e.Step == stepRaised {
			raises++
		}
		if e.Round == 0 {
			e.Round = max(1, min(raises, ask.State.Round))
		}
		out = append(out, e)
	}
	for i := range ask.Thread {
		out = append(out, Entry{Round: max(1, ask.Thread[i].Round), Reply: &ask.Thread[i], Step: stepReplied})
	}
	return figs.Sorted(out, func(a, b *Entry) bool { return a.Round < b.Round || a.Round == b.Round && a.Step < b.Step })
}

// EntryStep tells lines that put the ask to a human (§6) from lines that close and from those
// that change.
func EntryStep(m *journal.TrailEntry) int {
	switch {
	case m.Closes:
		return stepClosed
	case m.Raises:
		return stepRaised
	}
	return stepChanged
}

// VerdictSign is a reply's content in a word. Of a reply that is only transcribed nothing
// is claimed: it is reported (§6).
func VerdictSign(ctx context.Context, m *journal.Message) ui.Sign {
	switch {
	case m.Message.Verdict == "approved" && m.Verified:
		return ui.Sign{Kind: "ok", Word: i18n.Say(ctx, "Approved")}
	case m.Message.Verdict == "approved":
		return ui.Sign{Kind: "reply", Word: i18n.Say(ctx, "Reported as approved")}
	case m.Message.Verdict == "changes-requested" && m.Verified:
		return ui.Sign{Kind: "revise", Word: i18n.Say(ctx, "Changes requested")}
	case m.Message.Verdict == "changes-requested":
		return ui.Sign{Kind: "revise", Word: i18n.Say(ctx, "Reported: changes requested")}
	case m.Message.Verdict == "rejected" && m.Verified:
		return ui.Sign{Kind: "declined", Word: i18n.Say(ctx, "Declined")}
	case m.Message.Verdict == "rejected":
		return ui.Sign{Kind: "declined", Word: i18n.Say(ctx, "Reported as declined")}
	case m.Message.Verdict != "":
		return ui.Sign{Kind: "reply", Word: i18n.Say(ctx, "Unknown verdict")}
	case m.Verified:
		return ui.Sign{Kind: "reply", Word: i18n.Say(ctx, "Answered")}
	}
	return ui.Sign{Kind: "reply", Word: i18n.Say(ctx, "Reported as answered")}
}

// GradeSign is who vouches for a reply (§6).
func GradeSign(ctx context.Context, m *journal.Message) (kind, word string) {
	if m.Verified {
		return "verified", i18n.Say(ctx, "verified")
	}
	return "transcribed", i18n.Say(ctx, "not verified")
}

// WaitsFor is one sentence on what an ask waits for.
func WaitsFor(ctx context.Context, ask *journal.Ask) string {
	signOff := ask.Ask.Type == "sign-off"
	switch phase := ask.State.Phase; {
	case phase == figs.NeedsYou && ask.Ask.MeantType() != "":
		return i18n.Say(ctx, "Don't answer it: its type is misspelled or unknown. The agent has to raise it again.")
	case phase == figs.NeedsYou && signOff:
		return i18n.Say(ctx, "Waiting for a verdict: approve, request changes or decline.")
	case phase == figs.NeedsYou && ask.Ask.Type == "question":
		return i18n.Say(ctx, "Waiting for an answer.")
	case phase == figs.NeedsYou:
		return i18n.Say(ctx, "Waiting for a reply; its type doesn't say what kind.")
	case phase == figs.Replied && ask.State.Reported && signOff:
		return i18n.Say(ctx, "The agent reports an approval. Nothing proves who gave it. The agent has to act on it and close the ask.")
	case phase == figs.Replied && ask.State.Reported:
		return i18n.Say(ctx, "The agent reports an answer. Nothing proves who gave it. The agent has to act on it and close the ask.")
	case phase == figs.Replied && signOff:
		return i18n.Say(ctx, "Approved. The agent has to carry it out and close the ask.")
	case phase == figs.Replied:
		return i18n.Say(ctx, "Answered. The agent has to act on it and close the ask.")
	case phase == figs.BeingRevised && ask.State.Reported:
		return i18n.Say(ctx, "The agent reports that changes were requested. Nothing proves who asked for them. The agent has to raise the ask again.")
	case phase == figs.BeingRevised:
		return i18n.Say(ctx, "Changes were requested. The agent has to raise the ask again.")
	case phase == figs.Declined && ask.State.Reported:
		return i18n.Say(ctx, "The agent reports that it was declined. Nothing proves by whom. The agent has to close the ask.")
	case phase == figs.Declined:
		return i18n.Say(ctx, "Declined. It accepts no further replies; the agent has to close the ask.")
	case phase == figs.Withdrawn:
		return i18n.Say(ctx, "The agent withdrew it.")
	case phase == figs.Rejected && ask.State.Reported:
		return i18n.Say(ctx, "Closed as declined, based on a reported reply that is not confirmed. That is final for this id.")
	case phase == figs.Rejected:
		return i18n.Say(ctx, "Closed as declined. That is final for this id.")
	}
	if m := DecidingReply(ask); m != nil && !m.Verified {
		return i18n.Say(ctx, "Closed, based on a reported reply that is not confirmed.")
	} else if m != nil {
		return i18n.Say(ctx, "Closed, based on a verified reply.")
	}
	return i18n.Say(ctx, "Closed without citing a reply.")
}

// DecidingReply is the reply that decides the phase, or that the close cites; or nil.
func DecidingReply(ask *journal.Ask) *journal.Message {
	if i := ask.State.Reply; i >= 0 && i < len(ask.Thread) {
		return &ask.Thread[i]
	}
	return nil
}

// citedReply is the reply of the thread that a close cites, or nil.
func citedReply(ask *journal.Ask, r *figs.Resolution) *journal.Message {
	for i := range ask.Thread {
		if m := &ask.Thread[i]; r.Answer != "" && m.Message.ID == r.Answer {
			return m
		}
	}
	return nil
}

// earlierReply says of a reply that it is about a version of the ask before the present one.
func earlierReply(ctx context.Context, m *journal.Message) string {
	if m.Round == 0 {
		return i18n.Say(ctx, "about an earlier version")
	}
	return i18n.Say(ctx, "about an earlier version (round %d)", m.Round)
}
