package sqldb

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Insert inserts rows, each with a value per column. ends are appended to the statement.
func (c *Tx) Insert(ctx context.Context, table, columns string, rows [][]any, ends ...string) error {
	if len(rows) == 0 {
		return nil
	}
	names := strings.Split(columns, ", ")
	if c.pipeline != nil {
		return c.insertLists(ctx, table, names, rows, strings.Join(ends, ""))
	}
	insert := func() error { return c.insertEach(ctx, table, names, rows, strings.Join(ends, "")) }
	if c.background != nil {
		return c.background.add(insert)
	}
	return insert()
}

// insertEach inserts rows into SQLite one by one.
func (c *Tx) insertEach(ctx context.Context, table string, columns []string, rows [][]any, end string) error {
	stmt, err := c.statement(ctx, insertSQL(table, columns)+end)
	if err != nil {
		return fmt.Errorf("%w in an insert into %s", err, table)
	}
	// For each statement that can be interrupted, the driver starts a goroutine, which takes longer than most inserts.
	uninterrupted := context.WithoutCancel(ctx)
	for _, row := range rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := stmt.ExecContext(uninterrupted, row...); err != nil {
			return fmt.Errorf("%w in an insert into %s", err, table)
		}
	}
	return nil
}

// insertSQL returns a statement that inserts a row. Its parameters have no names, which SQLite's driver would look up for
// each row.
func insertSQL(table string, columns []string) string {
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES (?%s)", table, strings.Join(columns, ", "), strings.Repeat(", ?", len(columns)-1))
}

// insertLists inserts rows with one array per column, so it takes one statement whatever the number of rows.
func (c *Tx) insertLists(ctx context.Context, table string, columns []string, rows [][]any, end string) error {
	const together = 1000
	for part := range slices.Chunk(rows, together) {
		lists, from, values := make([]any, len(columns)), make([]string, len(columns)), make([]string, len(columns))
		for i, column := range columns {
			kind := "text[]"
			if _, text := part[0][i].(string); text {
				lists[i] = columnValues(part, i, func(v any) string { return v.(string) })
			} else {
				kind = "bigint[]"
				lists[i] = columnValues(part, i, toInt64)
			}
			from[i] = fmt.Sprintf("CAST($%d AS %s)", i+1, kind)
			values[i] = c.DB.value(column, "u."+column)
		}
		err := c.Later(ctx, fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM unnest(%s) AS u (%s) ", table, strings.Join(columns, ", "), strings.Join(values, ", "),
			strings.Join(from, ", "), strings.Join(columns, ", "))+end, lists...)
		if err != nil {
			return err
		}
	}
	return nil
}

func columnValues[T any](rows [][]any, column int, as func(any) T) []T {
	list := make([]T, len(rows))
	for i, row := range rows {
		list[i] = as(row[column])
	}
	return list
}

func toInt64(v any) int64 {
	if n, is := v.(int); is {
		return int64(n)
	}
	return v.(int64)
}
