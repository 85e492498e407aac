package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/figs-web/figs-web/figs"
)

// session is what a change runs on: a transaction, or on PostgreSQL the connection of one.
type session interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// change is a transaction that writes.
type change struct {
	session
	s          *Store
	line       *pipeline            // of PostgreSQL: what is sent together; nil elsewhere
	prepared   map[string]*sql.Stmt // what runs more than once; nil after the first time
	spare      []int64              // numbers that were taken and are not used yet
	background *background          // of a large push in SQLite: inserts that run while others are prepared; nil elsewhere
	moved      tally                // by how many the agent's counts change
	beats      pulse
	first      first
}

// change runs f in one transaction, again when it lost against another or the server went away: f sets
// afresh whatever it sets outside of itself.
func (s *Store) change(ctx context.Context, f func(c *change) error) error {
	return s.again(ctx, func() error { return s.changeOnce(ctx, f) })
}

// Trace has begun called with the context of each transaction that writes, and what that returns
// once it has ended. Call it before the store is used.
func (s *Store) Trace(begun func(ctx context.Context) (end func(error))) { s.trace = begun }

func (s *Store) changeOnce(ctx context.Context, f func(c *change) error) (err error) {
	defer func() { s.work.note(err) }()
	if s.trace != nil {
		end := s.trace(ctx)
		defer func() { end(err) }()
	}
	c := &change{s: s, prepared: map[string]*sql.Stmt{}, moved: tally{}, beats: pulse{}, first: first{at: figs.NoTime}}
	if s.config != nil {
		return s.changePipelined(ctx, c, f)
	}
	tx, err := s.write.BeginTx(ctx, nil)
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

func (c *change) rows(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := c.send(ctx, query); err != nil {
		return nil, err
	}
	return c.QueryContext(ctx, query, args...)
}

func (c *change) row(ctx context.Context, query string, args ...any) scanner {
	if err := c.send(ctx, query); err != nil {
		return failed{err}
	}
	return found{c.QueryRowContext(ctx, query, args...)}
}

// send sends what waits, or waits for what is being written, before a query is asked.
func (c *change) send(ctx context.Context, query string) error {
	c.s.queries.Add(1)
	if c.line == nil {
		return c.background.wait()
	}
	c.line.wrote = c.line.wrote || !strings.HasPrefix(query, "SELECT")
	return c.line.flush(ctx)
}

// do runs one statement and returns how many rows it touched.
func (c *change) do(ctx context.Context, query string, args ...any) (n int64, err error) {
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
func (c *change) statement(ctx context.Context, query string) (stmt *sql.Stmt, err error) {
	if stmt = c.prepared[query]; stmt == nil {
		if stmt, err = c.PrepareContext(ctx, query); err == nil {
			c.prepared[query] = stmt
		}
	}
	return stmt, err
}

// later runs one statement before whatever is asked next, and at the latest before the commit. What
// does not look at its outcome saves a wait for the server.
func (c *change) later(ctx context.Context, query string, args ...any) error {
	if c.line != nil {
		c.line.add(query, args, nil)
		return c.line.flushLong(ctx)
	}
	_, err := c.do(ctx, query, args...)
	return err
}

// touch is later, and tells with the next flush how many rows were touched.
func (c *change) touch(ctx context.Context, n *int64, query string, args ...any) (err error) {
	if c.line != nil {
		c.line.add(query, args, func(touched int64) error { *n = touched; return nil })
		return nil
	}
	*n, err = c.do(ctx, query, args...)
	return err
}

// flush has everything done that was to be done later.
func (c *change) flush(ctx context.Context) error {
	if c.line == nil {
		return nil
	}
	return c.line.flush(ctx)
}

// take takes numbers that no row of any table has; they are there after the next flush.
func (c *change) take(ctx context.Context, n int) error {
	if n -= len(c.spare); n <= 0 {
		return nil
	}
	return c.s.numbers(ctx, c, n, &c.spare)
}

// numbers uses n numbers that no row of any table has.
func (c *change) numbers(ctx context.Context, n int) ([]int64, error) {
	if err := c.take(ctx, n); err != nil {
		return nil, err
	}
	if len(c.spare) < n {
		if err := c.flush(ctx); err != nil {
			return nil, err
		}
	}
	used := c.spare[:n:n]
	c.spare = c.spare[n:]
	return used, nil
}

func (c *change) textsIn(i int) string   { return c.s.textsIn(i) }
func (c *change) numbersIn(i int) string { return c.s.numbersIn(i) }
func (c *change) recordsByID() string    { return c.s.recordsByID() }

// bump gives a workspace its next number. The row stays locked until the commit, so that
// numbers become visible in their order. In a deleted workspace nothing changes any more.
func (c *change) bump(ctx context.Context, workspace string) (seq int64, err error) {
	if err := c.bumpLater(ctx, workspace, false, &seq); err != nil {
		return 0, err
	}
	err = c.flush(ctx)
	return seq, err
}

// bumpLater is bump with the next flush; of a change to jobs alone it keeps that.
func (c *change) bumpLater(ctx context.Context, workspace string, jobsOnly bool, seq *int64) error {
	query := `UPDATE workspaces SET seq = seq + 1 WHERE id = $1 AND deleted_at = 0 RETURNING seq`
	if jobsOnly {
		query = `UPDATE workspaces SET seq = seq + 1, jobs_only = jobs_only + 1 WHERE id = $1 AND deleted_at = 0 RETURNING seq`
	}
	c.raised(workspace)
	if c.line == nil {
		return c.row(ctx, query, workspace).Scan(seq)
	}
	c.line.addRow(query, []any{workspace}, func(r scanner) error { return r.Scan(seq) })
	return nil
}

// raised has others told, once this is committed, that a workspace has another number.
func (c *change) raised(workspace string) {
	if c.line != nil && c.s.hints() {
		c.line.raised = append(c.line.raised, workspace)
	}
}
