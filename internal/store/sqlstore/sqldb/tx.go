package sqldb

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/internal/store"
)

// session runs the statements of a Tx: a transaction, or on PostgreSQL a connection with one.
type session interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// Tx is a write transaction.
type Tx struct {
	session
	DB         *DB
	pipeline   *pipeline            // on PostgreSQL; else nil
	prepared   map[string]*sql.Stmt // statements that have run more than once; nil after the first time
	reserved   []int64              // reserved numbers that aren't used yet
	background *insertQueue         // during a large push in SQLite; else nil
}

// Update runs f in a transaction, and retries it after a conflict or a lost connection. So f can run more than once, and
// must initialize everything it sets outside of itself.
func (db *DB) Update(ctx context.Context, f func(tx *Tx) error) error {
	return db.Retry(ctx, func() error { return db.updateOnce(ctx, f) })
}

// TxFromTx returns a Tx for a transaction of SQLite.
func (db *DB) TxFromTx(tx *sql.Tx) *Tx {
	return &Tx{session: tx, DB: db, prepared: map[string]*sql.Stmt{}}
}

// Trace sets a function that is called at the start of each write transaction, with its context; the function that it
// returns is called at the end. Call Trace before the store is used.
func (db *DB) Trace(begun func(ctx context.Context) (end func(error))) { db.trace = begun }

func (db *DB) updateOnce(ctx context.Context, f func(tx *Tx) error) (err error) {
	defer func() { db.txCounts.count(err) }()
	if db.trace != nil {
		end := db.trace(ctx)
		defer func() { end(err) }()
	}
	c := &Tx{DB: db, prepared: map[string]*sql.Stmt{}}
	if db.Config != nil {
		return db.updatePipelined(ctx, c, f)
	}
	db.kept.prepare(ctx, db.Write)
	tx, err := db.Write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	defer tx.Rollback() // after Commit it does nothing
	c.session = tx
	if err := f(c); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	return nil
}

func (c *Tx) Rows(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := c.flushBefore(ctx, query); err != nil {
		return nil, err
	}
	if stmt := c.kept(ctx, query); stmt != nil {
		return stmt.QueryContext(ctx, args...)
	}
	return c.QueryContext(ctx, query, args...)
}

func (c *Tx) Row(ctx context.Context, query string, args ...any) Scanner {
	if err := c.flushBefore(ctx, query); err != nil {
		return errorRow{err}
	}
	if stmt := c.kept(ctx, query); stmt != nil {
		return NotFoundRow{stmt.QueryRowContext(ctx, args...)}
	}
	return NotFoundRow{c.QueryRowContext(ctx, query, args...)}
}

// flushBefore sends the batch, or waits for background inserts, before a query.
func (c *Tx) flushBefore(ctx context.Context, query string) error {
	c.DB.queryCount.Add(1)
	if c.pipeline == nil {
		return c.background.wait()
	}
	c.pipeline.wrote = c.pipeline.wrote || !strings.HasPrefix(query, "SELECT")
	return c.pipeline.flush(ctx)
}

// Exec runs a statement and returns how many rows it changed.
func (c *Tx) Exec(ctx context.Context, query string, args ...any) (n int64, err error) {
	if c.pipeline != nil {
		c.pipeline.add(query, args, func(touched int64) error { n = touched; return nil })
		return n, c.pipeline.flush(ctx)
	}
	if err := c.background.wait(); err != nil {
		return 0, err
	}
	_, before := c.prepared[query]
	stmt := c.kept(ctx, query)
	if before && stmt == nil {
		stmt, err = c.statement(ctx, query)
	}
	var result sql.Result
	switch {
	case err != nil:
	case stmt != nil:
		result, err = stmt.ExecContext(ctx, args...)
	default: // most statements run once
		c.prepared[query] = nil
		result, err = c.ExecContext(ctx, query, args...)
	}
	if err != nil {
		return 0, fmt.Errorf("%w in %s", err, query)
	}
	return result.RowsAffected()
}

// ExecOne runs a statement, and returns store.ErrNotFound if it changes no row.
func (c *Tx) ExecOne(ctx context.Context, query string, args ...any) error {
	n, err := c.Exec(ctx, query, args...)
	if err == nil && n == 0 {
		return store.ErrNotFound
	}
	return err
}

// kept returns a query's statement if it is prepared, in this transaction or since an earlier one; else nil.
func (c *Tx) kept(ctx context.Context, query string) *sql.Stmt {
	stmt := c.prepared[query]
	if tx, is := c.session.(*sql.Tx); is && stmt == nil {
		if kept := c.DB.kept.find(query); kept != nil {
			stmt = tx.StmtContext(ctx, kept)
			c.prepared[query] = stmt
		}
	}
	return stmt
}

