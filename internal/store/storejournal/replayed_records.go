package storejournal

import (
	"context"
	"slices"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

func (r *pastFolder) job(job *journal.Job) {
	job.Key = journal.Segment(job.Run.ID)
	job.First, job.Last = withoutLine(job.First), withoutLine(job.Last)
}

// ask gives an ask the addresses of the server.
func (r *pastFolder) ask(ask *journal.Ask) {
	ask.Key = journal.Segment(ask.Ask.ID)
	if ask.JobKey != "" {
		ask.JobKey = journal.Segment(ask.Ask.Run)
	}
	ask.First, ask.Last = withoutLine(ask.First), withoutLine(ask.Last)
	ask.Findings = findings(ask.Findings)
}

// asks is ask of several, with all that belongs to them. They are asked of whoever answers for the agent now.
func (r *pastFolder) asks(ctx context.Context, list []journal.Ask) error {
	roster, err := r.now.s.Roster(ctx, r.now.workspace)
	if err != nil {
		return notFound(err)
	}
	var files [][]journal.File
	for i := range list {
		ask := &list[i]
		r.ask(ask)
		ask.AskedOf = membersOf(roster, roster.AskedOf(r.agent.ID, ask.Ask.To))
		files = append(append(files, ask.Files, ask.Earlier), trailFiles(ask.Trail)...)
		if err := r.messages(ctx, ask.Thread); err != nil {
			return err
		}
	}
	return r.files(ctx, files...)
}

// trailFiles takes the places in the folder out of a trail, and returns the files of its moments.
func trailFiles(trail []journal.TrailEntry) (files [][]journal.File) {
	for i := range trail {
		trail[i].Position = withoutLine(trail[i].Position)
		files = append(files, trail[i].Files)
	}
	return files
}

// messages are replies with the addresses of the server, their grade, and their tombstones.
func (r *pastFolder) messages(ctx context.Context, list []journal.Message) error {
	if len(list) == 0 {
		return nil
	}
	var pushers []string
	for i := range list {
		pushers = append(pushers, r.said[list[i].Message.ID].PushedBy)
	}
	who, err := r.now.people(ctx, pushers...)
	if err != nil {
		return err
	}
	for i := range list {
		r.message(&list[i], who)
	}
	erased, err := r.now.erasures(ctx, r.agent)
	addErasures(list, erased)
	return err
}

func (r *pastFolder) message(m *journal.Message, who people) {
	known := r.said[m.Message.ID]
	m.Key, m.Position = journal.Segment(m.Message.ID), withoutLine(m.Position)
	m.Verified, m.No, m.Received = known.Verified, known.No, known.Received
	if !m.Verified {
		m.PushedBy = who.person(known.PushedBy)
	}
	if m.AskKey != "" {
		m.AskKey = journal.Segment(m.Message.Ask)
	}
}

// files are attachments with the addresses of the server, and with their bytes and tombstones as it has them now.
func (r *pastFolder) files(ctx context.Context, lists ...[]journal.File) error {
	var names []string
	for _, list := range lists {
		for i := range list {
			names = append(names, list[i].Name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	found, err := r.now.s.FilesByName(ctx, r.agent.ID, slices.Compact(names))
	if err != nil {
		return err
	}
	var stored []store.File
	for _, f := range found {
		stored = append(stored, *f)
	}
	shown, err := r.now.journalFiles(ctx, stored...)
	if err != nil {
		return err
	}
	byName := make(map[string]*journal.File, len(shown))
	for i := range shown {
		byName[shown[i].Name] = &shown[i]
	}
	for _, list := range lists {
		for i := range list {
			r.file(&list[i], byName[list[i].Name])
		}
	}
	return nil
}

func (r *pastFolder) file(f, now *journal.File) {
	f.Key, f.Size = journal.Segment(f.Name), -1
	if to, ok := r.owners[f.Owner]; ok {
		f.Owner = to
	}
	named := make([]journal.Position, len(f.Named)) // files of one answer share theirs
	for i := range f.Named {
		named[i] = withoutLine(f.Named[i])
	}
	f.Named = named
	if now != nil {
		f.Size, f.SHA256, f.Erased = now.Size, now.SHA256, now.Erased
	}
}

func lanes(list []journal.Lane) {
	for i := range list {
		list[i].Key = journal.Segment(list[i].ID)
		for n := range list[i].Marks {
			list[i].Marks[n].Position = withoutLine(list[i].Marks[n].Position)
		}
	}
}

func (r *pastFolder) stepLine(l *journal.StepLine) {
	l.Owner = r.owners[l.Owner]
	l.Position = withoutLine(l.Position)
}
