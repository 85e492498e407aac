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

// pipeline is a transaction of PostgreSQL whose statements are sent together as far as nobody waits for
// their outcome: a wait for the server costs more than most statements.
type pipeline struct {
	conn   *sql.Conn
	batch  *pgx.Batch
	weight int  // of the batch, about, in bytes
	begun  bool // the batch has, or had, a BEGIN
	sent   bool
	wrote  bool
	kept   bool     // it is committed
	raised []string // workspaces that have another number
}

const heaviest = 4 << 20

// add puts a statement at the end of what is sent next; then is told how many rows it touched.
func (p *pipeline) add(query string, args []any, then func(touched int64) error) {
	p.wrote = true
	p.queue(query, args).Exec(func(tag pgconn.CommandTag) error {
		if then == nil {
			return nil
		}
		return then(tag.RowsAffected())
	})
}

// addRow puts a statement with one row at the end of what is sent next.
func (p *pipeline) addRow(query string, args []any, scan func(r Scanner) error) {
	p.wrote = true
	p.queue(query, args).QueryRow(func(row pgx.Row) error { return scan(FoundRow{row}) })
}

func (p *pipeline) queue(query string, args []any) *pgx.QueuedQuery {
	if !p.begun {
		p.begun = true
		p.batch.Queue("BEGIN")
	}
	p.weight += len(query)
	for _, arg := range args {
		switch arg := arg.(type) {
		case string:
			p.weight += len(arg)
		case []string:
			for _, s := range arg {
				p.weight += len(s)
			}
		default:
			p.weight += 8
		}
	}
	return p.batch.Queue(query, args...)
}

// flushLong sends what waits where it has become long.
func (p *pipeline) flushLong(ctx context.Context) error {
	if p.weight < heaviest {
		return nil
	}
	return p.flush(ctx)
}

// flush sends what waits and takes the answers.
func (p *pipeline) flush(ctx context.Context) error {
	if !p.begun {
		p.begun = true
		p.batch.Queue("BEGIN")
	}
	if p.batch.Len() == 0 {
		return nil
	}
	batch := p.batch
	p.batch, p.weight, p.sent = &pgx.Batch{}, 0, true
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
	c.session, c.line = conn, p
	if err := f(c); err != nil {
		p.rollback(ctx)
		return err
	}
	if !p.wrote {
		p.rollback(ctx)
		return nil
	}
	fate, sent := store.NewID(), time.Now()
	err = p.commit(ctx, fate)
	if p.kept {
		return nil
	}
	if p.alive() { // the server refused it, or something before it
		p.rollback(ctx)
		return err
	}
	// The connection broke after the commit was sent, and before it was answered.
	conn.Close()
	if err = db.LookUp(ctx, fate, sent, err); err == nil {
		db.tell(ctx, p.raised)
	}
	return err
}

// TxOn goes on with a transaction of PostgreSQL that was begun on a connection.
func (db *DB) TxOn(conn *sql.Conn) *Tx {
	return &Tx{session: conn, DB: db, line: &pipeline{conn: conn, batch: &pgx.Batch{}, begun: true}}
}

// alive reports whether the connection is still there, after an error: then nothing was lost on its way.
func (p *pipeline) alive() (alive bool) {
	p.conn.Raw(func(c any) error {
		alive = !c.(*stdlib.Conn).Conn().IsClosed()
		return nil
	})
	return alive
}

// commit sends what waits and the end of the transaction, and its fate: a row that is there if and only
// if the transaction is.
//
// Hints follow in the same bundle, behind the commit. Within the transaction they would hold PostgreSQL's one lock
// of all notifications while the disk is waited for, so that no two workspaces could commit at once.
func (p *pipeline) commit(ctx context.Context, fate string) error {
	p.queue(InsertFate, []any{fate, 1})
	p.batch.Queue("COMMIT").Exec(func(tag pgconn.CommandTag) error {
		p.kept = tag.String() == "COMMIT"
		return nil
	})
	if len(p.raised) > 0 {
		p.batch.Queue(hintSQL, p.raised)
	}
	err := p.flush(ctx)
	if err == nil && !p.kept {
		err = errors.New("sqlstore: the transaction was not committed")
	}
	return err
}

// rollback ends a transaction of which nothing stays. A connection on which that cannot be said is closed, which says it too.
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

// hintSQL tells the numbers that workspaces have by then.
const hintSQL = `SELECT pg_notify('` + HintChannel + `', id || ' ' || seq) FROM workspaces WHERE id = ANY ($1)`
