package store

import (
	"context"
	"errors"
)

// ErrNoChangeEvents says that a database tells nobody of changes: whoever wants to know asks for numbers.
var ErrNoChangeEvents = errors.New("store: this database tells nobody of changes")

// ChangeEvents tells of changes that any program on the same store has made. A hint may be lost and may
// come twice; it carries no authority, only a reason to ask.
type ChangeEvents interface {
	// ChangeEvents calls changed for every change of a workspace that some program has committed, with
	// the workspace's number after it, from now on until ctx ends. Where the connection was lost
	// it comes back by itself and calls lost first, because what changed meanwhile was not heard:
	// whoever listens asks again for what it watches. It returns ctx's error, or ErrNoChangeEvents at
	// once where there are none: a file, and PostgreSQL with tables only.
	ListenChanges(ctx context.Context, changed func(workspace string, seq int64), lost func()) error
}
