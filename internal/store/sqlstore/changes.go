package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// Changes implements store.Reader.
func (s *Store) Changes(ctx context.Context, workspace string, since int64, most int) (c store.Changes, err error) {
	workspace = sqldb.CleanText(workspace)
	var common int64
	// The Seq is read first, so that every change up to it is among those of the agents.
	if err := s.Row(ctx, `SELECT seq, common_seq FROM workspaces WHERE id = $1`, workspace).Scan(&c.Seq, &common); err != nil || c.Seq <= since {
		return c, err
	}
	if c.All = common > since; c.All {
		return c, nil
	}
	rows, err := s.Rows(ctx, `SELECT id FROM agents WHERE workspace = $1 AND changed_seq > $2 ORDER BY changed_seq LIMIT $3`, workspace, since, int64(most)+1)
	c.Agents, err = sqldb.Collect(rows, err, func(r sqldb.Scanner, id *string) error { return r.Scan(id) })
	if len(c.Agents) > most {
		c.All, c.Agents = true, nil
	}
	return c, err
}
