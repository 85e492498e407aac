// Package storejournal implements journal.Journal over a store, for the agents of one workspace. Address keys are ids of
// agents and records, and names of attachments, each encoded by journal.Segment. Everywhere else ids and names are used as
// they are.
package storejournal

import (
	"context"
	"errors"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// Source is the part of a store that a journal needs.
type Source interface {
	store.Agents
	store.Reader
	Delivery(ctx context.Context, agent, id string) (store.Delivery, error)
	Erasures(ctx context.Context, agent string) ([]store.Erasure, error)
	ListDecisions(ctx context.Context, workspace, agent, ask string, n int) ([]store.Decision, error)
}

// Journal is a journal.Journal of one workspace at one point in time.
type Journal struct {
	s         Source
	workspace string
	now       int64
	folders   FolderCache // nil: agents are read again for each answer that needs a whole agent
	pastCache *PastCache  // nil: likewise for each AsOf
}

var _ journal.Journal = (*Journal)(nil)

// New returns the journal of a workspace. The caller has already checked who may see it. now, in microseconds since 1970
// UTC, is the current time, at which calendars end.
func New(s Source, workspace string, now int64) *Journal {
	return &Journal{s: s, workspace: workspace, now: now}
}

// notFound converts the store's ErrNotFound to the journal's.
func notFound(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return journal.ErrNotFound
	}
	return err
}

// parseSegment decodes a key; it returns ErrNotFound if the key is invalid.
func parseSegment(key string) (string, error) {
	name, ok := journal.ParseSegment(key)
	if !ok {
		return "", journal.ErrNotFound
	}
	return name, nil
}

// agent returns an agent of this workspace by its key.
func (j *Journal) agent(ctx context.Context, key string) (*store.Agent, error) {
	id, err := parseSegment(key)
	if err != nil {
		return nil, err
	}
	a, err := j.s.Agent(ctx, id)
	if err == nil && a.Workspace != j.workspace {
		err = journal.ErrNotFound
	}
	return &a, notFound(err)
}

// Agents implements journal.Journal.
func (j *Journal) Agents(ctx context.Context) ([]journal.Agent, error) {
	list, err := j.s.ListAgents(ctx, j.workspace)
	if err != nil {
		return nil, err
	}
	if err := j.setAddressees(ctx, list); err != nil {
		return nil, err
	}
	who, err := j.userNames(ctx, userIDsOf(list)...)
	all := make([]journal.Agent, len(list))
	for i := range list {
		all[i] = agentOf(&list[i], who)
	}
	return all, err
}

// setAddressees replaces managers and builders by those who may reply to the agents' asks.
func (j *Journal) setAddressees(ctx context.Context, list []store.Agent) error {
	if len(list) == 0 {
		return nil
	}
	roster, err := j.s.Roster(ctx, j.workspace)
	if err != nil {
		return notFound(err)
	}
	for i := range list {
		if face := roster.Agent(list[i].ID); face != nil {
			list[i].Manager, list[i].Builder = face.Manager, face.Builder
		}
	}
	return nil
}

// userIDsOf returns the ids of the agents' managers, builders and pushers.
func userIDsOf(list []store.Agent) (ids []string) {
	for i := range list {
		ids = append(ids, list[i].Manager, list[i].Builder, list[i].PushedBy)
	}
	return ids
}

// userNames are names by user id.
type userNames map[string]string

func (j *Journal) userNames(ctx context.Context, ids ...string) (userNames, error) {
	names, err := j.s.UserNames(ctx, ids)
	return names, err
}

func (p userNames) person(id string) journal.Person { return journal.Person{ID: id, Name: p[id]} }

// Agent implements journal.Journal.
func (j *Journal) Agent(ctx context.Context, key string) (*journal.Agent, error) {
	a, err := j.agent(ctx, key)
	if err != nil {
		return nil, err
	}
	one := []store.Agent{*a}
	if err := j.setAddressees(ctx, one); err != nil {
		return nil, err
	}
	a = &one[0]
	who, err := j.userNames(ctx, a.Manager, a.Builder, a.PushedBy)
	agent := agentOf(a, who)
	return &agent, err
}

func agentOf(a *store.Agent, who userNames) journal.Agent {
	n := &a.Counts
	agent := journal.Agent{
		Key:    journal.Segment(a.ID),
		Config: figs.Config{AgentID: a.ID, WorkspaceID: a.Workspace},
		Counts: journal.Counts{Jobs: n.Jobs, InFlight: n.InFlight, Failed: n.Failed, Warned: n.Warned, Unknown: n.Unknown,
			Asks: n.Asks, NeedsYou: n.NeedsYou, Waiting: n.Waiting, Closed: n.Closed, Messages: n.Messages, Orphans: n.Orphans, Files: n.Files,
			Errors: n.Errors, Warnings: n.Warnings, Infos: n.Infos},
		Last: journal.Position{TS: a.LastTS},
		Hosted: &journal.Hosted{Manager: who.person(a.Manager), Builder: who.person(a.Builder), PushedBy: who.person(a.PushedBy),
			Pushed: a.Pushed, Registered: a.Registered, Refused: n.Refused, Archived: a.Archived, RequestedName: a.RequestedName, RequestedAt: a.RequestedAt, AllowedName: a.AllowedName},
	}
	if a.First != figs.NoTime {
		agent.Since = journal.Position{File: a.FirstFile, TS: formatTime(a.First)}
	}
	agent.Charter, _ = figs.ReadCharter(a.Charter)
	if agent.Charter.Name == "" {
		agent.Charter.Name = a.Name
	}
	if a.OldestNeed != figs.NoTime {
		agent.Oldest = formatTime(a.OldestNeed)
	}
	return agent
}

// formatTime formats a time as agents write it.
func formatTime(at int64) string { return time.UnixMicro(at).UTC().Format(time.RFC3339) }

// Lines implements journal.Journal. A store has versions but no ledgers, so there are no lines.
func (j *Journal) Lines(ctx context.Context, key string, _ figs.File, q journal.Query) (*journal.Page[journal.Line], error) {
	_, err := j.agent(ctx, key)
	return &journal.Page[journal.Line]{From: q.From}, err
}

// Text implements journal.Journal. Of the small text files only agent.json is pushed (§2).
func (j *Journal) Text(ctx context.Context, key, file string) (*journal.Text, error) {
	a, err := j.agent(ctx, key)
	if err != nil {
		return nil, err
	}
	if figs.ParseFile(file) != figs.AgentJSON {
		return nil, journal.ErrNotFound
	}
	return &journal.Text{Name: file, Content: a.Charter, Size: int64(len(a.Charter))}, nil
}
