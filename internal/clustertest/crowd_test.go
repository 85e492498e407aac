//go:build unix

package clustertest

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/figs-web/figs-web/internal/client"
)

// crowd lets many agents push at once, with one connection for each request, of which each twentieth is cut in the middle.
func crowd(t *testing.T, w *world) {
	k := &work{T: t, world: w, stop: make(chan struct{}), answers: map[question]string{}}
	var cut atomic.Int64
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err != nil || rand.IntN(20) != 0 {
			return c, err
		}
		doomed := &doomedConn{Conn: c, cut: &cut}
		doomed.left.Store(rand.Int64N(2 << 10))
		return doomed, nil
	}}
	var wait sync.WaitGroup
	for i := range often(100, 1000) {
		a := k.agent(client.Generation(i % 2))
		wait.Go(func() {
			if err := a.Push(ctx, a.At(w.c.Balancer.Address, token, &http.Client{Transport: transport})); err != nil {
				t.Error(err)
				return
			}
			k.pushed.Add(1)
		})
	}
	wait.Wait()
	k.whole()
	t.Logf("%d requests were cut in the middle", cut.Load())
}

// doomedConn is a connection that is cut after so many bytes, whichever way they go.
type doomedConn struct {
	net.Conn
	left atomic.Int64
	cut  *atomic.Int64
	once sync.Once
}

var errCut = errors.New("the connection was cut")

func (c *doomedConn) Write(b []byte) (int, error) {
	most := c.left.Add(-int64(len(b))) + int64(len(b))
	if most >= int64(len(b)) {
		return c.Conn.Write(b)
	}
	n, _ := c.Conn.Write(b[:max(0, most)])
	c.end()
	return n, errCut
}

func (c *doomedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.left.Add(-int64(n)) < 0 {
		c.end()
		return 0, errCut
	}
	return n, err
}

func (c *doomedConn) end() {
	c.once.Do(func() { c.cut.Add(1) })
	c.Conn.Close()
}
