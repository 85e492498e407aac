package emails

import (
	"context"

	"github.com/figs-web/figs-web/components/i18n"
)

// Invite is an invite to a workspace.
type Invite struct {
	Link, Host, Workspace string
	By                    string // name of who invites; "" for the server's administrator
	Role                  string // in the recipient's language
	Days                  int    // until the link expires
}

// Message returns the email of an invite, and its subject.
func (i Invite) Message(ctx context.Context) (subject string, m Message) {
	by := i.By
	if by == "" {
		by = i18n.Say(ctx, "The administrator of %s", i.Host)
	}
	subject = i18n.Say(ctx, "%s invited you to %s", by, i.Workspace)
	return subject, Message{
		Workspace: i.Workspace, Headline: subject, Button: i18n.Say(ctx, "Accept the invite"), Link: i.Link,
		Text:   []string{i18n.Say(ctx, "The team there uses figs-web on %s to read what its agents do and to decide what they ask. Your role: %s.", i.Host, i.Role)},
		Footer: i18n.Say(ctx, "The link works for one person, once, and expires in %s. If you didn't expect this invite, ignore this email.", i18n.Count(ctx, i.Days, "%d day", "%d days")),
	}
}

// Confirm returns the email that asks someone to confirm their address for notifications, and its subject.
func Confirm(ctx context.Context, host, link string) (subject string, m Message) {
	return i18n.Say(ctx, "Confirm your email address for notifications · %s", host), Message{
		Workspace: host, Headline: i18n.Say(ctx, "Confirm your email address"), Button: i18n.Say(ctx, "Confirm the address"), Link: link,
		Text:   []string{i18n.Say(ctx, "You asked for email notifications from %s. Open the link within 24 hours and confirm there.", host)},
		Footer: i18n.Say(ctx, "If that wasn't you, ignore this email. You won't get any others."),
	}
}
