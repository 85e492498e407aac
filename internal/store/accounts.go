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
	Hash    string // hash of its cookie
	User    string
	Data    []byte // opaque to the store
	Created int64
	Used    int64        // last recorded use
	Expires int64        // the session is deleted after this time at the latest
	Agent   string       // User-Agent header of the browser
	Address string       // IP address from which the session was started
	Method  SignInMethod // how the person signed in
	Proved  int64        // when the person last proved who they are
}

// SignInMethod is how a person signed in.
type SignInMethod string

// The sign-in methods.
const (
	MethodPassword  SignInMethod = "password"
	MethodPasskey   SignInMethod = "passkey"
	MethodRecovery  SignInMethod = "recovery" // a printed recovery code
	MethodProvider  SignInMethod = "provider" // an OpenID Connect provider
	MethodProxy     SignInMethod = "proxy"    // an authenticating proxy in front of this server
	MethodResetLink SignInMethod = "link"     // a password reset link
	MethodSetup     SignInMethod = "setup"    // the set-up link
	MethodInvite    SignInMethod = "invite"
)

// Sessions stores sessions. Its methods don't change any workspace's Seq.
type Sessions interface {
	SaveSession(ctx context.Context, s Session) error
	// Session returns ErrNotFound if the session has expired at that time.
	Session(ctx context.Context, hash string, at int64) (Session, error)
	ListSessions(ctx context.Context, user string, at int64) ([]Session, error)
	// UpdateSession replaces a session's data and sets its last use and expiry. It returns ErrNotFound if the session no
	// longer exists, so that a request that runs during a sign-out can't restore it.
	UpdateSession(ctx context.Context, hash string, data []byte, used, expires int64) error
	// MarkProved records that the person has just proved who they are. It returns ErrNotFound if the session no longer
	// exists.
	MarkProved(ctx context.Context, hash string, at int64) error
	// EndSession deletes a session, EndSessions all sessions of a user.
	EndSession(ctx context.Context, hash string) error
	EndSessions(ctx context.Context, user string) error
	// Sweep deletes the sessions, tickets, device logins and attempts that expired before at.
	Sweep(ctx context.Context, at int64) error
}

// ErrLastSignInMethod means that the change would leave a person without a way to sign in.
var ErrLastSignInMethod = errors.New("store: a person needs at least one way to sign in")

// Passkey is a WebAuthn credential of a person.
type Passkey struct {
	ID         string // credential id, base64url
	Person     string
	Name       string // chosen by the person
	Credential string // JSON with the public key and the signature counter
	Created    int64
	Used       int64 // last use; 0 if never used
}

// Passkeys stores passkeys.
type Passkeys interface {
	// AddPasskey returns *TakenError if the credential is already stored, for anyone.
	AddPasskey(ctx context.Context, act Act, p Passkey) error
	Passkey(ctx context.Context, id string) (Passkey, error)
	// ListPasskeys returns a person's passkeys, oldest first.
	ListPasskeys(ctx context.Context, person string) ([]Passkey, error)
	// UsePasskey records a use and replaces the credential's JSON by after, if it is still before. Otherwise it returns
	// ErrNotFound: two uses with the same signature counter mean that one of them comes from a copy.
	UsePasskey(ctx context.Context, id, before, after string, at int64) error
	// RemovePasskey deletes one of a person's passkeys. It returns ErrLastSignInMethod if the person would have no
	// password, passkey or identity left.
	RemovePasskey(ctx context.Context, act Act, person, id string) error
}

// RecoveryCodeCount is how many of a person's recovery codes are unused.
type RecoveryCodeCount struct {
	Left, Of int
	Made     int64 // 0 if there are none
}

