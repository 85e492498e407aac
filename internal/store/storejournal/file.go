package storejournal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// Files implements journal.Journal.
func (j *Journal) Files(ctx context.Context, id string, q journal.Query) (*journal.Page[journal.File], error) {
	if _, err := j.agent(ctx, id); err != nil {
		return nil, err
	}
	list, total, err := j.s.Files(ctx, id, q.Text, q.From, q.Size())
	page := &journal.Page[journal.File]{From: q.From, Total: total}
	for i := range list {
		page.Items = append(page.Items, fileOf(&list[i]))
	}
	return page, err
}

// File implements journal.Journal.
func (j *Journal) File(ctx context.Context, id, name string) (*journal.File, error) {
	if _, err := j.agent(ctx, id); err != nil {
		return nil, err
	}
	f, err := j.s.File(ctx, id, name)
	if err != nil {
		return nil, missing(err)
	}
	file := fileOf(f)
	return &file, nil
}

func fileOf(f *store.File) journal.File {
	file := journal.File{Key: f.Name, Name: f.Name, Size: f.Size, Class: figs.ClassOf(f.Name)}
	if !figs.BareName(f.Name) {
		file.Class = figs.Unsupported
	}
	for i := range f.Mentions {
		m := &f.Mentions[i]
		file.Named = append(file.Named, journal.Place{File: m.File, TS: m.TS})
		if i == 0 {
			file.Owner, file.OwnerTitle = owner(m.File, m.ID), m.Title
		}
	}
	return file
}

// owner is a record's address below its agent, with its id as it is.
func owner(file figs.File, id string) string {
	return [...]string{figs.Runs: "jobs/", figs.Asks: "asks/", figs.Messages: "messages/"}[file] + id
}
