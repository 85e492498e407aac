package reply

import "github.com/figs-web/figs-web/figs"

// Entry is a reply that is to stand in the ledger of a folder, bound to what was on the screen of
// the human who gives it.
type Entry struct {
	Agent, Ask string // keys, as addresses have them
	Revision   string // of the ask as it was shown
	Files      []File // its attachments as they were shown
	// ID is that of the event, a random UUID: given again, it is the same reply, and nothing is
	// appended. Anything else stands for a new one.
	ID string
	// Say writes the event to an ask's fold, or says why it cannot be one. ID, TS and Chat of s are
	// set; who speaks and what, is Say's.
	Say func(ask figs.Object, s figs.ReplyInput) ([]byte, figs.ReplyProblem)
}

// WrittenReply is a reply that stands in the ledger.
type WrittenReply struct {
	ID     string
	Again  bool // it was there before
	Stands bool // it decides where the ask stands, as its reply in the present round
	Broken int  // line of messages.jsonl that cannot be read, from 1; 0 when there is none
}

// StaleError says that there is something newer than what was seen. Lines and Replies are how much of
// the ask was seen; Files are the attachments that are others now.
type StaleError struct {
	Lines, Replies int
	Files          []Change
}

// Change is an attachment that is not what was seen; "" is no such file.
type Change struct{ Name, Before, After string }

func (e *StaleError) Error() string { return "reply: the ask is not what was seen" }

// BlockedError says that the ask takes no reply now.
type BlockedError struct{ Bar figs.ReplyBlock }

func (e *BlockedError) Error() string { return "reply: " + e.Bar.String() }

// InvalidReplyError says that the reply is none that the ask can take.
type InvalidReplyError struct{ Misfit figs.ReplyProblem }

func (e *InvalidReplyError) Error() string { return "reply: " + e.Misfit.String() }

// RefusedError says why nothing was appended, or only a part, in words for the person who replied.
type RefusedError struct {
	Sentence, Hint string
	Cause          error // what the system said; may be nil
}

func (e *RefusedError) Error() string { return "reply: " + e.Sentence }

func (e *RefusedError) Unwrap() error { return e.Cause }

// CheckOpen says why an ask of a folder takes no reply now. Whatever lies in a folder is only reported,
// also what somebody typed here: nothing can be confirmed there after a close, or after the verdict
// that ends a round.
func CheckOpen(ask *figs.Ask, state figs.AskState) figs.ReplyBlock {
	state.Reported = false
	return figs.CheckDecidable(ask, state, true, true)
}
