package ui

import (
	"context"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/remark"
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
	// At is the address of the ask. Its forms are sent to At + "/decide", "/draft", "/remark",
	// "/undo", "/claim", "/snooze", "/handover", "/note", "/nudge" (hosted) and "/command" (local). "" is the inspector, where the
	// page's script takes the form.
	At       string
	Beside   *BesideList // the list of the inbox that its forms lead back to; nil: none
	Verified bool        // a reply given here is verified, by this name; else it is transcribed
	Form     reply.Form  // what the form carries, with what was typed, or the draft
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
	// Earlier are the remarks of the previous round, and what became of their places.
	Earlier []EarlierRemark
	Draft   int64 // when the draft was kept; 0: there is none

	ByProgram bool   // a program wrote the draft, with a token of this person
	Proposal  string // what that draft proposes, a sentence of ours; ""

	Claims  []journal.Claim // who looks at this; hosted
	Snooze  bool            // the ask can be put off, for this person
	Snoozed int64           // until when it is, microseconds since 1970; 0: it is not; SnoozedForNews: until something is new

	Team *AskTeam // hosted; nil: none

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

// EarlierRemark is a remark of the previous round.
type EarlierRemark struct {
	remark.Remark
	Number int
	Mine   bool            // made by the person who looks at the page
	Now    *remark.Outcome // what became of its place; nil if its attachment was not read
	Key    string          // key of the attachment in which it was looked for; ""
}

// EarlierNote is the newest reply of the previous round that has remarks, and its note; nil if there is none.
func EarlierNote(ask *journal.Ask) (*journal.Message, remark.Note) {
	for i := len(ask.Thread) - 1; i >= 0; i-- {
		if m := &ask.Thread[i]; m.Round > 0 && m.Round == ask.State.Round-1 {
			if n := remark.Parse(m.Message.Text); len(n.Remarks) > 0 {
				return m, n
			}
		}
	}
	return nil, remark.Note{}
}

// EarlierRemarks are the remarks of the previous round. Of attachments they say what became of a place where open reads the
// attachment that has taken the place of the one they were made on; successor names it.
func EarlierRemarks(ask *journal.Ask, mine func(*journal.Message) bool, successor func(name string) string, open func(key string) (*reply.Attachment, error)) (all []EarlierRemark) {
	m, n := EarlierNote(ask)
	opened := map[string]*reply.Attachment{}
	for i, r := range n.Remarks {
		e := EarlierRemark{Remark: r, Number: i + 1, Mine: mine(m)}
		switch r.Kind {
		case remark.Step:
			e.Now = new(r.InSteps(ask.Ask.OnApprove))
		case remark.Request:
			e.Now = new(r.In(&remark.Document{Content: []byte(RequestText(&ask.Ask))}))
		default:
			if e.Key = successor(r.File); e.Key == "" {
				e.Now = new(r.In(nil))
				break
			}
			a, known := opened[e.Key]
			if !known && open != nil {
				a, _ = open(e.Key) // what can't be read is not judged
				opened[e.Key] = a
			}
			if a != nil {
				e.Now = new(r.In(&a.Document))
			}
		}
		all = append(all, e)
	}
	return all
}

// MineOf are the remarks of the round before that an approval asks about.
func MineOf(all []EarlierRemark) (mine []reply.EarlierRemark) {
	for i := range all {
		if all[i].Mine {
			mine = append(mine, reply.EarlierRemark{Number: all[i].Number, Text: all[i].Text})
		}
	}
	return mine
}

// FaultOfRemark says why a remark couldn't be made.
func FaultOfRemark(e *remark.Error) *Fault {
	return &Fault{Field: reply.FieldNewText, Sentence: e.Sentence, Hint: e.Hint, Args: e.Args}
}

// RequestText is the ask's own text, as remarks are made on it.
func RequestText(ask *figs.Ask) string {
	return strings.Join([]string{ask.Title, ask.Found, ask.Need}, "\n")
}
