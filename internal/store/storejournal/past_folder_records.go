package storejournal

import (
	"context"
	"slices"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

func (r *pastFolder) convertJob(job *journal.Job) {
	job.Key = journal.Segment(job.Run.ID)
	job.First, job.Last = withoutLine(job.First), withoutLine(job.Last)
}

// convertAsk sets the server's addresses in an ask.
func (r *pastFolder) convertAsk(ask *journal.Ask) {
	ask.Key = journal.Segment(ask.Ask.ID)
	if ask.JobKey != "" {
		ask.JobKey = journal.Segment(ask.Ask.Run)
	}
	ask.First, ask.Last = withoutLine(ask.First), withoutLine(ask.Last)
	ask.Findings = withoutLines(ask.Findings)
}

// convertAsks converts asks with all that belongs to them. AskedOf is who answers for the agent now.
func (r *pastFolder) convertAsks(ctx context.Context, list []journal.Ask) error {
	roster, err := r.present.s.Roster(ctx, r.present.workspace)
	if err != nil {
		return notFound(err)
	}
	var files [][]journal.File
	for i := range list {
		ask := &list[i]
		r.convertAsk(ask)
		ask.AskedOf = membersOf(roster, roster.AskedOf(r.agent.ID, ask.Ask.To))
		files = append(append(files, ask.Files, ask.Earlier), trailFiles(ask.Trail)...)
		if err := r.convertMessages(ctx, ask.Thread); err != nil {
			return err
		}
	}
	return r.convertFiles(ctx, files...)
}

// trailFiles removes line numbers from a trail, and returns the files of its entries.
func trailFiles(trail []journal.TrailEntry) (files [][]journal.File) {
	for i := range trail {
		trail[i].Position = withoutLine(trail[i].Position)
		files = append(files, trail[i].Files)
	}
	return files
}

// convertMessages sets the server's addresses, grades and tombstones in replies.
func (r *pastFolder) convertMessages(ctx context.Context, list []journal.Message) error {
	if len(list) == 0 {
		return nil
	}
	var pushers []string
	for i := range list {
		pushers = append(pushers, r.stored[list[i].Message.ID].PushedBy)
	}
	who, err := r.present.userNames(ctx, pushers...)
	if err != nil {
		return err
	}
	for i := range list {
		r.convertMessage(&list[i], who)
	}
	erased, err := r.present.erasures(ctx, r.agent)
	addErasures(list, erased)
	return err
}

func (r *pastFolder) convertMessage(m *journal.Message, who userNames) {
	known := r.stored[m.Message.ID]
	m.Key, m.Position = journal.Segment(m.Message.ID), withoutLine(m.Position)
	m.Verified, m.No, m.Received = known.Verified, known.No, known.Received
	if !m.Verified {
		m.PushedBy = who.person(known.PushedBy)
	}
	if m.AskKey != "" {
		m.AskKey = journal.Segment(m.Message.Ask)
	}
}

// convertFiles sets the server's addresses in files, and the bytes and tombstones that it has now.
func (r *pastFolder) convertFiles(ctx context.Context, lists ...[]journal.File) error {
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
	found, err := r.present.s.FilesByName(ctx, r.agent.ID, slices.Compact(names))
	if err != nil {
		return err
	}
	var stored []store.File
	for _, f := range found {
		stored = append(stored, *f)
	}
	shown, err := r.present.journalFiles(ctx, stored...)
	if err != nil {
		return err
	}
	byName := make(map[string]*journal.File, len(shown))
	for i := range shown {
		byName[shown[i].Name] = &shown[i]
	}
	for _, list := range lists {
		for i := range list {
			r.convertFile(&list[i], byName[list[i].Name])
		}
	}
	return nil
}

func (r *pastFolder) convertFile(f, now *journal.File) {
	f.Key, f.Size = journal.Segment(f.Name), -1
	if to, ok := r.addresses[f.Owner]; ok {
		f.Owner = to
	}
	named := make([]journal.Position, len(f.Named)) // files of one answer share the slice
	for i := range f.Named {
		named[i] = withoutLine(f.Named[i])
	}
	f.Named = named
	if now != nil {
		f.Size, f.SHA256, f.Erased = now.Size, now.SHA256, now.Erased
	}
}

func convertLanes(list []journal.Lane) {
	for i := range list {
		list[i].Key = journal.Segment(list[i].ID)
		for n := range list[i].Marks {
			list[i].Marks[n].Position = withoutLine(list[i].Marks[n].Position)
		}
	}
}

func (r *pastFolder) convertStepLine(l *journal.StepLine) {
	l.Owner = r.addresses[l.Owner]
	l.Position = withoutLine(l.Position)
}
