// Package emails writes the emails that people get, as plain text and as HTML that works in mail clients: inline styles,
// one button, no images, no tracking.
package emails

import (
	"context"
	"strings"

	"github.com/figs-web/figs-web/components/i18n"
)

// Message is the content of an email. Everything may contain what people or agents wrote; it is escaped.
type Message struct {
	Workspace string // name of the workspace, or of the server
	Headline  string
	Quote     string   // title of the ask; may be ""
	Text      []string // paragraphs
	Items     []Item   // of an email about several things
	Button    string   // its label
	Link      string   // URL of the button
	Footer    string   // last paragraph; may be ""
	Settings  string   // URL of the recipient's notification settings; "" for emails that aren't notifications
}

// Item is one of several things that an email is about.
type Item struct{ Headline, Quote, Link string }

// Render returns the message as plain text and as HTML, in the language of ctx.
func (m Message) Render(ctx context.Context) (text, html string, err error) {
	var b strings.Builder
	if err := document(m).Render(ctx, &b); err != nil {
		return "", "", err
	}
	return m.plain(ctx), b.String(), nil
}

// plain is the message as plain text. Each URL is at the end of its line.
func (m Message) plain(ctx context.Context) string {
	var b strings.Builder
	paragraph := func(lines ...string) {
		for _, line := range lines {
			if line != "" {
				b.WriteString(line + "\n")
			}
		}
		b.WriteString("\n")
	}
	paragraph(m.Headline, m.Quote, m.Workspace)
	for _, text := range m.Text {
		paragraph(text)
	}
	for _, item := range m.Items {
		paragraph(item.Headline, item.Quote, item.Link)
	}
	paragraph(m.Button + ": " + m.Link)
	paragraph("--", m.Footer)
	if m.Settings != "" {
		b.WriteString(i18n.Say(ctx, "Change what you're notified about") + ": " + m.Settings + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
