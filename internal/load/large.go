//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/figs-web/figs-web/internal/bench/table"
	"github.com/figs-web/figs-web/internal/store"
)

// largeBody is how long the body of a large push is, in bytes: a little less than the limit of 64 MiB.
const largeBody = 62 << 20

// visitsApart is how long a person waits between two looks at the inbox while a large push is stored.
const visitsApart = 100 * time.Millisecond

// measureLarge sends a large push, then two at once, each to a fresh node, and looks at the node's memory and processor
// time, and at how long a person waits for pages meanwhile.
func (l *load) measureLarge(ctx context.Context) error {
	for _, engine := range strings.Split(l.engines, ",") {
		if err := l.measureLargeOn(ctx, engine); err != nil {
			return err
		}
	}
	return nil
}

func (l *load) measureLargeOn(ctx context.Context, engine string) error {
	for _, agents := range []int{1, 2} {
		r, err := l.pushLarge(ctx, engine, agents)
		if err != nil {
			return err
		}
		what := fmt.Sprintf("push of %d MiB on %s", largeBody>>20, engine)
		if agents > 1 {
			what = fmt.Sprintf("%d pushes at once of %d MiB on %s", agents, largeBody>>20, engine)
		}
		goal := map[int]float64{1: 4, 2: 6}[agents]
		l.table.Add(table.Row{What: what + ": peak memory", Figure: r.peak / largeBody, Format: "%.1f× the body", Floor: goal,
			Detail: fmt.Sprintf("resident %.0f MB, before it %.0f MB; %d records", r.peak/1e6, r.idle/1e6, r.records)})
		l.table.Add(table.Row{What: what + ": processor time", Figure: r.cpu / float64(agents), Format: "%.1f s a push",
			Detail: fmt.Sprintf("%.1f s until all were answered, with %.1f s of processor time", r.wall, r.cpu)})
		l.table.Add(table.Row{What: what + ": other pages meanwhile, slowest", Figure: quantile(r.pages, 1), Format: "%.0f ms", Floor: 500,
			Detail: fmt.Sprintf("median %.0f ms of %d looks at the inbox and at an ask", median(r.pages), len(r.pages))})
		if agents > 1 {
			continue
		}
		l.table.Add(table.Row{What: what + ", again", Figure: 1000 * r.again, Format: "%.0f ms", Detail: "nothing has changed; the body is known by its hash"})
		l.table.Add(table.Row{What: what + ", one record changed", Figure: 1000 * r.changed, Format: "%.0f ms", Detail: fmt.Sprintf("%.1f s of processor time", r.changedCPU)})
	}
	return nil
}

// pushed is what large pushes took.
type pushed struct {
	idle, peak     float64 // bytes resident, before the pushes and at most
	wall, cpu      float64 // seconds
	again, changed float64 // seconds
	changedCPU     float64
	records        int
	pages          []float64 // milliseconds of other answers
}

// pushLarge has some agents push at once to a fresh node.
func (l *load) pushLarge(ctx context.Context, engine string, agents int) (*pushed, error) {
	at, err := l.place(ctx, engine)
	if err != nil {
		return nil, err
	}
	var w *world
	err = at.fill(ctx, func(s store.Store) (err error) {
		if w, err = furnish(ctx, s, 1, 2); err == nil {
			err = pushTo(ctx, s, w.workspaces[0].ID, ledger(w.workspaces[0], 0, 50, 10, 5))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	n, err := l.node(ctx, at)
	if err != nil {
		return nil, err
	}
	defer n.stop()
	r := &pushed{}
	bodies := make([][]byte, agents)
	for i := range bodies {
		bodies[i], r.records = largeLedger(w.workspaces[0], i+1, 0)
	}
	pages, pusher := newAsker(0, 2), newAsker(0, agents)
	pusher.client.Timeout = 10 * time.Minute
	looks := []string{"/w/team-0/inbox?everybody=1", "/w/team-0/agents/" + agentID(0, 0) + "/asks/send-000001"}
	for range 10 {
		for _, path := range looks {
			if _, err := pages.page(ctx, n.address+path); err != nil {
				return nil, err
			}
		}
	}
	if r.idle, err = n.resident(); err != nil {
		return nil, err
	}
	before, err := n.processor()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	errs := make([]error, agents+1)
	var pushing, looking sync.WaitGroup
	for i, body := range bodies {
		pushing.Go(func() { errs[i] = pusher.push(ctx, n, body) })
	}
	over, end := context.WithCancel(ctx)
	looking.Go(func() {
		for k := 0; over.Err() == nil && errs[agents] == nil; k++ {
			look := time.Now()
			_, errs[agents] = pages.page(ctx, n.address+looks[k%len(looks)])
			r.pages = append(r.pages, time.Since(look).Seconds()*1000)
			time.Sleep(visitsApart)
		}
	})
	pushing.Wait()
	r.wall = time.Since(began).Seconds()
	end()
	looking.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	after, err := n.processor()
	if err != nil {
		return nil, err
	}
	r.cpu = after - before
	if r.peak, err = n.peak(); err != nil || agents > 1 {
		return r, err
	}
	began = time.Now()
	if err := pusher.push(ctx, n, bodies[0]); err != nil {
		return nil, err
	}
	r.again = time.Since(began).Seconds()
	if before, err = n.processor(); err != nil {
		return nil, err
	}
	changed, _ := largeLedger(w.workspaces[0], 1, 1)
	began = time.Now()
	if err := pusher.push(ctx, n, changed); err != nil {
		return nil, err
	}
	r.changed = time.Since(began).Seconds()
	after, err = n.processor()
	r.changedCPU = after - before
	return r, err
}

// largeLedger is a push of largeBody bytes: four jobs to one sign-off, a tenth of which wait for a human, and a reply to
// each that does not. edition is told by its first job.
func largeLedger(w store.Workspace, agent, edition int) (text []byte, records int) {
	var runs, asks, messages []string
	for size := 0; size < largeBody-1000; records++ {
		k := records / 5
		switch {
		case records%5 < 4:
			line := run(records)
			if records == 0 && edition > 0 {
				line = strings.Replace(line, "All ", fmt.Sprintf("Edition %d: all ", edition), 1)
			}
			runs = append(runs, line)
			size += len(line) + 1
		default:
			open := k%10 == 0
			line := ask(k, open)
			asks = append(asks, line)
			size += len(line) + 1
			if !open {
				reply := fmt.Sprintf(`{"id":"m-%06d","kind":"verdict","ask":"send-%06d","by":"Ana","ts":"2026-10-02T07:%02d:00Z","verdict":"approved","source":"chat","text":"Fine, send it to customer %d"}`, k, k, k%60, k)
				messages = append(messages, reply)
				size += len(reply) + 1
			}
		}
	}
	text = body(w, agentID(0, agent), agent, runs, asks)
	return fmt.Appendf(text[:len(text)-1], `,"messages":[%s]}`, strings.Join(messages, ",")), records
}

// peak is the most memory that the process has had resident, in bytes.
func (n *node) peak() (float64, error) { return n.status("VmHWM") }

// processor is the processor time that the process has used, in seconds.
func (n *node) processor() (float64, error) {
	text, err := os.ReadFile(filepath.Join("/proc", fmt.Sprint(n.cmd.Process.Pid), "stat"))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	var user, system float64
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, errors.New("the system does not tell a process's processor time")
	}
	_, err = fmt.Sscan(fields[11]+" "+fields[12], &user, &system)
	const ticks = 100 // a second, on every Linux
	return (user + system) / ticks, err
}
