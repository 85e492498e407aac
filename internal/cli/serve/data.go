package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/figs-web/figs-web/components/words"
	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/changefeed"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/cli/datadir"
	"github.com/figs-web/figs-web/internal/clock"
	"github.com/figs-web/figs-web/internal/store"
)

// host serves a hosted reader until the program is told to stop, which is no failure.
func (c ServeCommand) host(a *cmd.App) error {
	s, err := c.settings(a)
	if err != nil {
		return err
	}
	w := s.where
	if w.Dir != "" {
		if err := datadir.CheckFolder(w.Dir, true); err != nil {
			return err
		}
	}
	temp, leave, err := enter(&w)
	if err != nil {
		return err
	}
	defer leave()
	data, err := datadir.OpenReader(a, w, true)
	if err != nil {
		return err
	}
	defer data.Close()
	if w.Postgres() {
		a.Now = clock.Of(a.Ctx, data.Store, a.Now, time.Minute, s.log).Now
	}
	l, err := listen(c.addr(), "figs-web serve --addr")
	if err != nil {
		return c.OnPort443(err)
	}
	defer l.Close()
	at := l.Addr().(*net.TCPAddr)
	if err := s.choosePublic(at); err != nil {
		return err
	}
	if s.ipv6 != nil {
		defer s.ipv6.Close()
	}
	s.where = w
	h := &hostedServer{settings: s, app: a, data: data, temp: temp, at: at}
	return h.serve(s.secure(l))
}

// enter takes what one server at a time may have: the lock beside a file of SQLite, and a folder for what is
// being read, which is tmp beside figs.db. Servers that share a database share neither; nor does a server whose
// database is elsewhere take tmp for its own, in which another may be reading.
func enter(w *cmd.Where) (temp *cmd.ScratchFolder, leave func(), err error) {
	release := func() error { return nil }
	if file := w.File(); file != "" {
		if release, err = datadir.LockServer(filepath.Dir(file)); err != nil {
			return nil, nil, err
		}
	}
	if w.Whole() {
		temp = &cmd.ScratchFolder{Name: filepath.Join(w.Dir, "tmp")}
		err = cmd.Empty(temp.Name)
	} else {
		temp, err = cmd.Scratch(w.TempDir())
	}
	if err != nil {
		release()
		return nil, nil, datadir.DataFailure(err, cmp.Or(w.Dir, os.TempDir()))
	}
	w.Temp = temp.Name
	return temp, func() { temp.Remove(); release() }, nil
}

// OnPort443 gives a failure to listen on a port of the web, or where certificates are issued, a hint of its own.
func (c ServeCommand) OnPort443(err error) error {
	var f *cmd.Failure
	switch _, port, _ := net.SplitHostPort(c.addr()); {
	case !errors.As(err, &f) || c.TLSAuto == "" && port != "443" && port != "80":
	case f.Kind == cmd.Denied && c.TLSAuto == "":
		f.Hint = "Ports below 1024 need a privilege. Grant it to the service, as port443.conf does (docs/operations.md), or choose a higher port."
	case f.Kind == cmd.Denied:
		f.Hint = "Certificates are issued over port 443, which needs a privilege. Grant it to the service, as port443.conf does (docs/operations.md), or forward port 443 to a higher port, as in --addr 0.0.0.0:8443."
	case f.Kind == cmd.AddressInUse && c.TLSAuto != "":
		f.Hint = "Certificates are issued over port 443. If another web server uses it, make that server a reverse proxy (docs/reverse-proxy.md) and leave out --tls-auto."
	}
	return err
}

// hostedServer is a hosted reader for which everything is open.
type hostedServer struct {
	*settings
	app  *cmd.App
	data *cmd.Data
	temp *cmd.ScratchFolder
	at   *net.TCPAddr // where it listens

	idle    cmd.IdleTimer
	counts  *counting
	changes *changefeed.Broker
}

// serve serves on a listener until the program is told to stop.
func (h *hostedServer) serve(l net.Listener) error {
	a := h.app
	gauges := &handlers.Gauges{}
	var err error
	if h.counts, err = h.command.metrics(a, h.settings, h.data, gauges); err != nil {
		return err
	}
	tracer, flush, err := traced(a, h.data)
	if err != nil {
		return err
	}
	defer flush()
	if err := h.command.provide(a.Ctx, h.oidc, h.public, a.Now, h.log); err != nil {
		return err
	}
	if err := h.vacateOrphans(); err != nil {
		return err
	}
	kept, secret, err := offerSetup(a, h.where, h.data.Store)
	if err != nil {
		return err
	}
	h.changes = changefeed.New(h.data.Store.Seq, time.Second)
	handler, err := handlers.Host(h.hosting(kept, gauges, tracer))
	if err != nil {
		return err
	}
	if err := announceHost(a, h.settings, secret, h.at); err != nil {
		return err
	}
	h.warn(h.at)
	stop := h.background(a.Ctx)
	defer stop()
	if err := serveBoth(h.command.Drained(a.Ctx, h.log), slog.NewLogLogger(h.log.Handler(), slog.LevelWarn), l, handler, h.ipv6, handler); err != nil {
		return err
	}
	h.log.Info("stopped")
	if a.PrintsJSON() {
		return nil
	}
	_, err = fmt.Fprintln(a.Stdout, "Stopped.")
	return err
}

// vacateOrphans takes out managers and builders who can't reply any more.
func (h *hostedServer) vacateOrphans() error {
	n, err := h.data.Store.ClearFormerMembers(h.app.Ctx, store.Act{At: h.app.Now().UnixMicro()})
	if err == nil && n > 0 {
		h.log.Warn("managers and builders who can't reply were removed; asks of their agents go to owners and admins", "people", n)
	}
	return err
}

