package store

import (
	"context"

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
	figs.Refused
	At       int64
	PushedBy string
}
