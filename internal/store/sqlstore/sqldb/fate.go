package sqldb

import (
	"context"
	"errors"
	"time"

	"github.com/figs-web/figs-web/internal/store"
)

// A fate says of one transaction whether it is there: the row with kept 1 is the transaction's own. The time is the server's.
const (
	serverTime = `CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)`
	InsertFate = `INSERT INTO fates (id, at, kept) VALUES ($1, ` + serverTime + `, $2)`
	SweepFates = `DELETE FROM fates WHERE at < ` + serverTime + ` - 3600000000`
)

// knowable is for how long after a commit its fate may be looked up: rows are swept after an hour, and this program may have stood still.
const knowable = 30 * time.Minute

// ErrUndone says that a transaction whose commit was not answered is not there, so that it may run again.
var ErrUndone = errors.New("sqlstore: the transaction was lost with its connection")

// LookUp finds out whether a transaction is there whose commit was not answered: nil says that it is. What the server says of
// transactions by number is no proof, as after a crash it may give out a number again.
//
// First the row is written in the transaction's stead, with kept 0. Where that is still under way, this waits for its end; where it
// has not come so far, or is stuck on its way, it can no more: the row would be there twice. So what is found then stays true.
func (db *DB) LookUp(ctx context.Context, fate string, sent time.Time, lost error) error {
	end := time.Now().Add(db.Patience)
	for wait := 4 * time.Millisecond; ; wait = min(2*wait, time.Second) {
		kept, err := db.fateOf(ctx, fate)
		if wall := time.Now().Round(0).Sub(sent.Round(0)); max(wall, -wall, time.Since(sent)) > knowable {
			return &store.UnavailableError{MayBeCommitted: true, Err: lost}
		}
		switch {
		case err == nil && kept:
			return nil
		case err == nil:
			return ErrUndone
		case ChanceOf(err) == lasting || !pause(ctx, end, wait):
			return &store.UnavailableError{MayBeCommitted: true, Err: errors.Join(lost, err)}
		}
	}
}

func (db *DB) fateOf(ctx context.Context, fate string) (kept bool, err error) {
	if _, err := db.Write.ExecContext(ctx, InsertFate+` ON CONFLICT DO NOTHING`, fate, 0); err != nil {
		return false, err
	}
	return kept, db.Write.QueryRowContext(ctx, `SELECT kept = 1 FROM fates WHERE id = $1`, fate).Scan(&kept)
}

// tell sends the hints of a change that was committed. Who does not hear them asks again anyhow, only later.
func (db *DB) tell(ctx context.Context, raised []string) {
	if len(raised) > 0 {
		db.Write.ExecContext(ctx, hintSQL, raised)
	}
}
