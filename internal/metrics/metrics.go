// Package metrics counts what a hosted reader does, in the words of Prometheus. Its labels are
// routes, roles and codes of ours and the addresses of workspaces, each bounded: nothing that an
// agent or a visitor wrote is ever one.
package metrics

import (
	"context"
	"log/slog"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/store"
)

// Source is what figures are asked of; store.Store is one.
type Source interface {
	store.StatsReader
	Schema(ctx context.Context) (int, error)
	Fact(ctx context.Context, name string) (value string, at int64, err error)
}

// Options are what metrics are made of.
type Options struct {
	Source  Source
	Now     func() time.Time
	Version string           // of the program
	Gauges  *handlers.Gauges // may be nil
	Log     *slog.Logger     // told of figures that could not be had; may be nil
}

// Metrics counts. Make it with New.
type Metrics struct {
	Options
	registry *prometheus.Registry

	requests  *prometheus.CounterVec
	durations *prometheus.HistogramVec
	pushes    *prometheus.CounterVec
	pushSizes prometheus.Histogram
	answers   prometheus.Histogram
	signIns   *prometheus.CounterVec
	limits    *prometheus.CounterVec
	notices   *prometheus.CounterVec

	mu     sync.Mutex
	routes map[string]bool
}

const prefix = "figs_web_"

// mostRoutes is how many routes have a label of their own. A server has fewer; should it ever
// have more, the others share one.
const mostRoutes = 300

// other is the label of all that have none of their own.
const other = "other"

// New returns counters that stand at nothing.
func New(o Options) *Metrics {
	m := &Metrics{Options: o, registry: prometheus.NewRegistry(), routes: map[string]bool{}}
	m.requests = prometheus.NewCounterVec(prometheus.CounterOpts{Name: prefix + "http_requests_total", Help: "HTTP requests, by route, method and status class."}, []string{"route", "method", "class"})
	m.durations = prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: prefix + "http_request_duration_seconds", Help: "Duration of HTTP requests, without event streams.", Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}}, []string{"route", "method"})
	m.pushes = prometheus.NewCounterVec(prometheus.CounterOpts{Name: prefix + "pushes_total", Help: "Pushes by agents, by outcome: changed, unchanged, refused."}, []string{"outcome"})
	m.pushSizes = prometheus.NewHistogram(prometheus.HistogramOpts{Name: prefix + "push_size_bytes", Help: "Size of push bodies.", Buckets: prometheus.ExponentialBuckets(1<<10, 8, 7)})
	m.answers = prometheus.NewHistogram(prometheus.HistogramOpts{Name: prefix + "time_to_answer_seconds", Help: "How long asks waited until a person decided them.", Buckets: []float64{60, 300, 900, 3600, 4 * 3600, 8 * 3600, 86400, 3 * 86400, 7 * 86400}})
	m.signIns = prometheus.NewCounterVec(prometheus.CounterOpts{Name: prefix + "sign_ins_total", Help: "Sign-in attempts, by method and outcome: ok, refused, limited."}, []string{"way", "outcome"})
	m.limits = prometheus.NewCounterVec(prometheus.CounterOpts{Name: prefix + "limits_hit_total", Help: "Requests rejected by a rate limit, by route."}, []string{"route"})
	m.notices = prometheus.NewCounterVec(prometheus.CounterOpts{Name: prefix + "notifications_total", Help: "Attempts to send notifications, by channel (email, push, ntfy, webhook, chat) and outcome: sent; failed, to be retried; dead, given up."}, []string{"channel", "outcome"})
	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: prefix + "build_info", Help: "1; its labels say what runs.", ConstLabels: prometheus.Labels{"version": o.Version, "go_version": runtime.Version()}})
	build.Set(1)
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		m.requests, m.durations, m.pushes, m.pushSizes, m.answers, m.signIns, m.limits, m.notices, build, newFigures(o))
	if o.Gauges != nil {
		m.gauge("http_requests_in_flight", "HTTP requests in progress.", o.Gauges.Requests)
		m.gauge("event_streams", "Open event streams.", o.Gauges.Streams)
	}
	for _, outcome := range []string{"changed", "unchanged", "refused"} {
		m.pushes.WithLabelValues(outcome) // there at 0, so that a rate has a beginning
	}
	for _, channel := range channels {
		for _, outcome := range outcomes {
			m.notices.WithLabelValues(string(channel), outcome) // likewise
		}
	}
	return m
}

