package handlers

import (
	"context"
	"encoding/csv"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

const (
	thousand     = 1000
	mostChart    = 150 << 10              // bytes of a page of the chart with a thousand agents
	slowestChart = 100 * time.Millisecond // to make it
)

// pushThousand pushes a thousand agents into a workspace; charter gives more members of agent.json, beginning with a comma.
func (w *town) pushThousand(x store.Workspace, prefix string, charter func(i int) string) {
	w.t.Helper()
	for i := range thousand {
		w.pushOne(x, prefix, i, charter(i))
	}
}

// pushOne pushes one of many agents. Each seventh has a question.
func (w *town) pushOne(x store.Workspace, prefix string, i int, charter string) {
	w.t.Helper()
	asks := ""
	if i%7 == 0 {
		asks = `{"id":"send","ts":"2026-11-20T10:00:00Z","type":"question","title":"Send it?","options":["Yes"],"status":"open"}`
	}
	job := func(id string, day int, rest string) string {
		return fmt.Sprintf(`{"id":%q,"ts":"2026-11-%02dT10:00:00Z","title":"October statements"%s}`, id, 1+day%20, rest)
	}
	runs := job("a", i, `,"status":"ok","result":"98% of 2,161 lines matched, the rest is listed"`) + "," + job("b", i+5, `,"status":"fail"`)
	if i%3 == 0 {
		runs += "," + job("c", i+9, `,"state":"in-flight"`)
	}
	body, err := figs.ReadPush(fmt.Appendf(nil, `{"workspaceId":%q,"agent":{"id":"%s-1111-4222-9333-%012d","role":"Matches statements","mandate":"Match every statement of every customer against the ledger."%s},"runs":[%s],"asks":[%s]}`,
		x.ID, prefix, i, charter, runs, asks))
	w.ok(err)
	_, err = w.s.Push(context.Background(), store.Push{Workspace: x.ID, Act: store.Act{At: hostedNow.UnixMicro()}, Body: body})
	w.ok(err)
}

func (w *town) page(address, who string) string {
	w.t.Helper()
	r := w.ask("GET", address, who, "")
	b, err := io.ReadAll(r.Body)
	w.ok(err)
	if r.StatusCode != 200 {
		w.t.Fatalf("%s = %d", address, r.StatusCode)
	}
	return string(b)
}

var (
	cardLink = regexp.MustCompile(`data-live="a:([^"]+)"`)
	nextLink = regexp.MustCompile(`rel="next" href="([^"]+)"`)
	prevLink = regexp.MustCompile(`rel="prev" href="([^"]+)"`)
)

// walk follows the pages of a list and returns the keys of its rows.
func (w *town) walk(address, who string, link *regexp.Regexp) (keys []string) {
	w.t.Helper()
	for range 100 {
		page := w.page(address, who)
		for _, m := range cardLink.FindAllStringSubmatch(page, -1) {
			keys = append(keys, m[1])
		}
		next := link.FindStringSubmatch(page)
		if next == nil {
			return keys
		}
		address = html.UnescapeString(next[1])
	}
	w.t.Fatalf("%s has no last page", address)
	return nil
}

// TestChartOfThousand holds the org chart to its size and time, and its pages to every agent exactly once.
func TestChartOfThousand(t *testing.T) {
	w := newTown(t)
	long := strings.Repeat("Department of long names / ", 20)
	kinds := []struct {
		name, prefix, who string
		workspace         store.Workspace
		most              int
		charter           func(i int) string
	}{
		{"40 departments", "00000001", "owner", w.acme, mostChart, func(i int) string {
			return fmt.Sprintf(`,"name":"Agent number %d","org":{"department":"Department %02d"}`, i, i%40)
		}},
		{"no department", "00000002", "foreign", w.other, mostChart, func(i int) string { return fmt.Sprintf(`,"name":"Agent number %d"`, i) }},
		{"equal long names, 500 nested departments", "00000003", "owner", store.Workspace{ID: store.NewID(), Slug: "long", Name: "Long"}, mostChart, func(i int) string {
			return fmt.Sprintf(`,"name":%q,"org":{"department":%q}`, strings.Repeat("n", 10_000), long[:20+i%480]+fmt.Sprint(i%500))
		}},
	}
	if testing.Short() {
		kinds = kinds[:1]
	}
	for _, kind := range kinds {
		if kind.workspace.Slug == "long" {
			w.ok(w.s.AddWorkspace(context.Background(), store.Act{At: 1}, kind.workspace, w.people["owner"].ID))
		}
		w.pushThousand(kind.workspace, kind.prefix, kind.charter)
		base := "/w/" + kind.workspace.Slug
		for _, query := range []string{"", "?as=table", "?as=map", "?sort=department", "?as=table&sort=-last", "?q=agent+-is%3Aneeds", "?as=map&q=is%3Aneeds"} {
			fastest, size := time.Hour, 0
			for range 5 {
				begun := time.Now()
				size = len(w.page(base+query, kind.who))
				fastest = min(fastest, time.Since(begun))
			}
			t.Logf("%s %q: %d bytes, %v", kind.name, query, size, fastest.Round(100*time.Microsecond))
			if size > kind.most || fastest > slowestChart {
				t.Errorf("%s %q: %d bytes, %v; want at most %d, %v", kind.name, query, size, fastest, kind.most, slowestChart)
			}
		}
		w.pushOne(kind.workspace, kind.prefix, 1, kind.charter(1)+`,"units":[{"id":"u","name":"A new charter"}]`)
		begun := time.Now()
		w.page(base, kind.who)
		t.Logf("%s, after a push: %v", kind.name, time.Since(begun).Round(100*time.Microsecond))
		for _, query := range []string{"", "?sort=department", "?as=table&sort=-name"} {
			seen := map[string]int{}
			for _, key := range w.walk(base+query, kind.who, nextLink) {
				seen[key]++
			}
			agents, err := w.s.ListAgents(context.Background(), kind.workspace.ID)
			w.ok(err)
			if len(seen) != len(agents) {
				t.Errorf("%s %q: the pages show %d agents of %d", kind.name, query, len(seen), len(agents))
			}
			for key, n := range seen {
				if n != 1 {
					t.Errorf("%s %q: %s is shown %d times", kind.name, query, key, n)
				}
			}
		}
	}
}

// TestChartQueries tries what a URL can ask of the chart.
func TestChartQueries(t *testing.T) {
	w := newTown(t)
	for i := range 60 {
		w.push(w.acme, fmt.Sprintf("00000009-1111-4222-9333-%012d", i), fmt.Sprintf("Clerk %02d", i))
	}
	first := w.walk("/w/acme", "viewer", nextLink)
	if len(first) != 61 {
		t.Fatalf("%d agents", len(first))
	}
	last := nextLink.FindStringSubmatch(w.page("/w/acme", "viewer"))
	second := w.page(html.UnescapeString(last[1]), "viewer")
	back := prevLink.FindStringSubmatch(second)
	if back == nil || len(cardLink.FindAllString(w.page(html.UnescapeString(back[1]), "viewer"), -1)) != 50 {
		t.Errorf("the page before the second: %v", back)
	}
	for query, want := range map[string]int{
		"?after=nonsense": 50, "?after=2..": 0, "?before=%ff%00": 50, "?sort=nonsense": 50, "?sort=%00&n=-4": 50, "?n=7": 7, "?n=9999999": 61,
		"?q=%22": 50, "?q=is%3A": 50, "?q=-": 0, "?q=clerk+07": 1, "?q=-name%3Aclerk": 1, "?q=is%3Aneeds": 50, "?q=is%3Afailed": 0, "?q=nobody": 0, "?q=needs%3A%3E0": 50,
		"?department=nonsense": 0, "?as=nonsense": 50, "?as=archived": 50, "?%zz": 50,
	} {
		if got := len(cardLink.FindAllString(w.page("/w/acme"+query, "viewer"), -1)); got != want {
			t.Errorf("%s: %d agents, want %d", query, got, want)
		}
	}
	r := w.ask("GET", "/w/acme?format=csv&q=name%3Aclerk", "viewer", "")
	rows, err := csv.NewReader(r.Body).ReadAll()
	if err != nil || len(rows) != 61 || rows[0][0] != "name" || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/csv") {
		t.Errorf("as CSV: %d rows, %v, %v", len(rows), r.Header, err)
	}
	if r := w.ask("GET", "/w/acme?format=csv", "foreign", ""); r.StatusCode != 404 {
		t.Errorf("as CSV for a stranger: %d", r.StatusCode)
	}
}
