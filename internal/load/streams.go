//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/figs-web/figs-web/internal/bench/table"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/testenv"
)

// Streams that are open at once, how many of them one person has, and changes that all of them are told of.
const (
	openStreams   = 5000
	streamsEach   = 8
	streamChanges = 40
	changesApart  = 100 * time.Millisecond
)

// measureStreams opens streams on one node and, for comparison, on a handler of a bare Echo; then it changes what the
// node's streams are about.
func (l *load) measureStreams(ctx context.Context) error {
	ours, err := l.openOurs(ctx)
	if err != nil {
		return err
	}
	theirs, err := l.openTheirs(ctx)
	if err != nil {
		return err
	}
	const kb = 1024
	l.table.Add(table.Row{What: "memory of an open event stream", Figure: ours.resident / kb, Format: "%.1f KB", Floor: 32, Aim: 24,
		Detail: fmt.Sprintf("resident growth of one node over %d streams; live heap %.1f KB; a bare Echo %.1f KB, live heap %.1f KB", openStreams, ours.heap/kb, theirs.resident/kb, theirs.heap/kb)})
	l.table.Add(table.Row{What: "an update reaches 5,000 streams, p99", Figure: quantile(ours.delays, 0.99), Format: "%.0f ms", Floor: 500, Aim: 100,
		Detail: fmt.Sprintf("from sending a push until a page is told; median %.0f ms, worst %.0f ms, of %d", median(ours.delays), quantile(ours.delays, 1), len(ours.delays))})
	return nil
}

// A held is what open streams cost, in bytes of each, and when they were told, in milliseconds.
type held struct {
	resident, heap float64
	delays         []float64
}

func (l *load) openOurs(ctx context.Context) (*held, error) {
	at, err := l.place(ctx, "sqlite")
	if err != nil {
		return nil, err
	}
	var w *world
	err = at.fill(ctx, func(s store.Store) (err error) {
		w, err = furnish(ctx, s, 1, openStreams/streamsEach)
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
	a := newAsker(0, 1)
	if err := a.push(ctx, n, ledger(w.workspaces[0], 0, 50, 10, 5)); err != nil {
		return nil, err
	}
	for range 20 { // what the first pages make once is there before anything is counted
		if _, err := a.page(ctx, n.address+"/w/team-0"); err != nil {
			return nil, err
		}
	}
	s := &listening{}
	h, err := s.open(ctx, n)
	if err != nil {
		return nil, err
	}
	defer s.close()
	for i := range streamChanges {
		s.told.Store(0)
		s.since.Store(time.Now().UnixNano())
		if err := a.push(ctx, n, body(w.workspaces[0], agentID(0, 0), 0, []string{run(1000 + i)}, nil)); err != nil {
			return nil, err
		}
		testenv.Poll(10*time.Second, func() bool { return s.told.Load() >= openStreams || ctx.Err() != nil })
		if n := s.told.Load(); n < openStreams {
			return nil, fmt.Errorf("%d of %d streams were told of a change within ten seconds", n, openStreams)
		}
		time.Sleep(changesApart)
	}
	s.close()
	for _, x := range s.streams {
		h.delays = append(h.delays, x.delays...)
	}
	return h, nil
}

func (l *load) openTheirs(ctx context.Context) (*held, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	n, err := start(ctx, self, peerName)
	if err != nil {
		return nil, err
	}
	defer n.stop()
	n.figures = n.address + "/metrics"
	s := &listening{}
	defer s.close()
	return s.open(ctx, n)
}

// listening is open streams, seen from outside.
type listening struct {
	streams []*stream
	since   atomic.Int64 // when the last change was sent, in nanoseconds
	told    atomic.Int64 // how many streams were told of it
	readers sync.WaitGroup
}

type stream struct {
	connection net.Conn
	delays     []float64
}

const heapNext = "go_memstats_next_gc_bytes" // about twice what lived when the heap was last collected

// open opens all of them and returns by how much the node has grown for each.
func (s *listening) open(ctx context.Context, n *node) (*held, error) {
	before, heapBefore, err := memory(ctx, n)
	if err != nil {
		return nil, err
	}
	address := strings.TrimPrefix(n.address, "http://")
	errs := make([]error, 16)
	s.streams = make([]*stream, openStreams)
	var openers sync.WaitGroup
	for o := range errs {
		openers.Go(func() {
			for i := o; i < openStreams && errs[o] == nil; i += len(errs) {
				s.streams[i], errs[o] = s.listen(address, i/streamsEach)
			}
		})
	}
	openers.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	after, heapAfter, err := memory(ctx, n)
	if err != nil {
		return nil, err
	}
	return &held{resident: (after - before) / openStreams, heap: (heapAfter - heapBefore) / openStreams}, nil
}

// memory is what a node holds once it has come to rest: resident, and what lived on its heap when that was collected.
func memory(ctx context.Context, n *node) (resident, heap float64, err error) {
	time.Sleep(3 * time.Second)
	next, err := n.figure(ctx, heapNext)
	if err != nil {
		return 0, 0, err
	}
	resident, err = n.resident()
	return resident, next[0] / 2, err
}

// listen opens one stream and reads what comes on it, in little memory.
func (s *listening) listen(address string, person int) (*stream, error) {
	connection, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	x := &stream{connection: connection}
	_, err = fmt.Fprintf(connection, "GET /w/team-0/events HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\n\r\n", address, cookieOf(address, person))
	if err != nil {
		return nil, err
	}
	lines := bufio.NewReaderSize(connection, 512)
	if status, err := lines.ReadString('\n'); err != nil || !strings.HasPrefix(status, "HTTP/1.1 200") {
		return nil, fmt.Errorf("a stream began with %q, %v", status, err)
	}
	s.readers.Go(func() {
		for {
			line, err := lines.ReadSlice('\n')
			if err != nil && err != bufio.ErrBufferFull { // a header may be longer
				return
			}
			if strings.HasPrefix(string(line), "data: ") {
				x.delays = append(x.delays, float64(time.Now().UnixNano()-s.since.Load())/1e6)
				s.told.Add(1)
			}
		}
	})
	return x, nil
}

func (s *listening) close() {
	for _, x := range s.streams {
		if x != nil {
			x.connection.Close()
		}
	}
	s.readers.Wait()
}