func (m *Metrics) gauge(name, help string, of func() int64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: prefix + name, Help: help}, func() float64 { return float64(of()) }))
}

// Handler answers /metrics and nothing else.
func (m *Metrics) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 20 * time.Second}))
	return mux
}

// Registry is what is counted, for tests and documents.
func (m *Metrics) Registry() *prometheus.Registry { return m.registry }

// Event counts a request that was answered. It may be called from several goroutines.
func (m *Metrics) Event(e handlers.Event) {
	route, method := m.route(e.Route), methodOf(e.Method)
	m.requests.WithLabelValues(route, method, classOf(e.Status)).Inc()
	if route != "/w/:workspace/events" {
		m.durations.WithLabelValues(route, method).Observe(e.Duration.Seconds())
	}
	if e.Status == http.StatusTooManyRequests {
		m.limits.WithLabelValues(route).Inc()
	}
	if way := signInWays[e.Route]; way != "" && (e.Method == http.MethodPost || way == "oidc" && e.Method == http.MethodGet) {
		m.signIns.WithLabelValues(way, outcomeOf(e)).Inc()
	}
	if e.Waited > 0 {
		m.answers.Observe(e.Waited.Seconds())
	}
	m.push(e)
}

// push counts what an agent sent.
func (m *Metrics) push(e handlers.Event) {
	if e.Route != "/api/ingest" || e.Method != http.MethodPost {
		return
	}
	outcome := "refused"
	if e.Status < http.StatusBadRequest && (e.Push == "changed" || e.Push == "unchanged") {
		outcome = e.Push
	}
	m.pushes.WithLabelValues(outcome).Inc()
	if e.Received >= 0 {
		m.pushSizes.Observe(float64(e.Received))
	}
}

// channels are the ways on which people are told beyond the page.
var channels = []store.DestinationKind{store.DestinationEmail, store.DestinationPush, store.DestinationNtfy, store.DestinationWebhook, store.DestinationChat}

// outcomes are what becomes of a try, by the state in which it leaves the news.
var outcomes = map[store.SendState]string{store.SendSent: "sent", store.SendWaiting: "failed", store.SendDead: "dead"}

// Notification counts a try to tell somebody; see notify.Worker. It may be called from several goroutines.
func (m *Metrics) Notification(by store.DestinationKind, state store.SendState) {
	channel, outcome := other, outcomes[state]
	if slices.Contains(channels, by) {
		channel = string(by)
	}
	if outcome != "" {
		m.notices.WithLabelValues(channel, outcome).Inc()
	}
}

// signInWays are the ways that end at each route.
var signInWays = map[string]string{
	"/sign-in":                   "password",
	"/sign-in/passkey":           "passkey",
	"/sign-in/recovery":          "recovery",
	"/sign-in/provider/callback": "oidc",
	"/reset":                     "reset",
}

func outcomeOf(e handlers.Event) string {
	switch {
	case e.Status == http.StatusTooManyRequests:
		return "limited"
	case e.Status < http.StatusBadRequest:
		return "ok"
	}
	return "refused"
}

// route is the label of a route: that of the router, never an address.
func (m *Metrics) route(route string) string {
	if route == "" || route == "/*" {
		return "none"
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.routes[route] {
		if len(m.routes) >= mostRoutes {
			return other
		}
		m.routes[route] = true
	}
	return route
}

var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions}

func methodOf(method string) string {
	if slices.Contains(methods, method) {
		return method
	}
	return other
}

// classOf is "2xx" and so on.
func classOf(status int) string {
	if status < 100 || status > 599 {
		return other
	}
	return strconv.Itoa(status/100) + "xx"
}
