package store

import (
	"context"
	"slices"
)

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
	ChatChoice
}

// ChatTopic is something that a channel can be told about.
type ChatTopic string

// The topics.
const (
	ChatSignOffs  ChatTopic = "sign-off" // a new sign-off
	ChatQuestions ChatTopic = "question" // a new question, or a new ask of an unknown type
	ChatReminders ChatTopic = "open"     // an ask is still open after DefaultReminderHours.Open
	ChatReported  ChatTopic = "claim"    // an agent reports a reply in someone's name
	ChatLate      ChatTopic = "picked"   // an agent hasn't picked up a reply after DefaultReminderHours.PickedUp
	ChatSettled   ChatTopic = "settled"  // an ask that the channel was told about was answered, or closed by its agent
)

// ChatTopics returns all topics.
func ChatTopics() []ChatTopic {
	return []ChatTopic{ChatSignOffs, ChatQuestions, ChatReminders, ChatReported, ChatLate, ChatSettled}
}

// OnByDefault reports whether a new channel is told about a topic: about everything that needs a person.
func (t ChatTopic) OnByDefault() bool { return t != ChatLate && t != ChatSettled }

// DefaultChatTopics are the topics that are OnByDefault.
func DefaultChatTopics() []ChatTopic {
	return slices.DeleteFunc(ChatTopics(), func(t ChatTopic) bool { return !t.OnByDefault() })
}

// TopicOf is the topic of an event about an ask of that type, or "".
func TopicOf(e NotificationEvent, askType string) ChatTopic {
	switch e {
	case EventAsk:
		if askType == "sign-off" {
			return ChatSignOffs
		}
		return ChatQuestions
	case EventStillOpen:
		return ChatReminders
	case EventReportedReply:
		return ChatReported
	case EventNotPickedUp:
		return ChatLate
	case EventSettled:
		return ChatSettled
	}
	return ""
}

// ChatChoice is what a channel is told about. If Agents and Departments are both empty, it's told about all agents.
type ChatChoice struct {
	Topics      []ChatTopic
	Agents      []string // ids
	Departments []string
}

// MaxChatAgents is how many agents, and how many departments, a channel can be limited to.
const MaxChatAgents = 100

// Wants reports whether a channel is told about a topic of an agent.
func (c *ChatChoice) Wants(t ChatTopic, agent, department string) bool {
	return slices.Contains(c.Topics, t) &&
		(len(c.Agents)+len(c.Departments) == 0 || slices.Contains(c.Agents, agent) || department != "" && slices.Contains(c.Departments, department))
}

// MaxChatChannels is how many chat channels a workspace can have.
const MaxChatChannels = 20

// Chat stores the chat channels of workspaces.
type Chat interface {
	// AddChatChannel returns ErrLimitReached if the workspace has MaxChatChannels.
	AddChatChannel(ctx context.Context, act Act, c ChatChannel) error
	ChatChannels(ctx context.Context, workspace string) ([]ChatChannel, error)
	ChatChannel(ctx context.Context, workspace, id string) (ChatChannel, error)
	// SetChatChoice changes what a channel is told about. Queued notifications that it no longer includes aren't sent.
	SetChatChoice(ctx context.Context, act Act, workspace, id string, choice ChatChoice) error
	// RemoveChatChannel also deletes the channel's queued notifications.
	RemoveChatChannel(ctx context.Context, act Act, workspace, id string) error
	// SentToChat returns what was sent to a workspace's channels since that time, newest first.
	SentToChat(ctx context.Context, workspace string, since int64, n int) ([]QueuedNotification, error)
	// ResendToChat sends a finished notification again, under the same id.
	ResendToChat(ctx context.Context, act Act, workspace, id string) error
	// ChatNotification returns a notification that was sent to one of a workspace's channels.
	ChatNotification(ctx context.Context, workspace, id string) (QueuedNotification, error)
}
