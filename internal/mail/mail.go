// Package mail sends emails.
package mail

import "context"

// Message is an email in plain text, and optionally the same in HTML.
type Message struct {
	To      string // e-mail address
	Subject string // one line
	Text    string
	HTML    string // may be ""
	// ID makes the Message-ID, so that mailboxes can recognize duplicates; "" generates one.
	ID string
	// Unsubscribe is the URL of the page where the recipient can turn off such emails; "" for emails they asked for.
	Unsubscribe string
}

// Sender sends emails. A *RefusedError is final: retrying doesn't help.
type Sender interface {
	Send(ctx context.Context, l Message) error
}

// RefusedError means that the mail server permanently rejected the email.
type RefusedError struct{ Says string }

func (r *RefusedError) Error() string { return "mail: rejected: " + r.Says }
