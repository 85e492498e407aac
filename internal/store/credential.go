package store

import "context"

// Token is what a client sends. Only its hash is kept.
type Token struct {
	ID, User, Name, Hash string
	Created              int64
	Used                 int64 // last use, to the minute; 0: never
	Revoked              int64 // 0: it is good
}

// Tokens keeps them.
type Tokens interface {
	AddToken(ctx context.Context, act Act, t Token) error
	// UseToken finds a token that is not revoked and notes its use, at most once a minute so
	// that an unchanged push writes nothing.
	UseToken(ctx context.Context, hash string, at int64) (Token, error)
	ListTokens(ctx context.Context, user string) ([]Token, error)
	// RevokeToken revokes a token of that user.
	RevokeToken(ctx context.Context, act Act, user, id string) error
}

// Session is one signed-in browser.
type Session struct {
	Hash    string // of its cookie
	User    string
	Data    []byte // the caller's
	Created int64
	Expires int64
	Agent   string // the browser's own words
}

// Sessions keeps them; no read or write of one changes a workspace's Seq.
type Sessions interface {
	SaveSession(ctx context.Context, s Session) error
	// Session returns ErrNotFound for one that has expired by at.
	Session(ctx context.Context, hash string, at int64) (Session, error)
	ListSessions(ctx context.Context, user string, at int64) ([]Session, error)
	// KeepSession changes what a session keeps and when it ends; ErrNotFound when it is gone, so
	// that a page being read beside a sign-out does not bring it back.
	KeepSession(ctx context.Context, hash string, data []byte, expires int64) error
	EndSession(ctx context.Context, hash string) error
	EndSessions(ctx context.Context, user string) error
	// Sweep forgets sessions, device logins and attempts that expired before at.
	Sweep(ctx context.Context, at int64) error
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
	Polled   int64 // last poll
}

// Devices keeps device logins.
type Devices interface {
	// AddDevice returns *Taken when the user code is in use.
	AddDevice(ctx context.Context, d Device) error
	// DeviceByUserCode finds a login that has not expired by at.
	DeviceByUserCode(ctx context.Context, code string, at int64) (Device, error)
	// DecideDevice approves or denies a pending login that has not expired; else ErrNotFound.
	DecideDevice(ctx context.Context, act Act, userCode string, approve bool) error
	// PollDevice notes the poll. Of an approved login, exactly one poll stores the token, whose
	// user becomes the one who approved, and returns DeviceApproved; later ones return
	// DeviceClaimed. before is the time of the last poll, for limits.
	PollDevice(ctx context.Context, hash string, t Token, at int64) (status DeviceStatus, before int64, err error)
}
