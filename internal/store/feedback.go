package store

import (
	"context"
	"errors"
)

// Feedback is a message from a tool, or from someone through a tool, to the people who run a workspace. It isn't sent
// anywhere else.
type Feedback struct {
	ID                string
	Workspace, Person string // ids; Person is the owner of the token
	Token             string // id
	Tool, Version     string // as the sender says; "" if it doesn't
	Context           string // where it happened, as the sender says; "" if it doesn't
	Text              string
	At                int64
}

// MaxFeedback is how many messages a workspace can store.
const MaxFeedback = 1000

// ErrLimitReached means that nothing more of this kind can be stored: a workspace has MaxFeedback messages, or a person has
// MaxDestinations, or a workspace MaxChatChannels.
var ErrLimitReached = errors.New("store: limit reached")

// FeedbackStore stores feedback. It doesn't change the workspace's Seq, because no agent and no list shows it.
type FeedbackStore interface {
	// AddFeedback returns ErrNotFound if the person isn't a member of the workspace or the workspace is deleted, and
	// ErrLimitReached if the workspace has MaxFeedback messages.
	AddFeedback(ctx context.Context, f Feedback) error
	// ListFeedback returns a workspace's messages, newest first.
	ListFeedback(ctx context.Context, workspace string) ([]Feedback, error)
	CountFeedback(ctx context.Context, workspace string) (int, error)
	// RemoveFeedback deletes a message. It returns ErrNotFound if there is none with that id.
	RemoveFeedback(ctx context.Context, act Act, workspace, id string) error
}
