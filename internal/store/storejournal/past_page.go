package storejournal

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/journal/selected"
	"github.com/figs-web/figs-web/internal/store"
	"github.com/figs-web/figs-web/wasm/bridge"
)

// pastPages are the pages of an agent that can show the past. All others show the present.
var pastPages = map[string]bool{"": true, "agent": true, "jobs": true, "asks": true, "messages": true, "files": true, "findings": true, "waits": true, "time": true, "step": true}

// parsePastPath splits the path of a page, "/agent/jobs/job?at=12.5.3", and reports whether the page may show the past.
func parsePastPath(path string) (segments []string, query string, ok bool) {
	page, query, _ := strings.Cut(path, "?")
	segments = strings.FieldsFunc(page, func(r rune) bool { return r == '/' })
	if len(segments) == 0 {
		return nil, "", false
	}
	section := ""
	if len(segments) > 1 {
		section = segments[1]
	}
	if section == "time" || section == "step" {
		return segments, query, len(segments) == 2
	}
	at := journal.ParseQuery(query).At
	_, ok = figs.New(figs.Options{}).ParsePoint(at)
	return segments, query, ok && pastPages[section]
}

// Page returns the journal for the page with that path, "/agent/jobs/job?at=12.5.3". If the path names a point in the past,
// or is one of the pages about an agent's history, the journal answers from the folder that the agent's export is, and only
// for this page; otherwise it is j. The error is a *journal.Missing if the agent is too large.
func (j *Journal) Page(ctx context.Context, path string) (journal.Journal, error) {
	segments, query, ok := parsePastPath(path)
	if !ok {
		return j, nil
	}
	a, err := j.agent(ctx, segments[0])
	if errors.Is(err, journal.ErrNotFound) {
		return j, nil // reports that it isn't found
	}
	if err != nil {
		return nil, err
	}
	if IsLong(a) {
		switch {
		case len(segments) > 1 && segments[1] == "time":
			return j, nil
		case len(segments) > 1 && segments[1] == "step":
			return nil, newStepError(a)
		}
		return nil, newPastError(a)
	}
	r := &pastFolder{present: j, agent: a, key: segments[0], addresses: map[string]string{}, stored: map[string]store.Message{}}
	past := false
	err = j.withLoadedAgent(ctx, a, func(w *LoadedAgent) error {
		path := w.path(segments, query)
		if len(segments) > 2 {
			r.number = strconv.Itoa(w.recordNumber(segments[1], segments[2]))
		}
		selection, ok := bridge.Decode(bytes.Clone(w.engine.Call(selected.Request(path))))
		if !ok {
			return journal.ErrNotFound
		}
		r.past = selected.New(selection, time.UnixMicro(j.now).UTC().Format(time.RFC3339))
		r.collect(w, selection)
		past = len(selection.Agents) == 1 && selection.Agents[0].Past
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !past && (len(segments) < 2 || segments[1] != "time" && segments[1] != "step") {
		return j, nil
	}
	return r, nil
}

// path returns the page's path in a folder, where agents and records have numbers.
func (w *LoadedAgent) path(segments []string, query string) string {
	out := "/1"
	for i, part := range segments[1:] {
		if i == 1 {
			part = strconv.Itoa(w.recordNumber(segments[1], part))
		}
		out += "/" + part
	}
	if query != "" {
		out += "?" + query
	}
	return out
}

// recordNumber returns the number of a record or file by its key, from 1; 0 if there is none.
func (w *LoadedAgent) recordNumber(section, key string) int {
	name, ok := journal.ParseSegment(key)
	if !ok {
		return 0
	}
	switch section {
	case "jobs":
		return w.Folder.Find(figs.Runs, name) + 1
	case "asks":
		return w.Folder.Find(figs.Asks, name) + 1
	case "files":
		for i, f := range w.Folder.Attachments() {
			if f.Name == name {
				return i + 1
			}
		}
	}
	return 0
}

// collect copies what the page needs to know of the folder, because others may use it afterwards: the addresses of the
// records in the selection, and the stored messages.
func (r *pastFolder) collect(w *LoadedAgent, s *bridge.Selection) {
	of := func(file figs.File, record int) {
		if file >= figs.Ledgers || record < 0 || record >= w.Folder.Records(file) {
			return
		}
		id := w.Folder.ID(file, record)
		r.addresses[sectionOf[file]+"/"+strconv.Itoa(record+1)] = recordAddress(file, id)
		if file == figs.Messages {
			r.stored[id] = w.messages[id]
		}
	}
	for _, l := range s.Lines {
		of(l.File, l.Record)
	}
	for _, f := range s.Files {
		of(f.Owner.File, f.Owner.Record)
	}
}

var sectionOf = [figs.Ledgers]string{figs.Runs: "jobs", figs.Asks: "asks", figs.Messages: "messages"}
