package store

import (
	"context"

	"github.com/figs-web/figs-web/figs"
)

// Tab is a tab of the inbox, and a group of asks in lists.
type Tab string

// The tabs: asks that need a human; that wait for the agent, without reported ones; closed ones; ones whose reply is only
// reported (§6) and not confirmed, open ones first, newest first; ones that InboxQuery.Viewer has snoozed, ordered by when
// the snooze ends.
const (
	TabNeeds    Tab = "needs"
	TabWaiting  Tab = "waiting"
	TabClosed   Tab = "closed"
	TabReported Tab = "reported"
	TabSnoozed  Tab = "snoozed"
)

// InboxQuery filters the inbox of a workspace. Asks of archived agents are never included.
type InboxQuery struct {
	Workspace    string
	Tab          Tab    // "" for TabNeeds
	Mine         string // only asks that this user is asked and hasn't snoozed; "" for everyone's
	Viewer       string // user whose snoozed asks TabSnoozed lists; "" for Mine
	Now          int64  // snoozes and claims that end by then are ignored; 0 if unknown
	Agent        string // id; only this agent's
	AgentWords   string // only of agents with all these words in their name or department
	Department   string // only of agents in this department
	Type         string // "question" or "sign-off"
	To           string // "manager" or "builder"
	SinceBefore  int64  // only asks that have waited since before then; 0 for any
	LongestFirst bool   // order TabNeeds by the waiting time of all rounds
	Slice               // if N < 0, asks are only counted
}

// InboxItem is an ask in the inbox. All text in it was written by an agent.
type InboxItem struct {
	Agent       string
	Fold        []byte   // of the ask
	Ask         figs.Ask // parsed Fold; shared, must not be modified
	Phase       figs.Phase
	Round       int
	Reported    bool
	Since       int64 // since when the current round has needed a human
	EarlierWait int64 // waiting time of earlier rounds, microseconds; only with LongestFirst
	HasJob      bool  // the job that the ask names exists
	JobTitle    string
	JobInFlight bool      // that job is in flight
	AskedOf     []string  // user ids by Roster.AskedOf; for a reported reply, by Roster.Confirmers
	ReportedBy  string    // if Reported, the "by" of the reply that decides
	Pending     *Decision // pending decision; nil if none
	Claim       *Claim    // newest active claim; nil if none
	Snoozed     int64     // until when Viewer has snoozed it; 0 if not
	Handover    *Handover // hand-over in force; nil if none
	FollowUp    *FollowUp // only on TabWaiting
}

// Inbox is a page of the inbox.
type Inbox struct {
	Items      []InboxItem
	Prev, Next string // cursors for Slice.Before and Slice.After; "" if there are no such items
	Total      int    // asks that need a human under the same filters, whatever the tab
	Oldest     int64  // since when the oldest of them has waited; figs.NoTime if none
	// Reported counts asks with unconfirmed replies under the same filters, up to MaxReportedCount. With Mine these are
	// asks that name the user, asks of agents that the user manages or built, and, if the user is an owner or admin, asks
	// of agents with neither. Snoozed counts what Viewer has snoozed.
	Reported, Snoozed int
	Roster            *Roster
	Seq               int64      // the workspace's Seq before the rest was read
	Pending           []Decision // Viewer's pending decisions, ordered by Effective
}

// AskRef identifies an ask of an agent.
type AskRef struct{ Agent, Ask string }

// MaxReportedCount is the limit of Inbox.Reported.
const MaxReportedCount = 5000

// RecordQuery filters the runs or asks of an agent.
type RecordQuery struct {
	Agent  string
	File   figs.File // figs.Runs or figs.Asks
	State  string    // for runs "in-flight", "ok", "warn" or "fail"; for asks a Tab
	Words  string
	Run    string // only asks that belong to this run
	Oldest bool   // runs only: oldest first
	Slice
}

