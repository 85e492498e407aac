package store

import (
	"context"

	"github.com/figs-web/figs-web/figs"
)

// Tab is a part of the inbox, and a group of asks in lists.
type Tab string

// The tabs: what needs a human, what waits for the agent, what is closed; what is only reported
// (§6) until somebody confirms or contradicts it, open ones before closed ones, newest first; what Viewer has put off, what comes back first
// first. TabWaiting leaves out what is reported.
const (
	TabNeeds    Tab = "needs"
	TabWaiting  Tab = "waiting"
	TabClosed   Tab = "closed"
	TabReported Tab = "reported"
	TabSnoozed  Tab = "snoozed"
)

// InboxQuery filters the inbox of a workspace. Asks of archived agents are in none.
type InboxQuery struct {
	Workspace    string
	Tab          Tab    // "" is TabNeeds
	Mine         string // only what is asked of this user, and not put off; "" is everybody's
	Viewer       string // who looks: TabSnoozed is what this user has put off; "" is Mine
	Now          int64  // what is put off until then or before, and claims that end, count no more; 0 does not say when
	Agent        string // only of this agent
	Department   string // only of agents of this department
	Type         string // "question", "sign-off"
	To           string // "manager", "builder"
	Before       int64  // only what has waited since before then; 0: any
	LongestFirst bool   // of what needs a human, what has waited longest in all its rounds stands first
	From, N      int    // N of 0 is 50; less than 0 only counts
}

// InboxItem is one ask, with enough to triage it. Every text was written by an agent.
type InboxItem struct {
	Agent       string
	Fold        []byte   // the ask
	Ask         figs.Ask // what Fold says; shared, not to be changed
	Phase       figs.Phase
	Round       int
	Reported    bool
	Since       int64 // since when the round has needed a human
	EarlierWait int64 // how long it had waited in rounds that are over, microseconds; only in the order of LongestFirst
	HasJob      bool  // the job that it names is there
	JobTitle    string
	JobInFlight bool      // it is in flight
	AskedOf     []string  // who is asked, of Roster.AskedOf; of a reported one who is to confirm it, of Roster.Confirmers
	ReportedBy  string    // of a reported one: the "by" of the reply that decides
	Pending     *Decision // a decision that does not count yet
	Claim       *Claim    // the newest that has not ended
	Snoozed     int64     // until when Viewer has put it off; 0
}

// Inbox is a page of it.
type Inbox struct {
	Items  []InboxItem
	From   int
	More   bool  // there are items after these
	Total  int   // how many need a human under the same filters, whichever the tab
	Oldest int64 // since when the oldest of those has waited; figs.NoTime
	// TabReported counts what is only reported under the same filters; of Mine that is what names
	// this user, or is of an agent that this user manages or built, or of one that has neither when
	// the user is an owner or admin. Beyond MaxReportedCount no more are counted. Snoozed counts what
	// Viewer has put off.
	Reported, Snoozed int
	Roster            *Roster
	Seq               int64      // of the workspace, from before the rest was read
	Pending           []Decision // Viewer's decisions that do not count yet, the one first that counts first
}

// AskRef names an ask of an agent.
type AskRef struct{ Agent, Ask string }

// MaxReportedCount is up to how many that are only reported are counted.
const MaxReportedCount = 5000

// RecordQuery filters the runs or asks of an agent.
type RecordQuery struct {
	Agent   string
	File    figs.File // Runs or Asks
	State   string    // runs: "in-flight", "ok", "warn", "fail"; asks: a Tab
	Words   string
	Run     string // asks that belong to this run
	From, N int
}

// Record is a folded run or ask with what is derived of it.
type Record struct {
	Agent    string
	File     figs.File
	ID       string
	No       int    // by its first arrival among the agent's runs or asks, from 1
	Fold     []byte // one JSON object
	Versions int
	Received int64 // of its first version
	Changed  int64 // of its last version
	PushedBy string
	At       int64 // instant by which lists order it
	Outcome  figs.Outcome
	State    figs.AskState // Reply is -1
	Trail    []Entry       // only from Reader.Record
	Thread   []Message     // of an ask; only from Reader.Record
	Rounds   []int         // of an ask, by entry of Trail; only from Reader.Record
	Raises   []bool        // entry puts the ask to a human; only from Reader.Record
	Closes   []bool
	Waits    []figs.Wait // of an ask, round by round; only from Reader.Record
	AskedOf  []string    // of an ask, as InboxItem.AskedOf
}

// Entry is one version in a record's trail, or one unfolded line of it.
type Entry struct {
	figs.Version
	PushedBy string
	Seq      int64
}

// Message is a reply.
type Message struct {
	Agent, ID, Ask string
	No             int // by arrival, from 1
	Line           []byte
	Verified       bool
	At             int64 // instant, or arrival when its ts cannot be read
	Received       int64 // of one minted here: when it was decided
	PushedBy       string
	PickedUp       int64 // when a sync first handed it out; 0, also of those that no human here gave
	Confirmed      int64 // when its id came back in a push; 0
	Round          int   // only in a thread; 0 elsewhere
	Earlier        bool
}

// DayCount is how many versions or replies a day has.
type DayCount struct {
	Day  int64 // days since 1970
	File figs.File
	N    int
}

// ActivityKind a HourCount counts.
type ActivityKind uint8

// ActivityKind happens: lines of the three ledgers, by their own time, else by their arrival; and by
// the day, whose first hour then stands for it, jobs that settled and asks that were raised.
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
	Outcome figs.Outcome // of ActivitySettled
	Hour    int64        // since 1970 UTC
	N       int
}

