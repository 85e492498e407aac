package store

import "context"

// Ticket is something that works once and not for long: the challenge of a passkey, the state of
// a sign-in elsewhere, the key of a reset link.
type Ticket struct {
	Hash    string // of what its holder has
	Kind    string // what it is for: one kind is never taken for another
	Person  string // whom it is for; "": nobody yet
	Data    []byte // the caller's
	Expires int64
}

// Tickets keeps them until they are used or have expired.
type Tickets interface {
	AddTicket(ctx context.Context, t Ticket) error
	// Ticket finds one of that kind that has not expired by at; ErrNotFound otherwise.
	Ticket(ctx context.Context, hash, kind string, at int64) (Ticket, error)
	// UseTicket is Ticket and takes it away: of several callers at once exactly one gets it.
	UseTicket(ctx context.Context, hash, kind string, at int64) (Ticket, error)
}

// ResetKind is the kind of the ticket that a reset link is.
const ResetKind = "reset"

// Reset is what is taken from an account together with the offer of a new password.
type Reset struct {
	Passkeys bool // its passkeys and recovery codes
	Sessions bool // whoever is signed in as that person
}

// Resets lets a person in again who has lost every way to sign in.
type Resets interface {
	// OfferReset keeps the ticket of a reset link in place of any older one of its person, and
	// takes from the account at once what r says.
	OfferReset(ctx context.Context, act Act, t Ticket, r Reset) error
	// UseReset sets the password of the person of a reset link, uses the link up, and ends their
	// sessions; ErrNotFound when the link is not good. Its audit is the person's own.
	UseReset(ctx context.Context, act Act, hash, password string) (User, error)
}
