package accountpages

import (
	"context"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
)

// Chat is what a workspace's page of its chat channels shows.
type Chat struct {
	Off      bool // the server sends no notifications
	Channels []ChatRow
	Services []string // that can be chosen
	Adding   *ChatForm
	Changing *ChatRow // what it is told about is being changed
	Text     TextLevel
	Sent     []SentRow // Kind is the service, Called the channel
	Done     string
	Faults   ui.Faults // "called", "url", "room", "token", "topic", "add", ""
}

// ChatRow is a channel.
type ChatRow struct {
	Key, Kind, Called string // Kind is the service
	Where             string // host and room; never a secret
	Failing           int64  // since when nothing arrives; 0
	Choice            ChatChoice
}

// ChatForm is the form for a channel of a service, as typed. Secrets are typed again.
type ChatForm struct {
	Kind, Called, Home, Room string // Home is the homeserver
	HasURL, HasRoom          bool
	Choice                   ChatChoice
}

// ChatPage is where a workspace's chat channels are set up.
func ChatPage(ctx context.Context, site ui.Site, m Chat) ui.Page {
	return ui.Page{Title: i18n.Say(ctx, "Chat"), Body: chatPage(site, m)}
}

// chatService is a service's name. Translators leave it as it is.
func chatService(ctx context.Context, kind string) string {
	switch kind {
	case "slack":
		return i18n.Say(ctx, "Slack")
	case "teams":
		return i18n.Say(ctx, "Microsoft Teams")
	case "discord":
		return i18n.Say(ctx, "Discord")
	case "mattermost":
		return i18n.Say(ctx, "Mattermost")
	case "telegram":
		return i18n.Say(ctx, "Telegram")
	case "matrix":
		return i18n.Say(ctx, "Matrix")
	case "googlechat":
		return i18n.Say(ctx, "Google Chat")
	}
	return ""
}

// chatSteps says what to do in a service.
func chatSteps(ctx context.Context, kind string) string {
	switch kind {
	case "slack":
		return i18n.Say(ctx, "Create an app at api.slack.com/apps, turn on Incoming Webhooks, add a webhook to the channel, and copy its URL.")
	case "teams":
		return i18n.Say(ctx, "Open the channel's menu, choose Workflows, then the template that posts to a channel when a webhook request is received, and copy the URL that it shows.")
	case "discord":
		return i18n.Say(ctx, "Open the channel's settings, then Integrations and Webhooks, create a webhook, and copy its URL.")
	case "mattermost":
		return i18n.Say(ctx, "Open Integrations, then Incoming Webhooks, add one for the channel, and copy its URL.")
	case "telegram":
		return i18n.Say(ctx, "Create a bot with @BotFather, add it to the chat, and copy the bot's token.")
	case "matrix":
		return i18n.Say(ctx, "Create an account for the messages, let it join the room, which must not be encrypted, and copy its access token.")
	case "googlechat":
		return i18n.Say(ctx, "Open the space's menu, then Apps & integrations and Webhooks, add one, and copy its URL.")
	}
	return ""
}

// roomHelp says where a room's id is found.
func roomHelp(ctx context.Context, kind string) string {
	if kind == "telegram" {
		return i18n.Say(ctx, "A number such as -1001234567890, or the @name of a public channel.")
	}
	return i18n.Say(ctx, "It begins with an exclamation mark. Element shows it in the room's settings, under Advanced.")
}

// chatEvent is what a channel was told.
func chatEvent(ctx context.Context, event string) string {
	switch event {
	case "ask":
		return i18n.Say(ctx, "New ask")
	case "open":
		return i18n.Say(ctx, "Reminder about an open ask")
	case "claim":
		return i18n.Say(ctx, "Reported reply")
	case "picked":
		return i18n.Say(ctx, "Late pickup of a reply")
	case "settled":
		return i18n.Say(ctx, "Settled ask")
	case "test":
		return i18n.Say(ctx, "Test message")
	}
	return i18n.Say(ctx, "Notification")
}

// chatDone says what a form has just done.
func chatDone(ctx context.Context, done string) string {
	switch done {
	case "chat-added":
		return i18n.Say(ctx, "Channel added. Send a test to see a message there.")
	case "chat-chosen":
		return i18n.Say(ctx, "Saved. It applies to messages from now on.")
	case "chat-removed":
		return i18n.Say(ctx, "Channel removed. Nothing will be sent there.")
	case "chat-test":
		return i18n.Say(ctx, "Test message sent. The result appears below.")
	case "chat-resent":
		return i18n.Say(ctx, "The message is being sent again with the same ID.")
	}
	return ""
}

func chatRoomWord(ctx context.Context, kind string) string {
	if kind == "telegram" {
		return i18n.Say(ctx, "Chat ID")
	}
	return i18n.Say(ctx, "Room ID")
}

func chatTokenWord(ctx context.Context, kind string) string {
	if kind == "telegram" {
		return i18n.Say(ctx, "Bot token")
	}
	return i18n.Say(ctx, "Access token")
}

// channelExample is a message to a channel at the present level.
func (t TextLevel) channelExample(ctx context.Context) string {
	if t.Level == "everywhere" {
		return i18n.Say(ctx, "%s needs an approval", i18n.Say(ctx, "Bookkeeping")) + ": " + i18n.Say(ctx, "Pay the rent for November") + " · " + t.Place
	}
	return i18n.Say(ctx, "An agent needs a person") + " · " + t.Place
}
