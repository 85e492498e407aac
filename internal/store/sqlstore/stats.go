package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"sync"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// Stats implements store.StatsReader.
func (s *Store) Stats(ctx context.Context, at int64) (f store.Stats, err error) {
	size := `SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()`
	if s.Name() == "postgres" {
		size = `SELECT pg_database_size(current_database())`
	}
	for _, q := range []struct {
		query string
		to    []any
	}{
		{`SELECT count(*) FROM users`, []any{&f.People}},
		{`SELECT count(*) FROM workspaces WHERE deleted_at = 0`, []any{&f.Workspaces}},
		{`SELECT count(*) FROM decisions WHERE fate = 0`, []any{&f.Pending}},
		{`SELECT count(*), coalesce(min(received_at), 0) FROM messages WHERE verified = 1 AND handed_at = 0`, []any{&f.Undelivered, &f.OldestUndelivered}},
		{`SELECT count(*), CAST(coalesce(sum(size), 0) AS BIGINT) FROM (SELECT max(size) AS size FROM attachments GROUP BY sha256) b`, []any{&f.Blobs, &f.BlobBytes}},
		{size, []any{&f.DatabaseBytes}},
	} {
		if err := s.Row(ctx, q.query).Scan(q.to...); err != nil {
			return f, fmt.Errorf("sqlstore: %w", err)
		}
	}
	if err := s.Row(ctx, `SELECT count(DISTINCT person), CASE WHEN min(address) = max(address) THEN min(address) ELSE '' END FROM sessions WHERE address <> '' AND expires_at > $1`, at).
		Scan(&f.SignedIn, &f.OnlyAddress); err != nil {
		return f, fmt.Errorf("sqlstore: %w", err)
	}
	if f.Open, err = s.openByWorkspace(ctx); err != nil {
		return f, err
	}
	rows, err := s.Rows(ctx, `SELECT a.pushed_at FROM agents a JOIN workspaces w ON w.id = a.workspace WHERE w.deleted_at = 0 AND a.archived_at = 0`)
	pushed, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, at *int64) error { return r.Scan(at) })
	f.Agents = len(pushed)
	for _, last := range pushed {
		f.PushedWithin[ageBucket(at-last)]++
	}
	return f, err
}

// ageBucket returns the index in Stats.PushedWithin for an age in microseconds.
func ageBucket(passed int64) int {
	for i, within := range []int64{hour, hour * dayHours, hour * dayHours * 7} {
		if passed <= within {
			return i
		}
	}
	return 3
}

// openByWorkspace returns the open asks, as counted in the rows of agents.
func (s *Store) openByWorkspace(ctx context.Context) ([]store.OpenAskCount, error) {
	rows, err := s.Rows(ctx, `SELECT w.id, w.slug, CAST(coalesce(sum(a.needs), 0) AS BIGINT), coalesce(min(CASE WHEN a.needs > 0 AND a.oldest <> $1 THEN a.oldest END), 0)
		FROM workspaces w LEFT JOIN agents a ON a.workspace = w.id AND a.archived_at = 0 WHERE w.deleted_at = 0 GROUP BY w.id, w.slug ORDER BY w.slug`, int64(figs.NoTime))
	return sqldb.Collect(rows, err, func(r sqldb.Scanner, o *store.OpenAskCount) error {
		return r.Scan(&o.Workspace, &o.Slug, &o.N, &o.Oldest)
	})
}

// reportCache caches the findings of each agent's report, so that only changed reports are read.
type reportCache struct {
	mu      sync.Mutex
	byAgent map[string]reportCounts
}

type reportCounts struct {
	version int64
	codes   map[string]int
}

// FindingsByRule implements store.StatsReader.
func (s *Store) FindingsByRule(ctx context.Context) (map[string]int, error) {
	s.reports.mu.Lock()
	defer s.reports.mu.Unlock()
	rows, err := s.Rows(ctx, `SELECT a.id, a.version FROM agents a JOIN workspaces w ON w.id = a.workspace
		WHERE a.errors + a.warnings + a.infos > 0 AND w.deleted_at = 0 AND a.archived_at = 0`)
	type agent struct {
		id      string
		version int64
	}
	agents, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, a *agent) error { return r.Scan(&a.id, &a.version) })
	if err != nil {
		return nil, err
	}
	all, now := map[string]int{}, make(map[string]reportCounts, len(agents))
	for _, a := range agents {
		c, known := s.reports.byAgent[a.id]
		if !known || c.version != a.version {
			if c, err = s.countFindings(ctx, a.id, a.version); err != nil {
				return nil, err
			}
		}
		now[a.id] = c
		for code, n := range c.codes {
			all[code] += n
		}
	}
	s.reports.byAgent = now
	return all, nil
}

// countFindings counts the findings of one report.
func (s *Store) countFindings(ctx context.Context, agent string, version int64) (reportCounts, error) {
	text, err := s.Findings(ctx, agent)
	if err != nil {
		return reportCounts{}, err
	}
	var report struct {
		Findings []struct{ Code string }
		More     []struct {
			Code  string
			Count int
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return reportCounts{}, fmt.Errorf("sqlstore: the report of agent %s: %w", agent, err)
	}
	c := reportCounts{version, map[string]int{}}
	for _, f := range report.Findings {
		c.codes[f.Code]++
	}
	for _, m := range report.More {
		c.codes[m.Code] += m.Count
	}
	maps.DeleteFunc(c.codes, func(code string, _ int) bool { return code == "" })
	return c, nil
}

// LastChange implements store.StatsReader.
func (s *Store) LastChange(ctx context.Context) (at int64, err error) {
	return at, s.Row(ctx, `SELECT coalesce(max(a.at), 0) FROM chains c JOIN audit a ON a.workspace = c.workspace AND a.n = c.n`).Scan(&at)
}
