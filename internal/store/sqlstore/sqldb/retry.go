package sqldb

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	sqlitedriver "modernc.org/sqlite"

	"github.com/figs-web/figs-web/internal/store"
)

// usualPatience is for how long something is tried again that a database refuses only for now.
const usualPatience = 20 * time.Second

// chance says why an attempt that failed may be made again.
type chance int

const (
	lasting     chance = iota // it may not
	lostTo                    // another transaction was quicker, or a newer program has changed a table meanwhile
	Unreachable               // the server is not there, is starting or stopping, or takes no more connections
)

// outside is an error that is not the database's.
type outside struct{ error }

func (o outside) Unwrap() error { return o.error }

// NotOurs marks an error that is not the database's: nothing is tried again for it.
func NotOurs(err error) error { return outside{err} }

// ChanceOf tells what is worth another try from what is not.
func ChanceOf(err error) chance {
	var e *pgconn.PgError
	var down *store.UnavailableError
	switch {
	case errors.As(err, new(torn)):
		return Unreachable
	case errors.As(err, &down), errors.As(err, &outside{}):
		return lasting // it was tried long enough
	case errors.Is(err, ErrUndone):
		return lostTo
	}
	if errors.As(err, &e) {
		switch {
		case e.Code == "40001", e.Code == "40P01", // serialization failure, deadlock
			e.Code == "26000", // a prepared statement that is not there any more
			e.Code == "0A000" && strings.Contains(e.Message, "cached plan"):
			return lostTo
		case strings.HasPrefix(e.Code, "08"), // connection exceptions
			e.Code == "57P01", e.Code == "57P02", e.Code == "57P03", // stopping, crashed, starting
			e.Code == "57P05", e.Code == "25P03", // ended because it was idle
			e.Code == "25006",                    // read only: a standby that is being promoted
			e.Code == "53300", e.Code == "53400": // too many connections
			return Unreachable
		}
		return lasting
	}
	var network net.Error
	for _, is := range []error{driver.ErrBadConn, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EPIPE, syscall.ENOENT} {
		if errors.Is(err, is) {
			return Unreachable
		}
	}
	if errors.As(err, &network) || pgconn.SafeToRetry(err) || err != nil && strings.Contains(err.Error(), "conn closed") {
		return Unreachable
	}
	return lasting
}

// torn says that the connection broke while rows were read. A change tries again; for whoever does not, it is a store.UnavailableError.
type torn struct{ err error }

func (t torn) Error() string { return t.err.Error() }

func (t torn) Unwrap() error { return t.err }

func (t torn) As(target any) bool {
	down, is := target.(**store.UnavailableError)
	if is {
		*down = &store.UnavailableError{Err: t.err}
	}
	return is
}

// tornOr is the error of rows that have been read.
func tornOr(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || ChanceOf(err) != Unreachable {
		return err
	}
	return torn{err}
}

// Retry runs f until it succeeds, fails for good or patience ends. Between tries it waits longer each time, by chance
// a little more or less, so that those who met once do not meet again.
func (db *DB) Retry(ctx context.Context, f func() error) error {
	if db.Config == nil {
		return FullDisk(f())
	}
	end := time.Now().Add(db.Patience)
	for wait := 4 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		err := f()
		why := ChanceOf(err)
		if err == nil || why == lasting || ctx.Err() != nil {
			return FullDisk(err)
		}
		if !pause(ctx, end, wait) {
			if why == Unreachable || errors.Is(err, ErrUndone) {
				return &store.UnavailableError{Err: err}
			}
			return err
		}
	}
}

// pause waits between a half and the whole of a time; it reports whether there is still time for another try.
func pause(ctx context.Context, end time.Time, wait time.Duration) bool {
	wait = wait/2 + rand.N(wait/2+1)
	if time.Until(end) < wait {
		return false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// FullDisk makes an error of a full disk one that callers know.
func FullDisk(err error) error {
	const sqliteFull = 13
	var pg *pgconn.PgError
	var lite *sqlitedriver.Error
	if errors.As(err, &pg) && noRoom(pg) || errors.As(err, &lite) && lite.Code() == sqliteFull {
		return &store.DiskFullError{Err: err}
	}
	return err
}

// noRoom reports whether PostgreSQL could not make a file larger. A full disk has a code of its own; for a quota, and for the
// limit of a file's size, there is only the general one, and where in the server it arose.
func noRoom(pg *pgconn.PgError) bool {
	return pg.Code == "53100" || pg.Code == "XX000" && (pg.Routine == "mdextend" || pg.Routine == "mdzeroextend")
}

// Exec runs one statement that may run twice: what it does a second time changes nothing.
func (db *DB) Exec(ctx context.Context, query string, args ...any) error {
	return db.Retry(ctx, func() error {
		_, err := db.Write.ExecContext(ctx, query, args...)
		if err != nil {
			return fmt.Errorf("sqlstore: %w", err)
		}
		return nil
	})
}
