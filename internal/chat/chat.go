// Package chat writes messages for chat services: which addresses each service has, and how it wants a message. It sends
// nothing itself. Everything in a message except its link may be text that agents or people wrote: it is shown as it is,
// and becomes no mention, no link and no formatting.
package chat

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
)

// Service is a chat service.
type Service string

// The services.
const (
	Slack      Service = "slack"
	Teams      Service = "teams"
	Discord    Service = "discord"
	Mattermost Service = "mattermost"
	Telegram   Service = "telegram"
	Matrix     Service = "matrix"
	GoogleChat Service = "googlechat"
)

// Services returns all services, in the order in which people choose from them.
func Services() []Service {
	return []Service{Slack, Teams, Discord, Mattermost, Telegram, Matrix, GoogleChat}
}

// Name is the service's own name.
func (s Service) Name() string {
	switch s {
	case Slack:
		return "Slack"
	case Teams:
		return "Microsoft Teams"
	case Discord:
		return "Discord"
	case Mattermost:
		return "Mattermost"
	case Telegram:
		return "Telegram"
	case Matrix:
		return "Matrix"
	case GoogleChat:
		return "Google Chat"
	}
	return ""
}

// HasURL reports whether a channel of the service has a URL: its webhook or, for Matrix, the homeserver.
func (s Service) HasURL() bool { return s != Telegram }

// HasRoom reports whether a channel of the service has a room and a token, because it has no webhook.
func (s Service) HasRoom() bool { return s == Telegram || s == Matrix }

// Channel is where messages are sent.
type Channel struct {
	Service Service
	URL     string // of the webhook, which is a secret, or of the homeserver
	Room    string // id of the chat or room, if HasRoom
	Token   string // if HasRoom
}

// Message is what a channel is told, about one ask or, if it has Items, about several.
type Message struct {
	ID        string // the same when it is sent again
	Headline  string // "Payables needs an approval"
	Title     string // of the ask; may be ""
	Workspace string // its name; may be ""
	Facts     []Fact // our own words
	Items     []Item // at most 5
	More      string // how many others there are, in our own words; may be ""
	Open      string // what the links of Items are called where the text can't be the link, in our own words
	Button    string // what the link is called, in our own words
	Link      string // to a page of this server; opening it decides nothing
}

// Item is one of several asks: "Payables needs an approval: Send the October statement", and the link to it.
type Item struct{ Text, Link string }

// Fact is a short line of a message: "Waiting", "3 hours".
type Fact struct{ Name, Value string }

// NewRequest returns the request that sends a message to a channel. It returns *FieldError for a channel that Check
// refuses; insecure is as for Check.
func NewRequest(ctx context.Context, c *Channel, m *Message, insecure bool) (*http.Request, error) {
	if err := c.Check(insecure); err != nil {
		return nil, err
	}
	method, target, body := http.MethodPost, c.URL, any(nil)
	switch c.Service {
	case Slack:
		body = slackBody(m)
	case Teams:
		body = teamsBody(m)
	case Discord:
		target, body = withQuery(target, "wait", "true"), discordBody(m) // without wait, Discord reports no errors
	case Mattermost:
		body = mattermostBody(m)
	case Telegram:
		target, body = telegramURL(c.Token), telegramBody(m, c.Room)
	case Matrix:
		method, target, body = http.MethodPut, matrixURL(c.URL, c.Room, m.ID), matrixBody(m)
	case GoogleChat:
		body = googleBody(m)
	}
	encoded, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(encoded))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	if c.Service == Matrix {
		r.Header.Set("Authorization", "Bearer "+c.Token)
	}
	return r, nil
}
