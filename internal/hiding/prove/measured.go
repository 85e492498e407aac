package main

import (
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/figs-web/figs-web/internal/hiding"
	"github.com/figs-web/figs-web/static"
)

// measurement is what static/js/measure/measure.js says of one document at one width.
type measurement struct {
	Texts      []struct{ Text, Sight, Why string }
	Unmeasured string // why nothing was measured
	MS         float64
}

// measurements are the verdicts that come from measuring, by document and engine. A document whose secret is no text of
// what the viewer shows has none.
type measurements struct {
	verdicts map[string]map[string]verdict
	alarms   map[string][]string // honest reports with a text that is called hidden, by engine
	refused  map[string][]string // honest reports that could not be measured, by engine
	slowest  map[string]float64  // milliseconds, by engine

	documents []hiding.Document // that were measured
}

// measureJobs measures each document at each width.
func measureJobs(documents []hiding.Document) []job {
	var jobs []job
	for _, d := range documents {
		for _, width := range hiding.Widths {
			jobs = append(jobs, job{Name: d.Name, Width: width, Measure: "/document/" + d.Name + "/secret"})
		}
	}
	return jobs
}

// measure lets the viewer's own script measure the collection in some browsers.
func measure(ctx context.Context, engines []string, only *regexp.Regexp) (*measurements, error) {
	if _, err := fs.Stat(static.Files, "js/measure/measure.js"); err != nil {
		return nil, fmt.Errorf("the viewer has no script that measures: %w", err)
	}
	documents := named(hiding.Of(hiding.Hides, hiding.LowContrast, hiding.Honest), only)
	found := &measurements{map[string]map[string]verdict{}, map[string][]string{}, map[string][]string{}, map[string]float64{}, documents}
	byName := map[string]hiding.Document{}
	for _, d := range documents {
		byName[d.Name] = d
	}
	server := serve(documents, measureJobs(documents))
	defer server.Close()
	for _, engine := range engines {
		err := draw(ctx, engine, server.URL, func(d drawing) {
			found.slowest[engine] = max(found.slowest[engine], d.Measured.MS)
			if !byName[d.Name].HasSecret() {
				said := fmt.Sprintf("%s at %d pixels", d.Name, d.Width)
				if why := d.Measured.alarm(); why != "" {
					found.alarms[engine] = append(found.alarms[engine], said+" ("+why+")")
				} else if d.Measured.Unmeasured != "" {
					found.refused[engine] = append(found.refused[engine], said+" ("+d.Measured.Unmeasured+")")
				}
				return
			}
			if v, ok := d.Measured.verdict(); ok {
				found.add(d.Name, engine, v)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// add notes the verdict for one more width: a text that is hidden at any width is hidden.
func (m *measurements) add(name, engine string, v verdict) {
	if m.verdicts[name] == nil {
		m.verdicts[name] = map[string]verdict{}
	}
	if before, ok := m.verdicts[name][engine]; ok {
		v = better(before, v)
	}
	m.verdicts[name][engine] = v
}

// verdict is what was measured of the secret, if it is a text of the document.
func (m measurement) verdict() (verdict, bool) {
	if m.Unmeasured != "" {
		return unjudged, true
	}
	best, there := seen, false
	for _, text := range m.Texts {
		if strings.Contains(text.Text, hiding.Secret) {
			best, there = better(best, measuredVerdict(text.Sight)), true
		}
	}
	return best, there
}

func measuredVerdict(sight string) verdict {
	switch sight {
	case "drawn":
		return seen
	case "folded", "inside":
		return listed
	case "unknown":
		return unjudged
	}
	return reported
}

// alarm is a text that is called hidden, or "". One that is cut off at the edge is called so, and quoted.
func (m measurement) alarm() string {
	for _, text := range m.Texts {
		if text.Sight != "partly" && measuredVerdict(text.Sight) == reported {
			return text.Sight + ": " + text.Text
		}
	}
	return ""
}

// of returns what every engine says of a document; one word where all agree.
func (m *measurements) of(name string) string {
	if m == nil || m.verdicts[name] == nil {
		return "-"
	}
	var list []string
	for _, engine := range hiding.Engines {
		if v, ok := m.verdicts[name][engine]; ok && (len(list) == 0 || list[0] != string(v)) {
			list = append(list, string(v))
		}
	}
	return strings.Join(list, "/")
}
