package metrics

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/store"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// source answers what a test says, and counts how often it is asked.
type source struct {
	figures store.Stats
	rules   map[string]int
	backup  int64
	err     error
	asked   int
}

func (s *source) Stats(context.Context, int64) (store.Stats, error) {
	s.asked++
	return s.figures, s.err
}
func (s *source) FindingsByRule(context.Context) (map[string]int, error) { return s.rules, s.err }
func (s *source) LastChange(context.Context) (int64, error)              { return 0, s.err }
func (s *source) Schema(context.Context) (int, error)                    { return 10, s.err }
func (s *source) TxStats() store.TxStats {
	return store.TxStats{Committed: 7, Failed: 1, Waits: 2, Waited: 3_500_000, Queries: 40}
}
func (s *source) Fact(context.Context, string) (string, int64, error) {
	if s.backup == 0 {
		return "", 0, store.ErrNotFound
	}
	return "{}", s.backup, s.err
}

// scraped is what Prometheus would read.
func scraped(t *testing.T, m *Metrics) map[string]*dto.MetricFamily {
	t.Helper()
	answer := httptest.NewRecorder()
	m.Handler().ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(answer.Body)
	if err != nil || answer.Code != 200 {
		t.Fatalf("/metrics = %d, %v", answer.Code, err)
	}
	return families
}

// value is one figure; labels are "name=value".
func value(families map[string]*dto.MetricFamily, name string, labels ...string) float64 {
	for _, m := range families[prefix+name].GetMetric() {
		var has []string
		for _, l := range m.GetLabel() {
			has = append(has, l.GetName()+"="+l.GetValue())
		}
		if fmt.Sprint(has) != fmt.Sprint(labels) && len(labels) > 0 {
			continue
		}
		switch {
		case m.Histogram != nil:
			return m.GetHistogram().GetSampleSum()
		case m.Counter != nil:
			return m.GetCounter().GetValue()
		}
		return m.GetGauge().GetValue()
	}
	return -1
}

func newMetrics(s *source, now *time.Time) *Metrics {
	return New(Options{Source: s, Now: func() time.Time { return *now }, Version: "v1", Gauges: &handlers.Gauges{}})
}

func TestScrape(t *testing.T) {
	now := noon
	s := &source{backup: noon.UnixMicro() - 60_000_000, rules: map[string]int{"run_status_unknown": 3, "of another time": 2, "<b>": 1}, figures: store.Stats{
		People: 3, Workspaces: 2, Agents: 4, PushedWithin: [4]int{1, 2, 0, 1}, Pending: 1, Undelivered: 2, OldestUndelivered: noon.UnixMicro() - 5_000_000, Blobs: 6, BlobBytes: 600, DatabaseBytes: 4096,
		Open: []store.OpenAskCount{{Slug: "acme", N: 2, Oldest: noon.UnixMicro() - 90_000_000}, {Slug: "idle"}},
	}}
	m := newMetrics(s, &now)
	post := func(route string, status int) handlers.Event {
		return handlers.Event{Method: "POST", Route: route, Status: status, Duration: 20 * time.Millisecond, Received: 100}
	}
	push := post("/api/ingest", 200)
	push.Push = "changed"
	decide := post("/w/:workspace/agents/:agent/asks/:ask/decide", 303)
	decide.Waited = 90 * time.Second
	for _, e := range []handlers.Event{push, post("/api/ingest", 413), post("/sign-in", 303), post("/sign-in", 401), post("/sign-in", 429), decide, {Method: "GET", Route: "", Status: 404}} {
		m.Event(e)
	}
	for _, state := range []store.SendState{store.SendSent, store.SendWaiting, store.SendWaiting, store.SendDead, store.SendDropped} {
		m.Notification(store.DestinationWebhook, state)
	}
	got := scraped(t, m)
	for _, want := range []struct {
		name   string
		labels []string
		value  float64
	}{
		{"http_requests_total", []string{"class=2xx", "method=POST", "route=/api/ingest"}, 1},
		{"http_requests_total", []string{"class=4xx", "method=GET", "route=none"}, 1},
		{"pushes_total", []string{"outcome=changed"}, 1}, {"pushes_total", []string{"outcome=refused"}, 1}, {"pushes_total", []string{"outcome=unchanged"}, 0},
		{"notifications_total", []string{"channel=webhook", "outcome=sent"}, 1}, {"notifications_total", []string{"channel=webhook", "outcome=failed"}, 2},
		{"notifications_total", []string{"channel=webhook", "outcome=dead"}, 1}, {"notifications_total", []string{"channel=email", "outcome=dead"}, 0},
		{"push_size_bytes", nil, 200}, {"time_to_answer_seconds", nil, 90},
		{"sign_ins_total", []string{"outcome=ok", "way=password"}, 1}, {"sign_ins_total", []string{"outcome=refused", "way=password"}, 1}, {"sign_ins_total", []string{"outcome=limited", "way=password"}, 1},
		{"limits_hit_total", []string{"route=/sign-in"}, 1},
		{"open_asks", []string{"workspace=acme"}, 2}, {"oldest_ask_age_seconds", []string{"workspace=acme"}, 90}, {"oldest_ask_age_seconds", []string{"workspace=idle"}, 0},
		{"findings", []string{"rule=run_status_unknown"}, 3}, {"findings", []string{"rule=other"}, 3},
		{"agents", []string{"seen=day"}, 2}, {"people", nil, 3}, {"workspaces", nil, 2}, {"decisions_pending", nil, 1},
		{"replies_undelivered", nil, 2}, {"oldest_undelivered_reply_age_seconds", nil, 5},
		{"last_backup_timestamp_seconds", nil, float64(noon.Unix() - 60)}, {"database_bytes", nil, 4096}, {"blobs", nil, 6}, {"blob_bytes", nil, 600}, {"schema_step", nil, 10},
		{"store_transactions_total", []string{"outcome=committed"}, 7}, {"store_waits_total", nil, 2}, {"store_wait_seconds_total", nil, 3.5}, {"store_queries_total", nil, 40},
		{"http_requests_in_flight", nil, 0}, {"event_streams", nil, 0}, {"build_info", nil, 1}, {"figures_failed_total", nil, 0},
	} {
		if is := value(got, want.name, want.labels...); is != want.value {
			t.Errorf("%s%v = %v, want %v", want.name, want.labels, is, want.value)
		}
	}
	for _, name := range []string{"go_goroutines", "process_open_fds"} {
		if got[name] == nil {
			t.Errorf("%s is not there", name)
		}
	}
}

