//go:build unix

package clustertest

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Node is one server. It can be ended and started again; its address then is another.
type Node struct {
	Log *Log

	program string
	args    []string
	env     []string

	mutex   sync.Mutex
	address string // "127.0.0.1:4001"; "" when it does not serve
	run     *exec.Cmd
	serves  chan error    // nil when it serves, or why it does not
	ended   chan struct{} // closed when the process has ended, and err is set
	err     error
}

// NewNode is a node that is yet to be started. args follow "serve"; env is added to ours.
func NewNode(program string, args, env []string) *Node {
	return &Node{Log: &Log{}, program: program, args: args, env: env}
}

// Launch starts it and does not wait.
func (n *Node) Launch() error {
	run := exec.Command(n.program, append([]string{"serve", "--addr", "127.0.0.1:0", "--log", "json"}, n.args...)...)
	run.Env = append(os.Environ(), n.env...)
	run.Stderr = n.Log
	out, err := run.StdoutPipe()
	if err != nil {
		return err
	}
	if err := run.Start(); err != nil {
		return err
	}
	serves, ended := make(chan error, 1), make(chan struct{})
	n.mutex.Lock()
	n.run, n.serves, n.ended = run, serves, ended
	n.mutex.Unlock()
	go func() {
		n.listen(bufio.NewReader(out), serves)
		err := run.Wait()
		n.mutex.Lock()
		n.address, n.err = "", err
		n.mutex.Unlock()
		close(ended)
	}()
	return nil
}

// listen reads what it prints: its address first, "Press Ctrl+C to stop." when it serves.
func (n *Node) listen(lines *bufio.Reader, serves chan<- error) {
	address := ""
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			serves <- fmt.Errorf("the node ended before it served:\n%s", n.Log.Tail(2000))
			return
		}
		if address == "" {
			address = strings.TrimPrefix(strings.TrimSpace(line), "http://")
		}
		if strings.HasPrefix(line, "Press Ctrl+C") {
			break
		}
	}
	n.mutex.Lock()
	n.address = address
	n.mutex.Unlock()
	serves <- nil
	io.Copy(io.Discard, lines)
}

// Await waits until it serves.
func (n *Node) Await() error {
	n.mutex.Lock()
	serves := n.serves
	n.mutex.Unlock()
	select {
	case err := <-serves:
		return err
	case <-time.After(Patience):
		return fmt.Errorf("the node does not serve after %s:\n%s", Patience, n.Log.Tail(2000))
	}
}

// Start starts it and waits until it serves.
func (n *Node) Start() error {
	if err := n.Launch(); err != nil {
		return err
	}
	return n.Await()
}

// Address is where it listens, without the scheme; "" when it does not.
func (n *Node) Address() string {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	return n.address
}

// URL is a page's address at this node, past the balancer.
func (n *Node) URL(path string) string { return "http://" + n.Address() + path }

// Running reports whether its process is there.
func (n *Node) Running() bool {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.run == nil {
		return false
	}
	select {
	case <-n.ended:
		return false
	default:
		return true
	}
}

func (n *Node) signal(s syscall.Signal) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.run != nil {
		n.run.Process.Signal(s)
	}
}

// Kill ends it as a loss of power does.
func (n *Node) Kill() {
	if !n.Running() {
		return
	}
	n.signal(syscall.SIGKILL)
	<-n.ended
}

// Pause freezes it, until Wake.
func (n *Node) Pause() { n.signal(syscall.SIGSTOP) }

// Wake lets it go on.
func (n *Node) Wake() { n.signal(syscall.SIGCONT) }

// Stop ends it as an operator does, which must be clean.
func (n *Node) Stop() error {
	if !n.Running() {
		return nil
	}
	n.signal(syscall.SIGTERM)
	select {
	case <-n.ended:
	case <-time.After(Patience):
		n.Kill()
		return errors.New("the node did not stop when it was told to")
	}
	if n.err != nil {
		return fmt.Errorf("the node stopped with %w:\n%s", n.err, n.Log.Tail(2000))
	}
	return nil
}
