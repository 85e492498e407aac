package store

import (
	"context"
	"errors"
)

// Scope is what a token may do.
type Scope string

// The scopes.
const (
	ScopePush Scope = "push" // pushes and reads, keeps drafts and sends feedback
	ScopeRead Scope = "read" // reads, and nothing else
)

// ErrExpired says that a token was good and has come to its end.
var ErrExpired = errors.New("store: the token has expired")

// Token is what a client sends. Only its hash is kept.
type Token struct {
	ID, User, Name, Hash string
	Scope                Scope // "" is kept as ScopePush
	Created              int64
	Expires              int64  // from when on it is good no more; 0: it has no end
	Used                 int64  // last use, to the minute; 0: never
	Address              string // where that use came from
	Revoked              int64  // 0: it is good
}

// Tokens keeps them.
type Tokens interface {
	AddToken(ctx context.Context, act Act, t Token) error
	// UseToken finds a token that is not revoked and notes its use and where it came from, at most
	// once a minute so that an unchanged push writes nothing. It returns ErrExpired for one that
	// has expired by at, and ErrNotFound for every other; neither writes anything.
	UseToken(ctx context.Context, hash, address string, at int64) (Token, error)
	ListTokens(ctx context.Context, user string) ([]Token, error)
	// RevokeToken revokes a token of that user.
	RevokeToken(ctx context.Context, act Act, user, id string) error
}

// DeviceStatus is where a device login stands, in the words of the wire contract.
type DeviceStatus string

// The states of a device login.
const (
	DevicePending  DeviceStatus = "pending"
	DeviceApproved DeviceStatus = "approved"
	DeviceDenied   DeviceStatus = "denied"
	DeviceExpired  DeviceStatus = "expired"
	DeviceClaimed  DeviceStatus = "already_claimed"
	DeviceUnknown  DeviceStatus = "not_found"
)

// Device is a client that asks to be let in.
type Device struct {
	Hash     string // of the device code
	UserCode string // the short one that a person reads
	Status   DeviceStatus
	User     string // who approved or denied; "" while pending
	Agent    string // what it says of itself
	Address  string
	Created  int64
	Expires  int64
	Polled   int64      // last poll
	Grant    TokenGrant // what it was given; of an approved login
}

// TokenGrant is what a person gives a client: the token that its next poll stores bears this name and
// comes to this end.
type TokenGrant struct {
	Name    string // "" keeps the one that the poll brings
	Expires int64  // of the token; 0: it has no end
}

// Devices keeps device logins.
type Devices interface {
	// AddDevice returns *TakenError when the user code is in use.
	AddDevice(ctx context.Context, d Device) error
	// DeviceByUserCode finds a login that has not expired by at.
	DeviceByUserCode(ctx context.Context, code string, at int64) (Device, error)
	// DecideDevice gives a pending login that has not expired a token, or denies it one where
	// grant is nil; else ErrNotFound.
	DecideDevice(ctx context.Context, act Act, userCode string, grant *TokenGrant) error
	// PollDevice notes the poll. Of an approved login, exactly one poll stores the token, whose
	// user becomes the one who approved, with what was granted, and returns DeviceApproved; later
	// ones return DeviceClaimed. before is the time of the last poll, for limits.
	PollDevice(ctx context.Context, hash string, t Token, at int64) (status DeviceStatus, before int64, err error)
}
