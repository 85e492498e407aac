package sqlstore

import (
	"context"
	"fmt"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// RestoreWorkspace implements store.DeletedWorkspaces.
func (s *Store) RestoreWorkspace(ctx context.Context, act store.Act, id string) error {
	id = sqldb.CleanText(id)
	return s.update(ctx, func(c *storeTx) error {
		if err := c.ExecOne(ctx, `UPDATE workspaces SET deleted_at = 0, seq = seq + 1, common_seq = seq + 1, roster = seq + 1 WHERE id = $1 AND deleted_at <> 0 AND slug <> id`, id); err != nil {
			return err
		}
		c.SeqChanged(id)
		return c.Audit(ctx, act, id, "workspace.restore", id)
	})
}

const (
	ofAgents    = `agent IN (SELECT id FROM agents WHERE workspace = $1)`
	ofRecords   = `record IN (SELECT no FROM records WHERE ` + ofAgents + `)`
	ofWorkspace = `workspace = $1`
)

// purgedTables are the tables with data of a workspace, in an order in which their rows can be deleted, and the condition
// for their rows. A test compares them with the schema.
var purgedTables = []struct{ table, rows string }{
	{"trail", ofRecords}, {"mentions", ofAgents}, {"records", ofAgents}, {"decisions", ofAgents}, {"decisions", ofWorkspace}, {"messages", ofAgents},
	{"attachments", ofAgents}, {"refusals", ofAgents}, {"charters", ofAgents}, {"erasures", ofWorkspace}, {"pulse", ofWorkspace},
	{"opened", ofWorkspace}, {"drafts", ofWorkspace}, {"claims", ofWorkspace}, {"snoozes", ofWorkspace}, {"ask_notes", ofWorkspace}, {"saved_views", ofWorkspace}, {"feedback", ofWorkspace},
	{"notify_cursors", ofWorkspace}, {"notify_outbox", ofWorkspace}, {"notify_wishes", ofWorkspace}, {"chat_channels", ofWorkspace},
	{"invites", ofWorkspace}, {"members", ofWorkspace}, {"agents", ofWorkspace},
}

// PurgeWorkspace implements store.DeletedWorkspaces.
func (s *Store) PurgeWorkspace(ctx context.Context, act store.Act, id string) error {
	id = sqldb.CleanText(id)
	defer s.dropCaches(id)
	return s.update(ctx, func(c *storeTx) error {
		// What remains has its id as its slug, which no other workspace can have.
		if err := c.ExecOne(ctx, `UPDATE workspaces SET slug = id, name = '', seq = seq + 1, common_seq = seq + 1, roster = seq + 1 WHERE id = $1 AND deleted_at <> 0 AND slug <> id`, id); err != nil {
			return err
		}
		c.SeqChanged(id)
		if _, err := c.Exec(ctx, `INSERT INTO removals (sha256, workspace, at) SELECT DISTINCT sha256, $1, CAST($2 AS BIGINT) FROM attachments WHERE `+ofAgents+`
			ON CONFLICT (sha256, workspace) DO NOTHING`, id, act.At); err != nil {
			return err
		}
		if err := c.unindexWorkspace(ctx, id); err != nil {
			return err
		}
		for _, p := range purgedTables {
			if _, err := c.Exec(ctx, `DELETE FROM `+p.table+` WHERE `+p.rows, id); err != nil {
				return err
			}
		}
		return c.Audit(ctx, act, id, "workspace.purge", id)
	})
}

// unindexWorkspace removes everything of a workspace from the search index.
func (c *storeTx) unindexWorkspace(ctx context.Context, workspace string) error {
	for _, table := range []string{"records", "messages", "attachments"} {
		rows, err := c.Rows(ctx, `SELECT no FROM `+table+` WHERE `+ofAgents, workspace)
		numbers, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, no *int64) error { return r.Scan(no) })
		if err != nil {
			return err
		}
		for _, no := range numbers {
			if err := c.Later(ctx, c.s.Unindex(), no); err != nil {
				return fmt.Errorf("sqlstore: %w", err)
			}
		}
	}
	return nil
}