// RecoveryCodes stores the hashes of printed recovery codes.
type RecoveryCodes interface {
	// SetRecoveryCodes replaces all codes of a person.
	SetRecoveryCodes(ctx context.Context, act Act, person string, hashes []string) error
	RecoveryCodes(ctx context.Context, person string) (RecoveryCodeCount, error)
	// UseRecoveryCode uses up a code and returns how many are left. It returns ErrNotFound if the person has no such unused
	// code. Of concurrent calls with the same code, one succeeds.
	UseRecoveryCode(ctx context.Context, act Act, person, hash string) (left int, err error)
}

// Identity links a person to an account at an OpenID Connect provider or behind an authenticating proxy. Issuer and Subject
// together identify the account permanently; Email is the address that was last reported for it.
type Identity struct {
	Issuer  string // URL of the provider, or "header:" and the name of the proxy's header
	Subject string
	Person  string // user id
	Email   string
	Created int64
	Used    int64 // last sign-in
}

// Identities stores identities.
type Identities interface {
	// AddIdentity returns *TakenError if the identity is already linked to someone.
	AddIdentity(ctx context.Context, act Act, i Identity) error
	// AddProvisioned creates a user together with an identity. It returns *TakenError if the email address or the identity
	// is in use.
	AddProvisioned(ctx context.Context, act Act, u User, i Identity) error
	Identity(ctx context.Context, issuer, subject string) (Identity, error)
	// UseIdentity records a sign-in and the email address that came with it.
	UseIdentity(ctx context.Context, issuer, subject, email string, at int64) error
	// ListIdentities returns a person's identities, oldest first.
	ListIdentities(ctx context.Context, person string) ([]Identity, error)
	// RemoveIdentity deletes one of a person's identities. It returns ErrLastSignInMethod if the person would have no
	// password, passkey or identity left.
	RemoveIdentity(ctx context.Context, act Act, person, issuer, subject string) error
}

// Ticket is a single-use secret with an expiry: a WebAuthn challenge, the state of an OpenID Connect sign-in, or a password
// reset link.
type Ticket struct {
	Hash    string // hash of the secret
	Kind    string // purpose; a ticket is only found under its own kind
	Person  string // user id; "" if not known yet
	Data    []byte // opaque to the store
	Expires int64
}

// Tickets stores tickets until they are used or expire.
type Tickets interface {
	AddTicket(ctx context.Context, t Ticket) error
	// Ticket returns ErrNotFound if there is no ticket of that kind or it has expired at that time.
	Ticket(ctx context.Context, hash, kind string, at int64) (Ticket, error)
	// UseTicket is Ticket and deletes it. Of concurrent calls, one succeeds.
	UseTicket(ctx context.Context, hash, kind string, at int64) (Ticket, error)
}

// ResetKind is the Kind of a password reset link.
const ResetKind = "reset"

// Reset says what OfferReset removes from the account.
type Reset struct {
	Passkeys bool // remove passkeys and recovery codes
	Sessions bool // end all sessions
}

// Resets stores password reset links, for people who can't sign in any more.
type Resets interface {
	// OfferReset stores a reset link, replacing any older one of the same person, and removes what r says from the account
	// at once.
	OfferReset(ctx context.Context, act Act, t Ticket, r Reset) error
	// UseReset sets the password, deletes the link and ends the person's sessions. It returns ErrNotFound if the link isn't
	// valid. In the audit log the person is the actor; act only gives the time.
	UseReset(ctx context.Context, act Act, hash, password string) (User, error)
}

// Scope is what a token may do.
type Scope string

// The scopes.
const (
	ScopePush Scope = "push" // push and read, store drafts, send feedback
	ScopeRead Scope = "read" // read only
)

// ErrExpired means that a token was valid and has expired.
var ErrExpired = errors.New("store: the token has expired")

// Token is an API token. Only its hash is stored.
type Token struct {
	ID, User, Name, Hash string
	Scope                Scope // "" is stored as ScopePush
	Created              int64
	Expires              int64  // 0 if it doesn't expire
	Used                 int64  // last use, to the minute; 0 if never used
	Address              string // IP address of the last use
	Revoked              int64  // 0 if not revoked
}

