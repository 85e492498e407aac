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

// defaultRetryTimeout is how long operations are retried.
const defaultRetryTimeout = 20 * time.Second

// failureKind says whether an operation that failed can be retried.
type failureKind int

const (
	permanent   failureKind = iota // it can't
	conflict                       // it conflicts with another transaction, or a newer program has changed a table
	Unreachable                    // the server is down, starting or stopping, or has too many connections
)

// externalError is an error that doesn't come from the database.
type externalError struct{ error }

func (o externalError) Unwrap() error { return o.error }

// External marks an error that doesn't come from the database, so the operation isn't retried.
func External(err error) error { return externalError{err} }

// Classify returns the kind of an error.
func Classify(err error) failureKind {
	var e *pgconn.PgError
	var down *store.UnavailableError
	switch {
	case errors.As(err, new(connLostError)):
		return Unreachable
	case errors.As(err, &down), errors.As(err, &externalError{}):
		return permanent // already retried
	case errors.Is(err, ErrNotCommitted):
		return conflict
	}
	if errors.As(err, &e) {
		switch {
		case e.Code == "40001", e.Code == "40P01", // serialization failure, deadlock
			e.Code == "26000", // a prepared statement that is not there any more
			e.Code == "0A000" && strings.Contains(e.Message, "cached plan"):
			return conflict
		case strings.HasPrefix(e.Code, "08"), // connection exceptions
			e.Code == "57P01", e.Code == "57P02", e.Code == "57P03", // stopping, crashed, starting
			e.Code == "57P05", e.Code == "25P03", // ended because it was idle
			e.Code == "25006",                    // read only: a standby that is being promoted
			e.Code == "53300", e.Code == "53400": // too many connections
			return Unreachable
		}
		return permanent
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
	return permanent
}

// connLostError means that the connection broke while rows were read. Update retries; for other callers it is a
// store.UnavailableError.
type connLostError struct{ err error }

func (t connLostError) Error() string { return t.err.Error() }

func (t connLostError) Unwrap() error { return t.err }

func (t connLostError) As(target any) bool {
	down, is := target.(**store.UnavailableError)
	if is {
		*down = &store.UnavailableError{Err: t.err}
	}
	return is
}

// wrapConnLost converts the error of rows that have been read.
func wrapConnLost(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || Classify(err) != Unreachable {
		return err
	}
	return connLostError{err}
}

// Retry calls f until it succeeds, fails permanently, or RetryTimeout is over. It waits longer and longer between attempts,
// by random amounts so that conflicting transactions don't meet again.
func (db *DB) Retry(ctx context.Context, f func() error) error {
	if db.Config == nil {
		return WrapDiskFull(f())
	}
	end := time.Now().Add(db.RetryTimeout)
	for wait := 4 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		err := f()
		why := Classify(err)
		if err == nil || why == permanent {
			return WrapDiskFull(err)
		}
		if ended := ctx.Err(); ended != nil { // the driver gives its connection up then, which is no fault of the database
			return fmt.Errorf("%w: %w", ended, err)
		}
		if !sleep(ctx, end, wait) {
			if why == Unreachable || errors.Is(err, ErrNotCommitted) {
				return &store.UnavailableError{Err: err}
			}
			return err
		}
	}
}

// sleep waits between half of wait and wait. It returns false if ctx ends, or if there is no time left for another attempt.
func sleep(ctx context.Context, end time.Time, wait time.Duration) bool {
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

// WrapDiskFull converts an error about a full disk to store.DiskFullError.
func WrapDiskFull(err error) error {
	const sqliteFull = 13
	var pg *pgconn.PgError
	var lite *sqlitedriver.Error
	if errors.As(err, &pg) && isDiskFull(pg) || errors.As(err, &lite) && lite.Code() == sqliteFull {
		return &store.DiskFullError{Err: err}
	}
	return err
}

// isDiskFull reports whether PostgreSQL couldn't extend a file. A full disk has its own code; a quota or a file size limit
// only has the general code and the routine that reports it.
func isDiskFull(pg *pgconn.PgError) bool {
	return pg.Code == "53100" || pg.Code == "XX000" && (pg.Routine == "mdextend" || pg.Routine == "mdzeroextend")
}

// Exec runs a statement that is safe to run twice.
func (db *DB) Exec(ctx context.Context, query string, args ...any) error {
	return db.Retry(ctx, func() error {
		_, err := db.Write.ExecContext(ctx, query, args...)
		if err != nil {
			return fmt.Errorf("sqlstore: %w", err)
		}
		return nil
	})
}
