package storejournal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// Files implements journal.Journal.
func (j *Journal) Files(ctx context.Context, key string, q journal.Query) (*journal.Page[journal.File], error) {
	a, err := j.agent(ctx, key)
	if err != nil {
		return nil, err
	}
	list, err := j.s.Files(ctx, a.ID, q.Text, sliceOf(q))
	if err != nil {
		return nil, err
	}
	page := pageOf(list, fileOf)
	page.Items, err = j.journalFiles(ctx, list.Items...)
	return page, err
}

// File implements journal.Journal.
func (j *Journal) File(ctx context.Context, key, file string) (*journal.File, error) {
	a, err := j.agent(ctx, key)
	if err != nil {
		return nil, err
	}
	name, err := parseSegment(file)
	if err != nil {
		return nil, err
	}
	f, err := j.s.File(ctx, a.ID, name)
	if err != nil {
		return nil, notFound(err)
	}
	found, err := j.journalFiles(ctx, *f)
	if err != nil {
		return nil, err
	}
	return &found[0], nil
}

// journalFiles converts files, with the tombstones of erased ones.
func (j *Journal) journalFiles(ctx context.Context, list ...store.File) ([]journal.File, error) {
	var erasers []string
	for i := range list {
		if e := list[i].Erased; e != nil {
			erasers = append(erasers, e.Person)
		}
	}
	var who userNames
	var err error
	if len(erasers) > 0 {
		who, err = j.userNames(ctx, erasers...)
	}
	var files []journal.File
	for i := range list {
		files = append(files, fileOf(&list[i]))
		if e := list[i].Erased; e != nil {
			files[i].Erased = erasureOf(e, who)
		}
	}
	return files, err
}

func fileOf(f *store.File) journal.File {
	file := journal.File{Key: journal.Segment(f.Name), Name: f.Name, Size: f.Size, SHA256: f.SHA256, Class: figs.ClassOf(f.Name)}
	if !figs.IsBareName(f.Name) {
		file.Class = figs.Unsupported
	}
	for i := range f.Mentions {
		m := &f.Mentions[i]
		file.Named = append(file.Named, journal.Position{File: m.File, TS: m.TS})
		if i == 0 {
			file.Owner, file.OwnerTitle = recordAddress(m.File, m.ID), m.Title
		}
	}
	return file
}

// recordAddress returns the address of a record or a file below its agent.
func recordAddress(file figs.File, id string) string {
	if file == figs.NoFile {
		return "files/" + journal.Segment(id)
	}
	return [...]string{figs.Runs: "jobs/", figs.Asks: "asks/", figs.Messages: "messages/"}[file] + journal.Segment(id)
}
