package storejournal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// trail converts a record's versions; folded is the result of shortenTrail.
func (j *Journal) trail(ctx context.Context, r *store.Record, folded int) ([]journal.TrailEntry, error) {
	files, err := j.filesOf(ctx, r)
	if err != nil {
		return nil, err
	}
	var pushers []string
	for i := range r.Trail {
		pushers = append(pushers, r.Trail[i].PushedBy)
	}
	who, err := j.userNames(ctx, pushers...)
	if err != nil {
		return nil, err
	}
	entries := make([]journal.TrailEntry, len(r.Trail))
	var before [][]byte
	for i := range r.Trail {
		v := &r.Trail[i]
		o := object(v.Line)
		m := journal.TrailEntry{Position: journal.Position{File: r.File, TS: o.Get("ts").Text()}, At: v.At, Received: v.At, PushedBy: who.person(v.PushedBy), Snapshot: v.Snapshot, Raw: v.Line}
		if at, ok := figs.ParseTime(m.Position.TS); ok {
			m.At = at
		}
		for _, key := range figs.ChangedKeys(figs.Fold(before), o) {
			if key != "ts" && key != "eventId" {
				m.Changed = append(m.Changed, key)
			}
		}
		if r.File == figs.Runs {
			run := figs.ReadRun(o)
			m.Run = &run
		} else {
			ask := figs.ReadAsk(o)
			m.Ask, m.Round, m.Raises, m.Closes = &ask, r.Rounds[i], r.Raises[i], r.Closes[i]
		}
		for _, name := range figs.AttachmentNames(o) {
			m.Files = append(m.Files, files[name])
		}
		if i == trailHeadSize {
			m.Folded = folded
		}
		entries[i] = m
		before = foldInto(before, v.Line)
	}
	return entries, nil
}

// filesOf returns the files that the versions of a record attach, by name. Files that weren't uploaded have Size -1.
func (j *Journal) filesOf(ctx context.Context, r *store.Record) (map[string]journal.File, error) {
	var names []string
	files := map[string]journal.File{}
	for i := range r.Trail {
		for _, name := range figs.AttachmentNames(object(r.Trail[i].Line)) {
			if _, known := files[name]; !known {
				files[name] = fileOf(&store.File{Attachment: store.Attachment{Name: name, Size: -1}})
				names = append(names, name)
			}
		}
	}
	found, err := j.s.FilesByName(ctx, r.Agent, names)
	if err != nil {
		return nil, err
	}
	var list []store.File
	for _, name := range names {
		if f := found[name]; f != nil {
			list = append(list, *f)
		}
	}
	shown, err := j.journalFiles(ctx, list...)
	for i := range shown {
		files[shown[i].Name] = shown[i]
	}
	return files, err
}

// foldInto folds line into before, which is kept as one line.
func foldInto(before [][]byte, line []byte) [][]byte {
	return [][]byte{figs.AppendObject(nil, figs.Fold(append(before, line)))}
}
