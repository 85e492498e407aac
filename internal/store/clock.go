package store

import "context"

// Clock is the one clock of all programs on a store.
type Clock interface {
	// Time is what the clock shows now, in microseconds since 1970 UTC: the database server's
	// clock, or of a file that of this machine.
	Time(ctx context.Context) (int64, error)
}
