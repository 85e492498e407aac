package sqlcopy

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// copyTable is a table, as described by the database's schema.
type copyTable struct {
	Name    string
	columns []copyColumn
	key     []string // columns of the primary key, in order
	parents []string // tables that it references
}

type copyColumn struct {
	name string
	kind columnKind
}

type columnKind byte

const (
	textColumn   columnKind = 't'
	bytesColumn  columnKind = 'b'
	numberColumn columnKind = 'i'
)

// columnKinds are the types that migrations use, as each database names them.
var columnKinds = map[string]columnKind{"text": textColumn, "bytea": bytesColumn, "blob": bytesColumn, "bigint": numberColumn, "integer": numberColumn}

// querier is a transaction or a pool of connections.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// TablesOf returns the tables of a database that are copied, each after those that it references.
func (d Database) TablesOf(ctx context.Context, q querier) ([]*copyTable, error) {
	rows, err := q.QueryContext(ctx, d.CopyDialect().columns())
	type column struct {
		table, name, kind string
		place             int
	}
	all, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, c *column) error { return r.Scan(&c.table, &c.name, &c.kind, &c.place) })
	if err != nil {
		return nil, err
	}
	tables, keys := map[string]*copyTable{}, map[string]map[int]string{}
	for _, c := range all {
		if NotCopied[c.table] != "" {
			continue
		}
		t := tables[c.table]
		if t == nil {
			t = &copyTable{Name: c.table}
			tables[c.table], keys[c.table] = t, map[int]string{}
		}
		kind, ok := columnKinds[strings.ToLower(c.kind)]
		if !ok {
			return nil, fmt.Errorf("sqlstore: %s.%s has the type %s, which can't be copied", c.table, c.name, c.kind)
		}
		t.columns = append(t.columns, copyColumn{c.name, kind})
		if c.place > 0 {
			keys[c.table][c.place] = c.name
		}
	}
	for name, t := range tables {
		for i := 1; keys[name][i] != ""; i++ {
			t.key = append(t.key, keys[name][i])
		}
		if len(t.key) == 0 {
			return nil, fmt.Errorf("sqlstore: %s has no primary key, so it can't be copied in order", name)
		}
	}
	rows, err = q.QueryContext(ctx, d.CopyDialect().parents())
	type pair struct{ child, parent string }
	pairs, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, p *pair) error { return r.Scan(&p.child, &p.parent) })
	if err != nil {
		return nil, err
	}
	for _, p := range pairs {
		if tables[p.child] != nil && p.child != p.parent {
			tables[p.child].parents = append(tables[p.child].parents, p.parent)
		}
	}
	return sortByReferences(tables), nil
}

// sortByReferences sorts tables by name, and each after those that it references.
func sortByReferences(tables map[string]*copyTable) (list []*copyTable) {
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if t := tables[name]; t != nil && !seen[name] {
			seen[name] = true
			slices.Sort(t.parents)
			for _, parent := range t.parents {
				visit(parent)
			}
			list = append(list, t)
		}
	}
	for _, name := range sqldb.SortedNames(tables) {
		visit(name)
	}
	return list
}

// compareSchemas reads the source's schema, and checks that the target has the same tables and columns.
func (c *copier) compareSchemas(ctx context.Context) (err error) {
	var from, to int
	if from, err = c.from.Schema(ctx); err == nil {
		// Uses c.conn, because a SQLite database has only one connection for writing.
		err = c.conn.QueryRowContext(ctx, `SELECT coalesce(max(no), 0) FROM migrations`).Scan(&to)
	}
	if err != nil {
		return err
	}
	if from != to {
		return &store.SchemaMismatchError{From: from, To: to}
	}
	if c.tables, err = c.from.TablesOf(ctx, c.tx); err != nil {
		return err
	}
	there, err := c.to.TablesOf(ctx, c.conn)
	if err != nil {
		return err
	}
	shape := func(list []*copyTable) string {
		var b strings.Builder
		for _, t := range sortedTables(list) {
			columns := slices.Clone(t.columns)
			slices.SortFunc(columns, func(x, y copyColumn) int { return strings.Compare(x.name, y.name) })
			fmt.Fprintln(&b, t.Name, columns, t.key)
		}
		return b.String()
	}
	if x, y := shape(c.tables), shape(there); x != y {
		return fmt.Errorf("sqlstore: the two databases have different tables or columns:\n%s\n%s", x, y)
	}
	for _, t := range c.tables {
		c.emptyOrder = append(c.emptyOrder, t.Name)
	}
	slices.Reverse(c.emptyOrder)
	return nil
}

func sortedTables(list []*copyTable) []*copyTable {
	list = slices.Clone(list)
	slices.SortFunc(list, func(x, y *copyTable) int { return strings.Compare(x.Name, y.Name) })
	return list
}

func (t *copyTable) names() []string {
	names := make([]string, len(t.columns))
	for i, c := range t.columns {
		names[i] = c.name
	}
	return names
}

// eachRow calls yield for every row in order of the primary key, with its values and their packed form. Both databases sort
// by bytes, so the order is the same. row is new for each call; packed is reused.
func (t *copyTable) eachRow(ctx context.Context, q querier, yield func(row []any, packed []byte) error) error {
	rows, err := q.QueryContext(ctx, fmt.Sprintf(`SELECT %s FROM %s ORDER BY %s`, strings.Join(t.names(), ", "), t.Name, strings.Join(t.key, ", ")))
	if err != nil {
		return err
	}
	defer rows.Close()
	dest := make([]any, len(t.columns))
	var packed []byte
	for rows.Next() {
		row := make([]any, len(t.columns))
		for i := range row {
			dest[i] = &row[i]
		}
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		packed = packed[:0]
		for i, c := range t.columns {
			if row[i], packed, err = c.pack(row[i], packed); err != nil {
				return &store.UnsupportedValueError{Table: t.Name, Column: c.name, Key: t.keyText(row), Why: err.Error()}
			}
		}
		if err := yield(row, packed); err != nil {
			return err
		}
	}
	return rows.Err()
}

// pack appends a value in a form that is unique for the row, and converts it to the same type for all databases.
func (c copyColumn) pack(v any, packed []byte) (any, []byte, error) {
	if text, ok := v.([]byte); ok && c.kind == textColumn {
		v = string(text)
	}
	switch v := v.(type) {
	case nil:
		return nil, append(packed, 0), nil
	case int64:
		if c.kind == numberColumn {
			return v, binary.BigEndian.AppendUint64(append(packed, byte(c.kind)), uint64(v)), nil
		}
	case string:
		if c.kind == textColumn {
			packed = binary.BigEndian.AppendUint64(append(packed, byte(c.kind)), uint64(len(v)))
			return v, append(packed, v...), nil
		}
	case []byte:
		if c.kind == bytesColumn {
			if v == nil {
				v = []byte{} // SQLite's driver returns nil; NULL is handled above
			}
			packed = binary.BigEndian.AppendUint64(append(packed, byte(c.kind)), uint64(len(v)))
			return v, append(packed, v...), nil
		}
	}
	return nil, nil, fmt.Errorf("is a %T, which that column can't have", v)
}

// keyText formats the key of a row for messages.
func (t *copyTable) keyText(row []any) string {
	var words []string
	for i, c := range t.columns {
		if slices.Contains(t.key, c.name) {
			words = append(words, fmt.Sprintf("%s=%.100q", c.name, fmt.Sprint(row[i])))
		}
	}
	return strings.Join(words, " ")
}
