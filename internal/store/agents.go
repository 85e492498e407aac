package store

import (
	"context"
	"slices"
	"sync"

	"github.com/figs-web/figs-web/figs"
)

// Agent is a registered agent, with the figures that lists show.
type Agent struct {
	ID, Workspace    string
	Name             string // registered name
	Charter          []byte // latest agent.json
	Department       string // from the charter
	Manager, Builder string // user ids; "" if none
	Registered       int64
	Pushed           int64  // last push that changed something
	PushedBy         string // user id
	Seq              int64  // workspace's Seq at the agent's last change
	MessagesSeq      int64  // likewise at the last change of its replies
	Counts           Counts
	OldestNeed       int64 // since when the oldest open ask has needed a human; figs.NoTime if none
	First            int64 // time of the oldest line that has one; figs.NoTime if none
	FirstFile        figs.File
	Last             int64  // time of the newest line; figs.NoTime if none
	LastTS           string // Last as written in the line
	Archived         int64  // when it was archived; 0 if it isn't
	Erased           int    // number of records and replies whose text was erased
	RequestedName    string // other name of the latest push, which was rejected; "" if none
	RequestedAt      int64
	AllowedName      string // other name that the next push may use once; "" if none
}

// AgentFigures are the figures of an agent that change with its pushes and that lists are filtered and ordered by.
type AgentFigures struct {
	Jobs, InFlight, Needs int
	Outcome               figs.Outcome // of the job that settled last; figs.OutcomeInFlight if none has
	OldestNeed, Last      int64        // as in Agent
	Pushed, Registered    int64
	Archived              int64
}

// Counts are an agent's totals.
type Counts struct {
	Jobs, InFlight, Failed, Warned, Unknown int
	Asks, NeedsYou, Waiting, Closed         int
	Messages, Orphans, Files                int // Orphans are replies to asks that don't exist
	Errors, Warnings, Infos, Refused        int
}

// Agents stores agents.
type Agents interface {
	// Agent returns an agent of any workspace; the caller checks that the workspace is the right one.
	Agent(ctx context.Context, id string) (Agent, error)
	// ListAgents returns a workspace's agents, ordered by name.
	ListAgents(ctx context.Context, workspace string) ([]Agent, error)
	// SomeAgents returns those of a workspace's agents that have one of the ids, in no order.
	SomeAgents(ctx context.Context, workspace string, ids []string) ([]Agent, error)
	// AgentFigures returns the figures of all agents of a workspace, by id. The result is shared and must not be modified.
	AgentFigures(ctx context.Context, workspace string) (map[string]AgentFigures, error)
	// Roster returns the agents of a workspace and who answers for them. The result is shared and must not be modified.
	Roster(ctx context.Context, workspace string) (*Roster, error)
	// Assign sets an agent's manager and builder; "" for none. It returns ErrCannotAnswer if one of them isn't at least a
	// member. When someone's role falls below that, SetMember and RemoveMember unassign them in the same transaction.
	Assign(ctx context.Context, act Act, agent, manager, builder string) error
	// ClearFormerMembers unassigns managers and builders who aren't at least members, which older versions left behind, and
	// returns how many it unassigned.
	ClearFormerMembers(ctx context.Context, act Act) (n int, err error)
	// Archive archives or unarchives an agent. An archived agent can still push, be read and sync, but nobody is asked its
	// asks, and lists and figures of the whole workspace leave it out. Archiving an archived agent changes nothing.
	Archive(ctx context.Context, act Act, agent string, archived bool) error
	// AllowName lets the agent's next push use another name, once; "" withdraws that. It returns ErrNotFound unless the
	// agent's latest push used that name.
	AllowName(ctx context.Context, act Act, agent, name string) error
	// MoveAgent registers an agent in another workspace, with all of its data and what people did with it. Its manager and
	// builder stay if they are members there. It returns *PendingError while a decision on one of its asks is pending, and
	// ErrNotFound if the workspace doesn't exist. Moving an agent to its own workspace changes nothing.
	MoveAgent(ctx context.Context, act Act, agent, workspace string) error
	// Charters returns every distinct agent.json, newest first.
	Charters(ctx context.Context, agent string) ([]Charter, error)
	// Findings returns the report of the last push, as figs.AppendFindings wrote it.
	Findings(ctx context.Context, agent string) ([]byte, error)
	// Refusals returns the records that pushes of the agent left out and that are still missing, newest first.
	Refusals(ctx context.Context, agent string) ([]Refusal, error)
}