// Record is a folded run or ask, with derived data.
type Record struct {
	Agent    string
	File     figs.File
	ID       string
	No       int    // number by first arrival among the agent's runs or asks, from 1
	Fold     []byte // one JSON object
	Versions int
	Received int64 // arrival of the first version
	Changed  int64 // arrival of the last version
	PushedBy string
	At       int64 // time by which lists are ordered
	Outcome  figs.Outcome
	State    figs.AskState // with Reply -1
	Trail    []Entry       // only from Reader.Record
	Thread   []Message     // of an ask; only from Reader.Record
	Rounds   []int         // of an ask, by index of Trail; only from Reader.Record
	Raises   []bool        // by index of Trail: the entry puts the ask to a human; only from Reader.Record
	Closes   []bool
	Waits    []figs.Wait // of an ask, by round; only from Reader.Record
	AskedOf  []string    // of an ask, as InboxItem.AskedOf
}

// Entry is a version in a record's trail, or an unfolded line of it.
type Entry struct {
	figs.Version
	PushedBy string
	Seq      int64
}

// Message is a reply.
type Message struct {
	Agent, ID, Ask string
	No             int // number by arrival, from 1
	Line           []byte
	Verified       bool
	At             int64 // time of the message, or arrival if its ts can't be parsed
	Received       int64 // arrival; for a reply written by this server, when it was decided
	PushedBy       string
	PickedUp       int64 // first returned by a sync; 0 if never, and for replies that weren't given here
	Confirmed      int64 // when its id came back in a push; 0 if it hasn't
	Round          int   // only in a thread, otherwise 0
	Earlier        bool
}

// DayCount is the number of versions or replies of a day.
type DayCount struct {
	Day  int64 // days since 1970 UTC
	File figs.File
	N    int
}

// ActivityKind is what a HourCount counts.
type ActivityKind uint8

// The kinds. Lines are counted at their own time, or else at their arrival. Settled jobs and raised asks are counted by the
// day, in its first hour.
const (
	ActivityRunLine ActivityKind = iota
	ActivityAskLine
	ActivityReply
	ActivitySettled
	ActivityRaised
)

// HourCount is how often something happened in an hour.
type HourCount struct {
	Kind    ActivityKind
	Outcome figs.Outcome // for ActivitySettled
	Hour    int64        // hours since 1970 UTC
	N       int
}

// WeekCount is how many of an agent's jobs settled in a week with an outcome.
type WeekCount struct {
	Agent   string
	Week    int64 // weeks since Monday, December 29, 1969
	Outcome figs.Outcome
	N       int
}

// TokenUsage is how many tokens jobs used.
type TokenUsage struct {
	Sum  int64 // total of all sessions, each with its largest total, on the day of the newest job that reports it
	Jobs int   // how many jobs report their usage
}

// WaitingTime is how long an agent's open asks have waited for humans, in all rounds, added up.
type WaitingTime struct {
	Agent string
	Asks  int
	Sum   int64 // microseconds; an ask with an unknown start adds only its earlier rounds
}

// File is a name that records attach, or that was uploaded.
type File struct {
	Attachment           // Size is -1 and SHA256 "" if the bytes weren't uploaded
	Mentions   []Mention // the first 50 versions that attach it
	Erased     *Erasure  // tombstone; nil if the bytes weren't erased
}

// Mention is a version that attaches a file.
type Mention struct {
	File  figs.File // figs.Runs or figs.Asks
	ID    string
	N     int // number of the version, from 1
	At    int64
	TS    string // of the record
	Title string // of the record
}

// SearchQuery is a search. Its syntax is package find's.
type SearchQuery struct {
	Workspace string
	Agent     string // only of this agent; "" for all that aren't archived
	Text      string
	Before    int64 // only hits with smaller numbers; 0 for the first page
	N         int   // at most this many; 0 for 50
	Archived  bool  // of all agents, archived ones included
	Count     bool  // count hits, from the newest on
}

// SearchResult is a page of hits, newest first.
type SearchResult struct {
	Hits   []SearchHit
	Next   int64         // SearchQuery.Before of the next page; 0 if there is none
	Counts *SearchCounts // nil if they weren't asked for
}

