//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

// place is where nodes keep what they are sent.
type place struct {
	dir      string // figs.db, unless there is a database; and the attachments
	database string // of PostgreSQL; "": the folder's figs.db
}

// place makes an empty one.
func (l *load) place(ctx context.Context, engine string) (p place, err error) {
	if p.dir, err = l.folder(); err == nil && engine == "postgres" {
		p.database, err = l.database(ctx)
	}
	return p, err
}

// open opens its store beside the nodes, for what no route does.
func (p place) open(ctx context.Context) (*sqlstore.Store, error) {
	if p.database != "" {
		return sqlstore.OpenPostgres(ctx, p.database, sqlstore.PostgresOptions{})
	}
	return sqlstore.OpenSQLite(ctx, filepath.Join(p.dir, "figs.db"))
}

// fill opens the store, has f write to it, and closes it.
func (p place) fill(ctx context.Context, f func(s store.Store) error) error {
	s, err := p.open(ctx)
	if err != nil {
		return err
	}
	return errors.Join(f(s), s.Close())
}

// node is the program itself, serving.
type node struct {
	cmd     *exec.Cmd
	address string
	figures string // address of its own figures
	log     *troubles
}

// troubles keeps the first lines that a node logged as errors.
type troubles struct {
	mu    sync.Mutex
	part  []byte
	lines []string
	n     int
}

// Write implements io.Writer.
func (t *troubles) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.part = append(t.part, b...)
	for {
		line, rest, whole := bytes.Cut(t.part, []byte("\n"))
		if !whole {
			return len(b), nil
		}
		if t.part = rest; !bytes.Contains(line, []byte(`"level":"INFO"`)) && !bytes.Contains(line, []byte(`"level":"WARN"`)) {
			if t.n++; len(t.lines) < 20 {
				t.lines = append(t.lines, string(line))
			}
		}
	}
}

// said returns how many there were, and the first of them.
func (t *troubles) said() (n int, first string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.n, strings.Join(t.lines, "\n")
}

// node starts the program and waits until it says where it is.
func (l *load) node(ctx context.Context, at place) (*node, error) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	figures := free.Addr().String()
	free.Close()
	args := []string{"serve", "--addr", "127.0.0.1:0", "--log", "json", "--metrics-addr", figures, "--data", at.dir}
	if at.database != "" {
		args = append(args, "--database", at.database)
	}
	n, err := start(ctx, l.program, args...)
	if err != nil {
		return nil, err
	}
	n.figures = "http://" + figures + "/metrics"
	return n, nil
}

// start starts a program that prints its address first.
func start(ctx context.Context, program string, args ...string) (*node, error) {
	n := &node{cmd: exec.CommandContext(ctx, program, args...), log: &troubles{}}
	n.cmd.Cancel = func() error { return n.cmd.Process.Signal(syscall.SIGTERM) }
	n.cmd.WaitDelay = 15 * time.Second
	n.cmd.Stderr = n.log
	out, err := n.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := n.cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	if err != nil {
		n.stop()
		_, first := n.log.said()
		return nil, fmt.Errorf("%s printed no address: %w\n%s", filepath.Base(program), err, first)
	}
	n.address = strings.TrimSpace(line)
	go io.Copy(io.Discard, lines)
	return n, nil
}

// stop ends it and waits for its end.
func (n *node) stop() error {
	n.cmd.Process.Signal(syscall.SIGTERM)
	return n.cmd.Wait()
}

func stopAll(nodes ...*node) {
	for _, n := range nodes {
		if n != nil {
			n.stop()
		}
	}
}

// figure asks the node for figures of its own, by name.
func (n *node) figure(ctx context.Context, names ...string) ([]float64, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, n.figures, nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	values := make([]float64, len(names))
	for i, name := range names {
		_, rest, ok := strings.Cut("\n"+string(text), "\n"+name+" ")
		value, _, _ := strings.Cut(rest, "\n")
		if values[i], err = strconv.ParseFloat(value, 64); !ok || err != nil {
			return nil, fmt.Errorf("the node does not tell %s: %v", name, err)
		}
	}
	return values, nil
}

// ran is how long the process's threads have run, more exactly than processor tells.
func (n *node) ran() (total time.Duration, err error) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", n.cmd.Process.Pid))
	if err != nil || len(threads) == 0 {
		return 0, errors.Join(err, errors.New("the system does not tell how long threads have run"))
	}
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if err != nil {
			continue // it has ended
		}
		var ns int64
		if _, err := fmt.Sscan(string(text), &ns); err != nil {
			return 0, err
		}
		total += time.Duration(ns)
	}
	return total, nil
}

// resident is a process's memory in bytes, as Linux tells it.
func (n *node) resident() (float64, error) { return n.status("VmRSS") }

// status is a figure in bytes of those that Linux tells of a process.
func (n *node) status(name string) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", n.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		var kb float64
		if _, err := fmt.Sscanf(line, name+": %f kB", &kb); err == nil {
			return kb * 1024, nil
		}
	}
	return 0, errors.New("the system does not tell a process's memory")
}
