package main

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/figs-web/figs-web/internal/attack/corpus"
)

// port stands in the attacker's addresses. The browser is told to go elsewhere, so nothing listens on it.
const port = 8642

// firstName is looked up before anything else; nothing listens where it leads.
const (
	firstName = "first.attack.test"
	firstPort = "1"
)

// A trap is the attacker's server: one listener on loopback for each vector, so that a connection on which not one byte
// is sent still says which vector opened it. Number 0 takes every name that belongs to no vector.
type trap struct {
	listeners []net.Listener
	mu        sync.Mutex
	opened    map[int]int
}

func setTrap(vectors []corpus.Vector) (*trap, error) {
	t := &trap{opened: make(map[int]int), listeners: make([]net.Listener, len(vectors)+1)}
	for i := range t.listeners {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.close()
			return nil, err
		}
		t.listeners[i] = l
		number := 0
		if i > 0 {
			number = vectors[i-1].Number
		}
		go t.wait(l, number)
	}
	return t, nil
}

func (t *trap) wait(l net.Listener, number int) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		t.mu.Lock()
		t.opened[number]++
		t.mu.Unlock()
		go answer(c)
	}
}

// answer serves an empty page that any other may read, so that a payload which got this far goes on.
func answer(c net.Conn) {
	defer c.Close()
	c.SetDeadline(time.Now().Add(2 * time.Second))
	if _, err := bufio.NewReader(c).ReadString('\n'); err == nil {
		fmt.Fprint(c, "HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	}
}

// browsersOwn are the hosts that a Chromium calls by itself, whatever it shows; no vector names them.
var browsersOwn = []string{"*google.com", "*googleapis.com", "*gstatic.com", "*gvt1.com", "*gvt2.com"}

// rules is the value of --host-resolver-rules: our site goes to its server, every other name to a trap.
func (t *trap) rules(vectors []corpus.Vector, site string) string {
	rules := []string{"MAP " + siteName + " " + site, "MAP " + firstName + " 127.0.0.1:" + firstPort}
	for _, name := range browsersOwn {
		rules = append(rules, "MAP "+name+" ~NOTFOUND")
	}
	for i, v := range vectors {
		rules = append(rules, fmt.Sprintf("MAP *%s %s", v.Host(), t.listeners[i+1].Addr()))
	}
	return strings.Join(append(rules, "MAP * "+t.listeners[0].Addr().String()), ",")
}

// take returns the connections since the last call, by vector.
func (t *trap) take() map[int]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	taken := t.opened
	t.opened = make(map[int]int)
	return taken
}

func (t *trap) close() {
	for _, l := range t.listeners {
		if l != nil {
			l.Close()
		}
	}
}
