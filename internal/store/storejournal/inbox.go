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
	ask := store.InboxQuery{Workspace: j.workspace, Tab: store.Tab(q.Tab), Viewer: who, Now: j.now, AgentWords: q.Text, Department: q.Department, Type: q.Type, To: q.To, LongestFirst: q.Sort == journal.SortCost, Slice: store.Slice{After: q.After, Before: q.Before, N: q.N}}
	if !q.Everybody {
		ask.Mine = q.Mine
	}
	if q.MinWaitHours > 0 {
		ask.SinceBefore = j.now - int64(q.MinWaitHours)*hour + 1 // inclusive
	}
	if ask.Agent, err = j.agentID(ctx, q.Agent); err != nil {
		return nil, err
	}
	in, err := j.s.Inbox(ctx, ask)
	if err != nil {
		return nil, notFound(err)
	}
	items, err := j.inboxItems(ctx, in, who)
	if err != nil {
		return nil, err
	}
	return &journal.Inbox{Items: items, Prev: in.Prev, Next: in.Next, Needs: in.Total, Oldest: in.Oldest, Reported: in.Reported, Snoozed: in.Snoozed,
		Departments: slices.Clone(in.Roster.Departments), Colleagues: colleagues(in.Roster, who), Agents: j.rosterAgents(in.Roster), Seq: in.Seq}, nil
}

// agentID returns the id of the agent with that key, for a filter; "" for any.
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

// inboxItems converts the items of an inbox for the viewer who.
func (j *Journal) inboxItems(ctx context.Context, in *store.Inbox, who string) ([]journal.InboxItem, error) {
	names, err := j.namesOf(ctx, in)
	if err != nil {
		return nil, err
	}
	items := make([]journal.InboxItem, len(in.Items))
	for i := range in.Items {
		x := &in.Items[i]
		item := &items[i]
		item.Agent = j.rosterAgent(in.Roster, x.Agent)
		item.Department = item.Agent.Charter.Department
		ask := askOfFold(&store.Record{Agent: x.Agent, File: figs.Asks, Fold: x.Fold, AskedOf: x.AskedOf}, x.Ask, in.Roster)
		ask.Key = journal.Segment(ask.Ask.ID)
		ask.State = figs.AskState{Phase: x.Phase, Round: x.Round, Reported: x.Reported, Reply: -1, Since: x.Since}
		if !x.HasJob {
			ask.JobKey = ""
		}
		item.Ask, item.Since, item.Blocks, item.JobTitle = ask, x.Since, x.JobInFlight, x.JobTitle
		item.Mine = who != "" && (slices.Contains(x.AskedOf, who) || x.Handover != nil && x.Handover.CanReply && x.Handover.To == who)
		item.ReportedBy, item.Snoozed, item.EarlierWait = x.ReportedBy, x.Snoozed, x.EarlierWait
		if x.Pending != nil {
			item.Pending = pendingOf(x.Pending, names, who)
		}
		if h := x.Handover; h != nil && h.CanReply {
			item.Handover = &journal.Handover{No: h.No, By: names.person(h.By), To: names.person(h.To), Mine: h.To == who, Note: h.Note, At: h.At, CanReply: true}
		}
		if x.FollowUp != nil {
			item.FollowUp = j.FollowUpOf(x.FollowUp, names, nil)
		}
		if x.Claim != nil {
			item.Claim = &journal.Claim{By: names.person(x.Claim.By), Mine: x.Claim.By == who, Until: x.Claim.Until}
		}
	}
	return items, nil
}

// namesOf returns the names of the people whom the items of an inbox name.
func (j *Journal) namesOf(ctx context.Context, in *store.Inbox) (userNames, error) {
	var ids []string
	for i := range in.Items {
		x := &in.Items[i]
		if x.Pending != nil {
			ids = append(ids, x.Pending.By)
		}
		if x.Claim != nil {
			ids = append(ids, x.Claim.By)
		}
		if x.Handover != nil {
			ids = append(ids, x.Handover.By, x.Handover.To)
		}
		if x.FollowUp != nil {
			ids = append(append(ids, x.FollowUp.RepliedBy, x.FollowUp.NudgedBy), x.FollowUp.Reminded...)
		}
	}
	if ids == nil {
		return nil, nil
	}
	return j.userNames(ctx, ids...)
}

// pendingOf converts a pending decision for a viewer.
func pendingOf(made *store.Decision, who userNames, viewer string) *journal.Pending {
	m := figs.ReadMessage(object(made.Line))
	return &journal.Pending{ID: made.ID, By: who.person(made.By), Mine: made.By == viewer, Effective: made.Effective, Verdict: m.Verdict, Chosen: m.Chosen}
}

// agentsKey is the key of Roster.Memo for rosterAgents.
type agentsKey struct{ workspace string }

// rosterAgents returns the agents of a roster that aren't archived. The result is shared and must not be modified.
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

// rosterAgent returns an agent of a roster; for an unknown id, one with only the id.
func (j *Journal) rosterAgent(roster *store.Roster, id string) journal.Agent {
	if f := roster.Agent(id); f != nil {
		return j.agentOfRoster(f)
	}
	return j.agentOfRoster(&store.RosterAgent{ID: id})
}
