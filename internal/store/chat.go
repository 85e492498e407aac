package store

import "context"

// DestinationChat is a chat channel. It belongs to the workspace, so its notifications have no Person.
const DestinationChat DestinationKind = "chat"

// ChatChannel is where a workspace's notifications are sent in a chat service.
type ChatChannel struct {
	ID, Workspace string
	Service       string // as package chat names it
	Name          string // chosen by the person who added it
	URL           string // the webhook, which is a secret, or the homeserver
	Room          string // "" for webhooks
	Token         string // a secret; "" for webhooks
	By            string // user id of who added it; messages are in their language
	Created       int64
	Failing       int64 // since when sending has failed; 0 if it works
}

// MaxChatChannels is how many chat channels a workspace can have.
const MaxChatChannels = 20

// Chat stores the chat channels of workspaces.
type Chat interface {
	// AddChatChannel returns ErrLimitReached if the workspace has MaxChatChannels.
	AddChatChannel(ctx context.Context, act Act, c ChatChannel) error
	ChatChannels(ctx context.Context, workspace string) ([]ChatChannel, error)
	ChatChannel(ctx context.Context, workspace, id string) (ChatChannel, error)
	// RemoveChatChannel also deletes the channel's queued notifications.
	RemoveChatChannel(ctx context.Context, act Act, workspace, id string) error
	// SentToChat returns what was sent to a workspace's channels since that time, newest first.
	SentToChat(ctx context.Context, workspace string, since int64, n int) ([]QueuedNotification, error)
	// ResendToChat sends a finished notification again, under the same id.
	ResendToChat(ctx context.Context, act Act, workspace, id string) error
	// ChatNotification returns a notification that was sent to one of a workspace's channels.
	ChatNotification(ctx context.Context, workspace, id string) (QueuedNotification, error)
}
