package serve

import (
	"context"
	"log/slog"
	"net"

	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/metrics"
	"github.com/figs-web/figs-web/internal/store"
)

// WatchFlags are for those who watch a hosted reader.
type WatchFlags struct {
	MetricsAddr string `placeholder:"HOST:PORT" help:"Serve Prometheus metrics at /metrics on this address. Anyone who can reach it can read them. Default: off."`
	MinFree     string `placeholder:"SIZE" help:"Warn at /readyz and on the page /admin when the disk has less free space than this, as in 1GiB. 0 turns the warning off. Default: 200MiB."`
}

// LeastFree reads the flag.
func (f WatchFlags) LeastFree() (int64, error) {
	if f.MinFree == "" {
		return 200 << 20, nil
	}
	n, ok := parseBytes(f.MinFree)
	if !ok {
		return 0, cmd.Fail(cmd.Usage, cmd.Quote(f.MinFree)+" is not a size.", "Use a number and a unit, as in --min-free 1GiB.")
	}
	return n, nil
}

// counting is who is told what there is to count.
type counting struct {
	event func(handlers.Event)                         // a request that was answered
	tried func(store.DestinationKind, store.SendState) // a try to tell somebody; may be nil
	serve func(context.Context)                        // serves the figures until its context ends
}

// metrics begins to count, where a flag says so.
func (c ServeCommand) metrics(a *cmd.App, s *settings, data *cmd.Data, gauges *handlers.Gauges) (*counting, error) {
	if c.MetricsAddr == "" {
		return &counting{event: func(handlers.Event) {}, serve: func(context.Context) {}}, nil
	}
	l, err := listen(c.MetricsAddr, "figs-web serve --metrics-addr")
	if err != nil {
		return nil, err
	}
	m := metrics.New(metrics.Options{Source: data.Store, Now: a.Now, Version: a.Version, Gauges: gauges, Log: s.log})
	return &counting{m.Event, m.Notification, func(ctx context.Context) {
		defer l.Close()
		at := l.Addr().(*net.TCPAddr)
		s.log.Info("metrics are served", "address", "http://"+at.String()+"/metrics")
		if !at.IP.IsLoopback() {
			s.log.Warn("other machines can read the metrics: there is no sign-in and no TLS at that address", "address", at.String())
		}
		if err := handlers.ServeLogged(ctx, l, m.Handler(), slog.NewLogLogger(s.log.Handler(), slog.LevelWarn)); err != nil {
			s.log.Error("metrics are no longer served", "error", err)
		}
	}}, nil
}

// running is what the page of those who run the server says of this call.
func (c ServeCommand) running(a *cmd.App, s *settings, at *net.TCPAddr) handlers.Running {
	r := handlers.Running{Version: a.Version, Listens: at.String(), Metrics: c.MetricsAddr}
	switch {
	case c.TLSAuto != "":
		r.TLS = "auto"
	case s.tls != nil:
		r.TLS = "files"
	case s.public.Scheme == "https":
		r.TLS = "proxy"
	}
	for i := range a.Set {
		r.Settings = append(r.Settings, handlers.Setting{Name: a.Set[i].Name, Value: a.Set[i].Shown(), From: a.Set[i].Source.String()})
	}
	return r
}

// each tells several of a request.
func each(told ...func(handlers.Event)) func(handlers.Event) {
	return func(e handlers.Event) {
		for _, tell := range told {
			tell(e)
		}
	}
}
