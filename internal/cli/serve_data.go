package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/live"
	"github.com/figs-web/figs-web/internal/people"
	"github.com/figs-web/figs-web/internal/store"
)

// host serves a hosted reader until the program is told to stop, which is no failure.
func (c serveCommand) host(a *app) error {
	s, err := c.settings(a)
	if err != nil {
		return err
	}
	if err := checkFolder(c.Data, true); err != nil {
		return err
	}
	release, err := lockServer(c.Data)
	if err != nil {
		return err
	}
	defer release()
	data, err := a.openData(c.Data, true)
	if err != nil {
		return err
	}
	defer data.Close()
	l, err := listen(c.addr(), "figs-web serve --addr")
	if err != nil {
		return c.onPort443(err)
	}
	defer l.Close()
	at := l.Addr().(*net.TCPAddr)
	if err := s.choosePublic(at); err != nil {
		return err
	}
	return c.serveHosted(a, s, data, s.secure(l), at)
}

// onPort443 gives a failure to listen on a port of the web, or where certificates are issued, a hint of its own.
func (c serveCommand) onPort443(err error) error {
	var f *failure
	switch _, port, _ := net.SplitHostPort(c.addr()); {
	case !errors.As(err, &f) || c.TLSAuto == "" && port != "443" && port != "80":
	case f.kind == denied && c.TLSAuto == "":
		f.hint = "Ports below 1024 take a right. Give it to the service, as port443.conf does (docs/operations.md), or choose a higher port."
	case f.kind == denied:
		f.hint = "Certificates are issued over port 443, for which a program needs a right: give it to the service, as port443.conf does (docs/operations.md), or let port 443 lead to a higher one and name that, as in --addr 0.0.0.0:8443."
	case f.kind == addressInUse && c.TLSAuto != "":
		f.hint = "Certificates are issued over port 443. If another web server has it, let that one pass requests on (docs/reverse-proxy.md), without --tls-auto."
	}
	return err
}

// serveHosted is host once everything is open.
func (c serveCommand) serveHosted(a *app, s *settings, data *Data, l net.Listener, at *net.TCPAddr) error {
	serving := handlers.Serving{Stopping: a.ctx, Proxies: s.proxies, Notice: s.notice(), Temp: filepath.Join(c.Data, "tmp"), Writable: writable(c.Data), Free: freeIn(c.Data), MinFree: s.minFree}
	if err := empty(serving.Temp); err != nil {
		return dataFailure(err, c.Data)
	}
	if at.IP.IsLoopback() {
		serving.Listen = at.String()
	}
	var resting rest
	gauges := &handlers.Gauges{}
	count, err := c.metrics(a, s, data, gauges)
	if err != nil {
		return err
	}
	tracer, flush, err := traced(a, data)
	if err != nil {
		return err
	}
	defer flush()
	if err := c.provide(a.ctx, s.oidc, s.public, a.Now, s.log); err != nil {
		return err
	}
	changes := live.New(data.Store.Seq, time.Second)
	h, err := handlers.Host(handlers.Hosting{
		Config: handlers.Config{Inspector: carried{}, Log: each(resting.after(logEvents(s.log)), count.event), Gauges: gauges, Tracer: tracer}, Serving: serving,
		Store: data.Store, Blobs: data.Blobs, Public: s.public, Now: a.Now, MaxIngest: s.maxIngest, Guessed: logGuesses(s.log), Sessions: c.limits(), Running: c.running(a, s, at),
		OIDC: s.oidc, Header: s.header, Live: changes, Mail: s.mail, Telling: handlers.Telling{Off: s.command.NotifyOff, Near: len(s.guard.Allow) > 0},
	})
	if err != nil {
		return err
	}
	if err := a.announceHost(s, data.Store, at); err != nil {
		return err
	}
	s.warn(at)
	ctx, done := context.WithCancel(a.ctx)
	ended := s.tell(ctx, a, data.Store, changes, count.tried)
	defer func() {
		done()
		<-ended // what it has begun ends before the store is closed
	}()
	go sweep(ctx, data.Store, a.Now, s.log)
	if c.PurgeDeleted {
		go purgeDeleted(ctx, data, a.Now, s.log)
	}
	go resting.keep(ctx)
	go count.serve(ctx)
	if err := handlers.ServeLogged(a.ctx, l, h, slog.NewLogLogger(s.log.Handler(), slog.LevelWarn)); err != nil {
		return err
	}
	s.log.Info("stopped")
	if a.agent {
		return nil
	}
	_, err = fmt.Fprintln(a.Stdout, "Stopped.")
	return err
}

// announceHost prints the address, alone on the first line, and how to set the reader up while
// it has no people. Whoever starts it again gets a new link, and the old one is no good.
func (a *app) announceHost(s *settings, setups store.Setups, at *net.TCPAddr) error {
	setup := ""
	secret, err := people.OfferSetup(a.ctx, setups, a.Now().UnixMicro())
	switch {
	case err == nil:
		setup = s.public.String() + "/setup?" + url.Values{"key": {secret}}.Encode()
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	address, public := originAt(s.scheme(), at), s.public.String()
	if a.agent {
		if public == address {
			public = ""
		}
		return writeJSON(a.Stdout, struct {
			Address string `json:"address"`
			Public  string `json:"public,omitempty"`
			Setup   string `json:"setup,omitempty"`
		}{address, public, setup})
	}
	said := address + "\n"
	if public != address {
		said += "People and agents reach it at " + public + "\n"
	}
	if setup != "" {
		said += "Nobody is here yet. This link sets the reader up, once, within a day; a new start replaces it:\n" + a.paint.bold(setup) + "\n"
	}
	_, err = fmt.Fprint(a.Stdout, said+"^C stops it.\n")
	return err
}

// empty removes the bodies that a server before this one was reading when it ended.
func empty(dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Mkdir(dir, 0o700)
}

// writable returns a check whether the folder's disk takes bytes.
func writable(dir string) func(context.Context) error {
	return func(context.Context) error {
		file, err := os.CreateTemp(filepath.Join(dir, "tmp"), "probe-*")
		if err != nil {
			return err
		}
		defer os.Remove(file.Name())
		_, err = file.WriteString("ready?")
		return errors.Join(err, file.Close())
	}
}

// sweep forgets sessions and logins that have expired, now and every hour.
func sweep(ctx context.Context, s store.Sessions, now func() time.Time, log *slog.Logger) {
	hour := time.NewTicker(time.Hour)
	defer hour.Stop()
	for {
		if err := s.Sweep(ctx, now().UnixMicro()); err != nil && ctx.Err() == nil {
			log.Error("what has expired could not be swept", "error", err)
		}
		select {
		case <-hour.C:
		case <-ctx.Done():
			return
		}
	}
}
