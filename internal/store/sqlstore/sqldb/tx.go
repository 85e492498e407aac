package sqldb

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// session is what a change runs on: a transaction, or on PostgreSQL the connection of one.
type session interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// Tx is a transaction that writes.
type Tx struct {
	session
	DB         *DB
	line       *pipeline            // of PostgreSQL: what is sent together; nil elsewhere
	prepared   map[string]*sql.Stmt // what runs more than once; nil after the first time
	spare      []int64              // numbers that were taken and are not used yet
	background *background          // of a large push in SQLite: inserts that run while others are prepared; nil elsewhere
}

// Update runs f in one transaction, again when it lost against another or the server went away: f sets
// afresh whatever it sets outside of itself.
func (db *DB) Update(ctx context.Context, f func(tx *Tx) error) error {
	return db.Retry(ctx, func() error { return db.updateOnce(ctx, f) })
}

// TxIn goes on with a transaction of SQLite.
func (db *DB) TxIn(tx *sql.Tx) *Tx { return &Tx{session: tx, DB: db, prepared: map[string]*sql.Stmt{}} }

// Trace has begun called with the context of each transaction that writes, and what that returns
// once it has ended. Call it before the store is used.
func (db *DB) Trace(begun func(ctx context.Context) (end func(error))) { db.trace = begun }

func (db *DB) updateOnce(ctx context.Context, f func(tx *Tx) error) (err error) {
	defer func() { db.work.note(err) }()
	if db.trace != nil {
		end := db.trace(ctx)
		defer func() { end(err) }()
	}
	c := &Tx{DB: db, prepared: map[string]*sql.Stmt{}}
	if db.Config != nil {
		return db.updatePipelined(ctx, c, f)
	}
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
	if err := c.send(ctx, query); err != nil {
		return nil, err
	}
	return c.QueryContext(ctx, query, args...)
}

func (c *Tx) Row(ctx context.Context, query string, args ...any) Scanner {
	if err := c.send(ctx, query); err != nil {
		return failed{err}
	}
	return FoundRow{c.QueryRowContext(ctx, query, args...)}
}

// send sends what waits, or waits for what is being written, before a query is asked.
func (c *Tx) send(ctx context.Context, query string) error {
	c.DB.queries.Add(1)
	if c.line == nil {
		return c.background.wait()
	}
	c.line.wrote = c.line.wrote || !strings.HasPrefix(query, "SELECT")
	return c.line.flush(ctx)
}

// Exec runs one statement and returns how many rows it touched.
func (c *Tx) Exec(ctx context.Context, query string, args ...any) (n int64, err error) {
	if c.line != nil {
		c.line.add(query, args, func(touched int64) error { n = touched; return nil })
		return n, c.line.flush(ctx)
	}
	if err := c.background.wait(); err != nil {
		return 0, err
	}
	var result sql.Result
	if _, before := c.prepared[query]; !before { // most statements run once
		c.prepared[query] = nil
		result, err = c.ExecContext(ctx, query, args...)
	} else {
		var stmt *sql.Stmt
		if stmt, err = c.statement(ctx, query); err == nil {
			result, err = stmt.ExecContext(ctx, args...)
		}
	}
	if err != nil {
		return 0, fmt.Errorf("%w in %s", err, query)
	}
	return result.RowsAffected()
}

// statement prepares a query once for the transaction, which closes it.
func (c *Tx) statement(ctx context.Context, query string) (stmt *sql.Stmt, err error) {
	if stmt = c.prepared[query]; stmt == nil {
		if stmt, err = c.PrepareContext(ctx, query); err == nil {
			c.prepared[query] = stmt
		}
	}
	return stmt, err
}

// Later runs one statement before whatever is asked next, and at the latest before the commit. What
// does not look at its outcome saves a wait for the server.
func (c *Tx) Later(ctx context.Context, query string, args ...any) error {
	if c.line != nil {
		c.line.add(query, args, nil)
		return c.line.flushLong(ctx)
	}
	_, err := c.Exec(ctx, query, args...)
	return err
}

// ExecLater is later, and tells with the next flush how many rows were touched.
func (c *Tx) ExecLater(ctx context.Context, n *int64, query string, args ...any) (err error) {
	if c.line != nil {
		c.line.add(query, args, func(touched int64) error { *n = touched; return nil })
		return nil
	}
	*n, err = c.Exec(ctx, query, args...)
	return err
}

// Flush has everything done that was to be done later.
func (c *Tx) Flush(ctx context.Context) error {
	if c.line == nil {
		return nil
	}
	return c.line.flush(ctx)
}

// TakeNumbers takes numbers that no row of any table has; they are there after the next flush.
func (c *Tx) TakeNumbers(ctx context.Context, n int) error {
	if n -= len(c.spare); n <= 0 {
		return nil
	}
	return c.DB.numbers(ctx, c, n, &c.spare)
}

// Numbers uses n numbers that no row of any table has.
func (c *Tx) Numbers(ctx context.Context, n int) ([]int64, error) {
	if err := c.TakeNumbers(ctx, n); err != nil {
		return nil, err
	}
	if len(c.spare) < n {
		if err := c.Flush(ctx); err != nil {
			return nil, err
		}
	}
	used := c.spare[:n:n]
	c.spare = c.spare[n:]
	return used, nil
}

func (c *Tx) TextsIn(i int) string   { return c.DB.TextsIn(i) }
func (c *Tx) NumbersIn(i int) string { return c.DB.NumbersIn(i) }
func (c *Tx) RecordsByID() string    { return c.DB.RecordsByID() }

// NextSeq gives a workspace its next number. The row stays locked until the commit, so that
// numbers become visible in their order. In a deleted workspace nothing changes any more.
func (c *Tx) NextSeq(ctx context.Context, workspace string) (seq int64, err error) {
	if err := c.NextSeqLater(ctx, workspace, false, &seq); err != nil {
		return 0, err
	}
	err = c.Flush(ctx)
	return seq, err
}

// NextSeqLater is bump with the next flush; of a change to jobs alone it keeps that.
func (c *Tx) NextSeqLater(ctx context.Context, workspace string, jobsOnly bool, seq *int64) error {
	query := `UPDATE workspaces SET seq = seq + 1 WHERE id = $1 AND deleted_at = 0 RETURNING seq`
	if jobsOnly {
		query = `UPDATE workspaces SET seq = seq + 1, jobs_only = jobs_only + 1 WHERE id = $1 AND deleted_at = 0 RETURNING seq`
	}
	c.SeqChanged(workspace)
	if c.line == nil {
		return c.Row(ctx, query, workspace).Scan(seq)
	}
	c.line.addRow(query, []any{workspace}, func(r Scanner) error { return r.Scan(seq) })
	return nil
}

// SeqChanged has others told, once this is committed, that a workspace has another number.
func (c *Tx) SeqChanged(workspace string) {
	if c.line != nil && c.DB.hints() {
		c.line.raised = append(c.line.raised, workspace)
	}
}

// RosterChanged notes that who is in a workspace, or who is asked, has changed with its present number.
func (c *Tx) RosterChanged(ctx context.Context, workspace string) error {
	return c.Later(ctx, `UPDATE workspaces SET roster = seq WHERE id = $1`, workspace)
}
