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

// pastPages are the pages of an agent that show it as it was. The others show what there is now.
var pastPages = map[string]bool{"": true, "agent": true, "jobs": true, "asks": true, "messages": true, "files": true, "findings": true, "waits": true, "time": true, "step": true}

// looksBack takes apart the path of a page, "/agent/jobs/job?at=12.5.3", that is to be answered from the agent as a folder.
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

// Page is the journal of the page with that path, "/agent/jobs/job?at=12.5.3", and of no other: at the point that it names, as
// the folder stood there that the agent's export is. Where it names none, or the end, it is j, but on the pages about all of
// an agent's life. The error is a *journal.Missing where the agent is too large.
func (j *Journal) Page(ctx context.Context, path string) (journal.Journal, error) {
	segments, query, ok := parsePastPath(path)
	if !ok {
		return j, nil
	}
	a, err := j.agent(ctx, segments[0])
	if errors.Is(err, journal.ErrNotFound) {
		return j, nil // which says so
	}
	if err != nil {
		return nil, err
	}
	r := &pastFolder{now: j, agent: a, key: segments[0], owners: map[string]string{}, said: map[string]store.Message{}}
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
		r.then = selected.New(selection, time.UnixMicro(j.now).UTC().Format(time.RFC3339))
		r.note(w, selection)
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

// path is the page's path in a folder, where agents and records are numbered.
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

// number finds the record or the file that a segment of an address names, from 1; 0: there is none.
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

// note keeps what must be known of the folder once others use it: the ids of the records that the selection names, and
// what the store knows of its replies.
func (r *pastFolder) note(w *LoadedAgent, s *bridge.Selection) {
	of := func(file figs.File, record int) {
		if file >= figs.Ledgers || record < 0 || record >= w.Folder.Records(file) {
			return
		}
		id := w.Folder.ID(file, record)
		r.owners[sectionOf[file]+"/"+strconv.Itoa(record+1)] = recordAddress(file, id)
		if file == figs.Messages {
			r.said[id] = w.messages[id]
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
