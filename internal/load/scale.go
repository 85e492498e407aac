//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/figs-web/figs-web/internal/bench/table"
	"github.com/figs-web/figs-web/internal/load/seed"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

// What goes on while pages are asked for, and how long at most. A page that takes long is asked for less often.
const (
	scaleOpen      = 50
	scalePushes    = 100 * time.Millisecond // apart
	scaleDecisions = time.Second            // apart
	scaleVisits    = 50                     // of each page
	scaleLasts     = 4 * time.Minute
	scalePage      = 12 * time.Second // for all visits of one page
	pageTime       = 150.0            // milliseconds that a page may take alone
	pageBytes      = 250_000.0
)

// scaled is what the part scale has measured on one database.
type scaled struct {
	engine          string
	nodes           int
	size            seed.Size
	seeded          time.Duration
	database        float64 // bytes
	resident, peak  float64 // bytes of the largest node, before and after
	lasted          time.Duration
	pushing, opened shares // with pushes alone, and with open pages as well
	used            shares // while pages were asked for
	open            []*openPage
	pages           []*visited
	pushes          []float64 // milliseconds
	decisions       []float64
	failed          int64
	failure         string
	mu              sync.Mutex
	world           *seed.World
	running         []*node
	asker           *asker
	whole           map[string]int // how often PostgreSQL read all of a table for the pages alone
}

// visited is a page and what its visits took.
type visited struct {
	seed.Page
	bytes, queries int
	alone          float64   // milliseconds, median of three visits when nothing else goes on
	processor      float64   // of them, that the node's threads ran
	times          []float64 // milliseconds under load
	spent          time.Duration
	err            error
}

// measureScale fills a store of each kind, has agents and people work, and asks for every page in turn.
func (l *load) measureScale(ctx context.Context) error {
	var done []*scaled
	for _, engine := range strings.Split(l.engines, ",") {
		s, err := l.scaleOn(ctx, engine)
		if err != nil {
			return fmt.Errorf("%s: %w", engine, err)
		}
		s.addRows(l)
		done = append(done, s)
		if l.report != "" { // what there is, in case the next one fails
			if err := os.WriteFile(l.report, describeScale(done), 0o644); err != nil {
				return err
			}
		}
	}
	if l.report == "" {
		_, err := os.Stdout.Write(describeScale(done))
		return err
	}
	return nil
}

// addRows compares the slowest and the largest page with what a page may take.
func (s *scaled) addRows(l *load) {
	slowest, largest, late := &visited{}, &visited{}, 0
	for _, v := range s.pages {
		if v.err != nil {
			l.table.LeaveOut(v.Name, v.err)
			continue
		}
		if v.alone > slowest.alone {
			slowest = v
		}
		if v.bytes > largest.bytes {
			largest = v
		}
		if v.alone > pageTime {
			late++
		}
	}
	l.table.Add(table.Row{What: "slowest page on " + s.engine + ", alone", Figure: slowest.alone, Format: "%.0f ms", Floor: pageTime, Detail: fmt.Sprintf("%s; %d of %d pages take longer than the floor", slowest.Name, late, len(s.pages))})
	l.table.Add(table.Row{What: "largest page on " + s.engine, Figure: float64(largest.bytes) / 1000, Format: "%.0f KB", Floor: pageBytes / 1000, Detail: largest.Name})
	if l.alone {
		return
	}
	l.table.Add(table.Row{What: "share of one core of " + fmt.Sprint(len(s.open)) + " open pages on " + s.engine, Figure: 100 * (s.opened.own - s.pushing.own), Format: "%.0f %%", Floor: 25,
		Detail: fmt.Sprintf("ten pushes a second alone %.0f %%, with open pages %.0f %%", 100*s.pushing.own, 100*s.opened.own)})
	l.table.Add(table.Row{What: "errors under load on " + s.engine, Figure: float64(s.failed), Format: "%.0f", Floor: 0.5, Detail: s.failure})
}

func (l *load) scaleOn(ctx context.Context, engine string) (*scaled, error) {
	s := &scaled{engine: engine, nodes: 1, size: l.size, asker: newAsker(0, 8)}
	s.asker.token = seed.TokenOf(0)
	if engine == "postgres" {
		s.nodes = 3
	}
	at, err := s.fill(ctx, l)
	if err != nil {
		return nil, err
	}
	if err := s.measureDatabase(ctx, at); err != nil {
		return nil, err
	}
	s.running = make([]*node, s.nodes)
	defer func() { stopAll(s.running...) }()
	for i := range s.running {
		if s.running[i], err = l.node(ctx, at); err != nil {
			return nil, err
		}
	}
	for _, page := range s.world.Pages() {
		s.pages = append(s.pages, &visited{Page: page})
	}
	say("asking for %d pages alone", len(s.pages))
	before, err := s.wholeReads(ctx, at)
	if err == nil {
		err = s.count(ctx)
	}
	if err != nil {
		return nil, err
	}
	if s.whole, err = s.wholeReads(ctx, at); err != nil {
		return nil, err
	}
	for table := range s.whole {
		s.whole[table] -= before[table]
	}
	if s.resident, err = s.largest((*node).resident); err != nil {
		return nil, err
	}
	if l.alone {
		s.peak, err = s.largest((*node).peak)
		return s, err
	}
	say("asking for %d pages under load", len(s.pages))
	if err := s.work(ctx, l); err != nil {
		return nil, err
	}
	for _, n := range s.running {
		if n, first := n.log.said(); n > 0 {
			s.fail(fmt.Errorf("a node logged %d errors, such as %s", n, first))
		}
	}
	s.peak, err = s.largest((*node).peak)
	return s, err
}

