//go:build unix

package main

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// look asks the database how large every table is, once it was vacuumed, as autovacuum does in time.
func (x *measurement) look(ctx context.Context) (tables []tableMeasure, err error) {
	if err := x.db.QueryRowContext(ctx, `SHOW server_version`).Scan(&x.m.Version); err != nil {
		return nil, err
	}
	time.Sleep(2 * time.Second) // sessions tell their counts once in a second
	if _, err := x.db.ExecContext(ctx, `VACUUM ANALYZE`); err != nil {
		return nil, err
	}
	rows, err := x.db.QueryContext(ctx, `SELECT c.relname, greatest(c.reltuples, 0)::float8, (pg_table_size(c.oid))::float8, pg_indexes_size(c.oid)::float8,
		coalesce(s.n_tup_upd, 0)::float8, coalesce(s.n_tup_hot_upd, 0)::float8
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
		WHERE n.nspname = 'public' AND c.relkind = 'r'`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var t tableMeasure
		if err := rows.Scan(&t.Name, &t.Rows, &t.Heap, &t.Indexes, &t.Updates, &t.Hot); err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	return tables, rows.Err()
}

// grown is by how much tables have grown, the one that grew most first: an empty table takes pages too, once.
func grown(empty, full []tableMeasure) (all []tableMeasure) {
	was := map[string]tableMeasure{}
	for _, t := range empty {
		was[t.Name] = t
	}
	for _, t := range full {
		before := was[t.Name]
		t.Rows, t.Heap, t.Indexes, t.Updates, t.Hot = t.Rows-before.Rows, t.Heap-before.Heap, t.Indexes-before.Indexes, t.Updates-before.Updates, t.Hot-before.Hot
		if t.Rows > 0 || t.Heap+t.Indexes > 0 || t.Updates > 0 {
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b tableMeasure) int {
		return cmp.Or(cmp.Compare(b.Heap+b.Indexes, a.Heap+a.Indexes), cmp.Compare(a.Name, b.Name))
	})
	return all
}
