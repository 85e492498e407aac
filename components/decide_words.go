package components

import (
	"context"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/reply"
)

// headline is what the bar is about.
func (b *replyBar) headline(ctx context.Context) string {
	switch {
	case b.Pending != nil:
		return say(ctx, "Decided, not yet counted")
	case b.commandOnly():
		return say(ctx, "Nothing can be written here")
	case b.Why != "":
		return say(ctx, "No reply is taken now")
	case b.Reported != nil:
		return say(ctx, "Reported, not confirmed")
	case b.Correct && !b.Verified:
		return say(ctx, "This round already has a reply")
	case b.Correct:
		return say(ctx, "You have replied")
	case signOff(b.ask):
		return say(ctx, "Your verdict")
	}
	return say(ctx, "Your answer")
}

// noteLabel says what the field is for, and when it must not stay empty.
func (b *replyBar) noteLabel(ctx context.Context) string {
	switch {
	case b.optional():
		return say(ctx, "Note (if you contradict without one, it says: %s)", reply.Contradicts)
	case signOff(b.ask):
		return say(ctx, "Note (optional if you approve)")
	case len(b.ask.Ask.Options) > 0:
		return say(ctx, "Your answer (optional if you choose an option)")
	}
	return say(ctx, "Your answer")
}

// optional reports whether no verdict needs a note: what contradicts a report without one says reply.Contradicts.
func (b *replyBar) optional() bool { return signOff(b.ask) && b.Verified && b.Reported != nil }

func (b *replyBar) noteAttributes() templ.Attributes {
	a := invalid(b.fault("text"), "w-text")
	if a == nil {
		a = templ.Attributes{}
	}
	if b.optional() {
		a["data-optional"] = true
	}
	return a
}

// invalid are the attributes of a field with a fault.
func invalid(f *Fault, id string) templ.Attributes {
	if f == nil {
		return nil
	}
	return templ.Attributes{"aria-invalid": "true", "aria-describedby": id, "autofocus": true}
}

// sending says where the form goes. In the inspector the page's script composes the reply.
func (b *replyBar) sending() templ.Attributes {
	if b.At == "" {
		return templ.Attributes{"data-compose": true}
	}
	return templ.Attributes{"action": b.At + "/decide"}
}

// happens is what comes after the button.
func (b *replyBar) happens(ctx context.Context) string {
	switch {
	case b.Verified:
		return say(ctx, "The agent gets it with its next sync; for 10 seconds you can take it back.")
	case b.At == "":
		return say(ctx, "It becomes one line for messages.jsonl, which you copy, save or append. Nothing is sent anywhere.")
	}
	return say(ctx, "It is appended to the folder's messages.jsonl, where the agent reads it.")
}

// quotable reports whether there is a file to quote.
func (b *replyBar) quotable() bool {
	for i := range b.ask.Files {
		if f := &b.ask.Files[i]; showable(f) && f.Present() {
			return true
		}
	}
	return false
}

// reportedWord is what an agent wrote down: {0} says so, {1} is named. Who has contradicted it after
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
		return "{0} reports that {1} answered this. {2} has answered otherwise."
	}
	if m.PushedBy.Name != "" {
		switch m.Message.Verdict {
		case "approved":
			return "Pushed by {2} for {0}: says that {1} approved this. Nobody has confirmed it."
		case "changes-requested":
			return "Pushed by {2} for {0}: says that {1} requested changes. Nobody has confirmed it."
		case "rejected":
			return "Pushed by {2} for {0}: says that {1} declined this. Nobody has confirmed it."
		}
		return "Pushed by {2} for {0}: says that {1} answered this. Nobody has confirmed it."
	}
	switch m.Message.Verdict {
	case "approved":
		return "{0} reports that {1} approved this. Nobody has confirmed it."
	case "changes-requested":
		return "{0} reports that {1} requested changes. Nobody has confirmed it."
	case "rejected":
		return "{0} reports that {1} declined this. Nobody has confirmed it."
	}
	return "{0} reports that {1} answered this. Nobody has confirmed it."
}

// contradiction is the verified reply that stands behind what is reported though that is still only
// reported: it says something else. nil: there is none.
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

// snoozing is how long an ask can be put off.
type snoozing struct{ until, word string }

func snoozes(ctx context.Context) []snoozing {
	return []snoozing{
		{"1h", say(ctx, "For an hour")},
		{"tomorrow", say(ctx, "Until tomorrow")},
		{"monday", say(ctx, "Until Monday")},
		{"news", say(ctx, "Until something is new")},
	}
}
