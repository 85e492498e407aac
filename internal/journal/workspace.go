package journal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
)

// Workspace answers the questions of pages about all agents of a workspace. Keys of agents,
// records and files are segments of addresses (Segment).
type Workspace interface {
	Journal
	// Chart lists every agent as the org chart shows it, by department and name; archived ones apart.
	Chart(ctx context.Context) (*Chart, error)
	// Inbox lists asks of all agents: those that need a human, longest wait first; the other
	// tabs newest first.
	Inbox(ctx context.Context, q InboxQuery) (*Inbox, error)
	// Trends counts what happened on the days of a period.
	Trends(ctx context.Context, q TrendsQuery) (*Trends, error)
	// SearchAll finds records, replies and text attachments of all agents, newest first.
	SearchAll(ctx context.Context, q Query) (*WorkspaceHits, error)
	// Refusals lists what the agent's pushes could not bring and still cannot, newest first.
	Refusals(ctx context.Context, agent string) ([]Refusal, error)
	// Seq is the number of the workspace's last change.
	Seq(ctx context.Context) (int64, error)
}

// Person is somebody of the workspace; the zero value is nobody.
type Person struct{ ID, Name string }

// Week counts the jobs that settled in one week, by outcome.
type Week struct{ OK, Warned, Failed, Unknown int }

// Card is an agent on the org chart.
type Card struct {
	Agent    Agent
	InFlight *Job     // the newest job in flight: Key, Run and Last are filled; nil: none
	Last     *Job     // the job that settled last, likewise; nil: none
	Weeks    [12]Week // oldest first; the last is the week of today
}

// Chart is the org chart.
type Chart struct {
	Cards    []Card
	Archived []Card // their jobs and weeks are left out
	Needs    int    // asks that need a human, everybody's
	Seq      int64
}

// Tab is a part of the inbox.
type Tab string

// The tabs: what needs a human, what waits for the agent, what is closed.
const (
	TabNeeds   Tab = "needs"
	TabWaiting Tab = "waiting"
	TabClosed  Tab = "closed"
	// TabReported is what agents wrote down in somebody's name and nobody has confirmed (§6), open
	// or closed; TabSnoozed what who looks has put off.
	TabReported Tab = "reported"
	TabSnoozed  Tab = "snoozed"
)

// InboxQuery filters the inbox. In an address its keys are tab, everybody, agent, department,
// type, to, age, sort, from, n.
type InboxQuery struct {
	Tab          Tab    // "" is TabNeeds
	Mine         string // only what is asked of this user, unless Everybody; the page says so, never the address
	Viewer       string // who looks: items say whether they are asked of this user; "" is Mine
	Everybody    bool   // of the address: do not filter by who looks
	Agent        string // key
	Department   string
	Type         string // "question", "sign-off"
	To           string // "manager", "builder"
	MinWaitHours int    // only what has waited for at least so many hours
	Sort         string // of TabNeeds: SortCost, for what has waited longest in all its rounds first; "" is the longest wait first
	From, N      int
}

// InboxItem is one ask, with enough to triage it.
type InboxItem struct {
	Agent       Agent // Key, Config and Charter are filled
	Ask         Ask   // Key, Ask, State are filled
	Department  string
	Since       int64 // since when it has needed a human, microseconds since 1970; figs.NoTime
	EarlierWait int64 // how long it had waited in rounds that are over, microseconds; only in the order of cost
	Blocks      bool  // the job that it names is in flight
	JobTitle    string
	Mine        bool     // asked of who looks
	ReportedBy  string   // of a reported one: in whose name the agent wrote
	Pending     *Pending // a decision that does not count yet
	Claim       *Claim   // somebody looks at it
	Snoozed     int64    // until when who looks has put it off; 0: not, 1<<63-1: until something is new
}

// Inbox is a page of it with the sizes of its tabs under the same filters.
type Inbox struct {
	Items       []InboxItem
	From        int
	More        bool  // there are items after these
	Needs       int   // length of the tab of what needs a human; its badge shows the same
	Oldest      int64 // since when its oldest item has waited; figs.NoTime
	Reported    int   // length of the tab of what is only reported, under the same filters
	Snoozed     int   // how much who looks has put off
	Departments []string
	Agents      []Agent // to filter by: Key and Charter are filled; shared, so that nobody changes it
	Seq         int64
}

// TrendsQuery chooses the period: the last Days days (28, 91 or 364; 0 is 28) to today, and
// perhaps one agent.
type TrendsQuery struct {
	Days   int
	Agent  string // key
	Viewer string // who looks: items say whether they are asked of this user; no address has it
}

// Trends is what happened in a period.
type Trends struct {
	First          int64          // midnight UTC of the first day, microseconds since 1970
	Days           []TrendDay     // without a gap
	Answers        []int64        // microseconds from a raise to its first reply, of asks first answered in the period, ascending
	Hours          [7][24]int     // lines of ledgers by weekday (Monday first) and hour, UTC
	Waits          []InboxItem    // the oldest that wait for a human now; at most 8
	WaitingByAgent []AgentWaiting // what waits for a human now, by agent, longest first
	Tokens         int64          // used by jobs that settled in the period and say so
	TokenJobs      int            // how many say so
	Jobs           int            // settled in the period
	Agents         []Agent        // to filter by; shared, so that nobody changes it
	Heat           *Activity      // of all chosen agents, without the counts of what lies outside
}

// AgentWaiting is how long the open asks of an agent have waited for humans in all their rounds, each counted for itself.
type AgentWaiting struct {
	Agent Agent // Key, Config and Charter are filled
	Asks  int
	Sum   int64 // microseconds
}

// TrendDay counts the jobs that settled on a day, by outcome, and asks raised and replies given.
type TrendDay struct {
	Week
	Raised, Replied int
}

// WorkspaceHits is a page of what search found in a workspace.
type WorkspaceHits struct {
	Items []WorkspaceHit
	From  int
	More  bool
}

// WorkspaceHit is one of them; its excerpt marks the first word that matched.
type WorkspaceHit struct {
	Agent Agent // Key, Config and Charter are filled
	Hit   Hit   // Owner is "jobs/KEY", "asks/KEY", "messages/KEY" or "files/KEY"
}

// Refusal is a record that a push left out.
type Refusal struct {
	figs.RefusedRecord
	At       int64 // microseconds since 1970
	PushedBy Person
}
