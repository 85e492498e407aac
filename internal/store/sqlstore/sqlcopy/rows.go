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

// Limits of a batch, which is one transaction.
const (
	batchRows  = 20_000
	batchBytes = 16 << 20
)

// copyBatch is a batch of rows for a table.
type copyBatch struct {
	rows  [][]any
	state string // hash of all rows up to its last one
	err   error  // read error, instead of rows
}

// errStop stops reading when the writer has stopped.
var errStop = errors.New("enough")

// copyRows copies the rows of a table that the target doesn't have yet. Reading runs ahead of writing.
func (c *copier) copyRows(ctx context.Context, t *copyTable) error {
	have, state, err := c.readProgress(ctx, "table", t.Name)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	batches, ended := make(chan copyBatch, 1), make(chan struct{})
	h := sha256.New()
	go func() {
		defer close(ended)
		defer close(batches)
		if err := c.readTable(ctx, t, h, have, state, batches); err != nil && !errors.Is(err, errStop) {
			select {
			case batches <- copyBatch{err: err}:
			case <-ctx.Done():
			}
		}
	}()
	defer func() { stop(); <-ended }() // the next query uses the same connection
	n := have
	for b := range batches {
		if b.err != nil {
			return b.err
		}
		if err := c.writeRows(ctx, t, b, n); err != nil {
			return err
		}
		n += int64(len(b.rows))
		c.result.Written += int64(len(b.rows))
		c.progress(int64(len(b.rows)))
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	<-ended
	c.result.Tables = append(c.result.Tables, store.CopiedTable{Name: t.Name, Rows: n, SHA256: hashState(h)})
	return nil
}

// readTable reads a table into batches. It skips the first rows, which the target already has, but checks them against
// their stored hash.
func (c *copier) readTable(ctx context.Context, t *copyTable, h hash.Hash, have int64, state string, batches chan<- copyBatch) error {
	var b copyBatch
	read, bytes := int64(0), 0
	flush := func() error {
		if len(b.rows) == 0 {
			return nil
		}
		b.state = hashState(h)
		select {
		case batches <- b:
		case <-ctx.Done():
			return errStop
		}
		b, bytes = copyBatch{}, 0
		return nil
	}
	err := t.eachRow(ctx, c.tx, func(row []any, packed []byte) error {
		if read == have && have > 0 && hashState(h) != state {
			return &store.SourceChangedError{Table: t.Name}
		}
		h.Write(packed)
		if read++; read <= have {
			c.progress(1)
			return nil
		}
		if err := c.to.checkValues(t, row); err != nil {
			return err
		}
		b.rows = append(b.rows, row)
		if bytes += len(packed); len(b.rows) >= batchRows || bytes >= batchBytes {
			return flush()
		}
		return nil
	})
	if err == nil && (read < have || read == have && have > 0 && hashState(h) != state) {
		err = &store.SourceChangedError{Table: t.Name}
	}
	if err == nil {
		err = flush()
	}
	return err
}

// hashState returns the hash of everything written to h so far.
func hashState(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// checkValues returns *store.UnsupportedValueError for a value that PostgreSQL can't store. A store doesn't write any, but
// another program may have.
func (d Database) checkValues(t *copyTable, row []any) error {
	if d.Name() != "postgres" {
		return nil
	}
	for i, v := range row {
		text, ok := v.(string)
		switch {
		case !ok:
		case strings.IndexByte(text, 0) >= 0:
			return &store.UnsupportedValueError{Table: t.Name, Column: t.columns[i].name, Key: t.keyText(row), Why: "holds the character NUL, which PostgreSQL keeps in no text"}
		case !utf8.ValidString(text):
			return &store.UnsupportedValueError{Table: t.Name, Column: t.columns[i].name, Key: t.keyText(row), Why: "holds bytes that aren't valid UTF-8, which PostgreSQL can't store as text"}
		}
	}
	return nil
}

// writeRows writes a batch after the first n rows of a table, and updates the progress.
func (c *copier) writeRows(ctx context.Context, t *copyTable, b copyBatch, n int64) error {
	return c.inTx(ctx, func(tx *sql.Tx) error {
		if err := c.updateProgress(ctx, tx, "table", t.Name, n, n+int64(len(b.rows)), b.state); err != nil {
			return err
		}
		return c.to.CopyDialect().writeRows(ctx, c, tx, t, b.rows)
	})
}

// inTx runs f in a transaction of the target.
func (c *copier) inTx(ctx context.Context, f func(tx *sql.Tx) error) error {
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

// checkOneRow returns ErrCopyInProgress unless a statement changed one row.
func checkOneRow(result sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		return errors.Join(store.ErrCopyInProgress, err)
	}
	return nil
}

// readProgress returns how many rows of a table are copied, and their hash.
func (c *copier) readProgress(ctx context.Context, kind, name string) (n int64, state string, err error) {
	err = c.conn.QueryRowContext(ctx, `SELECT n, value FROM `+CopyTableName+` WHERE kind = $1 AND name = $2`, kind, name).Scan(&n, &state)
	if err != nil {
		err = fmt.Errorf("reading the progress of the copy: %w", err)
	}
	return n, state, err
}

// updateProgress changes a table's progress from was to is. It fails if another program has changed it.
func (c *copier) updateProgress(ctx context.Context, tx *sql.Tx, kind, name string, was, is int64, state string) error {
	return checkOneRow(tx.ExecContext(ctx, `UPDATE `+CopyTableName+` SET n = $4, value = $5 WHERE kind = $1 AND name = $2 AND n = $3`, kind, name, was, is, state))
}
