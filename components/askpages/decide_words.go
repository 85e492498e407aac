package askpages

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/remark"
	"github.com/figs-web/figs-web/internal/reply"
)

// replyHeadline is what the bar is about.
func replyHeadline(ctx context.Context, b *viewer.ReplyBar) string {
	switch {
	case b.Pending != nil:
		return i18n.Say(ctx, "Decided, can still be undone")
	case replyCommandOnly(b):
		return i18n.Say(ctx, "You can't write to this folder")
	case b.Why.Sentence != "":
		return i18n.Say(ctx, "You can't reply to this ask")
	case b.Reported != nil:
		return i18n.Say(ctx, "Reported, not confirmed")
	case b.Correct && !b.Verified:
		return i18n.Say(ctx, "This round already has a reply")
	case b.Correct:
		return i18n.Say(ctx, "You have replied")
	case viewer.IsSignOff(b.Ask):
		return i18n.Say(ctx, "Your verdict")
	}
	return i18n.Say(ctx, "Your answer")
}

// replyNoteLabel says what the field is for, and when it must not stay empty.
func replyNoteLabel(ctx context.Context, b *viewer.ReplyBar) string {
	switch {
	case replyOptional(b):
		return i18n.Say(ctx, "Note (optional; a contradiction without a note says: %s)", reply.ContradictionText)
	case viewer.IsSignOff(b.Ask):
		return i18n.Say(ctx, "Note (optional if you approve)")
	case len(b.Ask.Ask.Options) > 0:
		return i18n.Say(ctx, "Your answer (optional if you choose an option)")
	}
	return i18n.Say(ctx, "Your answer")
}

// replyOptional reports whether no verdict needs a note: what contradicts a report without one says reply.ContradictionText.
func replyOptional(b *viewer.ReplyBar) bool {
	return viewer.IsSignOff(b.Ask) && b.Verified && b.Reported != nil
}

func replyNoteAttributes(b *viewer.ReplyBar) templ.Attributes {
	a := invalid(replyFault(b, "text"), "w-text")
	if a == nil {
		a = templ.Attributes{}
	}
	if replyOptional(b) {
		a["data-optional"] = true
	}
	return a
}

// invalid are the attributes of a field with a fault.
func invalid(f *ui.Fault, id string) templ.Attributes {
	if f == nil {
		return nil
	}
	return templ.Attributes{"aria-invalid": "true", "aria-describedby": id, "autofocus": true}
}

// replySending says where the form goes. In the inspector the page's script composes the reply.
func replySending(b *viewer.ReplyBar) templ.Attributes {
	if b.At == "" {
		return templ.Attributes{"data-compose": true}
	}
	return templ.Attributes{"action": string(b.To("decide"))}
}

// replyHappens is what comes after the button.
func replyHappens(ctx context.Context, b *viewer.ReplyBar) string {
	switch {
	case b.Verified:
		return i18n.Say(ctx, "The agent gets it with its next sync. You can undo it for 10 seconds.")
	case b.At == "":
		return i18n.Say(ctx, "You get one line for messages.jsonl to copy, save or append. Nothing is sent.")
	}
	return i18n.Say(ctx, "It is appended to the folder's messages.jsonl, where the agent reads it.")
}

// replySummary is what the note says beside its remarks.
func replySummary(b *viewer.ReplyBar) string { return b.Form.Note().Summary }

// replyRemarks are the remarks that the reply would send.
func replyRemarks(b *viewer.ReplyBar) []remark.Remark { return b.Form.Note().Remarks }

// reportedWord is the sentence about a reported reply: {0} is the agent, {1} the person it names. Who has contradicted it after
// the close is {2}; else {2} is who pushed it, where that is known.
func reportedWord(m, against *journal.Message) string {
	if against != nil {
		switch m.Message.Verdict {
		case "approved":
			return "{0} reports that {1} approved this. {2} has contradicted it."
		case "changes-requested":
			return "{0} reports that {1} requested changes. {2} has contradicted it."
		case "rejected":
			return "{0} reports that {1} declined this. {2} has contradicted it."
		}
		return "{0} reports that {1} answered this. {2} gave a different answer."
	}
	if m.PushedBy.Name != "" {
		switch m.Message.Verdict {
		case "approved":
			return "A push by {2} for {0} reports that {1} approved this. Not confirmed."
		case "changes-requested":
			return "A push by {2} for {0} reports that {1} requested changes. Not confirmed."
		case "rejected":
			return "A push by {2} for {0} reports that {1} declined this. Not confirmed."
		}
		return "A push by {2} for {0} reports that {1} answered this. Not confirmed."
	}
	switch m.Message.Verdict {
	case "approved":
		return "{0} reports that {1} approved this. Not confirmed."
	case "changes-requested":
		return "{0} reports that {1} requested changes. Not confirmed."
	case "rejected":
		return "{0} reports that {1} declined this. Not confirmed."
	}
	return "{0} reports that {1} answered this. Not confirmed."
}

// contradiction is the verified reply after the close that says something else than the reported reply that the ask was
// closed on; nil when there is none.
func contradiction(ask *journal.Ask) *journal.Message {
	if !ask.State.Reported || !ask.State.Phase.Closed() {
		return nil
	}
	for i := len(ask.Thread) - 1; i > ask.State.Reply; i-- {
		if m := &ask.Thread[i]; m.Verified && !m.Earlier {
			return m
		}
	}
	return nil
}

// snoozing is one choice of how long to snooze an ask.
type snoozing struct{ until, word string }

func snoozes(ctx context.Context) []snoozing {
	return []snoozing{
		{"1h", i18n.Say(ctx, "For an hour")},
		{"tomorrow", i18n.Say(ctx, "Until tomorrow")},
		{"monday", i18n.Say(ctx, "Until Monday")},
		{"news", i18n.Say(ctx, "Until something changes")},
	}
}

// doneWords say what was done, and who wrote the draft.
func doneWords(ctx context.Context, b *viewer.ReplyBar) string {
	var said []string
	if b.Said != "" {
		said = append(said, i18n.Say(ctx, b.Said))
	}
	if b.ByProgram {
		said = append(said, i18n.Say(ctx, "A program wrote this draft with a token of yours. Read it before you send it."))
	}
	if b.Proposal != "" {
		said = append(said, i18n.Say(ctx, b.Proposal))
	}
	return strings.Join(said, " ")
}
