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
	var err error
	who := q.Viewer
	if who == "" {
		who = q.Mine
	}
	ask := store.InboxQuery{Workspace: j.workspace, Tab: store.Tab(q.Tab), Viewer: who, Now: j.now, Department: q.Department, Type: q.Type, To: q.To, LongestFirst: q.Sort == journal.SortCost, From: q.From, N: q.N}
	if !q.Everybody {
		ask.Mine = q.Mine
	}
	if q.MinWaitHours > 0 {
		ask.Before = j.now - int64(q.MinWaitHours)*hour + 1 // at least so long
	}
	if ask.Agent, err = j.agentID(ctx, q.Agent); err != nil {
		return nil, err
	}
	in, err := j.s.Inbox(ctx, ask)
	if err != nil {
		return nil, notFound(err)
	}
	items, err := j.items(ctx, in, who)
	if err != nil {
		return nil, err
	}
	return &journal.Inbox{Items: items, From: in.From, More: in.More, Needs: in.Total, Oldest: in.Oldest, Reported: in.Reported, Snoozed: in.Snoozed,
		Departments: slices.Clone(in.Roster.Departments), Agents: j.rosterAgents(in.Roster), Seq: in.Seq}, nil
}

// chosen is the agent that a filter names; "" is any.
func (j *Journal) agentID(ctx context.Context, key string) (string, error) {
	if key == "" {
		return "", nil
	}
	id, err := parseSegment(key)
	if err != nil {
		return "", err
	}
	roster, err := j.s.Roster(ctx, j.workspace)
	if err == nil && roster.Agent(id) == nil {
		err = journal.ErrNotFound
	}
	return id, notFound(err)
}

// items are those of an inbox, as who looks sees them.
func (j *Journal) items(ctx context.Context, in *store.Inbox, who string) ([]journal.InboxItem, error) {
	busy, err := j.namesOf(ctx, in)
	if err != nil {
		return nil, err
	}
	items := make([]journal.InboxItem, len(in.Items))
	for i := range in.Items {
		x := &in.Items[i]
		item := &items[i]
		item.Agent = j.rosterAgent(in.Roster, x.Agent)
		item.Department = item.Agent.Charter.Department
		ask := askSaying(&store.Record{Agent: x.Agent, File: figs.Asks, Fold: x.Fold, AskedOf: x.AskedOf}, x.Ask, in.Roster)
		ask.Key = journal.Segment(ask.Ask.ID)
		ask.State = figs.AskState{Phase: x.Phase, Round: x.Round, Reported: x.Reported, Reply: -1, Since: x.Since}
		if !x.HasJob {
			ask.JobKey = ""
		}
		item.Ask, item.Since, item.Blocks, item.JobTitle = ask, x.Since, x.JobInFlight, x.JobTitle
		item.Mine = who != "" && slices.Contains(x.AskedOf, who)
		item.ReportedBy, item.Snoozed, item.EarlierWait = x.ReportedBy, x.Snoozed, x.EarlierWait
		if x.Pending != nil {
			item.Pending = pendingOf(x.Pending, busy, who)
		}
		if x.Claim != nil {
			item.Claim = &journal.Claim{By: busy.person(x.Claim.By), Mine: x.Claim.By == who, Until: x.Claim.Until}
		}
	}
	return items, nil
}

// busy are the people who look at the asks of an inbox, or have just decided them.
func (j *Journal) namesOf(ctx context.Context, in *store.Inbox) (people, error) {
	var ids []string
	for i := range in.Items {
		x := &in.Items[i]
		if x.Pending != nil {
			ids = append(ids, x.Pending.By)
		}
		if x.Claim != nil {
			ids = append(ids, x.Claim.By)
		}
	}
	if ids == nil {
		return nil, nil
	}
	return j.people(ctx, ids...)
}

// pendingOf is a decision that does not count yet, as who looks sees it.
func pendingOf(made *store.Decision, who people, viewer string) *journal.Pending {
	m := figs.ReadMessage(object(made.Line))
	return &journal.Pending{ID: made.ID, By: who.person(made.By), Mine: made.By == viewer, Effective: made.Effective, Verdict: m.Verdict, Chosen: m.Chosen}
}

// facesKey is under what a roster keeps its agents as pages show them.
type agentsKey struct{ workspace string }

// faces are the agents of a roster that are not archived, made once: nobody changes them.
func (j *Journal) rosterAgents(roster *store.Roster) []journal.Agent {
	return roster.Memo(agentsKey{j.workspace}, func() any {
		all := make([]journal.Agent, 0, len(roster.Agents))
		for i := range roster.Agents {
			if face := &roster.Agents[i]; !face.Archived {
				all = append(all, j.agentOfRoster(face))
			}
		}
		return all
	}).([]journal.Agent)
}

func (j *Journal) agentOfRoster(f *store.RosterAgent) journal.Agent {
	return journal.Agent{Key: journal.Segment(f.ID), Config: figs.Config{AgentID: f.ID, WorkspaceID: j.workspace},
		Charter: figs.Charter{ID: f.ID, Name: f.Name, Role: f.Role, Status: f.Status, Department: f.Department, AvatarSeed: f.AvatarSeed}}
}

// faceOf is an agent as rows name it.
func (j *Journal) rosterAgent(roster *store.Roster, id string) journal.Agent {
	if f := roster.Agent(id); f != nil {
		return j.agentOfRoster(f)
	}
	return j.agentOfRoster(&store.RosterAgent{ID: id})
}
