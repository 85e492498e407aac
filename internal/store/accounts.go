package store

import (
	"context"
	"errors"
)

// User is a person who can sign in.
type User struct {
	ID, Email, Name string // Email is compared case-insensitively
	Password        string // encoded hash; "" if they can't sign in with a password
	Created         int64
	NamedSince      int64  // when the name was last changed; AddUser sets it to Created
	Operator        bool   // administers the whole server
	Language        string // of pages, such as "de"; "" to use the browser's
}

// Users stores people.
type Users interface {
	// AddUser returns *TakenError if the email address is in use.
	AddUser(ctx context.Context, act Act, u User) error
	User(ctx context.Context, id string) (User, error)
	UserByEmail(ctx context.Context, email string) (User, error)
	ListUsers(ctx context.Context) ([]User, error)
	// SetPassword also signs the user out everywhere.
	SetPassword(ctx context.Context, act Act, id, password string) error
	// Rehash replaces the hash of a password by a new hash of the same password. It returns ErrNotFound if the hash isn't old
	// any more.
	Rehash(ctx context.Context, id, old, encoded string) error
	SetUserName(ctx context.Context, act Act, id, name string) error
	// SetLanguage sets the language of a user's pages; "" to use the browser's.
	SetLanguage(ctx context.Context, act Act, id, language string) error
	// SetOperator sets whether a person administers the whole server. UseSetup makes the first person one.
	SetOperator(ctx context.Context, act Act, id string, operator bool) error
}

// Session is one signed-in browser.
type Session struct {
	Hash    string // of its cookie
	User    string
	Data    []byte // the caller's
	Created int64
	Used    int64        // last use, as it was noted
	Expires int64        // when it is swept at the latest
	Agent   string       // the browser's own words
	Address string       // where it was begun from
	Method  SignInMethod // how the person signed in
	Proved  int64        // when the person last proved who they are
}

// SignInMethod is how a person signed in.
type SignInMethod string

// The ways.
const (
	MethodPassword  SignInMethod = "password"
	MethodPasskey   SignInMethod = "passkey"
	MethodRecovery  SignInMethod = "recovery" // one of the codes that they keep on paper
	MethodProvider  SignInMethod = "provider" // an account elsewhere
	MethodProxy     SignInMethod = "proxy"    // a server in front of this one, which vouches for them
	MethodResetLink SignInMethod = "link"     // one that was made for them, to set a new password
	MethodSetup     SignInMethod = "setup"    // the set-up link
	MethodInvite    SignInMethod = "invite"
)

// Sessions keeps them; no read or write of one changes a workspace's Seq.
type Sessions interface {
	SaveSession(ctx context.Context, s Session) error
	// Session returns ErrNotFound for one that has expired by at.
	Session(ctx context.Context, hash string, at int64) (Session, error)
	ListSessions(ctx context.Context, user string, at int64) ([]Session, error)
	// UpdateSession changes what a session keeps, and notes its use and when it ends; ErrNotFound
	// when it is gone, so that a page being read beside a sign-out does not bring it back.
	UpdateSession(ctx context.Context, hash string, data []byte, used, expires int64) error
	// MarkProved notes that the person has just proved who they are; ErrNotFound when the session
	// is gone.
	MarkProved(ctx context.Context, hash string, at int64) error
	EndSession(ctx context.Context, hash string) error
	EndSessions(ctx context.Context, user string) error
	// Sweep forgets sessions, tickets, device logins and attempts that expired before at.
	Sweep(ctx context.Context, at int64) error
}

// ErrLastSignInMethod says that a person would be left without a way to sign in.
var ErrLastSignInMethod = errors.New("store: a person keeps at least one way to sign in")

// Passkey is a key that one of a person's devices holds.
type Passkey struct {
	ID         string // of the credential, in base64url
	Person     string
	Name       string // that the person gave it
	Credential string // JSON of what verifies it
	Created    int64
	Used       int64 // last use; 0: never
}

