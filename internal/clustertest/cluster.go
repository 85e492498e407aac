//go:build unix

package clustertest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/figs-web/figs-web/internal/store/sqlstore"
)

// Cluster is a database and a bucket, and the nodes that serve them.
type Cluster struct {
	Postgres *Postgres
	Database string // its name
	Blobs    string // "s3://…", or a folder that all nodes share
	Relay    *Relay // between the nodes and the database
	Nodes    []*Node
	Balancer *Balancer
	Env      []string // of every node: the keys of the bucket

	endpoints atomic.Pointer[func() []string] // where the balancer sends requests, if not to all nodes
}

// NewCluster makes an empty database beside a bucket. Close ends what was started since.
func NewCluster(p *Postgres, blobs string, env []string) (*Cluster, error) {
	database, err := p.Database()
	if err != nil {
		return nil, err
	}
	relay, err := NewRelay("unix", p.Socket())
	if err != nil {
		return nil, err
	}
	return &Cluster{Postgres: p, Database: database, Blobs: blobs, Relay: relay, Env: env}, nil
}

// Password stands in the database's address, and nowhere else.
const Password = "the-password-of-the-database"

// URL is the database for programs, through the relay.
func (c *Cluster) URL() string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword("reader", Password), Host: c.Relay.Address, Path: "/" + c.Database, RawQuery: "sslmode=disable"}
	return u.String()
}

// Where are the flags that every command takes.
func (c *Cluster) Where() []string { return []string{"--database", c.URL(), "--blobs", c.Blobs} }

// Open opens the database past the relay, as one more program.
func (c *Cluster) Open(ctx context.Context) (*sqlstore.Store, error) {
	return sqlstore.OpenPostgres(ctx, fmt.Sprintf("host=%s user=reader dbname=%s application_name=test", c.Postgres.dir, c.Database), sqlstore.PostgresOptions{Connections: 4})
}

// Serve starts so many nodes together and a balancer before them, at an address or, for "", any. flags are more of
// serve's.
func (c *Cluster) Serve(program string, n int, address string, flags ...string) error {
	l, err := Listen(address)
	if err != nil {
		return err
	}
	c.Nodes = nil
	for range n {
		c.Nodes = append(c.Nodes, c.Node(program, l.Addr(), flags...))
	}
	c.Balancer = NewBalancer(l, c.addresses)
	if err := c.each((*Node).Start); err != nil {
		return errors.Join(err, c.EndServing())
	}
	return nil
}

// Node is one more, not started, for a balancer at that address.
func (c *Cluster) Node(program string, balancer net.Addr, flags ...string) *Node {
	args := append(c.Where(), "--trust-proxy", "127.0.0.1")
	if !slices.Contains(flags, "--public-url") {
		args = append(args, "--public-url", "http://"+balancer.String())
	}
	return NewNode(program, append(args, flags...), c.Env)
}

// Front is where the balancer listens.
func (c *Cluster) Front() net.Addr {
	u, err := url.Parse(c.Balancer.Address)
	if err != nil {
		panic(err) // it is ours
	}
	at, err := net.ResolveTCPAddr("tcp", u.Host)
	if err != nil {
		panic(err)
	}
	return at
}

// addresses are where the nodes listen.
func (c *Cluster) addresses() []string {
	if endpoints := c.endpoints.Load(); endpoints != nil {
		return (*endpoints)()
	}
	all := make([]string, len(c.Nodes))
	for i, n := range c.Nodes {
		all[i] = n.Address()
	}
	return all
}

// each does something with all nodes at once.
func (c *Cluster) each(do func(*Node) error) error {
	errs := make([]error, len(c.Nodes))
	var wait sync.WaitGroup
	for i, n := range c.Nodes {
		wait.Go(func() { errs[i] = do(n) })
	}
	wait.Wait()
	return errors.Join(errs...)
}

// EndServing ends the nodes as an operator does, which must be clean, and the balancer.
func (c *Cluster) EndServing() error {
	if c.Balancer == nil {
		return nil
	}
	err := errors.Join(c.each((*Node).Stop), c.Balancer.Close())
	c.Balancer = nil
	return err
}

// Logs are the ends of what the nodes wrote.
func (c *Cluster) Logs(most int) (text string) {
	for i, n := range c.Nodes {
		text += fmt.Sprintf("node %d:\n%s\n", i, n.Log.Tail(most))
	}
	return text
}

// Close ends all of it but the server of the database.
func (c *Cluster) Close() error { return errors.Join(c.EndServing(), c.Relay.Close()) }
