package ui

import (
	"context"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/reply"
)

// DecisionFormSource knows what the person who looks may say to an ask, and what they have begun to say.
type DecisionFormSource interface {
	// DecisionForm is what lies before the person; nil when there is nothing to say about replying here.
	DecisionForm(ctx context.Context, a *journal.Agent, ask *journal.Ask) (*DecisionForm, error)
}

// DecisionForm is what lies before a person who reads an ask: the form, what was typed, what an approval
// still waits for, or why no reply is taken.
type DecisionForm struct {
	// At is the address of the ask. Its forms are sent to At + "/decide", "/draft", "/quote",
	// "/undo", "/claim", "/snooze" (hosted) and "/command" (local). "" is the inspector, where the
	// page's script takes the form.
	At       string
	Verified bool       // a reply given here is verified, by this name; else it is transcribed
	Form     reply.Form // what the form carries, with what was typed, or the draft
	Gate     reply.Gate
	// AsksProof says that an approval will ask the person to prove who they are.
	AsksProof bool
	AskName   bool // the page asks who speaks (Form.By is what it knows)

	Why     Fault // why there is no form; without a sentence, the form is shown
	Correct bool  // the person has replied in this round: another reply corrects it
	// Reported is what an agent wrote down in somebody's name and nobody has confirmed: the reply
	// confirms or contradicts it. nil: nothing is.
	Reported *journal.Message
	Pending  *journal.Pending // a decision that does not count yet; Mine says whose

	Said   string          // what has just happened, a sentence of ours; "" is nothing
	Behind bool            // the ask has changed since the draft in the form was kept
	Fault  *Fault          // why what was sent was not taken
	Lacks  []reply.Missing // what the approval that was sent still waits for
	Stale  *StaleReply     // there is something newer than what was seen
	Drafts bool            // what is typed can be kept here
	Draft  int64           // when the draft was kept; 0: there is none

	ByProgram bool   // a program wrote the draft, with a token of this person
	Proposal  string // what that draft proposes, a sentence of ours; ""

	Claims  []journal.Claim // who looks at this; hosted
	Snooze  bool            // the ask can be put off, for this person
	Snoozed int64           // until when it is, microseconds since 1970; 0: it is not; SnoozedForNews: until something is new

	Command string // the reply that was sent as a command of a figs client; "": none was wanted
	Line    string // the event that the reply became, composed in the inspector; "": none
}

// StaleReply is how much of an ask somebody had seen, and which of its attachments are others now.
type StaleReply struct {
	Versions, Replies int
	Files             []StaleFile
}

// StaleFile is an attachment that is not what was seen; "" is no such file.
type StaleFile struct{ Name, Before, After string }
