package sqlstore

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// LatestJobs implements store.Reader.
func (s *Store) LatestJobs(ctx context.Context, workspace string, agents []string, settled bool) ([]store.Record, error) {
	// The state isn't a parameter, because jobs in flight have their own index.
	flying := strconv.Itoa(int(figs.OutcomeInFlight))
	which := ` AND a.in_flight > 0`
	newest := `SELECT x.no FROM records x WHERE x.agent = a.id AND x.kind = 0 AND x.state = ` + flying
	if settled {
		which = ` AND a.jobs > a.in_flight`
		newest = `SELECT x.no FROM records x ` + settledJobs
	}
	rows, err := s.Rows(ctx, `SELECT `+listColumns+` FROM agents a JOIN records r ON r.no = (`+newest+` ORDER BY x.at DESC, x.no DESC LIMIT 1)
		WHERE a.workspace = $1 AND a.id `+s.TextsIn(2)+which, sqldb.CleanText(workspace), sqldb.JSONList(agents))
	return sqldb.Collect(rows, err, scanRecord)
}

// AnswerTimes implements store.Reader.
func (s *Store) AnswerTimes(ctx context.Context, workspace, agent string, from, to int64) ([]int64, error) {
	w := sqldb.Where{SQL: `SELECT coalesce(string_agg(CAST(answered - raised AS TEXT), ','), '') FROM records WHERE kind = 1 AND answered > -9000000000000000000`}
	w.And(` AND workspace = $%d`, sqldb.CleanText(workspace))
	w.And(` AND answered >= $%d`, from)
	w.And(` AND answered < $%d`, to)
	if agent != "" {
		w.And(` AND agent = $%d`, sqldb.CleanText(agent))
	}
	var text string
	if err := s.Row(ctx, w.SQL, w.Args...).Scan(&text); err != nil || text == "" {
		return nil, err
	}
	var all []int64
	for part := range strings.SplitSeq(text, ",") {
		if n, err := strconv.ParseInt(part, 10, 64); err == nil {
			all = append(all, max(0, n)) // the clocks of two machines can differ
		}
	}
	slices.Sort(all)
	return all, nil
}

// UserNames implements store.Reader.
func (s *Store) UserNames(ctx context.Context, people []string) (map[string]string, error) {
	ids := slices.DeleteFunc(slices.Clone(people), func(id string) bool { return id == "" })
	names := make(map[string]string, len(ids))
	if len(ids) == 0 {
		return names, nil
	}
	for i := range ids {
		ids[i] = sqldb.CleanText(ids[i])
	}
	slices.Sort(ids)
	rows, err := s.Rows(ctx, `SELECT id, name FROM users WHERE id `+s.TextsIn(1), sqldb.JSONList(slices.Compact(ids)))
	type person struct{ id, name string }
	found, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, p *person) error { return r.Scan(&p.id, &p.name) })
	for _, p := range found {
		names[p.id] = p.name
	}
	return names, err
}
