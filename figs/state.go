package figs

// Phase is where an ask stands, as a reader shows it (§6).
type Phase uint8

const (
	NeedsYou     Phase = iota // open, and no reply of this round
	Replied                   // answered or approved; the agent is to act and close
	BeingRevised              // changes were requested; the agent is to raise it again
	Declined                  // rejected by a human; the agent is to acknowledge
	Resolved                  // closed
	Withdrawn                 // closed: the agent retracted it
	Rejected                  // closed: a human declined it; terminal
)

var (
	phaseNames = [...]string{"needs you", "replied", "being revised", "declined", "resolved", "withdrawn", "rejected"}
	phaseWords = [...]string{"needs_you", "replied", "being_revised", "declined", "resolved", "withdrawn", "rejected"}
)

// String returns the words of §6.
func (p Phase) String() string { return phaseNames[p] }

// Word is the phase as one word for programs: "needs_you", "being_revised".
func (p Phase) Word() string { return phaseWords[p] }

// Closed reports whether nobody is owed anything any more.
func (p Phase) Closed() bool { return p >= Resolved }

// Waiting reports whether the next move is the agent's.
func (p Phase) Waiting() bool { return p > NeedsYou && p < Resolved }

// AskState is the state of an ask, derived from its lines and its replies (§6).
type AskState struct {
	Phase Phase
	// Reported says that the reply which decides the phase is only transcribed: an agent
	// wrote it down, nothing confirms it. No page calls it "approved" without that word.
	Reported bool
	// Round counts from 1: how often the ask was put to a human.
	Round int
	// Reply is the index, in thread order, of the reply that decides the phase or that the
	// close cites; -1 when there is none.
	Reply int
	// Since is when the present round began, microseconds since 1970 UTC, or NoTime.
	Since int64
}

// NoTime stands for a time that is missing or cannot be read.
const NoTime = -1 << 63
