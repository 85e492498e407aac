//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/static"
)

// What an agent writes is taken from the samples: the folders of three agents, written by the reference client. A bundle is
// all that the three wrote, under names of its own; a year is as many bundles as make the trail as long as the model's.
var samples = []string{"reconciliation", "payables", "onboarding"}

// yearly is how many rows an agent's trails grow by in a year: ten billion over a million agents.
const yearly = 10_000

// A step is one call of a figs client, or of a person: one line of a ledger.
type step struct {
	file figs.File
	id   string
	line string // as in the sample, under the bundle's names
}

// part is what one sample holds, in an order in which it may have happened.
type part struct {
	steps []step
	files map[string][]byte // attachments
	names []string          // whatever is named once in its ledgers: ids and attachments
}

// template is the bundle of which all are made.
type template struct {
	parts   []part
	perYear int // how many bundles an agent-year has
}

func readTemplate() (*template, error) {
	t := &template{}
	rows := 0
	for _, sample := range samples {
		folder, err := fs.Sub(static.Files, path.Join("samples", sample, ".figs"))
		if err != nil {
			return nil, err
		}
		p, ledgers := part{files: map[string][]byte{}}, [3][]step{}
		for file, name := range []string{figs.Runs: "runs.jsonl", figs.Asks: "asks.jsonl", figs.Messages: "messages.jsonl"} {
			text, err := fs.ReadFile(folder, name)
			if err != nil {
				return nil, err
			}
			for line := range strings.Lines(string(text)) {
				var x struct{ ID string }
				if line = strings.TrimSpace(line); line == "" {
					continue
				}
				if err := json.Unmarshal([]byte(line), &x); err != nil {
					return nil, err
				}
				ledgers[file] = append(ledgers[file], step{figs.File(file), x.ID, line})
				p.names = append(p.names, x.ID)
			}
		}
		p.add(ledgers)
		rows += len(ledgers[figs.Runs]) + len(ledgers[figs.Asks])
		files, err := fs.Glob(folder, "artifacts/*")
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			if p.files[path.Base(name)], err = fs.ReadFile(folder, name); err != nil {
				return nil, err
			}
			p.names = append(p.names, path.Base(name))
		}
		t.parts = append(t.parts, p)
	}
	t.perYear = (yearly + rows/2) / rows
	return t, nil
}

// add puts the jobs first, then each ask as it is raised, what people reply, and what becomes of it.
func (p *part) add(ledgers [3][]step) {
	p.steps = append(p.steps, ledgers[figs.Runs]...)
	raised := map[string]bool{}
	var later []step
	for _, s := range ledgers[figs.Asks] {
		if raised[s.id] {
			later = append(later, s)
		} else {
			raised[s.id] = true
			p.steps = append(p.steps, s)
		}
	}
	p.steps = append(append(p.steps, ledgers[figs.Messages]...), later...)
}

var timeText = regexp.MustCompile(`"ts":"[^"]*"`)

// make makes the n-th bundle of an agent's year: under names of its own, and at times that pass.
func (t *template) make(n int) (steps []step, files map[string][]byte) {
	files = map[string][]byte{}
	begun := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(n) * (365 * 24 * time.Hour / time.Duration(t.perYear)))
	for k, p := range t.parts {
		part := n*len(t.parts) + k
		var pairs []string
		for _, name := range p.names {
			pairs = append(pairs, `"`+name+`"`, `"`+named(name, part)+`"`)
		}
		rename := strings.NewReplacer(pairs...)
		for _, s := range p.steps {
			at := begun.Add(time.Duration(len(steps)) * 10 * time.Minute).Format(time.RFC3339)
			steps = append(steps, step{s.file, named(s.id, part), timeText.ReplaceAllString(rename.Replace(s.line), `"ts":"`+at+`"`)})
		}
		for name, content := range p.files {
			files[named(name, part)] = fmt.Appendf(bytes.Clone(content), "\n%d\n", part) // no two have the same bytes
		}
	}
	return steps, files
}

// named keeps the ending of a name: a file's says what it is.
func named(name string, n int) string {
	ext := path.Ext(name)
	return fmt.Sprintf("%s-%04d%s", strings.TrimSuffix(name, ext), n, ext)
}

// at is when a line says that it was written, in microseconds since 1970 UTC.
func at(line string) int64 {
	text := strings.TrimSuffix(strings.TrimPrefix(timeText.FindString(line), `"ts":"`), `"`)
	moment, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	}
	return moment.UnixMicro()
}
