package store

import (
	"context"
	"errors"
)

// Feedback is what somebody's tool, or somebody through a tool, has to say to those who run a
// workspace. It stays here: nothing of it is sent anywhere.
type Feedback struct {
	ID                string
	Workspace, Person string // ids; Person is whose token it came with
	Token             string // its id
	Tool, Version     string // of what sent it, as it says; ""
	Context           string // where it happened, as it says; ""
	Text              string
	At                int64
}

// MaxFeedback is how many a workspace keeps.
const MaxFeedback = 1000

// ErrLimitReached says that a workspace keeps as much feedback as it can.
var ErrLimitReached = errors.New("store: the workspace keeps no more feedback")

// FeedbackStore keeps feedback. None of it raises a workspace's Seq: no agent and no list shows it.
type FeedbackStore interface {
	// AddFeedback keeps one: ErrNotFound when its person is no member of the workspace, or that is
	// deleted; ErrLimitReached.
	AddFeedback(ctx context.Context, f Feedback) error
	// ListFeedback lists that of a workspace, newest first; total counts all of it.
	ListFeedback(ctx context.Context, workspace string, from, n int) (list []Feedback, total int, err error)
	// RemoveFeedback forgets one of a workspace; ErrNotFound.
	RemoveFeedback(ctx context.Context, act Act, workspace, id string) error
}