// Passkeys keeps them.
type Passkeys interface {
	// AddPasskey returns *TakenError when the credential is somebody's already.
	AddPasskey(ctx context.Context, act Act, p Passkey) error
	Passkey(ctx context.Context, id string) (Passkey, error)
	// ListPasskeys lists those of a person, the oldest first.
	ListPasskeys(ctx context.Context, person string) ([]Passkey, error)
	// UsePasskey notes a use and what verifies the next one, if the credential still is before;
	// else ErrNotFound: of two uses with one count, one is a copy's.
	UsePasskey(ctx context.Context, id, before, after string, at int64) error
	// RemovePasskey removes one of a person. It returns ErrLastSignInMethod when they would have neither a
	// password nor another passkey nor an account elsewhere.
	RemovePasskey(ctx context.Context, act Act, person, id string) error
}

// RecoveryCodeCount is how many of a person's recovery codes are good.
type RecoveryCodeCount struct {
	Left, Of int
	Made     int64 // 0: there are none
}

// RecoveryCodes keeps the codes that people have on paper, by their hashes.
type RecoveryCodes interface {
	// SetRecoveryCodes replaces all that a person had.
	SetRecoveryCodes(ctx context.Context, act Act, person string, hashes []string) error
	RecoveryCodes(ctx context.Context, person string) (RecoveryCodeCount, error)
	// UseRecoveryCode uses one up, and returns how many are left; ErrNotFound when it is not a
	// good one of that person. Of several callers at once exactly one uses it.
	UseRecoveryCode(ctx context.Context, act Act, person, hash string) (left int, err error)
}

// Identity is who a person is to somebody else who knows them: a provider of OpenID Connect, or a
// proxy that signs people in. Issuer and subject together name one person for good; the e-mail
// address is what was last said of them.
type Identity struct {
	Issuer  string // of a provider: its address; of a proxy: "header:" and the header's name
	Subject string
	Person  string // user id
	Email   string
	Created int64
	Used    int64 // last sign-in
}

// Identities keeps them.
type Identities interface {
	// AddIdentity returns *TakenError when the identity belongs to somebody.
	AddIdentity(ctx context.Context, act Act, i Identity) error
	// AddProvisioned makes an account together with its identity. It returns *TakenError when the e-mail
	// address or the identity belongs to somebody.
	AddProvisioned(ctx context.Context, act Act, u User, i Identity) error
	Identity(ctx context.Context, issuer, subject string) (Identity, error)
	// UseIdentity notes a sign-in, and with which e-mail address.
	UseIdentity(ctx context.Context, issuer, subject, email string, at int64) error
	// ListIdentities lists those of a person, oldest first.
	ListIdentities(ctx context.Context, person string) ([]Identity, error)
	// RemoveIdentity takes away an identity of that person; ErrLastSignInMethod when they would have
	// neither a password nor a passkey nor another one.
	RemoveIdentity(ctx context.Context, act Act, person, issuer, subject string) error
}

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

// RateLimits counts attempts, so that guessing a password or a code takes for ever, whichever
// process is asked.
type RateLimits interface {
	// Attempt notes one attempt under key ("sign-in ada@example.org", "poll 192.0.2.1") and
	// reports how long to wait, in microseconds: 0 when fewer than max were noted in the last
	// window microseconds. An attempt that must wait is not noted, and writes nothing.
	Attempt(ctx context.Context, key string, at, window int64, max int) (wait int64, err error)
	// ClearAttempts forgets the attempts under key.
	ClearAttempts(ctx context.Context, key string) error
}

// SetupLinks keeps the one link with which a reader without people is set up.
type SetupLinks interface {
	// SetSetup replaces the link by one with that hash; ErrNotFound when the reader has people.
	// A person who comes another way ends the link too.
	SetSetup(ctx context.Context, hash string, expires int64) error
	// Setup reports whether the link with that hash is good at that time: ErrNotFound when not.
	Setup(ctx context.Context, hash string, at int64) error
	// UseSetup adds the first person and a workspace, which that person owns, and ends the link,
	// all or nothing; ErrNotFound when the link is not good or the reader has people, *TakenError
	// when the workspace's slug is. Its audit is the person's own: act only says when.
	UseSetup(ctx context.Context, act Act, hash string, u User, w Workspace) error
}
