package sqldb

import (
	"context"
	"errors"
	"time"

	"github.com/figs-web/figs-web/internal/store"
)

// A commit marker is a row that shows whether a transaction was committed: kept is 1 if the transaction itself inserted it.
// Times are the server's.
const (
	serverTime         = `CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)`
	InsertCommitMarker = `INSERT INTO fates (id, at, kept) VALUES ($1, ` + serverTime + `, $2)`
	SweepCommitMarkers = `DELETE FROM fates WHERE at < ` + serverTime + ` - 3600000000`
)

// markerLifetime is how long after the commit its marker can be looked up. Markers are deleted after an hour; the rest is a
// margin in case this program was suspended.
const markerLifetime = 30 * time.Minute

// ErrNotCommitted means that a transaction whose commit wasn't answered was lost, so it can be retried.
var ErrNotCommitted = errors.New("sqlstore: the transaction was lost with its connection")

// VerifyCommit finds out whether a transaction whose commit wasn't answered was committed; if it was, it returns nil. The
// server's own transaction numbers aren't proof, because after a crash it may use a number again.
//
// VerifyCommit first inserts the marker itself, with kept 0. If the transaction is still running, the insert waits for its
// end. If it hasn't inserted its marker yet, it no longer can, because the marker is unique. So the result stays true.
func (db *DB) VerifyCommit(ctx context.Context, marker string, sent time.Time, lost error) error {
	end := time.Now().Add(db.RetryTimeout)
	for wait := 4 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		kept, err := db.isCommitted(ctx, marker)
		if wall := time.Now().Round(0).Sub(sent.Round(0)); max(wall, -wall, time.Since(sent)) > markerLifetime {
			return &store.UnavailableError{MayBeCommitted: true, Err: lost}
		}
		switch {
		case err == nil && kept:
			return nil
		case err == nil:
			return ErrNotCommitted
		case Classify(err) == permanent || !sleep(ctx, end, wait):
			return &store.UnavailableError{MayBeCommitted: true, Err: errors.Join(lost, err)}
		}
	}
}

func (db *DB) isCommitted(ctx context.Context, marker string) (kept bool, err error) {
	if _, err := db.Write.ExecContext(ctx, InsertCommitMarker+` ON CONFLICT DO NOTHING`, marker, 0); err != nil {
		return false, err
	}
	return kept, db.Write.QueryRowContext(ctx, `SELECT kept = 1 FROM fates WHERE id = $1`, marker).Scan(&kept)
}

// notify sends notifications about committed changes. Errors are ignored: listeners poll as well, only later.
func (db *DB) notify(ctx context.Context, raised []string) {
	if len(raised) > 0 {
		db.Write.ExecContext(ctx, notifySQL, raised)
	}
}