// Names, units and helps are as Prometheus wants them.
func TestNames(t *testing.T) {
	now := noon
	m := newMetrics(&source{figures: store.Stats{Open: []store.OpenAskCount{{Slug: "acme"}}}, rules: map[string]int{"x": 1}}, &now)
	m.Event(handlers.Event{Method: "POST", Route: "/sign-in", Status: 429})
	families, err := m.Registry().Gather()
	if err != nil {
		t.Fatal(err)
	}
	problems, err := promlint.NewWithMetricFamilies(families).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// The store is asked once in 15 seconds, however many scrape; when it does not answer, old figures
// are not passed off as new.
func TestFresh(t *testing.T) {
	now := noon
	s := &source{}
	m := newMetrics(s, &now)
	for range 3 {
		scraped(t, m)
	}
	if s.asked != 1 {
		t.Errorf("three scrapes asked the store %d times, want once", s.asked)
	}
	now, s.err = now.Add(16*time.Second), errors.New("gone")
	if got := scraped(t, m); s.asked != 2 || got[prefix+"people"] != nil || value(got, "figures_failed_total") != 1 {
		t.Errorf("asked %d times, and people is %v while the store is gone", s.asked, got[prefix+"people"])
	}
	now = now.Add(-time.Hour) // a clock that is set back does not keep old figures
	if s.err = nil; value(scraped(t, m), "people") != 0 {
		t.Error("the store is back, and its figures are not")
	}
}

// Whoever sends what makes no more labels than there are routes, methods and classes.
func TestBounds(t *testing.T) {
	now := noon
	s := &source{}
	for i := range 1000 {
		s.figures.Open = append(s.figures.Open, store.OpenAskCount{Slug: fmt.Sprint("w", i), N: 1, Oldest: noon.UnixMicro() - int64(i)*1_000_000})
	}
	m := newMetrics(s, &now)
	for i := range 2000 {
		m.Event(handlers.Event{Method: fmt.Sprint("X", i), Route: fmt.Sprint("/made-up/", i), Status: i})
	}
	got := scraped(t, m)
	for name, most := range map[string]int{"http_requests_total": (mostRoutes + 1) * 6, "http_request_duration_seconds": mostRoutes + 1, "open_asks": mostWorkspaces + 1} {
		if n := len(got[prefix+name].GetMetric()); n > most {
			t.Errorf("%s has %d series, want at most %d", name, n, most)
		}
	}
	if n := value(got, "open_asks", "workspace=_other"); n != 800 {
		t.Errorf("the other workspaces have %v open asks, want 800", n)
	}
	if n := value(got, "oldest_ask_age_seconds", "workspace=_other"); n != 999 {
		t.Errorf("the oldest of theirs is %v old, want 999", n)
	}
	for _, family := range got {
		for _, series := range family.GetMetric() {
			for _, l := range series.GetLabel() {
				if l.GetName() == "method" && l.GetValue() != other {
					t.Errorf("the method %q is a label", l.GetValue())
				}
			}
		}
	}
}

// Nothing is answered beside the figures.
func TestHandler(t *testing.T) {
	now := noon
	m := newMetrics(&source{}, &now)
	for path, want := range map[string]int{"/metrics": 200, "/": 404, "/metrics/x": 404} {
		answer := httptest.NewRecorder()
		m.Handler().ServeHTTP(answer, httptest.NewRequest("GET", path, nil))
		if answer.Code != want {
			t.Errorf("%s = %d, want %d", path, answer.Code, want)
		}
	}
	answer := httptest.NewRecorder()
	m.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/metrics", strings.NewReader("x")))
	if answer.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST = %d, want it refused", answer.Code)
	}
}
