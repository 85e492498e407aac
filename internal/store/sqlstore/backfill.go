package sqlstore

import (
	"context"

	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// backfill derives what migration steps have added to derived data, once per database. It can be interrupted, and several
// programs can run it at once: repeating a part changes nothing.
func (s *Store) backfill(ctx context.Context) error {
	for _, chore := range []struct {
		name string
		do   func(context.Context) error
	}{{"named", s.deriveNamed}, {"decided", s.deriveDecisions}} {
		var due bool
		if err := s.Row(ctx, `SELECT EXISTS (SELECT 1 FROM chores WHERE name = $1)`, chore.name).Scan(&due); err != nil {
			return err
		}
		if !due {
			continue
		}
		if err := chore.do(ctx); err != nil {
			return err
		}
		if err := s.update(ctx, func(c *storeTx) error {
			_, err := c.Exec(ctx, `DELETE FROM chores WHERE name = $1`, chore.name)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// deriveNamed derives reported asks again, each agent in one transaction.
func (s *Store) deriveNamed(ctx context.Context) error {
	rows, err := s.Read.QueryContext(ctx, `SELECT DISTINCT r.agent FROM records r JOIN workspaces w ON w.id = r.workspace WHERE r.reported = 1 AND w.deleted_at = 0 ORDER BY r.agent`)
	agents, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, id *string) error { return r.Scan(id) })
	if err != nil {
		return err
	}
	for _, agent := range agents {
		if err := s.update(ctx, func(c *storeTx) error { return c.deriveReported(ctx, agent) }); err != nil {
			return err
		}
	}
	return nil
}

// deriveReported derives an agent's reported asks again.
func (c *storeTx) deriveReported(ctx context.Context, id string) error {
	agent, err := c.lockAgent(ctx, id)
	if err != nil {
		return err
	}
	rows, err := c.Rows(ctx, `SELECT `+sqldb.RecordRowColumns+` FROM records WHERE agent = $1 AND reported = 1 ORDER BY no`, id)
	records, err := sqldb.Collect(rows, err, scanRecordRow)
	if err != nil {
		return err
	}
	asks := make([]*recordRow, len(records))
	for i := range records {
		asks[i] = &records[i]
	}
	if err := c.rederive(ctx, id, asks, agent.seq); err != nil {
		return err
	}
	return c.updateCounts(ctx, agent.workspace, id, agent.seq, 0)
}
