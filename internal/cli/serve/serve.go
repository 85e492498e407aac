// Package serve has the commands that run a server: serve, open, and config, which checks what serve would be told.
package serve

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/config"
	"github.com/figs-web/figs-web/internal/inspector"
)

type ServeCommand struct {
	Addr string `placeholder:"HOST:PORT" help:"Where to listen. Port 0 lets the system choose. Default: 127.0.0.1:8080, which only this machine can reach; with --tls-auto :443."`
	Data string `placeholder:"DIR" predictor:"file" help:"Run a server that keeps its data in this folder: agents push, a team reads. The folder is created if it doesn't exist. Without --data and --database, only the inspector is served."`
	cmd.WhereFlags
	PublicURL    string        `placeholder:"URL" help:"The URL that people and agents use to reach the server, if it is behind a proxy. Every link starts with it. Default: the address it listens on; http://localhost:PORT for 127.0.0.1."`
	InsecureHTTP bool          `help:"Allow a public URL without TLS that is not on this machine. Every page then shows a warning."`
	TLSCert      string        `placeholder:"FILE" predictor:"file" help:"Serve TLS with this certificate chain (PEM). The file is reloaded when it changes."`
	TLSKey       string        `placeholder:"FILE" predictor:"file" help:"The private key for --tls-cert (PEM)."`
	TLSAuto      string        `placeholder:"HOST" help:"Serve TLS with a Let's Encrypt certificate for HOST, issued and renewed automatically. Port 443 of HOST must reach this server."`
	MaxIngest    string        `placeholder:"SIZE" help:"The largest push that is accepted, as in 128MiB. Default: 64MiB."`
	TrustProxy   []string      `placeholder:"CIDR" help:"Trust a reverse proxy at this IP address to report visitors' addresses (X-Forwarded-For), as in 127.0.0.1 or 10.0.0.0/8."`
	Drain        time.Duration `placeholder:"DURATION" help:"When told to stop, keep serving for this long while /readyz answers 503, so that a load balancer can send visitors elsewhere, as in 10s. Default: 0s."`
	Log          string        `placeholder:"text|json" help:"The format of the log on stderr. Default: text. With --agent, the log follows the address on stdout as JSON Lines."`
	Config       string        `placeholder:"FILE" predictor:"file" help:"Read settings from this file, one \"name = value\" per line. figs-web config show --example prints an example. Default: the file that FIGS_WEB_CONFIG names."`

	SessionFlags
	MailFlags
	notifyFlags
	OIDCFlags
	headerFlags
	WatchFlags
	purgeFlags
}

// Help is what `serve --help` adds.
func (ServeCommand) Help() string {
	return `Without --data, serves the inspector to your browser. Folders that you drop on it are read in the browser and never sent, not even to this server.

With --data, runs a server that keeps its data in that folder. The first line of output is the URL. For a new folder, it also prints a link to set the server up, which works once, within a day.

With --database and --blobs, nothing is kept on this machine: several servers can share a PostgreSQL database and a bucket, behind a load balancer (docs/nodes.md).

Examples:

  figs-web serve
  figs-web serve --data figs-data
  figs-web serve --data figs-data --tls-auto figs.example.com
  figs-web serve --data figs-data --public-url https://figs.example.com \
    --trust-proxy 127.0.0.1
  figs-web serve --database postgres://figs@db.example.com/figs \
    --blobs 's3://figs?endpoint=https://s3.example.com' \
    --public-url https://figs.example.com --addr 0.0.0.0:8080

Press Ctrl+C to stop. Requests in progress are finished first.

Every flag can also be set in the environment, as FIGS_WEB_PUBLIC_URL, or in a file (--config). figs-web config check shows the settings and where they come from.
`
}

// carried is the inspector inside this program.
type carried struct{}

func (carried) File() ([]byte, error)   { return inspector.File() }
func (carried) Brotli() ([]byte, error) { return inspector.Brotli() }
func (carried) Policy() (string, error) { return inspector.Policy() }

// Run serves until it is told to stop, which is no failure.
func (c ServeCommand) Run(a *cmd.App) error {
	if c.Data != "" || c.WhereFlags.Set() {
		return c.host(a)
	}
	if err := c.inspectorOnly(a); err != nil {
		return err
	}
	l, err := listen(c.addr(), "figs-web serve --addr")
	if err != nil {
		return err
	}
	defer l.Close()
	events := &eventLog{app: a}
	h, err := handlers.New(handlers.Config{Inspector: carried{}, Log: events.request})
	if err != nil {
		return err
	}
	if err := Announce(a, l.Addr().(*net.TCPAddr)); err != nil {
		return err
	}
	if err := handlers.Serve(a.Ctx, l, h); err != nil {
		return err
	}
	return events.stopped()
}

// addr is where to listen.
func (c ServeCommand) addr() string {
	switch {
	case c.Addr != "":
		return c.Addr
	case c.TLSAuto != "":
		return ":443"
	}
	return "127.0.0.1:8080"
}

// inspectorOnly refuses what means nothing without a folder.
func (ServeCommand) inspectorOnly(a *cmd.App) error {
	for _, s := range a.Set {
		if s.Source.Kind == config.Default || slices.Contains([]string{"addr", "log"}, s.Name) {
			continue
		}
		name := "--" + s.Name
		if s.Source.Kind != config.Flag {
			name += " (" + s.Source.String() + ")"
		}
		return cmd.Fail(cmd.Usage, name+" needs --data.", "Use a data folder, as in figs-web serve --data figs-data, or --database and --blobs.")
	}
	return nil
}

// originAt is the address of a listener for a browser on this machine.
func originAt(scheme string, at *net.TCPAddr) string {
	if at.IP.IsUnspecified() {
		return scheme + "://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(at.Port))
	}
	return scheme + "://" + at.String()
}

// Announce prints where the inspector is to be found.
func Announce(a *cmd.App, at *net.TCPAddr) error {
	address := originAt("http", at)
	if a.PrintsJSON() {
		return cmd.WriteJSON(a.Stdout, struct {
			Address string `json:"address"`
		}{address})
	}
	if !at.IP.IsLoopback() {
		fmt.Fprintln(a.Stderr, "note: other machines can reach this address too. It serves only the inspector, no folder.")
	}
	if _, err := inspector.File(); err != nil {
		a.Note("this program was built without its inspector. Run make build.")
	}
	_, err := fmt.Fprintf(a.Stdout, "The inspector is at %s\nPress Ctrl+C to stop.\n", a.Paint.Bold(address))
	return err
}

// eventLog prints an object for each event in machine mode; people see failures only.
type eventLog struct {
	app   *cmd.App
	mutex sync.Mutex
}

func (l *eventLog) request(e handlers.Event) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if !l.app.PrintsJSON() {
		if e.Err != nil {
			fmt.Fprintf(l.app.Stderr, "%s %s: %s\n", e.Method, cmd.Clean(e.Path), cmd.Clean(e.Err.Error()))
		}
		return
	}
	said := ""
	if e.Err != nil {
		said = e.Err.Error()
	}
	// A reader of events that went away does not stop the server.
	_ = cmd.WriteJSON(l.app.Stdout, struct {
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
	if l.app.PrintsJSON() {
		return cmd.WriteJSON(l.app.Stdout, struct {
			Event string `json:"event"`
		}{"stopped"})
	}
	_, err := fmt.Fprintln(l.app.Stdout, "Stopped.")
	return err
}
