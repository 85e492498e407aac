package sqldb

import (
	"context"
	"slices"

	"github.com/figs-web/figs-web/internal/store"
)

// Audit adds a row to the audit log.
func (c *Tx) Audit(ctx context.Context, act store.Act, workspace, action, subject string) error {
	_, err := c.AuditLink(ctx, act, workspace, action, subject)
	return err
}

// AuditLink adds a row to the audit log and returns its hash.
func (c *Tx) AuditLink(ctx context.Context, act store.Act, workspace, action, subject string) (hash string, err error) {
	row := store.AuditEntry{At: act.At, By: CleanText(act.By), Action: action, Subject: CleanText(subject), Workspace: workspace}
	// The end of the chain stays locked until the commit, so rows are added one after the other.
	var before string
	if err := c.Row(ctx, `INSERT INTO chains (workspace, n, hash) VALUES ($1, 1, '')
		ON CONFLICT (workspace) DO UPDATE SET n = chains.n + 1 RETURNING n, hash`, workspace).Scan(&row.No, &before); err != nil {
		return "", err
	}
	row.Hash = row.ChainHash(before)
	if err := c.Later(ctx, `INSERT INTO audit (workspace, n, at, actor, action, subject, hash) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		workspace, row.No, row.At, row.By, row.Action, row.Subject, row.Hash); err != nil {
		return "", err
	}
	return row.Hash, c.Later(ctx, `UPDATE chains SET hash = $2 WHERE workspace = $1`, workspace, row.Hash)
}

const auditColumns = `a.n, a.at, a.actor, a.action, a.subject, a.workspace, a.hash`

func scanAuditEntry(r Scanner, a *store.AuditEntry) error {
	return r.Scan(&a.No, &a.At, &a.By, &a.Action, &a.Subject, &a.Workspace, &a.Hash)
}

// Audit implements store.AuditLog.
func (db *DB) Audit(ctx context.Context, workspace string, q store.AuditQuery) ([]store.AuditEntry, error) {
	w := Where{SQL: ` FROM audit a WHERE true`}
	w.And(` AND a.workspace = $%d`, CleanText(workspace))
	for _, bound := range []struct {
		condition string
		value     int64
	}{{` AND a.n < $%d`, q.Below}, {` AND a.n > $%d`, q.Above}, {` AND a.at >= $%d`, q.Since}, {` AND a.at < $%d`, q.Until}} {
		if bound.value != 0 {
			w.And(bound.condition, bound.value)
		}
	}
	for _, list := range []struct {
		column string
		values []string
	}{{"actor", q.By}, {"action", q.Actions}} {
		if list.values != nil {
			w.SQL += ` AND a.` + list.column + ` ` + db.TextsIn(len(w.Args)+1)
			w.Args = append(w.Args, JSONList(list.values))
		}
	}
	order := ` ORDER BY a.n DESC LIMIT $%d`
	if q.Above != 0 {
		order = ` ORDER BY a.n LIMIT $%d`
	}
	w.And(order, PageSize(q.N))
	rows, err := db.Rows(ctx, `SELECT `+auditColumns+w.SQL, w.Args...)
	all, err := Collect(rows, err, scanAuditEntry)
	if q.Above != 0 {
		slices.Reverse(all)
	}
	return all, err
}

// EachAudit implements store.AuditLog.
func (db *DB) EachAudit(ctx context.Context, workspace string, yield func(store.AuditEntry) error) error {
	rows, err := db.Rows(ctx, `SELECT `+auditColumns+` FROM audit a WHERE a.workspace = $1 ORDER BY a.n`, CleanText(workspace))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var row store.AuditEntry
		if err := scanAuditEntry(rows, &row); err != nil {
			return err
		}
		if err := yield(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// VerifyAudit implements store.AuditLog. Each query reads the rows and the end of the chain together, so that rows added
// meanwhile don't look like a break.
func (db *DB) VerifyAudit(ctx context.Context, workspace string) (chain store.AuditChain, err error) {
	workspace = CleanText(workspace)
	rows, err := db.Rows(ctx, `SELECT coalesce(e.n, 0), coalesce(e.hash, ''), `+auditColumns+`
		FROM audit a LEFT JOIN chains e ON e.workspace = a.workspace WHERE a.workspace = $1 ORDER BY a.n`, workspace)
	if err != nil {
		return chain, err
	}
	defer rows.Close()
	var n int64
	var head string
	for rows.Next() {
		var row store.AuditEntry
		if err := scanAuditEntry(ColumnBefore(ColumnBefore(rows, &n), &head), &row); err != nil {
			return chain, err
		}
		chain.Add(&row)
	}
	if err := rows.Err(); err != nil {
		return chain, err
	}
	if chain.Rows == 0 {
		var lost bool
		err := db.Row(ctx, `SELECT EXISTS (SELECT 1 FROM chains WHERE workspace = $1) AND NOT EXISTS (SELECT 1 FROM audit WHERE workspace = $1)`, workspace).Scan(&lost)
		chain.Broken = int64(BoolInt(lost))
		return chain, err
	}
	if chain.Broken == 0 && (n != chain.Rows || head != chain.Head) {
		chain.Broken = chain.Rows + 1
	}
	return chain, nil
}
