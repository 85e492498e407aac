//go:build unix

package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/figs-web/figs-web/internal/bench/table"
	"github.com/figs-web/figs-web/internal/store"
)

// Agents that push at once, and how long one round of them lasts.
const (
	pushers     = 8
	pushRound   = 3 * time.Second
	pushRounds  = 5
	pushWarming = time.Second
)

// A crowd is how pushes come.
type crowd struct {
	what   string
	teams  int // that the agents belong to
	agents int
}

var crowds = []crowd{
	{"8 agents of 8 teams at once", pushers, pushers},
	{"8 agents of one team at once", 1, pushers},
	{"one agent, one push after the other", 1, 1},
}

// measurePushes lets agents push small ledgers to a node on SQLite and to one on PostgreSQL in turns.
func (l *load) measurePushes(ctx context.Context) error {
	engines := []string{"sqlite", "postgres"}
	nodes, worlds := make([]*node, len(engines)), make([]*world, len(engines))
	defer func() { stopAll(nodes...) }()
	for i, engine := range engines {
		at, err := l.place(ctx, engine)
		if err == nil {
			err = at.fill(ctx, func(s store.Store) (err error) {
				worlds[i], err = furnish(ctx, s, pushers, 1)
				return err
			})
		}
		if err == nil {
			nodes[i], err = l.node(ctx, at)
		}
		if err != nil {
			return err
		}
	}
	p := &pushing{asker: newAsker(0, pushers)}
	for c, crowd := range crowds {
		rates := make([][]float64, len(engines))
		for round := range pushRounds + 1 {
			for i := range engines {
				lasts := pushRound
				if round == 0 {
					lasts = pushWarming
				}
				rate, err := p.round(ctx, nodes[i], worlds[i], c, lasts)
				if err != nil {
					return err
				}
				if round > 0 {
					rates[i] = append(rates[i], rate)
				}
			}
		}
		ours, theirs := median(rates[1]), median(rates[0])
		l.table.Add(table.Row{What: "pushes on PostgreSQL against SQLite, " + crowd.what, Figure: ours / theirs, Format: "%.2f", Floor: 0.5, Aim: 1, More: true,
			Detail: fmt.Sprintf("%.0f pushes a second against %.0f, both on disk before they are answered", ours, theirs)})
	}
	return nil
}

// pushing makes pushes that are all different.
type pushing struct {
	*asker
	n atomic.Int64
}

// round has every agent of a crowd push for a while, and returns how many pushes were answered in a second.
func (p *pushing) round(ctx context.Context, n *node, w *world, c int, lasts time.Duration) (float64, error) {
	var done atomic.Int64
	errs := make([]error, crowds[c].agents)
	var agents sync.WaitGroup
	began := time.Now()
	for a := range crowds[c].agents {
		agents.Go(func() {
			team := a % crowds[c].teams
			for time.Since(began) < lasts {
				k := int(p.n.Add(1))
				if errs[a] = p.push(ctx, n, body(w.workspaces[team], agentID(team, 100*c+a), a, []string{run(k)}, []string{ask(k, false)})); errs[a] != nil {
					return
				}
				done.Add(1)
			}
		})
	}
	agents.Wait()
	for _, err := range errs {
		if err != nil {
			return 0, err
		}
	}
	return float64(done.Load()) / time.Since(began).Seconds(), nil
}

func median(values []float64) float64 { return quantile(values, 0.5) }

// quantile is the value below which a part of all values lies.
func quantile(values []float64, part float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(float64(len(sorted))*part), len(sorted)-1)]
}
