package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/figs-web/figs-web/internal/bench/table"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

// pushed is how many records a push of this part has.
const pushed = 10_000

// measurePush gives pushes as ratios to a handler that reads and hashes the same body, and the first one to a bare loop
// that inserts as many rows.
func measurePush(ctx context.Context, b *bench) error {
	h, err := b.host(ctx, "push")
	if err != nil {
		return err
	}
	defer h.close()
	h.peers.POST("/", func(c echo.Context) error {
		sum := sha256.New()
		if _, err := io.Copy(io.MultiWriter(sum, bytes.NewBuffer(make([]byte, 0, c.Request().ContentLength+1))), c.Request().Body); err != nil {
			return err
		}
		return c.JSON(http.StatusOK, map[string]string{"sha256": hex.EncodeToString(sum.Sum(nil))})
	})
	first := h.body(pushed, 0)
	var opened, bare, unchanged, changed []float64
	ms, err := h.push(ctx, h.address+"/api/ingest", first)
	if err != nil {
		return err
	}
	opened = append(opened, ms)
	const rounds = 25
	for range rounds {
		for _, m := range []struct {
			to    *[]float64
			where string
			body  []byte
		}{{&bare, h.peer, first}, {&unchanged, h.address + "/api/ingest", first}} {
			runtime.GC()
			if ms, err = h.push(ctx, m.where, m.body); err != nil {
				return err
			}
			*m.to = append(*m.to, ms)
		}
	}
	for i := range rounds {
		body := h.body(pushed, i+1)
		runtime.GC() // making the body left more behind than any push does
		if ms, err = h.push(ctx, h.address+"/api/ingest", body); err != nil {
			return err
		}
		changed = append(changed, ms)
	}
	loop, rows, err := h.loop(ctx, filepath.Join(b.dir, "loop.db"))
	if err != nil {
		return err
	}
	base := median(bare)
	size := float64(len(first)) / 1e6
	b.table.Add(table.Row{What: "push of 10,000 unchanged records", Figure: median(unchanged) / base, Format: "%.2f×", Floor: 2.5, Aim: 1.5,
		Detail: sprint("%.1f ms, reading and hashing the %.1f MB over HTTP %.1f ms", median(unchanged), size, base)})
	b.table.Add(table.Row{What: "push of 10,000 records, one changed", Figure: median(changed) / base, Format: "%.1f×", Floor: 6, Aim: 4,
		Detail: sprint("%.1f ms, reading and hashing %.1f ms", median(changed), base)})
	b.table.Add(table.Row{What: "first push of 10,000 records", Figure: opened[0] / loop, Format: "%.2f×", Floor: 3, Aim: 1.5,
		Detail: sprint("%.0f ms, a bare loop that inserts the same %d rows in one transaction %.0f ms", opened[0], rows, loop)})
	return nil
}

// push posts a body with a token and returns how many milliseconds passed until the whole answer was there.
func (h *hosted) push(ctx context.Context, address string, body []byte) (float64, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+h.token)
	begun := time.Now()
	_, err = h.ask(r, http.StatusOK)
	return time.Since(begun).Seconds() * 1000, err
}

// body is a push of n records of about 400 bytes, half of them runs; edition is in one of them.
func (h *hosted) body(n, edition int) []byte {
	var runs, asks []string
	for i := range n / 2 {
		note := ""
		if i == 0 && edition > 0 {
			note = fmt.Sprintf(", edition %d", edition)
		}
		at := time.Date(2026, 10, 1, 8, 0, i, 0, time.UTC).Format(time.RFC3339)
		runs = append(runs, fmt.Sprintf(`{"id":"close-%05d","ts":%q,"title":"Monthly close of customer %d","unit":"customer-%d","period":"2026-10","state":"settled","status":"ok","result":"All %d invoices matched; the two without a delivery number wait for the carrier%s","attachments":["statement-%d.html"],"session":{"runtime":"claude-code","model":"m","sessionId":"s-%d","tokens":{"input":%d,"output":900}}}`,
			i, at, i, i, 200+i%90, note, i, i, 40_000+i))
		asks = append(asks, fmt.Sprintf(`{"id":"send-%05d","ts":%q,"type":"sign-off","status":"resolved","title":"Send the statement of customer %d","run":"close-%05d","found":"The statement is complete","need":"A go before the end of the month","onApprove":["Send the statement","File the copy"],"details":[{"l":"Amount","v":"%d,400.00"}],"attachments":["statement-%d.html"],"resolution":{"note":"Sent","ts":%q}}`,
			i, at, i, i, 1+i%90, i, at))
	}
	return fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":"0d4f2a3c-1111-4222-8333-000000000001","name":"Closer","role":"Monthly close"},"runs":[%s],"asks":[%s]}`,
		h.workspace.ID, strings.Join(runs, ","), strings.Join(asks, ","))
}

// filled are the tables that a first push fills, in the order in which they refer to each other.
var filled = []string{"workspaces", "agents", "charters", "records", "trail", "mentions"}

// loop inserts every row that the pushes left into another database of the same schema, one prepared statement a table
// and one transaction for all, and as many rows into its search index.
func (h *hosted) loop(ctx context.Context, file string) (ms float64, rows int, err error) {
	from, err := h.open()
	if err != nil {
		return 0, 0, err
	}
	defer from.Close()
	empty, err := sqlstore.OpenSQLite(ctx, file) // makes the schema
	if err != nil {
		return 0, 0, err
	}
	empty.Close()
	to, err := sql.Open("sqlite", "file:"+file+"?_pragma=journal_mode(wal)&_pragma=synchronous(full)&_txlock=immediate")
	if err != nil {
		return 0, 0, err
	}
	defer to.Close()
	type load struct {
		insert string
		rows   [][]any
	}
	var loads []load
	for _, table := range filled {
		all, columns, err := readRows(ctx, from, "SELECT * FROM "+table)
		if err != nil {
			return 0, 0, err
		}
		loads = append(loads, load{"INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES (" + strings.Repeat("?, ", len(columns)-1) + "?)", all})
	}
	words, _, err := readRows(ctx, from, "SELECT no, 'w' || workspace || ' a' || agent, fold FROM records")
	if err != nil {
		return 0, 0, err
	}
	loads = append(loads, load{"INSERT INTO search (rowid, scope, body) VALUES (?, ?, ?)", words})
	begun := time.Now()
	tx, err := to.BeginTx(ctx, nil)
	if err != nil {
		return 0, 0, err
	}
	defer tx.Rollback()
	for _, l := range loads {
		statement, err := tx.PrepareContext(ctx, l.insert)
		if err != nil {
			return 0, 0, err
		}
		for _, row := range l.rows {
			if _, err := statement.ExecContext(ctx, row...); err != nil {
				return 0, 0, err
			}
		}
		rows += len(l.rows)
	}
	err = tx.Commit()
	return time.Since(begun).Seconds() * 1000, rows, err
}

// readRows reads a query's rows and the names of its columns.
func readRows(ctx context.Context, db *sql.DB, query string) (all [][]any, columns []string, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	if columns, err = rows.Columns(); err != nil {
		return nil, nil, err
	}
	for rows.Next() {
		row, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, nil, err
		}
		all = append(all, row)
	}
	return all, columns, rows.Err()
}
