package store

import (
	"context"
	"slices"
	"sync"

	"github.com/figs-web/figs-web/figs"
)

// Agent is a registered agent with what lists show of it.
type Agent struct {
	ID, Workspace    string
	Name             string // registered
	Charter          []byte // agent.json as it came last
	Department       string // of the charter
	Manager, Builder string // user ids; ""
	Registered       int64
	Pushed           int64  // last push that changed something
	PushedBy         string // user id
	Seq              int64  // of its last change
	MessagesSeq      int64  // of the last change of its replies
	Counts           Counts
	OldestNeed       int64 // since when the oldest ask has needed a human; figs.NoTime
	First            int64 // instant of its oldest line with a time of its own; figs.NoTime
	FirstFile        figs.File
	Last             int64  // instant of its newest line; figs.NoTime
	LastTS           string // that time as written
	Archived         int64  // since when it is; 0
	Erased           int    // how many of its records and replies lost their text
	RequestedName    string // the other name under which it came last, and was refused; ""
	RequestedAt      int64
	AllowedName      string // the other name under which its next push passes, once; ""
}

// Counts are sizes of an agent's journal.
type Counts struct {
	Jobs, InFlight, Failed, Warned, Unknown int
	Asks, NeedsYou, Waiting, Closed         int
	Messages, Orphans, Files                int // Orphans are replies to asks that are not there
	Errors, Warnings, Infos, Refused        int
}

// Agents keeps agents.
type Agents interface {
	// Agent finds one wherever it is registered; the caller checks the workspace.
	Agent(ctx context.Context, id string) (Agent, error)
	// ListAgents lists a workspace's agents by name.
	ListAgents(ctx context.Context, workspace string) ([]Agent, error)
	// Roster tells who the agents of a workspace are, and of whom they ask. It may be shared:
	// nobody changes it.
	Roster(ctx context.Context, workspace string) (*Roster, error)
	// Assign sets who manages and who built an agent; "" is nobody. It returns ErrCannotAnswer for people who aren't at
	// least members. Whoever stops being one is taken out in the same transaction, by SetMember and RemoveMember.
	Assign(ctx context.Context, act Act, agent, manager, builder string) error
	// ClearFormerMembers takes out managers and builders who aren't at least members (older versions left them), and counts them.
	ClearFormerMembers(ctx context.Context, act Act) (n int, err error)
	// Archive sets an agent aside, and brings it back. Archived it is still pushed to, read and
	// synced; its asks are nobody's, and what is about all agents of a workspace leaves it out. Restart it
	// changes nothing.
	Archive(ctx context.Context, act Act, agent string, archived bool) error
	// AllowName lets the agent's next push pass that comes under the other name, once; "" takes that
	// back. It returns ErrNotFound unless the agent came under that name last.
	AllowName(ctx context.Context, act Act, agent, name string) error
	// MoveAgent registers an agent in another workspace, with everything that it wrote and all that
	// people did with it. Its manager and builder stay as far as they belong to that one. It returns
	// *PendingError while a decision on one of its asks does not count yet, and ErrNotFound where there is
	// no such workspace; to where the agent is it changes nothing.
	MoveAgent(ctx context.Context, act Act, agent, workspace string) error
	// Charters lists every distinct agent.json, newest first.
	Charters(ctx context.Context, agent string) ([]Charter, error)
	// Findings returns the report of the last push as figs.AppendFindings wrote it.
	Findings(ctx context.Context, agent string) ([]byte, error)
	// Refusals lists what pushes of the agent could not bring and still cannot, newest first.
	Refusals(ctx context.Context, agent string) ([]Refusal, error)
}

// Charter is one version of an agent's charter.
type Charter struct {
	Charter  []byte
	Received int64
	PushedBy string
	Seq      int64
}

// Refusal is a record that a push left out.
type Refusal struct {
	figs.RefusedRecord
	At       int64
	PushedBy string
}

// Roster is who the agents of a workspace are and of whom they ask, as far as lists and filters
// show it. It is kept between questions as long as Version is the workspace's.
type Roster struct {
	Version     int64 // number of the change that made it
	Agents      []RosterAgent
	Departments []string        // sorted, without the empty one
	Admins      map[string]bool // who may reply to every ask here: owners and admins, by their id

	Archived []string // ids of agents that are

	MembersByName map[string][]User // members by the keys of their names and addresses, as replies name them
	CanConfirm    map[string]bool   // members who may confirm or contradict what is reported in their names
	Owners        []string          // sorted
	Names         map[string]string // of members, by their ids

	byID   map[string]*RosterAgent
	admins []string // sorted
	mu     sync.Mutex
	memo   map[any]any
}

// RosterAgent is an agent as lists name it.
type RosterAgent struct {
	ID, Name, Role, Status, Department, AvatarSeed string
	Manager, Builder                               string // ids of users who may reply to its asks; ""
	Archived                                       bool
}

// NewRoster makes one of faces in their order.
func NewRoster(version int64, faces []RosterAgent, departments []string, admins map[string]bool) *Roster {
	r := &Roster{Version: version, Agents: faces, Departments: departments, Admins: admins, byID: make(map[string]*RosterAgent, len(faces)), memo: map[any]any{}}
	for id := range admins {
		r.admins = append(r.admins, id)
	}
	slices.Sort(r.admins)
	for i := range faces {
		if r.byID[faces[i].ID] = &faces[i]; faces[i].Archived {
			r.Archived = append(r.Archived, faces[i].ID)
		}
	}
	return r
}

// RosterAgent finds an agent by its id; nil when there is none.
func (r *Roster) Agent(id string) *RosterAgent { return r.byID[id] }

// AskedOf lists who is asked what an agent asks of `to`: all of them may reply to it now, it is in their "For me" inboxes,
// and they are told of it. Owners and admins are asked where there is no manager and no builder, and nobody for an archived
// agent. The list is not to be changed.
func (r *Roster) AskedOf(agent, to string) []string {
	face := r.Agent(agent)
	switch {
	case face == nil:
		return r.admins
	case face.Archived:
		return nil
	}
	if people := figs.AskedOf(to, figs.Addressees{Manager: face.Manager, Builder: face.Builder}); len(people) > 0 {
		return people
	}
	return r.admins
}

// Confirmers lists who is asked to confirm or contradict a reply that an agent reports in the name with that key, and that
// arrived then: the member of that name, or the owners when no such member may confirm it. It is in their "For me" inboxes,
// and they are told of it; of an archived agent nobody is. The list is not to be changed.
func (r *Roster) Confirmers(agent, key string, arrived int64) []string {
	if face := r.Agent(agent); face != nil && face.Archived {
		return nil
	}
	if person := MemberNamed(key, arrived, r.MembersByName[key]); r.CanConfirm[person] {
		return []string{person}
	}
	return r.Owners
}

// Memo returns what make makes of the roster; of all who ask with that key only the first makes it.
func (r *Roster) Memo(key any, make func() any) any {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, had := r.memo[key]; !had {
		r.memo[key] = make()
	}
	return r.memo[key]
}