// WeekCount is how many of an agent's jobs settled in a week, with one outcome.
type WeekCount struct {
	Agent   string
	Week    int64 // weeks since Monday, 29 December 1969
	Outcome figs.Outcome
	N       int
}

// TokenUsage is how many tokens jobs used.
type TokenUsage struct {
	Sum  int64 // totals of sessions, each once
	Jobs int   // that say so
}

// WaitingTime is how long the open asks of an agent have waited for humans, in all their rounds, each counted for itself.
type WaitingTime struct {
	Agent string
	Asks  int
	Sum   int64 // microseconds; asks of which nobody knows since when they wait add what they waited in earlier rounds
}

// File is an attached name.
type File struct {
	Attachment           // ExportSize is -1 and SHA256 empty when the bytes were not uploaded
	Mentions   []Mention // the first 50 versions that attach it
	Erased     *Erasure  // what stays of its bytes; nil: they were not erased
}

// Mention is a version that attaches a file.
type Mention struct {
	File  figs.File // Runs or Asks
	ID    string
	N     int // the version, from 1
	At    int64
	TS    string // of the record
	Title string // of the record
}

// SearchHit is something that search found.
type SearchHit struct {
	Agent string
	File  figs.File // Runs, Asks, Messages; NoFile for an attachment
	ID    string    // record's or reply's id, or the attachment's name
	Text  []byte    // the record's fold, the reply's line, or what search knows of the attachment
}

// Reader answers pages.
type Reader interface {
	// Seq is the number of a workspace's last change.
	Seq(ctx context.Context, workspace string) (int64, error)
	Inbox(ctx context.Context, q InboxQuery) (*Inbox, error)
	// Records lists runs, newest first, or asks: those that need a human first and longest
	// wait first, then waiting, then closed ones, newest first. total counts all that match.
	Records(ctx context.Context, q RecordQuery) (list []Record, total int, err error)
	Record(ctx context.Context, agent string, file figs.File, id string) (*Record, error)
	// Folds returns what runs, asks or replies are now, by their ids; those that are not there
	// are left out.
	Folds(ctx context.Context, agent string, file figs.File, ids []string) (map[string][]byte, error)
	// AskFolds returns what asks of several agents of a workspace are now; those that are not there are left out.
	AskFolds(ctx context.Context, workspace string, asks []AskRef) (map[AskRef][]byte, error)
	// FullRecords returns records as Record does, in the order of the ids; those that are not there
	// are left out.
	FullRecords(ctx context.Context, agent string, file figs.File, ids []string) ([]Record, error)
	// Messages lists replies of an agent, oldest first; n of 0 lists all.
	Messages(ctx context.Context, agent string, from, n int) (list []Message, total int, err error)
	Message(ctx context.Context, agent, id string) (Message, error)
	// MessagesSeq is the tag of what Messages lists.
	MessagesSeq(ctx context.Context, agent string) (workspace string, seq int64, err error)
	// DailyActivity counts an agent's versions and replies by the day of their own time, else of their
	// arrival; days are those of UTC, in order.
	DailyActivity(ctx context.Context, agent string) ([]DayCount, error)
	// HourlyActivity counts what happened in the hours from from to before to, of an agent, or with
	// agent "" of the whole workspace.
	HourlyActivity(ctx context.Context, workspace, agent string, from, to int64) ([]HourCount, error)
	// LastActiveHour is the latest hour in which Beats counts a line of a run, an ask or a reply; ErrNotFound if there is none.
	LastActiveHour(ctx context.Context, workspace, agent string) (hour int64, err error)
	// WeeklyJobs counts the jobs of all agents of a workspace that settled since from, which is the
	// midnight that begins a week, after 1970.
	WeeklyJobs(ctx context.Context, workspace string, from int64) ([]WeekCount, error)
	// LatestJobs finds, for every agent of a workspace that has one, the job in flight with the
	// newest line, or the job that settled last.
	LatestJobs(ctx context.Context, workspace string, settled bool) ([]Record, error)
	// AnswerTimes lists how long asks waited for their first reply, in microseconds, ascending; of
	// asks whose first reply was given from from to before to; agent "" is any.
	AnswerTimes(ctx context.Context, workspace, agent string, from, to int64) ([]int64, error)
	// TokenUsage sums up what jobs say that settled from from to before to; agent "" is any.
	TokenUsage(ctx context.Context, workspace, agent string, from, to int64) (TokenUsage, error)
	// WaitingTime sums up what needs a human now, by agent, longest first; of one agent, or with agent "" of all that are not
	// archived.
	WaitingTimes(ctx context.Context, workspace, agent string, now int64) ([]WaitingTime, error)
	// UserNames finds the names of people by their ids; who is not known is left out.
	UserNames(ctx context.Context, people []string) (map[string]string, error)
	Attachments(ctx context.Context, agent string) ([]Attachment, error)
	// Files lists every name that the agent's records attach, in the order in which they came,
	// with its bytes where they were uploaded; then uploaded ones that nothing names. words
	// select by name.
	Files(ctx context.Context, agent, words string, from, n int) (list []File, total int, err error)
	// File is one of them.
	File(ctx context.Context, agent, name string) (*File, error)
	// FilesByName returns some of them, by their names; those that are not there are left out.
	FilesByName(ctx context.Context, agent string, names []string) (map[string]*File, error)
	// AttachmentsBySHA finds the names under which a workspace has these bytes.
	AttachmentsBySHA(ctx context.Context, workspace, sha256 string) ([]Attachment, error)
	// Search finds what contains all the words, newest first; agent "" searches all agents of the
	// workspace that are not archived.
	Search(ctx context.Context, workspace, agent, words string, from, n int) (hits []SearchHit, more bool, err error)
}
