package sqldb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/figs-web/figs-web/internal/store"
)

// pipeline is a transaction of PostgreSQL that sends statements in batches, as long as their results aren't needed: a round
// trip to the server takes longer than most statements.
type pipeline struct {
	conn      *sql.Conn
	batch     *pgx.Batch
	size      int  // approximate size of batch in bytes
	begun     bool // BEGIN was queued
	sent      bool
	wrote     bool
	committed bool     // it is committed
	changed   []string // ids of workspaces with a new Seq
}

const maxBatchSize = 4 << 20

// add queues a statement; then is called with the number of rows it changed.
func (p *pipeline) add(query string, args []any, then func(touched int64) error) {
	p.wrote = true
	p.queue(query, args).Exec(func(tag pgconn.CommandTag) error {
		if then == nil {
			return nil
		}
		return then(tag.RowsAffected())
	})
}

// addRow queues a statement that returns one row.
func (p *pipeline) addRow(query string, args []any, scan func(r Scanner) error) {
	p.wrote = true
	p.queue(query, args).QueryRow(func(row pgx.Row) error { return scan(NotFoundRow{row}) })
}

func (p *pipeline) queue(query string, args []any) *pgx.QueuedQuery {
	if !p.begun {
		p.begun = true
		p.batch.Queue("BEGIN")
	}
	p.size += len(query)
	for _, arg := range args {
		switch arg := arg.(type) {
		case string:
			p.size += len(arg)
		case []string:
			for _, s := range arg {
				p.size += len(s)
			}
		default:
			p.size += 8
		}
	}
	return p.batch.Queue(query, args...)
}

// flushIfLarge flushes if the batch is large.
func (p *pipeline) flushIfLarge(ctx context.Context) error {
	if p.size < maxBatchSize {
		return nil
	}
	return p.flush(ctx)
}

// flush sends the batch and reads the results.
func (p *pipeline) flush(ctx context.Context) error {
	if !p.begun {
		p.begun = true
		p.batch.Queue("BEGIN")
	}
	if p.batch.Len() == 0 {
		return nil
	}
	batch := p.batch
	p.batch, p.size, p.sent = &pgx.Batch{}, 0, true
	return p.conn.Raw(func(c any) error {
		err := c.(*stdlib.Conn).Conn().SendBatch(ctx, batch).Close()
		if err != nil {
			return fmt.Errorf("sqlstore: %w", err)
		}
		return nil
	})
}

// updatePipelined runs f in one transaction of PostgreSQL.
func (db *DB) updatePipelined(ctx context.Context, c *Tx, f func(c *Tx) error) error {
	conn, err := db.Write.Conn(ctx)
	if err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	defer conn.Close()
	p := &pipeline{conn: conn, batch: &pgx.Batch{}}
	c.session, c.pipeline = conn, p
	if err := f(c); err != nil {
		p.rollback(ctx)
		return err
	}
	if !p.wrote {
		p.rollback(ctx)
		return nil
	}
	marker, sent := store.NewID(), time.Now()
	err = p.commit(ctx, marker)
	if p.committed {
		return nil
	}
	if p.isAlive() { // the server rejected the commit or a statement before it
		p.rollback(ctx)
		return err
	}
	// The connection broke before the commit was answered.
	conn.Close()
	if err = db.VerifyCommit(ctx, marker, sent, err); err == nil {
		db.notify(ctx, p.changed)
	}
	return err
}

// TxFromConn returns a Tx for a transaction of PostgreSQL that was begun on a connection.
func (db *DB) TxFromConn(conn *sql.Conn) *Tx {
	return &Tx{session: conn, DB: db, pipeline: &pipeline{conn: conn, batch: &pgx.Batch{}, begun: true}}
}

// isAlive reports whether the connection is still open after an error, so that nothing was lost.
func (p *pipeline) isAlive() (alive bool) {
	p.conn.Raw(func(c any) error {
		alive = !c.(*stdlib.Conn).Conn().IsClosed()
		return nil
	})
	return alive
}

// commit sends the batch with the commit marker and COMMIT.
//
// Notifications follow in the same batch after the commit. Within the transaction they would hold PostgreSQL's only lock
// for notifications until the commit is on disk, so that no two workspaces could commit at once.
func (p *pipeline) commit(ctx context.Context, marker string) error {
	p.queue(InsertCommitMarker, []any{marker, 1})
	p.batch.Queue("COMMIT").Exec(func(tag pgconn.CommandTag) error {
		p.committed = tag.String() == "COMMIT"
		return nil
	})
	if len(p.changed) > 0 {
		p.batch.Queue(notifySQL, p.changed)
	}
	err := p.flush(ctx)
	if err == nil && !p.committed {
		err = errors.New("sqlstore: the transaction was not committed")
	}
	return err
}

// rollback ends the transaction. If that fails, it closes the connection, which ends it, too.
func (p *pipeline) rollback(ctx context.Context) {
	if !p.sent {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if _, err := p.conn.ExecContext(ctx, "ROLLBACK"); err != nil {
		p.conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// notifySQL sends the current Seqs of workspaces.
const notifySQL = `SELECT pg_notify('` + NotifyChannel + `', id || ' ' || seq) FROM workspaces WHERE id = ANY ($1)`