// Tokens stores API tokens.
type Tokens interface {
	AddToken(ctx context.Context, act Act, t Token) error
	// UseToken returns the token with that hash and records when and from where it was used, at most once a minute, so that
	// an unchanged push writes nothing. It returns ErrExpired if the token has expired at that time, and ErrNotFound if it
	// is unknown or revoked; in both cases it writes nothing.
	UseToken(ctx context.Context, hash, address string, at int64) (Token, error)
	ListTokens(ctx context.Context, user string) ([]Token, error)
	// RevokeToken revokes one of the user's tokens.
	RevokeToken(ctx context.Context, act Act, user, id string) error
}

// DeviceStatus is the status of a device login, as the API spells it.
type DeviceStatus string

// The statuses of a device login.
const (
	DevicePending  DeviceStatus = "pending"
	DeviceApproved DeviceStatus = "approved"
	DeviceDenied   DeviceStatus = "denied"
	DeviceExpired  DeviceStatus = "expired"
	DeviceClaimed  DeviceStatus = "already_claimed"
	DeviceUnknown  DeviceStatus = "not_found"
)

// Device is a device login: a client that asks a person for a token.
type Device struct {
	Hash     string // hash of the device code
	UserCode string // the short code that a person types
	Status   DeviceStatus
	User     string // who approved or denied it; "" while pending
	Agent    string // how the client describes itself
	Address  string
	Created  int64
	Expires  int64
	Polled   int64      // last poll
	Grant    TokenGrant // of an approved login
}

// TokenGrant overrides fields of the token that the client gets.
type TokenGrant struct {
	Name    string // "" to use the name that the client sends with the poll
	Expires int64  // when the token expires; 0 if it doesn't
}

// Devices stores device logins.
type Devices interface {
	// AddDevice returns *TakenError if the user code is in use.
	AddDevice(ctx context.Context, d Device) error
	// DeviceByUserCode returns ErrNotFound if the login has expired at that time.
	DeviceByUserCode(ctx context.Context, code string, at int64) (Device, error)
	// DecideDevice approves a pending login, or denies it if grant is nil. It returns ErrNotFound if the login isn't
	// pending or has expired.
	DecideDevice(ctx context.Context, act Act, userCode string, grant *TokenGrant) error
	// PollDevice records the poll and returns the login's status. If the login is approved, exactly one poll stores t, with
	// the approving user and the grant applied, and returns DeviceApproved; later polls return DeviceClaimed. before is the
	// time of the previous poll, for rate limits.
	PollDevice(ctx context.Context, hash string, t Token, at int64) (status DeviceStatus, before int64, err error)
}

// RateLimits counts attempts, to slow down guessing of passwords and codes. The counts are shared by all processes on the
// store.
type RateLimits interface {
	// Attempt records one attempt under key ("sign-in ada@example.org", "poll 192.0.2.1") and returns 0 if fewer than max
	// were recorded in the last window microseconds. Otherwise it records nothing and returns how long to wait, in
	// microseconds.
	Attempt(ctx context.Context, key string, at, window int64, max int) (wait int64, err error)
	// ClearAttempts deletes the attempts under key.
	ClearAttempts(ctx context.Context, key string) error
}

// SetupLinks stores the one link with which a new server without users is set up.
type SetupLinks interface {
	// SetSetup replaces the link. It returns ErrNotFound if the server has users. The link also ends when a user is added
	// in another way.
	SetSetup(ctx context.Context, hash string, expires int64) error
	// Setup returns ErrNotFound if no link with that hash is valid at that time.
	Setup(ctx context.Context, hash string, at int64) error
	// UseSetup adds the first user and a workspace that they own, and deletes the link, all or nothing. It returns
	// ErrNotFound if the link isn't valid or the server has users, and *TakenError if the workspace's slug is in use. In
	// the audit log the new user is the actor; act only gives the time.
	UseSetup(ctx context.Context, act Act, hash string, u User, w Workspace) error
}
