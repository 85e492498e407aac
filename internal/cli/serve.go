package cli

import (
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/inspector"
)

type serveCommand struct {
	Addr string `default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Where to listen; port 0 lets the system choose. Default: 127.0.0.1:8080, which only this machine can reach."`
}

// Help is what `serve --help` adds.
func (serveCommand) Help() string {
	return `Serves the inspector to your browser. Folders that you drop on it are read there and never sent, not even to this server.

Examples:

  figs-web serve
  figs-web serve --addr 127.0.0.1:9090
  figs-web serve --addr 127.0.0.1:0

^C stops it; requests that are under way are finished first.
`
}

// carried is the inspector inside this program.
type carried struct{}

func (carried) File() ([]byte, error)   { return inspector.File() }
func (carried) Brotli() ([]byte, error) { return inspector.Brotli() }
func (carried) Policy() (string, error) { return inspector.Policy() }

// Run serves until it is told to stop, which is no failure.
func (c serveCommand) Run(a *app) error {
	l, err := listen(c.Addr, "figs-web serve --addr")
	if err != nil {
		return err
	}
	defer l.Close()
	events := &eventLog{app: a}
	h, err := handlers.New(handlers.Config{Inspector: carried{}, Log: events.request})
	if err != nil {
		return err
	}
	if err := a.announce(l.Addr().(*net.TCPAddr)); err != nil {
		return err
	}
	if err := handlers.Serve(a.ctx, l, h); err != nil {
		return err
	}
	return events.stopped()
}

// announce prints where the server is to be found.
func (a *app) announce(at *net.TCPAddr) error {
	address := "http://" + at.String()
	if at.IP.IsUnspecified() {
		address = "http://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(at.Port))
	}
	if a.agent {
		return writeJSON(a.Stdout, struct {
			Address string `json:"address"`
		}{address})
	}
	if !at.IP.IsLoopback() {
		fmt.Fprintln(a.Stderr, "note: other machines can reach this address too; it serves only the inspector, no folder.")
	}
	if _, err := inspector.File(); err != nil {
		fmt.Fprintln(a.Stderr, "note: this program was built without its inspector; run make build.")
	}
	_, err := fmt.Fprintf(a.Stdout, "The inspector is at %s\n^C stops it.\n", a.paint.bold(address))
	return err
}

// eventLog prints an object for each event in machine mode; people see failures only.
type eventLog struct {
	app   *app
	mutex sync.Mutex
}

func (l *eventLog) request(e handlers.Event) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if !l.app.agent {
		if e.Err != nil {
			fmt.Fprintf(l.app.Stderr, "%s %s: %s\n", e.Method, clean(e.Path), clean(e.Err.Error()))
		}
		return
	}
	said := ""
	if e.Err != nil {
		said = e.Err.Error()
	}
	// A reader of events that went away does not stop the server.
	_ = writeJSON(l.app.Stdout, struct {
		Event  string  `json:"event"`
		Method string  `json:"method"`
		Path   string  `json:"path"`
		Status int     `json:"status"`
		Millis float64 `json:"ms"`
		Error  string  `json:"error,omitempty"`
	}{"request", e.Method, e.Path, e.Status, float64(e.Duration.Round(time.Microsecond)) / 1e6, said})
}

func (l *eventLog) stopped() error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.app.agent {
		return writeJSON(l.app.Stdout, struct {
			Event string `json:"event"`
		}{"stopped"})
	}
	_, err := fmt.Fprintln(l.app.Stdout, "Stopped.")
	return err
}