// SearchHit is a record, reply or attachment that a search found.
type SearchHit struct {
	No       int64
	Agent    string
	File     figs.File // figs.Runs, Asks or Messages; NoFile for an attachment
	ID       string    // id of the record or reply, or name of the attachment
	Text     []byte    // the record's fold, the reply's line, or the indexed text of the attachment
	State    int       // of a run its figs.Outcome, of an ask its figs.Phase
	Reported bool      // as figs.AskState has it
}

// AskTitle is an ask that was found by its title or id.
type AskTitle struct {
	Agent, ID, Title, Type string
	State                  figs.AskState // without Reply
}

// Changes are the changes of a workspace after a Seq: either of these agents alone, or of anything.
type Changes struct {
	Seq    int64    // of the last change
	All    bool     // something changed that belongs to no agent alone, or too many agents did; Agents is nil then
	Agents []string // ids of agents of which something that pages show changed
}

// ChangedRecord is a record or reply that changed.
type ChangedRecord struct {
	Agent string
	File  figs.File
	ID    string
	Seq   int64    // of its last change
	Reply *Message // of a reply
}

// SearchCounts counts the newest hits, at most MaxSearchCount. More says that there may be others.
type SearchCounts struct {
	Hits   int
	More   bool
	Agents map[string]int // by id
	Kinds  [figs.NoFile + 1]int
	States map[string]int // by the part of a search that asks for it, "status:fail" or "is:needs"
	Months map[string]int // "2026-05", in UTC, of records and replies with a time
}

// MaxSearchCount is how many hits of a search are counted.
const MaxSearchCount = 1000

// SearchScope is what a search looks through.
type SearchScope struct{ Agents, Records, Replies, Files int }

// AskWait is when an ask was put to humans. Times are in microseconds since 1970, or figs.NoTime.
type AskWait struct {
	ID               string
	Tab              Tab
	Round            int
	Raised, Answered int64 // its first line, and the first reply
	Since            int64 // since when it is in its state
	At               int64 // its newest line
}

