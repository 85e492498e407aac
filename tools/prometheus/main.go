// Command prometheus parses the expressions of a Grafana dashboard and of alerts with Prometheus's own parser, and reports
// those that read a metric or a label that a server doesn't have.
//
//	go -C tools/prometheus run . METRICS ../../packaging/grafana/figs-web.json ../../packaging/prometheus/alerts.yaml
//
// METRICS is what /metrics of a server responds.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"go.yaml.in/yaml/v3"
)

// added are the labels that Prometheus adds to each metric.
var added = []string{"job", "instance", labels.MetricName}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: prometheus METRICS FILE...")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(metrics string, files []string) error {
	has, err := series(metrics)
	if err != nil {
		return err
	}
	var errs []error
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var document any
		if strings.HasSuffix(file, ".json") {
			err = json.Unmarshal(text, &document)
		} else {
			err = yaml.Unmarshal(text, &document)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		all := expressions(document)
		if len(all) == 0 {
			errs = append(errs, fmt.Errorf("%s has no expressions", file))
		}
		for _, e := range all {
			if err := check(e, has); err != nil {
				errs = append(errs, fmt.Errorf("%s: %s: %w", file, e, err))
			}
		}
		fmt.Printf("%s: %d expressions\n", file, len(all))
	}
	return errors.Join(errs...)
}

// series returns the labels of each series in a text of /metrics by its name.
func series(file string) (map[string][]string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p := expfmt.NewTextParser(model.LegacyValidation)
	families, err := p.TextToMetricFamilies(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	has := map[string][]string{"up": nil}
	for name, family := range families {
		names := []string{name}
		var own []string
		for _, l := range family.GetMetric()[0].GetLabel() {
			own = append(own, l.GetName())
		}
		if family.GetMetric()[0].Histogram != nil {
			names = []string{name + "_bucket", name + "_sum", name + "_count"}
			own = append(own, labels.BucketLabel)
		}
		for _, n := range names {
			has[n] = own
		}
	}
	return has, nil
}

// expressions returns all values named "expr" in a document.
func expressions(v any) (all []string) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			if text, is := value.(string); is && name == "expr" {
				all = append(all, text)
			} else {
				all = append(all, expressions(value)...)
			}
		}
	case []any:
		for _, value := range v {
			all = append(all, expressions(value)...)
		}
	}
	return all
}

// check parses an expression, and compares what it reads with what there is.
func check(text string, has map[string][]string) error {
	text = strings.NewReplacer("$__rate_interval", "5m", "$job", ".*").Replace(text) // Grafana's variables
	e, err := parser.NewParser(parser.Options{}).ParseExpr(text)
	if err != nil {
		return err
	}
	var errs []error
	var known []string
	parser.Inspect(e, func(node parser.Node, _ []parser.Node) error {
		s, is := node.(*parser.VectorSelector)
		if !is {
			return nil
		}
		own, there := has[s.Name]
		if !there {
			errs = append(errs, fmt.Errorf("no metric %s", s.Name))
		}
		known = append(known, own...)
		for _, m := range s.LabelMatchers {
			if !slices.Contains(added, m.Name) && !slices.Contains(own, m.Name) {
				errs = append(errs, fmt.Errorf("%s has no label %s", s.Name, m.Name))
			}
		}
		return nil
	})
	parser.Inspect(e, func(node parser.Node, _ []parser.Node) error {
		if a, is := node.(*parser.AggregateExpr); is {
			for _, l := range a.Grouping {
				if !slices.Contains(added, l) && !slices.Contains(known, l) {
					errs = append(errs, fmt.Errorf("no label %s", l))
				}
			}
		}
		return nil
	})
	return errors.Join(errs...)
}
