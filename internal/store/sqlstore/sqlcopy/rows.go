package sqlcopy

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/internal/store"
)

// A batch is one transaction: so many rows, or so many bytes.
const (
	batchRows  = 20_000
	batchBytes = 16 << 20
)

// copyBatch is what one transaction adds to a table.
type copyBatch struct {
	rows  [][]any
	state string // of the hash over every row up to its last one
	err   error  // ends it, in place of rows
}

// errEnough ends reading when nobody wants more.
var errEnough = errors.New("enough")

// copyTable copies what the target has not yet of a table. Reading runs ahead of writing.
func (c *copying) copyTable(ctx context.Context, t *copyTable) error {
	have, state, err := c.progressOf(ctx, "table", t.Name)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	batches, ended := make(chan copyBatch, 1), make(chan struct{})
	h := sha256.New()
	go func() {
		defer close(ended)
		defer close(batches)
		if err := c.readTable(ctx, t, h, have, state, batches); err != nil && !errors.Is(err, errEnough) {
			select {
			case batches <- copyBatch{err: err}:
			case <-ctx.Done():
			}
		}
	}()
	defer func() { stop(); <-ended }() // the next query takes the same connection
	n := have
	for b := range batches {
		if b.err != nil {
			return b.err
		}
		if err := c.writeRows(ctx, t, b, n); err != nil {
			return err
		}
		n += int64(len(b.rows))
		c.copied.Written += int64(len(b.rows))
		c.step(int64(len(b.rows)))
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	<-ended
	c.copied.Tables = append(c.copied.Tables, store.CopiedTable{Name: t.Name, Rows: n, SHA256: stateOf(h)})
	return nil
}

// readTable gives the rows behind the first ones, which are there already: they are only held
// against the hash that was kept of them.
func (c *copying) readTable(ctx context.Context, t *copyTable, h hash.Hash, have int64, state string, batches chan<- copyBatch) error {
	var b copyBatch
	read, bytes := int64(0), 0
	flush := func() error {
		if len(b.rows) == 0 {
			return nil
		}
		b.state = stateOf(h)
		select {
		case batches <- b:
		case <-ctx.Done():
			return errEnough
		}
		b, bytes = copyBatch{}, 0
		return nil
	}
	err := t.each(ctx, c.tx, func(row []any, packed []byte) error {
		if read == have && have > 0 && stateOf(h) != state {
			return &store.SourceChangedError{Table: t.Name}
		}
		h.Write(packed)
		if read++; read <= have {
			c.step(1)
			return nil
		}
		if err := c.to.fits(t, row); err != nil {
			return err
		}
		b.rows = append(b.rows, row)
		if bytes += len(packed); len(b.rows) >= batchRows || bytes >= batchBytes {
			return flush()
		}
		return nil
	})
	if err == nil && (read < have || read == have && have > 0 && stateOf(h) != state) {
		err = &store.SourceChangedError{Table: t.Name}
	}
	if err == nil {
		err = flush()
	}
	return err
}

// stateOf is the hash of all that was written to it until now.
func stateOf(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// fits reports a value that PostgreSQL has no way to keep. A store writes none; another program may have.
func (d Database) fits(t *copyTable, row []any) error {
	if d.Name() != "postgres" {
		return nil
	}
	for i, v := range row {
		text, ok := v.(string)
		switch {
		case !ok:
		case strings.IndexByte(text, 0) >= 0:
			return &store.UnsupportedValueError{Table: t.Name, Column: t.columns[i].name, Key: t.keyOf(row), Why: "holds the character NUL, which PostgreSQL keeps in no text"}
		case !utf8.ValidString(text):
			return &store.UnsupportedValueError{Table: t.Name, Column: t.columns[i].name, Key: t.keyOf(row), Why: "holds bytes that are no UTF-8, which PostgreSQL keeps in no text"}
		}
	}
	return nil
}

// writeRows adds a batch behind the first n rows of a table, with the note of how far it is.
func (c *copying) writeRows(ctx context.Context, t *copyTable, b copyBatch, n int64) error {
	return c.within(ctx, func(tx *sql.Tx) error {
		if err := c.noteProgress(ctx, tx, "table", t.Name, n, n+int64(len(b.rows)), b.state); err != nil {
			return err
		}
		return c.to.Copies().writeRows(ctx, c, tx, t, b.rows)
	})
}

// within runs f in one transaction of the target.
func (c *copying) within(ctx context.Context, f func(tx *sql.Tx) error) error {
	tx, err := c.conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after Commit it does nothing
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// one is an error unless a statement touched one row.
func one(result sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		return errors.Join(store.ErrCopyInProgress, err)
	}
	return nil
}

// progressOf is how many rows of a table are there, and the hash of them.
func (c *copying) progressOf(ctx context.Context, kind, name string) (n int64, state string, err error) {
	err = c.conn.QueryRowContext(ctx, `SELECT n, value FROM `+CopyTableName+` WHERE kind = $1 AND name = $2`, kind, name).Scan(&n, &state)
	if err != nil {
		err = fmt.Errorf("looking how far the copy is: %w", err)
	}
	return n, state, err
}

// noteProgress moves a table on from was to is; that another program has moved it meanwhile is an error.
func (c *copying) noteProgress(ctx context.Context, tx *sql.Tx, kind, name string, was, is int64, state string) error {
	return one(tx.ExecContext(ctx, `UPDATE `+CopyTableName+` SET n = $4, value = $5 WHERE kind = $1 AND name = $2 AND n = $3`, kind, name, was, is, state))
}
