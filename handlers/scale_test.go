package handlers

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/blob"
	"github.com/figs-web/figs-web/internal/load/seed"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
)

// growing matches a step of SQLite's plan that reads all of a table whose rows pushes add. Queries name the tables so, or by these
// aliases.
var growing = regexp.MustCompile(`SCAN (records|r|x|j|trail|t|messages|m|mentions|attachments|pulse|charters|refusals)\b`)

// growingPages are pages whose queries grow with rows, and up to which bound.
var growingPages = map[string]string{
	"audit log, next page":     "with many agents it has rows about asks, whose agents one more query names",
	"large agent, hidden text": "two for each attachment",
}

// TestScale visits every page of make scale with a quarter of its short size and with all of it. However many agents, jobs, asks
// and files there are, a page takes the same number of queries, and no query reads all of a table that grows.
func TestScale(t *testing.T) {
	large := seed.Short
	small := seed.Size{Agents: large.Agents / 4, Asks: large.Asks / 4, Jobs: large.Jobs / 4, People: large.People, Departments: large.Departments}
	few, _ := visitScale(t, small)
	many, w := visitScale(t, large)
	for page, n := range many {
		if before, ok := few[page]; ok && n > before && growingPages[page] == "" && !strings.Contains(page, "search") { // a search reads 200, 400, … up to 2,000 candidates at a time, until it has counted 1,000 hits
			t.Errorf("%s: %d queries with few rows, %d with four times as many", page, before, n)
		}
	}
	plans := 0
	w.s.Prepared.Range(func(key, _ any) bool {
		query := key.(string)
		plans++
		var args []any
		for strings.Contains(query, "$"+strconv.Itoa(len(args)+1)) {
			args = append(args, "")
		}
		rows, err := w.s.Read.Query("EXPLAIN QUERY PLAN "+query, args...)
		plan, err := sqldb.Collect(rows, err, func(r sqldb.Scanner, line *string) error {
			var a, b, c int
			return r.Scan(&a, &b, &c, line)
		})
		if text := strings.Join(plan, "; "); err != nil || growing.MatchString(text) {
			t.Errorf("%s\nis planned as %s (%v)", query, text, err)
		}
		return true
	})
	if plans < 60 {
		t.Errorf("the pages make only %d different queries", plans)
	}
}

// visitScale fills a server and returns how many queries each page takes, once what is cached is cached.
func visitScale(t *testing.T, z seed.Size) (queries map[string]int64, w *town) {
	t.Helper()
	dir := t.TempDir()
	w = openTown(t, dir)
	t.Cleanup(func() { w.s.Close() })
	blobs, err := blob.OpenFolder(filepath.Join(dir, "blobs"))
	w.ok(err)
	defer blobs.Close()
	world, err := seed.Fill(context.Background(), w.s, blobs, z, hostedNow, "", nil)
	w.ok(err)
	owner := world.People[0].ID
	for n := range z.Agents { // what a server would tell the owner, of one ask for each agent
		w.ok(w.s.AddNotification(context.Background(), store.Notification{ID: store.NewID(), Destination: owner, Person: owner, Workspace: world.Workspace.ID, Event: store.EventAsk,
			Name: fmt.Sprint("ask ", n), Agent: seed.AgentID(n), Ask: "ask-000001", Round: 1, At: hostedNow.UnixMicro()}))
	}
	queries = map[string]int64{}
	for _, page := range world.Pages() {
		who := "of-person-0"
		if page.API {
			who = "token-of-person-0"
		}
		if page.Next {
			text, err := io.ReadAll(w.ask(http.MethodGet, page.Path, who, "").Body)
			w.ok(err)
			if page.Path = seed.NextPath(text); page.Path == "" {
				continue // with few rows there is one page
			}
		}
		for range 2 {
			queries[page.Name] = w.queries(func() {
				r := w.ask(http.MethodGet, page.Path, who, "")
				if _, err := io.Copy(io.Discard, r.Body); err != nil || r.StatusCode != http.StatusOK {
					t.Errorf("%s = %d, %v", page.Path, r.StatusCode, err)
				}
			})
		}
	}
	return queries, w
}
