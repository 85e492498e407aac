package store

import "context"

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
