package store

import (
	"context"
	"errors"
)

// Teamwork stores what people of a workspace do together about an ask: hand it to a colleague, write notes, and remind an
// agent's people of a reply. Agents never see any of it, and nothing here changes who may reply. Every change is an audit
// row and changes the workspace's Seq; who is told gets a notification in the same transaction.
type Teamwork interface {
	// HandOver hands asks to a member. Each outcome is nil, ErrUnchanged (that hand-over is in force already), ErrNotFound,
	// ErrForbidden (act.By may not reply to it), ErrCannotReply (h.To may not), ErrNotWaiting (it needs no human), or
	// *HandedOverError. One ask is one notification; several are one together. seq is 0 if nothing was changed.
	HandOver(ctx context.Context, act Act, workspace string, asks []AskRef, h HandoverInput) (outcomes []error, seq int64, err error)
	// TakeBack ends the hand-over of an ask that has the number seen. It returns ErrNotFound if the workspace has no such
	// ask, ErrForbidden if act.By may not reply to it, ErrUnchanged if it isn't handed over, and *HandedOverError if another
	// hand-over is in force.
	TakeBack(ctx context.Context, act Act, workspace string, ask AskRef, seen int64) (seq int64, err error)
	// AddAskNote adds a note, and notifies the members that it mentions. A note that its author has just written is not
	// added again: seq is then 0. It returns ErrNotFound, ErrForbidden, ErrLimitReached if the ask has MaxAskNotes, and
	// ErrNotMember if a mentioned user isn't a member.
	AddAskNote(ctx context.Context, act Act, workspace string, ask AskRef, text string, mentions []string) (seq int64, err error)
	// Nudge reminds the agent's manager and builder, except act.By, that a reply hasn't been picked up. told is who has a
	// destination that wants it; if nobody has, nothing is stored and seq is 0. It returns ErrNotFound, ErrForbidden,
	// ErrNothingToNudge if no reply has waited for NudgeAfter, and *NudgedError less than NudgeInterval after a reminder.
	Nudge(ctx context.Context, act Act, workspace string, ask AskRef) (told []string, seq int64, err error)
	// AskNotes returns an ask's notes, hand-overs and reminders, oldest first.
	AskNotes(ctx context.Context, agent, ask string) ([]AskNote, error)
	// NumberedAskNotes returns those of a workspace with these numbers, by number.
	NumberedAskNotes(ctx context.Context, workspace string, numbers []int64) (map[int64]AskNote, error)
	// FollowUp returns how far an ask has got.
	FollowUp(ctx context.Context, agent, ask string) (FollowUp, error)
	// MarkAskNotificationsRead marks a person's notifications about asks as read, and returns how many there were.
	MarkAskNotificationsRead(ctx context.Context, person, workspace string, asks []AskRef, at int64) (n int64, err error)
}

const (
	// MaxAskNotes is how many notes an ask can have. Of hand-overs and reminders, the newest MaxAskNotes are kept.
	MaxAskNotes = 200
	// MaxAskNote is how many bytes a note can have.
	MaxAskNote = 4 << 10
	// NudgeAfter is how long a reply waits before someone can be reminded of it, NudgeInterval how long until the next time.
	NudgeAfter    = 3600_000000
	NudgeInterval = 3600_000000
	// AnyHandover is the Seen of a form that shows no hand-over.
	AnyHandover = -1
)

// ErrUnchanged means that there was nothing to change.
var ErrUnchanged = errors.New("store: nothing to change")

// ErrCannotReply means that an ask can't be handed to a person, because they may not reply to it.
var ErrCannotReply = errors.New("store: the person may not reply to this ask")

// ErrNotWaiting means that an ask needs no human now.
var ErrNotWaiting = errors.New("store: the ask needs no human now")

// ErrNotMember means that a user isn't a member of the workspace.
var ErrNotMember = errors.New("store: not a member")

// ErrNothingToNudge means that no reply has waited long enough to be picked up.
var ErrNothingToNudge = errors.New("store: no reply has waited long enough")

// HandedOverError means that an ask has been handed over since the person saw it; To is "" if the hand-over has ended.
type HandedOverError struct{ By, To string }

func (e *HandedOverError) Error() string {
	return "store: the ask has been handed over since it was seen"
}

// NudgedError means that people were reminded a short time ago.
type NudgedError struct {
	By   string
	Next int64 // when it is possible again
}

func (e *NudgedError) Error() string { return "store: people were reminded a short time ago" }

// HandoverInput is to whom asks are handed.
type HandoverInput struct {
	To, Note string
	Seen     int64 // number of the hand-over that the form showed, 0 if none; AnyHandover if it doesn't matter
}

// AskNoteKind is what happened to an ask among people.
type AskNoteKind string

// The kinds.
const (
	KindNote     AskNoteKind = "note"
	KindHandover AskNoteKind = "handover"
	KindTakeBack AskNoteKind = "takeback"
	KindNudge    AskNoteKind = "nudge"
)

// AskNote is a note, a hand-over, the end of one, or a reminder.
type AskNote struct {
	No         int64
	Agent, Ask string
	Kind       AskNoteKind
	By         string   // user id
	People     []string // user ids of who was mentioned, handed the ask, or reminded
	Text       string
	At         int64
	Holds      bool // it is the hand-over in force
}

// Handover is a hand-over in force.
type Handover struct {
	No       int64
	By, To   string
	Note     string
	At       int64
	CanReply bool // To may reply; if not, the hand-over counts as none
}

// FollowUp is how far an ask has got. Each time is in microseconds, and 0 if the server hasn't seen it happen.
type FollowUp struct {
	Asked     int64  // its first version arrived
	Viewed    int64  // someone first viewed or downloaded one of its attachments, after it arrived
	Replied   int64  // its newest verified reply was given
	RepliedBy string // user id
	PickedUp  int64  // a sync returned that reply
	Confirmed int64  // its id came back in a push
	Closed    int64  // the line that closes it arrived
	Nudged    int64  // people were last reminded
	NudgedBy  string // user id
	Reminded  []string
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

// MayReply reports whether a member may reply to the asks of an agent.
func (r *Roster) MayReply(person, agent string) bool {
	a := r.Agent(agent)
	return person != "" && (r.Admins[person] || a != nil && (a.Manager == person || a.Builder == person))
}
