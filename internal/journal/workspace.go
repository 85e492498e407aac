package journal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
)

// Workspace is a journal of all agents of a workspace. The keys of agents, records and files are URL segments; see Segment.
type Workspace interface {
	Journal
	// Chart returns the agents that a query selects.
	Chart(ctx context.Context, q ChartQuery) (*Chart, error)
	// Inbox returns asks of all agents: those that need a human by longest wait, on the other tabs newest first. On TabWaiting,
	// those with a reply that the agent hasn't confirmed come first, longest wait first.
	Inbox(ctx context.Context, q InboxQuery) (*Inbox, error)
	// Trends returns what happened on each day of a period.
	Trends(ctx context.Context, q TrendsQuery) (*Trends, error)
	// SearchAll finds records, replies and text attachments of all agents, newest first.
	SearchAll(ctx context.Context, q Query) (*WorkspaceHits, error)
	// Refusals returns the records that the agent's pushes left out and that are still missing, newest first.
	Refusals(ctx context.Context, agent string) ([]Refusal, error)
	// Seq returns the number of the workspace's last change.
	Seq(ctx context.Context) (int64, error)
}

// Person is a user; the zero value means nobody.
type Person struct{ ID, Name string }

// Week counts the jobs that settled in a week, by outcome.
type Week struct{ OK, Warned, Failed, Unknown int }

// Tab is a tab of the inbox.
type Tab string

// The tabs: asks that need a human, that wait for the agent, and that are closed.
const (
	TabNeeds   Tab = "needs"
	TabWaiting Tab = "waiting"
	TabClosed  Tab = "closed"
	// TabReported has asks, open or closed, with a reply that an agent reported in someone's name and nobody has confirmed
	// (§6). TabSnoozed has asks that the viewer has snoozed.
	TabReported Tab = "reported"
	TabSnoozed  Tab = "snoozed"
)

// InboxQuery filters the inbox. Its URL parameters are tab, everybody, q, agent, department, type, to, age, sort, from and n.
type InboxQuery struct {
	Tab          Tab    // "" for TabNeeds
	Mine         string // only asks that this user is asked, unless Everybody is set; set by the server, never a URL parameter
	Viewer       string // user for InboxItem.Mine; "" for Mine
	Everybody    bool   // ignore Mine
	Text         string // words that must all be in the name of the agent or of its department
	Agent        string // key
	Department   string
	Type         string // "question" or "sign-off"
	To           string // "manager" or "builder"
	MinWaitHours int    // only asks that have waited at least this long
	Sort         string // for TabNeeds: SortCost to order by the waiting time of all rounds; "" to order by the current wait
	// After and Before are cursors of an Inbox: the items after it, or those before it.
	After, Before string
	N             int
}

// InboxItem is an ask in the inbox.
type InboxItem struct {
	Agent       Agent // Key, Config and Charter are set
	Ask         Ask   // Key, Ask and State are set
	Department  string
	Since       int64 // since when it has needed a human, microseconds since 1970; figs.NoTime if unknown
	EarlierWait int64 // waiting time of earlier rounds, microseconds; only with SortCost
	Blocks      bool  // the job that it names is in flight
	JobTitle    string
	Mine        bool      // the viewer is asked
	ReportedBy  string    // if reported, in whose name the agent wrote the reply
	Pending     *Pending  // pending decision; nil if none
	Claim       *Claim    // active claim; nil if none
	Snoozed     int64     // until when the viewer has snoozed it; 0 if they haven't, 1<<63-1 for until it changes
	Handover    *Handover // in force; nil if none
	FollowUp    *FollowUp // only on TabWaiting of a server
}

// Inbox is a page of the inbox, with the number of items on its tabs under the same filters.
type Inbox struct {
	Items       []InboxItem
	Prev, Next  string // cursors for InboxQuery.Before and InboxQuery.After; "" if there are no such items
	Needs       int    // number of asks on TabNeeds, which its badge shows
	Oldest      int64  // since when the oldest of these has waited; figs.NoTime if there are none
	Reported    int    // number of asks on TabReported
	Snoozed     int    // number of asks that the viewer has snoozed
	Departments []string
	Colleagues  []Person // who may reply to asks of some agent, without the viewer, by name; only on a server
	Agents      []Agent  // for the agent filter, with Key and Charter; shared, must not be modified
	Seq         int64
}

// TrendsQuery selects a period of Days days (28, 91 or 364; 0 means 28) that ends today, and optionally an agent.
type TrendsQuery struct {
	Days   int
	Agent  string // key
	Viewer string // user for InboxItem.Mine; never a URL parameter
}

// Trends is what happened in a period.
type Trends struct {
	First          int64          // midnight UTC of the first day, microseconds since 1970
	Days           []TrendDay     // without gaps
	Answers        []int64        // microseconds from a raise to its first reply, for first replies in the period, ascending
	Hours          [7][24]int     // lines of ledgers by weekday (Monday first) and hour, UTC
	Waits          []InboxItem    // the asks that have waited for a human longest, at most 8
	WaitingByAgent []AgentWaiting // waiting times of open asks by agent, longest first
	Tokens         int64          // reported by jobs that settled in the period
	TokenJobs      int            // how many of these jobs reported tokens
	Jobs           int            // how many jobs settled in the period
	Agents         []Agent        // for the agent filter; shared, must not be modified
	Heat           *Activity      // of all selected agents; Before, After and Timeless are 0
}

// AgentWaiting is how long an agent's open asks have waited for humans, in all rounds, added up.
type AgentWaiting struct {
	Agent Agent // Key, Config and Charter are set
	Asks  int
	Sum   int64 // microseconds
}

// TrendDay counts the jobs that settled on a day, by outcome, and the asks raised and replies given.
type TrendDay struct {
	Week
	Raised, Replied int
}

// WorkspaceHits is a page of search results in a workspace.
type WorkspaceHits struct {
	Items  []WorkspaceHit
	Report SearchReport // without Items
}

// WorkspaceHit is a search result; its excerpt marks the first matching word.
type WorkspaceHit struct {
	Agent Agent // Key, Config and Charter are set
	Hit   Hit   // Owner is "jobs/KEY", "asks/KEY", "messages/KEY" or "files/KEY"
}

// Refusal is a record that a push left out, and why.
type Refusal struct {
	figs.RefusedRecord
	At       int64 // microseconds since 1970
	PushedBy Person
}
