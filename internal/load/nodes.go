//go:build unix

package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/figs-web/figs-web/internal/bench/table"
	"github.com/figs-web/figs-web/internal/load/spent"
	"github.com/figs-web/figs-web/internal/store"
)

// What the nodes show, and how often they are asked in a round.
const (
	readAgents, readJobs, readAsks = 20, 300, 40
	readers, readRequests          = 6, 1200      // in a round, for each node
	readTurn                       = readRequests // to one node before the next one has its turn: what changing programs costs a core is not the nodes'
	readWarming, readRounds        = 2, 7
)

// measureNodes compares what reading costs the processors on three nodes and on one, over one database.
func (l *load) measureNodes(ctx context.Context) error {
	at, err := l.place(ctx, "postgres")
	if err != nil {
		return err
	}
	var w *world
	err = at.fill(ctx, func(s store.Store) error {
		if w, err = furnish(ctx, s, 1, 1); err != nil {
			return err
		}
		for a := range readAgents {
			if err := pushTo(ctx, s, w.workspaces[0].ID, ledger(w.workspaces[0], a, readJobs, readAsks, 5)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	nodes := make([]*node, 3)
	defer func() { stopAll(nodes...) }()
	for i := range nodes {
		if nodes[i], err = l.node(ctx, at); err != nil {
			return err
		}
	}
	idle, err := l.idle(ctx, nodes)
	if err != nil {
		return err
	}
	paths := readPaths(w)
	type side struct{ nodes, database float64 } // milliseconds a request
	sides := map[int]*[2][]float64{1: {}, 3: {}}
	a := newAsker(0, readers)
	for round := range readWarming + readRounds {
		for _, n := range []int{3, 1} {
			own, database, err := l.read(ctx, a, nodes[:n], paths, idle)
			if err != nil {
				return err
			}
			if round >= readWarming { // before that, caches fill and statements are prepared on each connection
				sides[n][0] = append(sides[n][0], own)
				sides[n][1] = append(sides[n][1], database)
			}
		}
	}
	one, three := side{median(sides[1][0]), median(sides[1][1])}, side{median(sides[3][0]), median(sides[3][1])}
	l.table.Add(table.Row{What: "reads on three nodes against one, processor time a request", Figure: (three.nodes + three.database) / (one.nodes + one.database), Format: "%.2f×", Floor: 1.1,
		Detail: fmt.Sprintf("nodes %.2f ms against %.2f, the database %.2f ms against %.2f; inbox, agent pages and the API; less what idle nodes use, %.1f ms a second each",
			three.nodes, one.nodes, three.database, one.database, 1000*idle)})
	return nil
}

// ledger is all that an agent has: its first asks are open.
func ledger(w store.Workspace, n, jobs, asks, open int) []byte {
	runs, raised := make([]string, jobs), make([]string, asks)
	for i := range runs {
		runs[i] = run(i)
	}
	for i := range raised {
		raised[i] = ask(i, i < open)
	}
	return body(w, agentID(0, n), n, runs, raised)
}

// readPaths are what people and programs look at.
func readPaths(w *world) []string {
	team := w.workspaces[0]
	page, api := "/w/"+team.Slug, "/api/v1/workspaces/"+team.ID
	paths := []string{page + "/inbox?everybody=1", page + "/inbox", page, api + "/inbox?everybody=1", api + "/agents"}
	for a := range 5 {
		id := agentID(0, a)
		paths = append(paths, page+"/agents/"+id, page+"/agents/"+id+"/jobs", fmt.Sprintf("%s/agents/%s/asks/send-%06d", page, id, a),
			api+"/agents/"+id+"/jobs", fmt.Sprintf("%s/agents/%s/asks/send-%06d", api, id, a))
	}
	return paths
}

// idle is what one node uses that nobody asks anything, as a part of a processor.
func (l *load) idle(ctx context.Context, nodes []*node) (float64, error) {
	before, err := spent.By(pids(nodes)...)
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	select {
	case <-time.After(8 * time.Second):
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	after, err := spent.By(pids(nodes)...)
	return (after - before).Seconds() / time.Since(begun).Seconds() / float64(len(nodes)), err
}

func pids(nodes []*node) (all []int) {
	for _, n := range nodes {
		all = append(all, n.cmd.Process.Pid)
	}
	return all
}

// read asks for every path in turns, each time another node, and returns the milliseconds of processor time that
// a request costs the nodes and the database. What a node uses when it is idle is no part of that: on a busy machine a
// round takes longer, and three nodes would pay for that three times.
func (l *load) read(ctx context.Context, a *asker, nodes []*node, paths []string, idle float64) (own, database float64, err error) {
	begun := time.Now()
	before, err := spent.By(pids(nodes)...)
	if err != nil {
		return 0, 0, err
	}
	beforeServer, err := l.server.Spent()
	if err != nil {
		return 0, 0, err
	}
	requests := readRequests * len(nodes) // so that a node has as much to do in every round that it takes part in
	errs := make([]error, readers)
	var all sync.WaitGroup
	for r := range readers {
		all.Go(func() {
			for i := r; i < requests; i += readers {
				_, errs[r] = a.do(ctx, http.MethodGet, nodes[i/readTurn%len(nodes)].address+paths[i%len(paths)], "", nil, http.StatusOK)
				if errs[r] != nil {
					return
				}
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return 0, 0, err
		}
	}
	took := time.Since(begun)
	after, err := spent.By(pids(nodes)...)
	if err != nil {
		return 0, 0, err
	}
	afterServer, err := l.server.Spent()
	each := func(seconds float64) float64 { return seconds * 1000 / float64(requests) }
	return each((after - before).Seconds() - idle*float64(len(nodes))*took.Seconds()), each((afterServer - beforeServer).Seconds()), err
}
