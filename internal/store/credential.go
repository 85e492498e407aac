package store

import "context"

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
