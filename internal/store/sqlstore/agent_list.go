package sqlstore

import (
	"context"
	"slices"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// settledJobs are the settled jobs of an agent a, as records x.
const settledJobs = `WHERE x.agent = a.id AND x.kind = 0 AND x.lane = -1 AND x.state <> 3`

// SomeAgents implements store.Agents.
func (s *Store) SomeAgents(ctx context.Context, workspace string, ids []string) ([]store.Agent, error) {
	rows, err := s.Rows(ctx, `SELECT `+agentColumns+` FROM agents WHERE workspace = $1 AND id `+s.TextsIn(2), sqldb.CleanText(workspace), sqldb.JSONList(ids))
	return sqldb.Collect(rows, err, scanAgent)
}

// AgentFigures implements store.Agents. They are cached by the workspace's Seq, because many pages show them between two
// changes.
func (s *Store) AgentFigures(ctx context.Context, workspace string) (map[string]store.AgentFigures, error) {
	workspace = sqldb.CleanText(workspace)
	var seq int64
	// The version is read first, so that a concurrent change makes the cached figures old.
	if err := s.Row(ctx, `SELECT seq FROM workspaces WHERE id = $1`, workspace).Scan(&seq); err != nil {
		return nil, err
	}
	return s.figures.Get(ctx, workspace, seq, func() (map[string]store.AgentFigures, error) {
		old, from, ok := s.figures.Kept(workspace)
		if !ok {
			return s.readFigures(ctx, workspace, "")
		}
		changed, err := s.Changes(ctx, workspace, from, maxChangedFigures)
		if err != nil || changed.All || changed.Seq < from {
			return s.readFigures(ctx, workspace, "")
		}
		figures, err := s.readFigures(ctx, workspace, " AND a.id "+s.TextsIn(2), sqldb.JSONList(changed.Agents))
		for id, f := range old {
			if _, isNew := figures[id]; !isNew && !slices.Contains(changed.Agents, id) {
				figures[id] = f
			}
		}
		return figures, err
	})
}

// maxChangedFigures is of how many agents the figures are read alone when they have changed.
const maxChangedFigures = 100

// readFigures reads the figures of the agents that a condition selects.
func (s *Store) readFigures(ctx context.Context, workspace, condition string, args ...any) (map[string]store.AgentFigures, error) {
	rows, err := s.Rows(ctx, `SELECT a.id, a.jobs, a.in_flight, a.needs, a.oldest, a.last_at, a.pushed_at, a.registered_at, a.archived_at,
		coalesce((SELECT x.state FROM records x `+settledJobs+` ORDER BY x.at DESC, x.no DESC LIMIT 1), 3) FROM agents a WHERE a.workspace = $1`+condition, append([]any{workspace}, args...)...)
	type row struct {
		id string
		store.AgentFigures
	}
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, x *row) error {
		return r.Scan(&x.id, &x.Jobs, &x.InFlight, &x.Needs, &x.OldestNeed, &x.Last, &x.Pushed, &x.Registered, &x.Archived, &x.Outcome)
	})
	figures := make(map[string]store.AgentFigures, len(all))
	for i := range all {
		figures[all[i].id] = all[i].AgentFigures
	}
	return figures, err
}