// hosting is what the pages need.
func (h *hostedServer) hosting(s store.Store, gauges *handlers.Gauges, tracer handlers.Tracer) handlers.Hosting {
	return handlers.Hosting{
		Config: handlers.Config{
			Inspector: carried{},
			Log:       each(h.idle.After(logEvents(h.log)), h.counts.event),
			Gauges:    gauges,
			Tracer:    tracer,
		},
		Serving:   h.serving(),
		Store:     s,
		Blobs:     h.data.Blobs,
		Public:    h.public,
		Now:       h.app.Now,
		MaxIngest: h.maxIngest,
		Guessed:   logGuesses(h.log),
		Sessions:  h.command.limits(),
		Running:   h.command.running(h.app, h.settings, h.at),
		OIDC:      h.oidc,
		Header:    h.header,
		Live:      h.changes,
		Mail:      h.mail,
		Notifications: handlers.Telling{
			Off:   h.command.NotifyOff,
			Near:  len(h.guard.Allow) > 0,
			Dials: h.guard.Check,
		},
	}
}

// serving is what the server around the pages needs.
func (h *hostedServer) serving() handlers.Serving {
	s := handlers.Serving{
		Stopping: h.app.Ctx,
		Proxies:  h.proxies,
		Notice:   h.notice(),
		Temp:     h.temp.Name,
		Writable: h.temp.Writable,
		Reach:    h.data.Reach,
		Free:     cmd.FreeIn(h.temp.Name),
		MinFree:  h.minFree,
	}
	if h.at.IP.IsLoopback() {
		s.Listen = h.at.String()
	}
	return s
}

// background starts what the server does beside answering. stop ends all of it and waits, so that the
// store and the folder can be closed then.
func (h *hostedServer) background(ctx context.Context) (stop func()) {
	data, now, log := h.data, h.app.Now, h.log
	tasks := []func(context.Context){
		h.notifier(h.app, data.Store, h.changes, h.counts.tried),
		func(ctx context.Context) { listenTo(ctx, h.changes, data.Store, log) },
		func(ctx context.Context) { sweep(ctx, data.Store, now, log) },
		func(ctx context.Context) { data.KeepRemoving(ctx, log) },
		h.idle.Keep,
		h.temp.Keep,
		h.counts.serve,
		func(context.Context) { logTranslations(log, words.Problems()) },
	}
	if h.command.PurgeDeleted {
		tasks = append(tasks, func(ctx context.Context) { datadir.PurgeDeleted(ctx, data, now, log) })
	}
	ctx, end := context.WithCancel(ctx)
	var running sync.WaitGroup
	for _, task := range tasks {
		running.Go(func() { task(ctx) })
	}
	return func() {
		end()
		running.Wait()
	}
}

// Drained is a context that ends as long after ctx as the server goes on serving when it is told to stop.
func (c ServeCommand) Drained(ctx context.Context, log *slog.Logger) context.Context {
	if c.Drain == 0 {
		return ctx
	}
	later, end := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() {
		log.Info("stopping: not ready, still serving for a while", "for", c.Drain.String())
		time.AfterFunc(c.Drain, end)
	})
	return later
}

// announceHost prints the address, alone on the first line, and how to set the reader up while
// it has no people; secret is "" when it has.
func announceHost(a *cmd.App, s *settings, secret string, at *net.TCPAddr) error {
	setup, lasts := "", "a restart replaces it"
	if s.where.Postgres() {
		lasts = "every server on the database that starts today (UTC) prints the same link"
	}
	if secret != "" {
		setup = s.public.String() + "/setup?" + url.Values{"key": {secret}}.Encode()
	}
	address, public := originAt(s.scheme(), at), s.public.String()
	if s.localhost {
		address = public
	}
	if a.PrintsJSON() {
		if public == address {
			public = ""
		}
		return cmd.WriteJSON(a.Stdout, struct {
			Address string `json:"address"`
			Public  string `json:"public,omitempty"`
			Setup   string `json:"setup,omitempty"`
		}{address, public, setup})
	}
	said := address + "\n"
	if public != address {
		said += "Public URL: " + public + "\n"
	}
	if setup != "" {
		said += "No accounts yet. Set the server up with this link. It works once, within a day; " + lasts + ":\n" + a.Paint.Bold(setup) + "\n"
	}
	_, err := fmt.Fprint(a.Stdout, said+"Press Ctrl+C to stop.\n")
	return err
}

// listenTo tells pages of what other programs on the database change, until ctx ends. Where the database tells
// nobody, pages find it by asking.
func listenTo(ctx context.Context, changes *changefeed.Broker, to store.ChangeEvents, log *slog.Logger) {
	if err := changes.Listen(ctx, to.ListenChanges); err != nil && !errors.Is(err, store.ErrNoChangeEvents) && ctx.Err() == nil {
		log.Error("listening for changes by other servers failed; they are polled once a second", "error", err)
	}
}

// sweep forgets sessions and logins that have expired, now and every hour.
func sweep(ctx context.Context, s store.Sessions, now func() time.Time, log *slog.Logger) {
	hour := time.NewTicker(time.Hour)
	defer hour.Stop()
	for {
		if err := s.Sweep(ctx, now().UnixMicro()); err != nil && ctx.Err() == nil {
			log.Error("expired data could not be removed", "error", err)
		}
		select {
		case <-hour.C:
		case <-ctx.Done():
			return
		}
	}
}
