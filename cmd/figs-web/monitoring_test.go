//go:build unix

package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v3"

	"github.com/figs-web/figs-web/internal/demo"
)

// TestMonitoring compares the dashboard and the alerts with the metrics of a server to which everything has happened that a
// label tells of. Prometheus's own parser and promtool check the rest: make monitoring.
func TestMonitoring(t *testing.T) {
	has := metricsInUse(t)
	shown := map[string]bool{}
	for _, file := range []string{"../../packaging/grafana/figs-web.json", "../../packaging/prometheus/alerts.yaml"} {
		queries := queriesIn(t, file)
		if len(queries) == 0 {
			t.Errorf("%s has no expressions", file)
		}
		for _, q := range queries {
			for _, problem := range q.problems(has) {
				t.Errorf("%s: %s: %s", file, q.expr, problem)
			}
			for _, name := range q.metrics() {
				shown[name] = true
			}
		}
	}
	for name := range has {
		base := regexp.MustCompile("_(bucket|sum|count)$").ReplaceAllString(name, "")
		if strings.HasPrefix(name, "figs_web_") && !shown[name] && !shown[base+"_bucket"] {
			t.Errorf("%s is on no dashboard and in no alert", name)
		}
	}
	wrong := query{expr: `sum by (nobody) (rate(figs_web_pushes_total{outcom="x"}[5m])) + figs_web_pushed_total`, texts: []string{"{{channel}}"}}
	if got := wrong.problems(has); len(got) != 4 {
		t.Errorf("of four mistakes these are found: %q", got)
	}
}

// metricsInUse returns the labels of each metric of a real server.
func metricsInUse(t *testing.T) map[string][]string {
	t.Helper()
	dir := t.TempDir() + "/data"
	workspace := furnish(t, dir)
	p := serveFolder(t, dir, "--metrics-addr", "127.0.0.1:0")
	for _, name := range []string{"reconciliation", "payables"} { // which has findings
		folder, err := demo.Folder(name, workspace.ID)
		if err == nil {
			_, err = clientOf(p).Push(context.Background(), folder, workspace.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 30 { // until the limit is hit
		answer, err := http.PostForm(p.address+"/sign-in", url.Values{"email": {"ana@example.org"}, "password": {"a wrong password"}})
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode == http.StatusTooManyRequests {
			break
		}
	}
	at := regexp.MustCompile(`http://[0-9.:]+/metrics`).FindString(p.log.String())
	answer, err := (&http.Client{Timeout: 20 * time.Second}).Get(at)
	if err != nil {
		t.Fatalf("%v\n%s", err, p.log)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	p.end(t)
	if file := os.Getenv("FIGS_METRICS"); file != "" { // for the tools
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	has := map[string][]string{}
	for name, f := range families {
		var labels []string
		for _, l := range f.GetMetric()[0].GetLabel() {
			labels = append(labels, l.GetName())
		}
		if f.GetMetric()[0].Histogram == nil {
			has[name] = labels
			continue
		}
		for _, part := range []string{"_bucket", "_sum", "_count"} {
			has[name+part] = append(slices.Clone(labels), "le")
		}
	}
	return has
}

// query is an expression, and the texts that name its labels.
type query struct {
	expr  string
	texts []string
}

var (
	metricName = regexp.MustCompile(`\b(?:figs_web|go|process)_\w+`)
	selector   = regexp.MustCompile(`\b((?:figs_web|go|process)_\w+)\{([^}]*)\}`)
	matcher    = regexp.MustCompile(`(\w+)\s*(?:=~|!~|!=|=)\s*"`)
	grouping   = regexp.MustCompile(`\bby\s*\(([^)]*)\)`)
	labelNamed = regexp.MustCompile(`\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}`)
)

func (q query) metrics() []string {
	return metricName.FindAllString(grouping.ReplaceAllString(q.expr, ""), -1)
}

// problems are the metrics and labels that a query uses and a server doesn't have.
func (q query) problems(has map[string][]string) (found []string) {
	known := []string{"job", "instance"} // Prometheus adds them
	for _, name := range q.metrics() {
		labels, there := has[name]
		if !there {
			found = append(found, "no metric "+name)
		}
		known = append(known, labels...)
	}
	for _, s := range selector.FindAllStringSubmatch(q.expr, -1) {
		for _, m := range matcher.FindAllStringSubmatch(s[2], -1) {
			if m[1] != "job" && !slices.Contains(has[s[1]], m[1]) {
				found = append(found, s[1]+" has no label "+m[1])
			}
		}
	}
	var named []string
	for _, g := range grouping.FindAllStringSubmatch(q.expr, -1) {
		named = append(named, strings.FieldsFunc(g[1], func(r rune) bool { return r == ',' || r == ' ' })...)
	}
	for _, text := range q.texts {
		for _, m := range labelNamed.FindAllStringSubmatch(text, -1) {
			named = append(named, m[1])
		}
	}
	for _, label := range named {
		if !slices.Contains(known, label) {
			found = append(found, "no label "+label)
		}
	}
	return found
}

// queriesIn returns the queries of a dashboard or of a file of alerts.
func queriesIn(t *testing.T, file string) (all []query) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if expr, is := v["expr"].(string); is {
				q := query{expr: expr}
				if legend, is := v["legendFormat"].(string); is {
					q.texts = append(q.texts, legend)
				}
				if notes, is := v["annotations"].(map[string]any); is {
					for _, note := range notes {
						q.texts = append(q.texts, note.(string))
					}
				}
				all = append(all, q)
			}
			for _, value := range v {
				walk(value)
			}
		case []any:
			for _, value := range v {
				walk(value)
			}
		}
	}
	var v any
	switch {
	case strings.HasSuffix(file, ".json"):
		err = json.Unmarshal(text, &v)
	default:
		err = yaml.Unmarshal(text, &v)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	walk(v)
	return all
}