// Charter is one version of an agent's charter.
type Charter struct {
	Charter  []byte
	Received int64
	PushedBy string
	Seq      int64
}

// Refusal is a record that a push left out, and why.
type Refusal struct {
	figs.RefusedRecord
	At       int64
	PushedBy string
}

// Roster is the agents of a workspace and who answers for them. It is cached while Version is the workspace's. It must not
// be modified.
type Roster struct {
	Version     int64 // the workspace's Seq of the change that made it
	Agents      []RosterAgent
	Departments []string        // sorted, without ""
	Admins      map[string]bool // user ids of owners and admins, who may reply to every ask

	Archived []string // ids of archived agents

	MembersByName map[string][]User // members by the keys of their names and email addresses
	CanConfirm    map[string]bool   // user ids of members who may confirm or deny replies reported in their names
	Owners        []string          // user ids, sorted
	Names         map[string]string // of members, by user id

	byID   map[string]*RosterAgent
	admins []string // sorted
	mu     sync.Mutex
	memo   map[any]any
}

// RosterAgent is an agent in a roster.
type RosterAgent struct {
	ID, Name, Role, Status, Department, AvatarSeed string
	Manager, Builder                               string // user ids; "" if none
	Archived                                       bool
}

// NewRoster returns a roster of agents, which it keeps in their order.
func NewRoster(version int64, agents []RosterAgent, departments []string, admins map[string]bool) *Roster {
	r := &Roster{Version: version, Agents: agents, Departments: departments, Admins: admins, byID: make(map[string]*RosterAgent, len(agents)), memo: map[any]any{}}
	for id := range admins {
		r.admins = append(r.admins, id)
	}
	slices.Sort(r.admins)
	for i := range agents {
		if r.byID[agents[i].ID] = &agents[i]; agents[i].Archived {
			r.Archived = append(r.Archived, agents[i].ID)
		}
	}
	return r
}

// Agent returns the agent with that id, or nil.
func (r *Roster) Agent(id string) *RosterAgent { return r.byID[id] }

// AskedOf returns the users who are asked what an agent asks of `to`: they may reply, see it in their "For me" inbox, and
// are notified. If the agent has neither a manager nor a builder, these are the owners and admins; if it is archived,
// nobody. The result must not be modified.
func (r *Roster) AskedOf(agent, to string) []string {
	a := r.Agent(agent)
	if a == nil {
		return r.admins
	}
	return r.askedOf(a, figs.AskedOf(to, figs.Addressees{Manager: a.Manager, Builder: a.Builder}))
}

// IsAsked reports whether AskedOf has a user. It allocates nothing, because lists ask it of every ask.
func (r *Roster) IsAsked(agent, to, person string) bool {
	a := r.Agent(agent)
	if a == nil {
		return slices.Contains(r.admins, person)
	}
	return slices.Contains(r.askedOf(a, figs.AskedOf(to, figs.Addressees{Manager: a.Manager, Builder: a.Builder})), person)
}

func (r *Roster) askedOf(a *RosterAgent, people []string) []string {
	switch {
	case a.Archived:
		return nil
	case len(people) > 0:
		return people
	}
	return r.admins
}

// Confirmers returns the users who are asked to confirm or deny a reply that an agent reports in the name with that key,
// and that arrived at that time: the member with that name, or the owners if no such member may confirm it. They see it in
// their "For me" inbox and are notified. For an archived agent the result is empty. It must not be modified.
func (r *Roster) Confirmers(agent, key string, arrived int64) []string {
	if a := r.Agent(agent); a != nil && a.Archived {
		return nil
	}
	if person := MemberNamed(key, arrived, r.MembersByName[key]); r.CanConfirm[person] {
		return []string{person}
	}
	return r.Owners
}

// Memo returns the value for key, which it makes once per roster by calling make.
func (r *Roster) Memo(key any, make func() any) any {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, had := r.memo[key]; !had {
		r.memo[key] = make()
	}
	return r.memo[key]
}
