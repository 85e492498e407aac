package journal

// Erasure is a tombstone: what is shown in place of a text or file that an owner of the workspace erased.
type Erasure struct {
	By          Person // zero for the operator of the server
	At          int64  // microseconds since 1970
	Why         string // reason, as typed
	SHA256      string // of the bytes, or of the folded record
	PushedAgain int64  // when an erased attachment was last pushed again, and ignored; 0 if never
}
