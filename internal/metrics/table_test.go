package metrics

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	dto "github.com/prometheus/client_model/go"

	"github.com/figs-web/figs-web/handlers"
	"github.com/figs-web/figs-web/internal/store"
)

var update = flag.Bool("update", false, "write the table of docs/monitoring.md again")

// The table of the documents is that of the registry.
func TestTable(t *testing.T) {
	const file, begin, end = "../../docs/monitoring.md", "<!-- table: go test ./internal/metrics -run Table -update -->\n", "<!-- end of table -->\n"
	now := noon
	m := newMetrics(&source{figures: store.Stats{Open: []store.OpenAskCount{{Slug: "acme"}}}, rules: map[string]int{"run_status_unknown": 1}}, &now)
	m.Event(handlers.Event{Method: "POST", Route: "/sign-in", Status: 429}) // so that every label is there
	families, err := m.Registry().Gather()
	if err != nil {
		t.Fatal(err)
	}
	table := "| metric | kind | labels | what it is |\n|---|---|---|---|\n"
	for _, f := range families {
		if !strings.HasPrefix(f.GetName(), prefix) {
			continue
		}
		var labels []string
		for _, l := range f.GetMetric()[0].GetLabel() {
			labels = append(labels, "`"+l.GetName()+"`")
		}
		kind := map[dto.MetricType]string{dto.MetricType_COUNTER: "counter", dto.MetricType_GAUGE: "gauge", dto.MetricType_HISTOGRAM: "histogram"}[f.GetType()]
		table += fmt.Sprintf("| `%s` | %s | %s | %s |\n", f.GetName(), kind, strings.Join(labels, ", "), f.GetHelp())
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	was, tail, closed := strings.Cut(rest, end)
	switch {
	case !ok || !closed:
		t.Fatalf("%s has no place for the table", file)
	case was == table:
	case !*update:
		t.Fatalf("%s is not what the registry is; run go test ./internal/metrics -run Table -update. It should say\n%s", file, table)
	default:
		if err := os.WriteFile(file, []byte(head+begin+table+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
