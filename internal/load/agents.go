//go:build unix

package main

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/figs-web/figs-web/internal/bench/table"
	"github.com/figs-web/figs-web/internal/store"
)

// Of every agent there are so many jobs and asks. The first one has more open asks than a page shows, so that the page
// is as long with one agent as with all; the others have two each.
const (
	agentJobs, agentAsks    = 1000, 100
	firstOpen, othersOpen   = 60, 2
	pageWarming, pageVisits = 100, 1500
)

// measureAgents compares pages of a workspace with one agent and of one with a thousand, which are asked for in turns.
func (l *load) measureAgents(ctx context.Context) error {
	counts := []int{1, l.agents}
	nodes, worlds := make([]*node, len(counts)), make([]*world, len(counts))
	defer func() { stopAll(nodes...) }()
	for i, count := range counts {
		at, err := l.place(ctx, "sqlite")
		if err != nil {
			return err
		}
		began := time.Now()
		err = at.fill(ctx, func(s store.Store) error {
			w, err := furnish(ctx, s, 1, 1)
			worlds[i] = w
			for a, open := range []int{firstOpen, othersOpen}[:min(count, 2)] {
				if err == nil {
					err = pushTo(ctx, s, w.workspaces[0].ID, ledger(w.workspaces[0], a, agentJobs, agentAsks, open))
				}
			}
			return err
		})
		if err == nil && count > 2 {
			err = multiply(ctx, at, count-2)
		}
		if err != nil {
			return err
		}
		say("%d agents with %d jobs each were there after %.0f s", count, agentJobs, time.Since(began).Seconds())
		if nodes[i], err = l.node(ctx, at); err != nil {
			return err
		}
	}
	agent := "/w/team-0/agents/" + agentID(0, 0)
	v := &visiting{asker: newAsker(0, 1), nodes: nodes, worlds: worlds}
	for _, page := range []struct {
		what, path string
		pushed     bool
	}{
		{"inbox", "/w/team-0/inbox?everybody=1", false}, {"inbox, every tenth time after a push", "/w/team-0/inbox?everybody=1", true},
		{"page of an agent", agent, false}, {"its jobs", agent + "/jobs", false}, {"an ask", agent + "/asks/send-000001", false},
	} {
		times, err := v.visit(ctx, page.path, page.pushed)
		if err != nil {
			return err
		}
		small, large := times[0], times[1]
		l.table.Add(table.Row{What: fmt.Sprintf("%s, p99, from 1 to %d agents with %d jobs each", page.what, l.agents, agentJobs), Figure: quantile(large, 0.99) / quantile(small, 0.99), Format: "%.2f×", Floor: 1.5, Aim: 1.1,
			Detail: fmt.Sprintf("%.1f ms to %.1f ms; median %.1f ms to %.1f ms", quantile(small, 0.99), quantile(large, 0.99), median(small), median(large))})
	}
	return nil
}

// visiting asks nodes for pages.
type visiting struct {
	*asker
	nodes  []*node
	worlds []*world
	pushes int
}

// visit asks the nodes for a page in turns and returns how many milliseconds each answer took: a slow moment of the
// machine meets all of them. Where something is pushed in between, what nodes remember of the workspace is void then.
func (v *visiting) visit(ctx context.Context, path string, pushed bool) ([][]float64, error) {
	times := make([][]float64, len(v.nodes))
	for n := range pageWarming + pageVisits {
		for i := range v.nodes {
			i = (i + n) % len(v.nodes)
			if pushed && n%10 == 0 {
				v.pushes++
				if err := v.push(ctx, v.nodes[i], body(v.worlds[i].workspaces[0], agentID(0, 0), 0, []string{run(agentJobs + v.pushes)}, nil)); err != nil {
					return nil, err
				}
			}
			begun := time.Now()
			if _, err := v.page(ctx, v.nodes[i].address+path); err != nil {
				return nil, err
			}
			if n >= pageWarming {
				times[i] = append(times[i], time.Since(begun).Seconds()*1000)
			}
		}
	}
	return times, nil
}

// multiply copies the second agent with all that pages read of it: pushing as much takes five times as long.
func multiply(ctx context.Context, at place, times int) error {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(at.dir, "figs.db")+"?_pragma=synchronous(off)&_pragma=cache_size(-262144)&_txlock=immediate")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	const apart = 10_000_000 // numbers of one copy's rows from those of the next
	was := agentID(0, 1)
	copies := []struct{ table, rows string }{
		{"agents", "id = ?2"}, {"charters", "agent = ?2"}, {"records", "agent = ?2"}, {"trail", "record IN (SELECT no FROM records WHERE agent = ?2)"}, {"pulse", "agent = ?2"},
	}
	for i, c := range copies {
		if copies[i].rows, err = copying(ctx, db, c.table, c.rows); err != nil {
			return err
		}
	}
	for from := 0; from < times; from += 50 {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		for n := from; n < min(from+50, times); n++ {
			for _, c := range copies {
				if _, err := tx.ExecContext(ctx, c.rows, (n+1)*apart, was, agentID(0, n+2), fmt.Sprintf("Agent %d", n+2)); err != nil {
					tx.Rollback()
					return fmt.Errorf("copying %s: %w", c.table, err)
				}
			}
		}
		if err := tx.Commit(); err != nil {
			return err
		}
	}
	// What is counted for the whole workspace, and its number, by which nodes know that it has changed.
	for _, statement := range []string{
		`DELETE FROM pulse WHERE agent = ''`,
		`INSERT INTO pulse (workspace, agent, what, hour, n) SELECT workspace, '', what, hour, sum(n) FROM pulse GROUP BY workspace, what, hour`,
		`UPDATE workspaces SET seq = seq + 1, roster = seq + 1`,
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// copying is the statement that copies an agent's rows of a table under other numbers and another name.
func copying(ctx context.Context, db *sql.DB, table, rows string) (string, error) {
	answer, err := db.QueryContext(ctx, "SELECT * FROM "+table+" LIMIT 0")
	if err != nil {
		return "", err
	}
	defer answer.Close()
	columns, err := answer.Columns()
	if err != nil {
		return "", err
	}
	chosen := slices.Clone(columns)
	for i, column := range columns {
		switch {
		case column == "no", column == "record":
			chosen[i] += " + ?1"
		case column == "agent", column == "id" && table == "agents":
			chosen[i] = "?3"
		case column == "name", column == "charter":
			chosen[i] = "replace(" + column + ", 'Agent 1', ?4)"
		case column == "digest":
			chosen[i] = "''"
		}
	}
	return "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") SELECT " + strings.Join(chosen, ", ") + " FROM " + table + " WHERE " + rows, answer.Err()
}
