package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// snapshotTx is a transaction that reads a consistent snapshot.
type snapshotTx struct{ *sql.Tx }

func (m snapshotTx) Rows(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return m.QueryContext(ctx, query, args...)
}

// Export implements store.Exports.
func (s *Store) Export(ctx context.Context, workspace, agent string, to store.ExportWriter) error {
	tx, err := s.Read.BeginTx(ctx, s.ReadTxOptions())
	if err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	defer tx.Rollback()
	if s.Config != nil { // the writer of the export may be slow
		if _, err := tx.ExecContext(ctx, `SET LOCAL idle_in_transaction_session_timeout = 0`); err != nil {
			return fmt.Errorf("sqlstore: %w", err)
		}
	}
	m := snapshotTx{tx}
	type who struct {
		id, name string
		charter  []byte
	}
	rows, err := m.Rows(ctx, `SELECT id, name, charter FROM agents WHERE workspace = $1 AND ($2 = '' OR id = $2) ORDER BY registered_at, id`, sqldb.CleanText(workspace), sqldb.CleanText(agent))
	agents, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, a *who) error { return r.Scan(&a.id, &a.name, &a.charter) })
	if err != nil {
		return err
	}
	if agent != "" && len(agents) == 0 {
		return store.ErrNotFound
	}
	for _, a := range agents {
		if err := to.Agent(a.id, a.name, a.charter); err != nil {
			return err
		}
		if err := m.exportAgent(ctx, a.id, to); err != nil {
			return err
		}
	}
	return nil
}

func (m snapshotTx) exportAgent(ctx context.Context, agent string, to store.ExportWriter) error {
	for _, file := range []figs.File{figs.Runs, figs.Asks} {
		if err := m.exportTrails(ctx, agent, file, to); err != nil {
			return err
		}
	}
	if err := m.exportMessages(ctx, agent, to); err != nil {
		return err
	}
	rows, err := m.Rows(ctx, `SELECT `+attachmentColumns+` FROM attachments a WHERE agent = $1
		AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.agent = a.agent AND e.kind = 3 AND e.id = a.name) ORDER BY no`, agent)
	files, err := sqldb.Collect(rows, err, scanAttachment)
	for i := 0; err == nil && i < len(files); i++ {
		err = to.Attachment(files[i])
	}
	if err != nil {
		return err
	}
	rows, err = m.Rows(ctx, `SELECT kind, id, sha256, why, at FROM erasures WHERE agent = $1 ORDER BY kind, id`, agent)
	gone, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, e *store.ExportedErasure) error {
		return r.Scan(&e.Kind, &e.ID, &e.SHA256, &e.Why, &e.At)
	})
	for i := 0; err == nil && i < len(gone); i++ {
		if gone[i].Kind != 3 {
			gone[i].ID = sqldb.DecodeID(gone[i].ID)
		}
		err = to.Erased(gone[i])
	}
	return err
}

// exportTrails writes the lines of all records of a file in order of arrival. It only sorts and keeps their numbers,
// because a driver can have one open result at a time.
func (m snapshotTx) exportTrails(ctx context.Context, agent string, file figs.File, to store.ExportWriter) error {
	type place struct{ record, n int64 }
	rows, err := m.Rows(ctx, `SELECT t.record, t.n FROM records r JOIN trail t ON t.record = r.no WHERE r.agent = $1 AND r.kind = $2 ORDER BY t.seq, r.place, t.n`, agent, int(file))
	places, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, p *place) error { return r.Scan(&p.record, &p.n) })
	if err != nil {
		return err
	}
	stmt, err := m.PrepareContext(ctx, `SELECT r.id, `+entryColumns+` FROM trail t JOIN records r ON r.no = t.record WHERE t.record = $1 AND t.n = $2`)
	if err != nil {
		return fmt.Errorf("sqlstore: %w", err)
	}
	defer stmt.Close()
	for _, p := range places {
		var id string
		var entry store.Entry
		if err := scanEntry(sqldb.ColumnBefore(sqldb.OrNotFound(stmt.QueryRowContext(ctx, p.record, p.n)), &id), &entry); err != nil {
			return err
		}
		if err := to.Line(file, sqldb.DecodeID(id), entry.Version); err != nil {
			return err
		}
	}
	return nil
}

