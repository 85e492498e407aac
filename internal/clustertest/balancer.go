package clustertest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"sync"
	"sync/atomic"
	"time"
)

// resting is how long a node is passed over that could not be reached, or did not answer.
const resting = 500 * time.Millisecond

// Balancer passes requests on to nodes in turn, without any session of its own: the next request of the same person goes
// to the next node. It passes over a node that cannot be reached, sends a request once and never again, and holds back
// nothing of a stream of events.
type Balancer struct {
	Address string // "http://127.0.0.1:4000"

	nodes     func() []string
	transport *http.Transport
	server    *http.Server
	ended     chan struct{}
	turn      atomic.Int64
	broken    atomic.Int64
	answered  atomic.Int64
	failed    atomic.Int64
	patience  atomic.Int64
	strict    atomic.Bool

	mutex sync.Mutex
	down  map[string]time.Time
}

// Listen reserves an address for a balancer; "" is any. NewBalancer serves it.
func Listen(address string) (net.Listener, error) {
	if address == "" {
		address = "127.0.0.1:0"
	}
	return net.Listen("tcp", address)
}

// NewBalancer serves a listener. nodes are where requests go, as "127.0.0.1:4001"; an empty one is passed over.
func NewBalancer(l net.Listener, nodes func() []string) *Balancer {
	b := &Balancer{Address: "http://" + l.Addr().String(), nodes: nodes, ended: make(chan struct{}), down: map[string]time.Time{}}
	b.SetPatience(20 * time.Second)
	b.transport = &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true, DialContext: (&net.Dialer{Timeout: 2 * time.Second}).DialContext}
	proxy := &httputil.ReverseProxy{
		FlushInterval: -1, Transport: b, ErrorLog: log.New(io.Discard, "", 0),
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.Host = "http", r.In.Host
			r.Out.Header["X-Forwarded-For"] = r.In.Header["X-Forwarded-For"]
			r.SetXForwarded()
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() == nil {
				b.broken.Add(1)
			}
			http.Error(w, "no node answered: "+err.Error(), http.StatusBadGateway)
		},
	}
	b.server = &http.Server{Handler: proxy, ErrorLog: log.New(io.Discard, "", 0)}
	go func() {
		defer close(b.ended)
		b.server.Serve(l)
	}()
	return b
}

// SetPatience says how long a node may take to begin its answer, 20 seconds at first.
func (b *Balancer) SetPatience(d time.Duration) { b.patience.Store(int64(d)) }

// SetStrict says that a request to a node that can't be reached fails, as behind a Service of Kubernetes.
func (b *Balancer) SetStrict() { b.strict.Store(true) }

// Broken is how many requests ended without a node's answer so far.
func (b *Balancer) Broken() int { return int(b.broken.Load()) }

// Answered is how many requests a node answered so far.
func (b *Balancer) Answered() int { return int(b.answered.Load()) }

// Failed is how many requests so far ended without a complete answer, or with a status of 500 and above.
func (b *Balancer) Failed() int { return b.Broken() + int(b.failed.Load()) }

// answer counts an answer, and fails the request if its body is cut.
type answer struct {
	io.ReadCloser
	ctx    context.Context // of the client's request
	failed *atomic.Int64
}

func (a *answer) Read(p []byte) (int, error) {
	n, err := a.ReadCloser.Read(p)
	if err != nil && err != io.EOF && a.ctx.Err() == nil {
		a.failed.Add(1)
	}
	return n, err
}

// RoundTrip sends a request to the first node, from the one whose turn it is, that can be reached.
func (b *Balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	body := r.Body
	err := errors.New("there are no nodes")
	for _, node := range b.order() {
		ctx, cancel := context.WithCancelCause(r.Context()) // which ends with the request
		late := time.AfterFunc(time.Duration(b.patience.Load()), func() { cancel(errLate) })
		out := r.Clone(ctx)
		out.URL.Host = node
		if body != nil {
			out.Body = io.NopCloser(body) // it is read only once a node was reached
		}
		var response *http.Response
		response, err = b.transport.RoundTrip(out)
		late.Stop()
		if err == nil {
			return b.count(r.Context(), response), nil
		}
		slow := context.Cause(ctx) == errLate
		if slow || unreached(err) {
			b.mutex.Lock()
			b.down[node] = time.Now()
			b.mutex.Unlock()
		}
		if slow || !unreached(err) || b.strict.Load() {
			return nil, err
		}
	}
	return nil, err
}

// count counts a response that has begun.
func (b *Balancer) count(client context.Context, r *http.Response) *http.Response {
	b.answered.Add(1)
	if r.StatusCode >= http.StatusInternalServerError {
		b.failed.Add(1)
	}
	r.Body = &answer{r.Body, client, &b.failed}
	return r
}

var errLate = errors.New("the node took too long to answer")

func unreached(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// order is the nodes in turn, those that rest last.
func (b *Balancer) order() []string {
	all := b.nodes()
	first := int(b.turn.Add(1))
	b.mutex.Lock()
	defer b.mutex.Unlock()
	var up, down []string
	for i := range all {
		switch node := all[(first+i)%len(all)]; {
		case node == "":
		case time.Since(b.down[node]) < resting:
			down = append(down, node)
		default:
			up = append(up, node)
		}
	}
	return append(up, down...)
}

// Close ends it; what is open is cut.
func (b *Balancer) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	b.server.Shutdown(ctx)
	err := b.server.Close()
	<-b.ended
	b.transport.CloseIdleConnections()
	if err != nil {
		return fmt.Errorf("ending the balancer: %w", err)
	}
	return nil
}
