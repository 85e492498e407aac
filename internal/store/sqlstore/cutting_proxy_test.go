//go:build unix

package sqlstore

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/store/sqlstore/sqldb"
	"github.com/figs-web/figs-web/internal/store/storetest"
)

// cutMode is what happens to the connection at the next commit.
type cutMode int

const (
	uncut       cutMode = iota
	cutBefore           // what was sent before the commit arrives, and the commit does not
	cutAnswer           // the commit arrives, and its answer does not
	cutLate             // the sender is cut off at once; the commit arrives a while later
	cutAllLate          // so does its fate, and what comes behind
	cutDropsAll         // neither its fate nor the commit arrives
)

// cuttingProxy is a proxy for PostgreSQL that cuts connections at commits.
type cuttingProxy struct {
	listener net.Listener
	socket   string
	mu       sync.Mutex
	next     cutMode
	made     int
	trips    atomic.Int64 // number of round trips
}

func startCuttingProxy(t *testing.T, p *storetest.Postgres) *cuttingProxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cuttingProxy{listener: l, socket: p.Socket()}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go c.serve(client)
		}
	}()
	return c
}

// connString returns the connection string for a database behind the proxy.
func (c *cuttingProxy) connString(connection string) string {
	database := connection[strings.Index(connection, "dbname=")+len("dbname="):]
	return fmt.Sprintf("host=127.0.0.1 port=%d user=figs sslmode=disable dbname=%s", c.listener.Addr().(*net.TCPAddr).Port, database)
}

// arm sets what happens at the next commit.
func (c *cuttingProxy) arm(next cutMode) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next = next
}

// nextCut returns what happens at a commit, or at its commit marker if the whole batch is meant.
func (c *cuttingProxy) nextCut(commit bool) cutMode {
	c.mu.Lock()
	defer c.mu.Unlock()
	if next := c.next; next != uncut && commit == (next != cutAllLate && next != cutDropsAll) {
		c.next = uncut
		c.made++
		return next
	}
	return uncut
}

func (c *cuttingProxy) serve(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("unix", c.socket)
	if err != nil {
		return
	}
	defer server.Close()
	if err := pass(server, client, 0); err != nil { // the first message has no type
		return
	}
	var muted atomic.Bool
	ready := make(chan struct{}, 1) // the server has answered while muted
	go func() {
		defer client.Close()
		for {
			kind, message, err := next(server, 1)
			if err != nil {
				close(ready)
				return
			}
			if !muted.Load() {
				client.Write(message)
			} else if kind == 'Z' {
				ready <- struct{}{}
			}
		}
	}()
	queries := map[string]string{} // by the name of the prepared statement
	for {
		kind, message, err := next(client, 1)
		if err != nil {
			return
		}
		if kind == 'S' {
			c.trips.Add(1)
		}
		var what cutMode
		switch fields := bytes.SplitN(message[5:], []byte{0}, 3); kind {
		case 'P':
			queries[string(fields[0])] = string(fields[1])
		case 'B':
			if query := queries[string(fields[1])]; query == "COMMIT" || query == sqldb.InsertCommitMarker {
				what = c.nextCut(query == "COMMIT")
			}
		}
		switch what {
		case uncut:
			if _, err := server.Write(message); err != nil {
				return
			}
			continue
		case cutBefore, cutDropsAll:
			return
		}
		muted.Store(true)
		rest := message
		for kind != 'S' { // until everything that was sent together is there
			if kind, message, err = next(client, 1); err != nil {
				return
			}
			rest = append(rest, message...)
		}
		if what != cutAnswer {
			client.Close()
			time.Sleep(300 * time.Millisecond) // so late the commit arrives
		}
		server.Write(rest)
		select {
		case <-ready:
		case <-time.After(10 * time.Second):
		}
		return
	}
}

// next reads one message; head is the length of its type.
func next(from io.Reader, head int) (kind byte, message []byte, err error) {
	message = make([]byte, head+4)
	if _, err := io.ReadFull(from, message); err != nil {
		return 0, nil, err
	}
	n := int(binary.BigEndian.Uint32(message[head:])) - 4
	message = append(message, make([]byte, n)...)
	_, err = io.ReadFull(from, message[head+4:])
	return message[0], message, err
}

func pass(to io.Writer, from io.Reader, head int) error {
	_, message, err := next(from, head)
	if err == nil {
		_, err = to.Write(message)
	}
	return err
}
