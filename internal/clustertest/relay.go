package clustertest

import (
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
)

// Relay passes connections on, and can do what networks do: cut them, refuse new ones, lose answers.
type Relay struct {
	Address string // "127.0.0.1:4000"

	listener    net.Listener
	network, to string
	refuses     atomic.Bool
	deaf        atomic.Int64 // of a million answers, how many are lost together with their connection
	lost        atomic.Int64

	mutex sync.Mutex
	open  map[net.Conn]bool
	ended bool
}

// NewRelay listens on a free port of loopback, for what listens at network and to (see net.Dial).
func NewRelay(network, to string) (*Relay, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &Relay{Address: l.Addr().String(), listener: l, network: network, to: to, open: map[net.Conn]bool{}}
	go r.accept()
	return r, nil
}

func (r *Relay) accept() {
	for {
		from, err := r.listener.Accept()
		if err != nil {
			return
		}
		if r.refuses.Load() {
			from.Close()
			continue
		}
		go r.pass(from)
	}
}

func (r *Relay) pass(from net.Conn) {
	to, err := net.Dial(r.network, r.to)
	if err != nil {
		from.Close()
		return
	}
	r.keep(from, to)
	go func() {
		copyAll(to, from, func() bool { return false })
		r.leave(from, to)
	}()
	copyAll(from, to, r.loses)
	r.leave(from, to)
}

// copyAll copies until one of the two ends, or loses says that what just came is lost.
func copyAll(to, from net.Conn, loses func() bool) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			if loses() {
				return
			}
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (r *Relay) loses() bool {
	if rand.Int64N(1_000_000) >= r.deaf.Load() {
		return false
	}
	r.lost.Add(1)
	return true
}

func (r *Relay) keep(all ...net.Conn) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, c := range all {
		if r.ended {
			c.Close()
		}
		r.open[c] = true
	}
}

func (r *Relay) leave(all ...net.Conn) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for _, c := range all {
		c.Close()
		delete(r.open, c)
	}
}

// Cut ends every connection that there is, and returns how many.
func (r *Relay) Cut() int {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for c := range r.open {
		c.Close()
	}
	return len(r.open) / 2
}

// Refuse ends new connections at once, or no longer.
func (r *Relay) Refuse(yes bool) { r.refuses.Store(yes) }

// LoseAnswers lets so many of a million answers get lost, each with its connection: what was asked has been done, and
// whoever asked does not know. It returns how many were lost so far.
func (r *Relay) LoseAnswers(ofMillion int) int {
	r.deaf.Store(int64(ofMillion))
	return int(r.lost.Load())
}

// Close ends it with everything that goes through it.
func (r *Relay) Close() error {
	r.mutex.Lock()
	r.ended = true
	r.mutex.Unlock()
	err := r.listener.Close()
	r.Cut()
	return err
}