// statement prepares a query once for the transaction, which closes it.
func (c *Tx) statement(ctx context.Context, query string) (stmt *sql.Stmt, err error) {
	if stmt = c.kept(ctx, query); stmt == nil {
		if stmt, err = c.PrepareContext(ctx, query); err == nil {
			c.prepared[query] = stmt
		}
	}
	return stmt, err
}

// Later runs a statement before the next query, and at the latest before the commit. Because its result isn't needed, this
// saves a round trip to the server.
func (c *Tx) Later(ctx context.Context, query string, args ...any) error {
	if c.pipeline != nil {
		c.pipeline.add(query, args, nil)
		return c.pipeline.flushIfLarge(ctx)
	}
	_, err := c.Exec(ctx, query, args...)
	return err
}

// ExecLater is Later, and sets n to the number of changed rows at the next flush.
func (c *Tx) ExecLater(ctx context.Context, n *int64, query string, args ...any) (err error) {
	if c.pipeline != nil {
		c.pipeline.add(query, args, func(touched int64) error { *n = touched; return nil })
		return nil
	}
	*n, err = c.Exec(ctx, query, args...)
	return err
}

// Flush runs all statements that are still to be run.
func (c *Tx) Flush(ctx context.Context) error {
	if c.pipeline == nil {
		return nil
	}
	return c.pipeline.flush(ctx)
}

// ReserveNumbers reserves numbers that no row of any table has; they are available after the next flush.
func (c *Tx) ReserveNumbers(ctx context.Context, n int) error {
	if n -= len(c.reserved); n <= 0 {
		return nil
	}
	return c.DB.numbers(ctx, c, n, &c.reserved)
}

// Numbers returns n numbers that no row of any table has.
func (c *Tx) Numbers(ctx context.Context, n int) ([]int64, error) {
	if err := c.ReserveNumbers(ctx, n); err != nil {
		return nil, err
	}
	if len(c.reserved) < n {
		if err := c.Flush(ctx); err != nil {
			return nil, err
		}
	}
	used := c.reserved[:n:n]
	c.reserved = c.reserved[n:]
	return used, nil
}

func (c *Tx) TextsIn(i int) string   { return c.DB.TextsIn(i) }
func (c *Tx) NumbersIn(i int) string { return c.DB.NumbersIn(i) }
func (c *Tx) RecordsByID() string    { return c.DB.RecordsByID() }

// NextSeq increments a workspace's Seq. The row stays locked until the commit, so that Seqs become visible in order. It
// returns store.ErrNotFound if the workspace is deleted. Open pages ask for everything again.
func (c *Tx) NextSeq(ctx context.Context, workspace string) (seq int64, err error) {
	if err := c.seqLater(ctx, workspace, ", common_seq = seq + 1", &seq); err != nil {
		return 0, err
	}
	err = c.Flush(ctx)
	return seq, err
}

// NextSeqOf is NextSeq for a transaction that changes only what pages show of these agents. Open pages ask for their rows.
func (c *Tx) NextSeqOf(ctx context.Context, workspace string, agents ...string) (seq int64, err error) {
	if err = c.seqLater(ctx, workspace, "", &seq); err == nil {
		err = c.Flush(ctx)
	}
	for _, agent := range agents {
		if err == nil {
			err = c.Later(ctx, `UPDATE agents SET changed_seq = $2 WHERE id = $1 AND workspace = $3`, agent, seq, workspace)
		}
	}
	return seq, err
}

// NextSeqLater is NextSeqOf with the result at the next flush; the caller sets the agent's changed_seq. jobsOnly means that
// only jobs changed, which is recorded.
func (c *Tx) NextSeqLater(ctx context.Context, workspace string, jobsOnly bool, seq *int64) error {
	if jobsOnly {
		return c.seqLater(ctx, workspace, ", jobs_only = jobs_only + 1", seq)
	}
	return c.seqLater(ctx, workspace, "", seq)
}

func (c *Tx) seqLater(ctx context.Context, workspace, more string, seq *int64) error {
	query := `UPDATE workspaces SET seq = seq + 1` + more + ` WHERE id = $1 AND deleted_at = 0 RETURNING seq`
	c.SeqChanged(workspace)
	if c.pipeline == nil {
		return c.Row(ctx, query, workspace).Scan(seq)
	}
	c.pipeline.addRow(query, []any{workspace}, func(r Scanner) error { return r.Scan(seq) })
	return nil
}

// SeqChanged sends a notification after the commit that a workspace has a new Seq.
func (c *Tx) SeqChanged(workspace string) {
	if c.pipeline != nil && c.DB.hasNotify() {
		c.pipeline.changed = append(c.pipeline.changed, workspace)
	}
}

// RosterChanged records that the roster of a workspace changed with its current Seq.
func (c *Tx) RosterChanged(ctx context.Context, workspace string) error {
	return c.Later(ctx, `UPDATE workspaces SET roster = seq WHERE id = $1`, workspace)
}
