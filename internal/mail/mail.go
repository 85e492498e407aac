// Package mail sends letters to people.
package mail

import "context"

// Message is one e-mail in plain text, and in HTML where that says the same with links.
type Message struct {
	To      string // e-mail address
	Subject string // one line
	Text    string
	HTML    string // may be ""
	// ID makes the Message-Id, so that the same letter sent twice is one in a mailbox; "" mints one.
	ID string
	// Unsubscribe is the page on which the reader can end such letters; "" is of letters that they asked for.
	Unsubscribe string
}

// Sender sends letters. An error that is *RefusedError is final: the same letter will be refused again.
type Sender interface {
	Send(ctx context.Context, l Message) error
}

// RefusedError says that the mail server takes this letter never.
type RefusedError struct{ Says string }

func (r *RefusedError) Error() string { return "mail: refused: " + r.Says }
