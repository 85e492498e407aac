package storejournal

import (
	"context"
	"slices"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/store"
)

// Inbox implements journal.Workspace.
func (j *Journal) Inbox(ctx context.Context, q journal.InboxQuery) (*journal.Inbox, error) {
	seq, err := j.Seq(ctx) // before what it stands for
	if err != nil {
		return nil, err
	}
	ask := store.InboxQuery{Workspace: j.workspace, Tab: store.Tab(q.Tab), Department: q.Department, Type: q.Type, To: q.To, From: q.From, N: q.N}
	if !q.Everybody {
		ask.Mine = q.Mine
	}
	if q.Age > 0 {
		ask.Before = j.now - int64(q.Age)*hour + 1 // at least so long
	}
	if ask.Agent, err = j.chosen(ctx, q.Agent); err != nil {
		return nil, err
	}
	in, err := j.s.Inbox(ctx, ask)
	if err != nil {
		return nil, missing(err)
	}
	who := q.Viewer
	if who == "" {
		who = q.Mine
	}
	return &journal.Inbox{Items: j.items(in, who), From: in.From, More: in.More, Needs: in.Total, Oldest: in.Oldest,
		Departments: slices.Clone(in.Roster.Departments), Agents: j.faces(in.Roster), Seq: seq}, nil
}

// chosen is the agent that a filter names; "" is any.
func (j *Journal) chosen(ctx context.Context, key string) (string, error) {
	if key == "" {
		return "", nil
	}
	id, err := named(key)
	if err != nil {
		return "", err
	}
	roster, err := j.s.Roster(ctx, j.workspace)
	if err == nil && roster.Face(id) == nil {
		err = journal.ErrNotFound
	}
	return id, missing(err)
}

// items are those of an inbox, as who looks sees them.
func (j *Journal) items(in *store.Inbox, who string) []journal.InboxItem {
	items := make([]journal.InboxItem, len(in.Items))
	for i := range in.Items {
		x := &in.Items[i]
		item := &items[i]
		item.Agent = j.faceOf(in.Roster, x.Agent)
		item.Department = item.Agent.Charter.Department
		ask := askOf(&store.Record{Agent: x.Agent, File: figs.Asks, Fold: x.Fold})
		ask.Key = journal.Segment(ask.Ask.ID)
		ask.State = figs.AskState{Phase: x.Phase, Round: x.Round, Reported: x.Reported, Reply: -1, Since: x.Since}
		if !x.Job {
			ask.JobKey = ""
		}
		item.Ask, item.Since, item.Blocks, item.JobTitle = ask, x.Since, x.JobFlying, x.JobTitle
		item.Mine = who != "" && (slices.Contains(x.AskedOf, who) || len(x.AskedOf) == 0 && in.Roster.Admins[who])
	}
	return items
}

// facesKey is under what a roster keeps its agents as pages show them.
type facesKey struct{ workspace string }

// faces are all agents of a roster, made once: nobody changes them.
func (j *Journal) faces(roster *store.Roster) []journal.Agent {
	return roster.Once(facesKey{j.workspace}, func() any {
		all := make([]journal.Agent, len(roster.Faces))
		for i := range roster.Faces {
			all[i] = j.agentOfFace(&roster.Faces[i])
		}
		return all
	}).([]journal.Agent)
}

func (j *Journal) agentOfFace(f *store.Face) journal.Agent {
	return journal.Agent{Key: journal.Segment(f.ID), Config: figs.Config{AgentID: f.ID, WorkspaceID: j.workspace},
		Charter: figs.Charter{ID: f.ID, Name: f.Name, Role: f.Role, Status: f.Status, Department: f.Department, AvatarSeed: f.AvatarSeed}}
}

// faceOf is an agent as rows name it.
func (j *Journal) faceOf(roster *store.Roster, id string) journal.Agent {
	if f := roster.Face(id); f != nil {
		return j.agentOfFace(f)
	}
	return j.agentOfFace(&store.Face{ID: id})
}
