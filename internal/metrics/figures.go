package metrics

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

const (
	freshFor       = 15 * time.Second // how long figures of the store are good for, however many ask
	figuresTake    = 10 * time.Second // how long they may take
	mostWorkspaces = 200              // with a label of their own
)

// figures ask the store when somebody scrapes.
type figures struct {
	Options
	descs map[string]*prometheus.Desc

	mu     sync.Mutex
	at     time.Time
	known  bool
	now    store.Stats
	rules  map[string]int
	schema int
	backup int64
	failed float64
}

// kept are the figures of the store by name: what they say, and their label.
var kept = []struct{ name, help, label string }{
	{"open_asks", "Asks that need a human, by workspace.", "workspace"},
	{"oldest_ask_age_seconds", "Age of the oldest ask that needs a human, by workspace; 0 if there is none.", "workspace"},
	{"findings", "Findings in the agents' last pushes, by rule.", "rule"},
	{"agents", "Agents by when they last pushed a change: hour, day, week, longer.", "seen"},
	{"people", "People who can sign in.", ""},
	{"workspaces", "Workspaces.", ""},
	{"decisions_pending", "Decisions that can still be undone.", ""},
	{"replies_undelivered", "Replies that their agent hasn't picked up.", ""},
	{"oldest_undelivered_reply_age_seconds", "Age of the oldest reply that its agent hasn't picked up; 0 if there is none.", ""},
	{"last_backup_timestamp_seconds", "Time of the last backup; 0 if there was none.", ""},
	{"database_bytes", "Size of the database.", ""},
	{"blobs", "Stored attachments, without duplicates.", ""},
	{"blob_bytes", "Total size of stored attachments.", ""},
	{"schema_step", "Version of the database schema.", ""},
	{"figures_failed_total", "Failed reads of store statistics.", ""},
	{"store_transactions_total", "Write transactions, by outcome: committed, failed.", "outcome"},
	{"store_waits_total", "Transactions that waited for a database connection.", ""},
	{"store_wait_seconds_total", "Total time that transactions waited for a database connection.", ""},
	{"store_queries_total", "Database queries that read, except those sent to PostgreSQL in a batch.", ""},
}

func newFigures(o Options) *figures {
	f := &figures{Options: o, descs: map[string]*prometheus.Desc{}}
	for _, k := range kept {
		var labels []string
		if k.label != "" {
			labels = []string{k.label}
		}
		f.descs[k.name] = prometheus.NewDesc(prefix+k.name, k.help, labels, nil)
	}
	return f
}

// Describe implements prometheus.Collector.
func (f *figures) Describe(out chan<- *prometheus.Desc) {
	for _, d := range f.descs {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (f *figures) Collect(out chan<- prometheus.Metric) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ask()
	gauge := func(name string, value float64, label ...string) {
		out <- prometheus.MustNewConstMetric(f.descs[name], prometheus.GaugeValue, value, label...)
	}
	counter := func(name string, value float64, label ...string) {
		out <- prometheus.MustNewConstMetric(f.descs[name], prometheus.CounterValue, value, label...)
	}
	done := f.Source.TxStats()
	counter("store_transactions_total", float64(done.Committed), "committed")
	counter("store_transactions_total", float64(done.Failed), "failed")
	counter("store_waits_total", float64(done.Waits))
	counter("store_wait_seconds_total", float64(done.Waited)/1e6)
	counter("store_queries_total", float64(done.Queries))
	counter("figures_failed_total", f.failed)
	if !f.known {
		return // no figure is better than an old one
	}
	now := f.Now()
	for _, o := range bounded(f.now.Open) {
		gauge("open_asks", float64(o.N), o.Slug)
		gauge("oldest_ask_age_seconds", age(now, o.Oldest), o.Slug)
	}
	for rule, n := range f.rules {
		gauge("findings", float64(n), rule)
	}
	for i, seen := range []string{"hour", "day", "week", "longer"} {
		gauge("agents", float64(f.now.PushedWithin[i]), seen)
	}
	for name, value := range map[string]int64{
		"people": int64(f.now.People), "workspaces": int64(f.now.Workspaces), "decisions_pending": int64(f.now.Pending), "replies_undelivered": int64(f.now.Undelivered),
		"database_bytes": f.now.DatabaseBytes, "blobs": f.now.Blobs, "blob_bytes": f.now.BlobBytes, "schema_step": int64(f.schema), "last_backup_timestamp_seconds": f.backup / 1e6,
	} {
		gauge(name, float64(value))
	}
	gauge("oldest_undelivered_reply_age_seconds", age(now, f.now.OldestUndelivered))
}

// ask brings the figures up to date, where they are not fresh.
func (f *figures) ask() {
	now := f.Now()
	if passed := now.Sub(f.at); !f.at.IsZero() && passed >= 0 && passed < freshFor {
		return
	}
	f.at = now
	ctx, cancel := context.WithTimeout(context.Background(), figuresTake)
	defer cancel()
	err := f.read(ctx, now.UnixMicro())
	if f.known = err == nil; err != nil {
		f.failed++
		if f.Log != nil {
			f.Log.Error("the metrics of the database could not be read", "error", err)
		}
	}
}

func (f *figures) read(ctx context.Context, at int64) (err error) {
	if f.now, err = f.Source.Stats(ctx, at); err != nil {
		return err
	}
	found, err := f.Source.FindingsByRule(ctx)
	if err != nil {
		return err
	}
	f.rules = byRule(found)
	if f.schema, err = f.Source.Schema(ctx); err != nil {
		return err
	}
	_, f.backup, err = f.Source.Fact(ctx, store.FactBackup)
	if err == store.ErrNotFound {
		f.backup, err = 0, nil
	}
	return err
}

// byRule counts by the rules that there are; a code of another time is "other".
func byRule(found map[string]int) map[string]int {
	all := map[string]int{}
	known := map[string]bool{}
	for code := range figs.Codes() {
		known[code.String()] = true
	}
	for code, n := range found {
		if !known[code] {
			code = other
		}
		all[code] += n
	}
	return all
}

// bounded gives the workspaces beyond the first 200 one label together.
func bounded(open []store.OpenAskCount) []store.OpenAskCount {
	if len(open) <= mostWorkspaces {
		return open
	}
	rest := store.OpenAskCount{Slug: "_" + other} // no workspace's address begins so
	for _, o := range open[mostWorkspaces:] {
		rest.N += o.N
		if o.Oldest != 0 && (rest.Oldest == 0 || o.Oldest < rest.Oldest) {
			rest.Oldest = o.Oldest
		}
	}
	return append(open[:mostWorkspaces:mostWorkspaces], rest)
}

// age is how many seconds have passed since a time; 0 for none.
func age(now time.Time, since int64) float64 {
	if since == 0 {
		return 0
	}
	return max(0, now.Sub(time.UnixMicro(since)).Seconds())
}