// Reader reads data for pages.
type Reader interface {
	// Seq returns the number of a workspace's last change.
	Seq(ctx context.Context, workspace string) (int64, error)
	// Changes returns what changed after a Seq, and All for more than most agents.
	Changes(ctx context.Context, workspace string, since int64, most int) (Changes, error)
	// ChangedRecords returns which runs, asks and replies changed after a Seq, of one agent or with "" of the workspace: first
	// at most most runs and asks, then at most most replies, each those that changed last first. more says that others did
	// before these.
	ChangedRecords(ctx context.Context, workspace, agent string, since int64, most int) (list []ChangedRecord, more bool, err error)
	Inbox(ctx context.Context, q InboxQuery) (*Inbox, error)
	// Records returns runs, newest first, or asks: those that need a human, longest wait first, then waiting ones, then
	// closed ones, newest first. With Words it looks through the MaxWordMatches documents with these words that arrived
	// last.
	Records(ctx context.Context, q RecordQuery) (*Page[Record], error)
	Record(ctx context.Context, agent string, file figs.File, id string) (*Record, error)
	// Folds returns the current folds of runs, asks or replies by id. Unknown ids are left out.
	Folds(ctx context.Context, agent string, file figs.File, ids []string) (map[string][]byte, error)
	// AskRecords returns asks of several agents of a workspace, as Records lists them. Unknown ones are left out.
	AskRecords(ctx context.Context, workspace string, asks []AskRef) (map[AskRef]Record, error)
	// FullRecords returns records as Record does, in the order of ids. Unknown ids are left out.
	FullRecords(ctx context.Context, agent string, file figs.File, ids []string) ([]Record, error)
	// Messages returns all replies of an agent, oldest first.
	Messages(ctx context.Context, agent string) ([]Message, error)
	// MessagePage returns replies of an agent, newest first.
	MessagePage(ctx context.Context, agent string, part Slice) (*Page[Message], error)
	Message(ctx context.Context, agent, id string) (Message, error)
	// MessagesSeq returns the tag of an agent's messages, which changes whenever Messages would return something else.
	MessagesSeq(ctx context.Context, agent string) (workspace string, seq int64, err error)
	// DailyActivity counts an agent's versions and replies by the UTC day of their own time, or else of their arrival, in
	// order.
	DailyActivity(ctx context.Context, agent string) ([]DayCount, error)
	// HourlyActivity counts what happened in the hours from <= hour < to, for an agent, or with "" for the whole workspace.
	HourlyActivity(ctx context.Context, workspace, agent string, from, to int64) ([]HourCount, error)
	// ActivityByDay counts what HourlyActivity does for an agent, by the day, with the day's first hour.
	ActivityByDay(ctx context.Context, workspace, agent string) ([]HourCount, error)
	// LastActiveHour returns the latest hour for which HourlyActivity counts lines or replies; ErrNotFound if there is
	// none.
	LastActiveHour(ctx context.Context, workspace, agent string) (hour int64, err error)
	// WeeklyJobs counts the jobs of some agents of a workspace that settled since from, which must be the start of a week
	// after 1970.
	WeeklyJobs(ctx context.Context, workspace string, agents []string, from int64) ([]WeekCount, error)
	// LatestJobs returns, for each of some agents of a workspace that has one, the job in flight with the newest line, or
	// if settled is set, the job that settled last.
	LatestJobs(ctx context.Context, workspace string, agents []string, settled bool) ([]Record, error)
	// AnswerTimes returns how long asks waited for their first reply, in microseconds, ascending, for first replies at from
	// <= time < to; of all agents if agent is "".
	AnswerTimes(ctx context.Context, workspace, agent string, from, to int64) ([]int64, error)
	// AskWaits returns how long each ask of an agent has waited, as far as derived data knows, in the order of Raised.
	AskWaits(ctx context.Context, agent string) ([]AskWait, error)
	// NewestLines returns lines of an agent's records, as they were sent, those of the newest records first.
	NewestLines(ctx context.Context, workspace, agent string, file figs.File, n int) ([][]byte, error)
	// TokenUsage adds up the reported usage of settled jobs in a period of whole UTC days, which doesn't include its end; of
	// all agents if agent is "".
	TokenUsage(ctx context.Context, workspace, agent string, from, to int64) (TokenUsage, error)
	// WaitingTimes adds up the waiting times of asks that need a human now, by agent, longest first; of one agent, or with
	// "" of all that aren't archived.
	WaitingTimes(ctx context.Context, workspace, agent string, now int64) ([]WaitingTime, error)
	// UserNames returns the names of users by id. Unknown ids are left out.
	UserNames(ctx context.Context, people []string) (map[string]string, error)
	Attachments(ctx context.Context, agent string) ([]Attachment, error)
	// Files returns every name that the agent's records attach, in order of arrival, with the bytes if they were uploaded;
	// then uploaded files that no record names. words filters by name.
	Files(ctx context.Context, agent, words string, part Slice) (*Page[File], error)
	// File returns one file, as Files does.
	File(ctx context.Context, agent, name string) (*File, error)
	// FilesByName returns files by name. Unknown names are left out.
	FilesByName(ctx context.Context, agent string, names []string) (map[string]*File, error)
	// AttachmentsBySHA returns a workspace's attachments with these bytes.
	AttachmentsBySHA(ctx context.Context, workspace, sha256 string) ([]Attachment, error)
	// Search returns what matches, newest first.
	Search(ctx context.Context, q SearchQuery) (*SearchResult, error)
	// SearchScope counts what a search looks through, whatever it finds: all of the agents that it may find something of.
	SearchScope(ctx context.Context, q SearchQuery) (SearchScope, error)
	// AsksByTitle returns at most n asks, newest first, of agents that aren't archived, in whose title or id each of the
	// words begins a word. If very many match, it may leave out older ones.
	AsksByTitle(ctx context.Context, workspace, words string, n int) ([]AskTitle, error)
}
