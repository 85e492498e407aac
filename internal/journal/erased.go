package journal

// Erasure is what stays of a text or of bytes that an owner of the workspace erased: a tombstone. It is
// shown in their place.
type Erasure struct {
	By          Person // nobody: whoever runs the server
	At          int64  // microseconds since 1970
	Why         string // as it was typed
	SHA256      string // of the bytes, or of the record as it was folded
	PushedAgain int64  // when an attachment last came again, and was not kept; 0
}
