package journal

// FollowUp is how far an ask has got on a server. Each time is in microseconds since 1970, and 0 if the server hasn't seen
// it happen.
type FollowUp struct {
	Asked     int64
	Viewed    int64 // someone first viewed or downloaded one of its attachments
	Replied   int64 // its newest verified reply was given
	RepliedBy Person
	PickedUp  int64 // a sync returned that reply
	Confirmed int64 // its id came back in a push
	ActedOn   int64 // it was closed citing that reply
	Closed    int64
	Nudged    int64 // the agent's people were last reminded
	NudgedBy  Person
	Reminded  []Person
}

// Stuck returns since when the reply has waited for its next step; 0 if it waits for none.
func (f *FollowUp) Stuck() int64 {
	switch {
	case f.Replied == 0 || f.Confirmed != 0 || f.Closed != 0:
		return 0
	case f.PickedUp != 0:
		return f.PickedUp
	}
	return f.Replied
}

// Handover says who handed an ask to whom.
type Handover struct {
	No       int64
	By, To   Person
	Mine     bool // the viewer has it
	Note     string
	At       int64
	CanReply bool // To may reply; if not, the hand-over counts as none
}