func (m snapshotTx) exportMessages(ctx context.Context, agent string, to store.ExportWriter) error {
	rows, err := m.Rows(ctx, `SELECT line FROM messages WHERE agent = $1 ORDER BY received_at, place`, agent)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var line []byte
		if err := rows.Scan(&line); err != nil {
			return err
		}
		if err := to.Line(figs.Messages, "", figs.Version{Line: line}); err != nil {
			return err
		}
	}
	return rows.Err()
}

// NewestLines implements store.Reader.
func (s *Store) NewestLines(ctx context.Context, workspace, agent string, file figs.File, n int) ([][]byte, error) {
	workspace, agent = sqldb.CleanText(workspace), sqldb.CleanText(agent)
	line := func(r sqldb.Scanner, line *[]byte) error { return r.Scan(line) }
	if file == figs.Messages {
		rows, err := s.Rows(ctx, `SELECT line FROM messages WHERE agent = $1 AND agent IN (SELECT id FROM agents WHERE workspace = $2) ORDER BY at DESC, place DESC LIMIT $3`, agent, workspace, n)
		return sqldb.Collect(rows, err, line)
	}
	in := []int{laneNone}
	if file == figs.Asks {
		in = []int{laneNeeds, laneWaiting, laneClosed}
	}
	var all [][]byte
	for _, lane := range in {
		rows, err := s.Rows(ctx, fmt.Sprintf(`SELECT t.line FROM (SELECT no, at FROM records WHERE agent = $1 AND kind = %d AND lane = %d AND workspace = $2 ORDER BY at DESC, no DESC LIMIT $3) r
			JOIN trail t ON t.record = r.no ORDER BY r.at DESC, r.no DESC, t.n LIMIT $3`, file, lane), agent, workspace, n-len(all))
		part, err := sqldb.Collect(rows, err, line)
		if err != nil {
			return nil, err
		}
		if all = append(all, part...); len(all) >= n {
			break
		}
	}
	return all, nil
}

// exportedAgents are those of a workspace, or one of them.
const exportedAgents = ` IN (SELECT id FROM agents WHERE workspace = $1 AND ($2 = '' OR id = $2))`

// ExportCounts implements store.Exports.
func (s *Store) ExportCounts(ctx context.Context, workspace, agent string) (size store.ExportSize, err error) {
	workspace, agent = sqldb.CleanText(workspace), sqldb.CleanText(agent)
	err = s.Row(ctx, `SELECT count(*), coalesce(sum(jobs), 0), coalesce(sum(asks), 0), coalesce(sum(messages), 0) FROM agents WHERE id`+exportedAgents, workspace, agent).
		Scan(&size.Agents, &size.Runs, &size.Asks, &size.Messages)
	if err == nil && agent != "" && size.Agents == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return size, err
	}
	return size, s.Row(ctx, `SELECT count(*), coalesce(sum(size), 0) FROM attachments a WHERE agent`+exportedAgents+
		` AND NOT EXISTS (SELECT 1 FROM erasures e WHERE e.agent = a.agent AND e.kind = 3 AND e.id = a.name)`, workspace, agent).Scan(&size.Files, &size.FileBytes)
}

// ExportSize implements store.Exports.
func (s *Store) ExportSize(ctx context.Context, workspace, agent string) (store.ExportSize, error) {
	size, err := s.ExportCounts(ctx, workspace, agent)
	for _, lines := range []string{`records r JOIN trail t ON t.record = r.no WHERE r.agent`, `messages t WHERE t.agent`} {
		var n int
		var bytes int64
		if err == nil {
			err = s.Row(ctx, `SELECT count(*), coalesce(sum(octet_length(t.line) + 1), 0) FROM `+lines+exportedAgents, sqldb.CleanText(workspace), sqldb.CleanText(agent)).Scan(&n, &bytes)
		}
		size.Lines, size.LineBytes = size.Lines+n, size.LineBytes+bytes
	}
	return size, err
}

// AuditExport implements store.Exports.
func (s *Store) AuditExport(ctx context.Context, act store.Act, workspace, agent string) error {
	workspace, agent = sqldb.CleanText(workspace), sqldb.CleanText(agent)
	return s.update(ctx, func(c *storeTx) error {
		if agent == "" {
			return c.Audit(ctx, act, workspace, "workspace.export", workspace)
		}
		var here bool
		err := c.Row(ctx, `SELECT EXISTS (SELECT 1 FROM agents WHERE id = $1 AND workspace = $2)`, agent, workspace).Scan(&here)
		switch {
		case err != nil:
			return err
		case !here:
			return store.ErrNotFound
		}
		return c.Audit(ctx, act, workspace, "agent.export", agent)
	})
}