// fill makes a filled place, or takes the one that was made before.
func (s *scaled) fill(ctx context.Context, l *load) (at place, err error) {
	if l.data != "" && s.engine == "sqlite" {
		at.dir = l.data
		return at, at.fill(ctx, func(to store.Store) error {
			s.world, err = seed.Open(ctx, to, s.size, time.Now())
			return err
		})
	}
	began := time.Now()
	if at, err = l.place(ctx, s.engine); err == nil {
		s.world, err = l.seed(ctx, at, "")
	}
	s.seeded = time.Since(began)
	return at, err
}

// largest is the largest figure of any node.
func (s *scaled) largest(of func(*node) (float64, error)) (most float64, err error) {
	for _, n := range s.running {
		x, err := of(n)
		if err != nil {
			return 0, err
		}
		most = max(most, x)
	}
	return most, nil
}

// measureDatabase measures a place's database, without attachments. PostgreSQL gathers its statistics first, as it does by itself
// some minutes after so much was written.
func (s *scaled) measureDatabase(ctx context.Context, at place) error {
	if at.database == "" {
		for _, name := range []string{"figs.db", "figs.db-wal"} {
			if info, err := os.Stat(filepath.Join(at.dir, name)); err == nil {
				s.database += float64(info.Size())
			}
		}
		return nil
	}
	return at.query(ctx, func(db *sqlstore.Store) error {
		if _, err := db.Write.ExecContext(ctx, "VACUUM ANALYZE"); err != nil {
			return err
		}
		return db.Row(ctx, "SELECT pg_database_size(current_database())").Scan(&s.database)
	})
}

// query opens a place's store for as long as f lasts.
func (p place) query(ctx context.Context, f func(*sqlstore.Store) error) error {
	s, err := p.open(ctx)
	if err != nil {
		return err
	}
	return errors.Join(f(s), s.Close())
}

// wholeReads counts how often PostgreSQL has read all of a table that grows with pushes, by table.
func (s *scaled) wholeReads(ctx context.Context, at place) (map[string]int, error) {
	counts := map[string]int{}
	if at.database == "" {
		return counts, nil
	}
	time.Sleep(11 * time.Second) // a connection tells what it counted when it has been idle for ten seconds
	return counts, at.query(ctx, func(db *sqlstore.Store) error {
		rows, err := db.Rows(ctx, `SELECT relname, seq_scan FROM pg_stat_user_tables
			WHERE relname IN ('records', 'trail', 'messages', 'mentions', 'attachments', 'pulse', 'charters', 'audit', 'decisions', 'search')`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var table string
			var n int
			if err := rows.Scan(&table, &n); err != nil {
				return err
			}
			counts[table] = n
		}
		return rows.Err()
	})
}

func (s *scaled) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed++; s.failure == "" {
		s.failure = err.Error()
	}
}

// visit asks a node for a page and returns how many bytes it has.
func (s *scaled) visit(ctx context.Context, n *node, v *visited) (int, error) {
	kind := ""
	if v.API {
		kind = "application/json"
	}
	text, err := s.asker.do(ctx, http.MethodGet, n.address+v.Path, kind, nil, http.StatusOK)
	return len(text), err
}

const queriesTotal = "figs_web_store_queries_total"

// count asks the first node for each page, while nothing else goes on: once so that what is cached is cached, and three times to
// measure and to count the queries. What else the node does, such as asking whether something is due, is not the page's: the
// least of three counts is.
func (s *scaled) count(ctx context.Context) error {
	for _, v := range s.pages {
		if v.err = s.countPage(ctx, v); v.err != nil { // without the page that came instead
			what, _, _ := strings.Cut(v.err.Error(), " <!doctype")
			v.err = errors.New(what)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

func (s *scaled) countPage(ctx context.Context, v *visited) error {
	n := s.running[0]
	if v.Next {
		page, err := s.asker.page(ctx, n.address+v.Path)
		if err != nil {
			return err
		}
		if v.Path = seed.NextPath(page); v.Path == "" {
			return errors.New("it has no link to a next page")
		}
	}
	if _, err := s.visit(ctx, n, v); err != nil {
		return err
	}
	var times, processor []float64
	for range 3 {
		before, err := n.figure(ctx, queriesTotal)
		if err != nil {
			return err
		}
		spentBefore, err := n.ran()
		if err != nil {
			return err
		}
		began := time.Now()
		if v.bytes, err = s.visit(ctx, n, v); err != nil {
			return err
		}
		times = append(times, time.Since(began).Seconds()*1000)
		spentAfter, err := n.ran()
		if err != nil {
			return err
		}
		processor = append(processor, (spentAfter-spentBefore).Seconds()*1000)
		after, err := n.figure(ctx, queriesTotal)
		if err != nil {
			return err
		}
		if own := int(after[0] - before[0]); len(times) == 1 || own < v.queries {
			v.queries = own
		}
	}
	v.alone, v.processor = median(times), median(processor)
	return nil
}
