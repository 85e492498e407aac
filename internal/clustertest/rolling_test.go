//go:build unix

package clustertest

import (
	"maps"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/testenv"
)

// TestRollingUpdate replaces three nodes one by one while agents push, people decide and pages are read, as Kubernetes does
// with maxUnavailable 0: the next node is ready before one is told to stop, and requests go to nodes whose /readyz says
// so. No request fails, and everything that was acknowledged is there.
func TestRollingUpdate(t *testing.T) {
	const drain = "2s" // twenty times as long as the endpoints take to notice
	w, _ := newWorld(t, "--drain", drain)
	e := watch(t, w.c)
	k := w.begin(t, 2)
	k.wait.Go(k.visit)
	k.progress(3, 1)
	failed, answered, begun := w.c.Balancer.Failed(), w.c.Balancer.Answered(), time.Now()
	replaced := 0
	for range often(1, 10) {
		for i := range w.c.Nodes {
			next, old := w.c.Node(program(t), w.c.Front(), "--drain", drain), w.c.Nodes[i]
			if err := next.Start(); err != nil {
				t.Fatal(err)
			}
			e.add(next)
			w.c.Nodes[i] = next
			testenv.Eventually(t, Patience, "the new node to be ready", func() bool { return e.ready(next) })
			if err := old.Stop(); err != nil {
				t.Fatal(err)
			}
			e.remove(old)
			replaced++
		}
	}
	k.progress(3, 1)
	took := time.Since(begun)
	if n := w.c.Balancer.Failed() - failed; n != 0 {
		t.Errorf("%d requests failed while %d nodes were replaced; the nodes' logs end:\n%s", n, replaced, w.c.Logs(1500))
	}
	n := w.c.Balancer.Answered() - answered
	if n < 20*replaced {
		t.Errorf("%d requests in %s are no load", n, took)
	}
	k.whole() // everything acknowledged is there
	w.calmly(t)
	t.Logf("%d nodes replaced in %s: %d requests, 0 failed", replaced, took.Round(10*time.Millisecond), n)
}

// visit reads the inbox again and again.
func (k *work) visit() {
	person, err := SignIn(ctx, k.c.Balancer.Address, cem, password)
	if err != nil {
		k.Error(err)
		return
	}
	for !k.stopped() {
		if _, err := person.Get(ctx, k.c.Balancer.Address+"/w/"+slug+"/inbox"); err != nil {
			k.Error(err)
			return
		}
	}
}

// endpoints are the nodes that are ready, as a load balancer knows them from their /readyz.
type endpoints struct {
	http http.Client

	mutex sync.Mutex
	nodes map[*Node]*endpoint
}

type endpoint struct {
	address string // also after the node has ended
	ready   bool
}

// watch asks the nodes of a cluster ten times a second, and has its balancer send requests to those that are ready.
func watch(t *testing.T, c *Cluster) *endpoints {
	t.Helper()
	e := &endpoints{http: http.Client{Timeout: 4 * time.Second}, nodes: map[*Node]*endpoint{}}
	for _, n := range c.Nodes {
		e.add(n)
	}
	e.probe()
	route := e.addresses
	c.endpoints.Store(&route)
	c.Balancer.SetStrict()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(100 * time.Millisecond):
				e.probe()
			}
		}
	}()
	t.Cleanup(func() {
		close(stop)
		<-stopped
		e.http.CloseIdleConnections()
		c.endpoints.Store(nil)
	})
	return e
}

// probe asks every node, all at once.
func (e *endpoints) probe() {
	e.mutex.Lock()
	nodes := slices.Collect(maps.Keys(e.nodes))
	e.mutex.Unlock()
	var wait sync.WaitGroup
	for _, n := range nodes {
		wait.Go(func() {
			answer, err := e.http.Get(n.URL("/readyz"))
			if err == nil {
				answer.Body.Close()
			}
			e.mutex.Lock()
			defer e.mutex.Unlock()
			if at := e.nodes[n]; at != nil {
				at.ready = err == nil && answer.StatusCode == http.StatusOK
			}
		})
	}
	wait.Wait()
}

func (e *endpoints) addresses() (all []string) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for _, at := range e.nodes {
		if at.ready {
			all = append(all, at.address)
		}
	}
	return all
}

func (e *endpoints) ready(n *Node) bool {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	at := e.nodes[n]
	return at != nil && at.ready
}

func (e *endpoints) add(n *Node) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.nodes[n] = &endpoint{address: n.Address()}
}

func (e *endpoints) remove(n *Node) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	delete(e.nodes, n)
}
