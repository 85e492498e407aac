// Package journal is what a page may ask about agents and their work: one interface, served
// by the inspector's engine, by a local folder and by the store, so that one set of views
// shows all three.
package journal

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/figs"
)

// ErrNotFound says that the journal holds no such agent, job, ask, message or file.
var ErrNotFound = errors.New("journal: not found")

// Journal answers the questions of the pages. Every method may be called at any time and
// from several goroutines; results belong to the caller. A method that names an agent or a
// record returns ErrNotFound when there is none.
type Journal interface {
	// Overview is the first view of one agent.
	Overview(ctx context.Context, agent string) (*Overview, error)
	// Agents lists every agent in the order of the folders, or of the workspace.
	Agents(ctx context.Context) ([]Agent, error)
	// Agent is one agent with its charter.
	Agent(ctx context.Context, agent string) (*Agent, error)
	// Activity counts the agent's lines by day.
	Activity(ctx context.Context, agent string) (*Activity, error)
	// Jobs lists jobs, newest line first.
	Jobs(ctx context.Context, agent string, q Query) (*Page[Job], error)
	// Job is one job with its trail.
	Job(ctx context.Context, agent, job string) (*Job, error)
	// Asks lists asks: those that need a human first, then waiting, then closed; newest first.
	Asks(ctx context.Context, agent string, q Query) (*Page[Ask], error)
	// Ask is one ask with its trail and its thread.
	Ask(ctx context.Context, agent, ask string) (*Ask, error)
	// Messages lists replies, newest first; orphans are among them.
	Messages(ctx context.Context, agent string, q Query) (*Page[Message], error)
	// Files lists attachments: named ones in order of first mention, then unnamed ones.
	Files(ctx context.Context, agent string, q Query) (*Page[File], error)
	// File is one attachment, by its key.
	File(ctx context.Context, agent, file string) (*File, error)
	// Findings lists findings in the order of the report.
	Findings(ctx context.Context, agent string, q Query) (*Findings, error)
	// Lines lists the lines of one ledger as they stand, broken ones too.
	Lines(ctx context.Context, agent string, file figs.File, q Query) (*Page[Line], error)
	// Text is one of the folder's small text files: CONTRACT.md, GUIDE.md, agent.json, config.json.
	Text(ctx context.Context, agent, file string) (*Text, error)
	// Search finds records whose id or text contains the query's words, newest first.
	Search(ctx context.Context, agent string, q Query) (*Page[Hit], error)
}

// Page is a part of a list. From counts from 0; Total is the length of the whole list
// after the query's filters.
type Page[T any] struct {
	Items []T
	From  int
	Total int
}

// Counts are sizes of an agent's journal.
type Counts struct {
	Jobs, InFlight, Failed, Warned  int // Failed and Warned count settled jobs by outcome
	Unknown                         int // settled jobs whose status is none of the protocol's
	Asks, NeedsYou, Waiting, Closed int
	Messages, Orphans, Files        int
	Lines, Broken                   int // lines of all ledgers; lines set aside as broken
	Unread                          int // bit by figs.File: ledgers that could not be read, offline
	Absent                          int // bit by figs.File: ledgers that were not given, because files came without their folder
	Given                           int // bit by figs.File: the files that were given, offline
	Bytes                           int64
	Errors, Warnings, Infos         int
}

// Agent is one agent as every page shows it.
type Agent struct {
	Key     string // how addresses name it: the agent's number offline ("1"), its id hosted
	Path    string // where the folder was found, "repo/.figs"; "" hosted
	Config  figs.Config
	Charter figs.Charter
	Counts  Counts
	Since   Position // first dated line
	Last    Position // last dated line, the newest sign of life
	Oldest  string   // ts since when the oldest open ask has needed a human; ""
	Needed  *Needed  // the ask that has needed a human longest; nil when there is none, or only Overview knows it; from Journal.Agents
	Hosted  *Hosted  // nil offline
	// At is the point that is looked at; nil: everything that there is.
	At *Instant
}

// Needed is an ask that needs a human, in a few words.
type Needed struct {
	Key   string // address key
	Title string // its headline; an agent's words
	Type  string // "", "question", "sign-off" or another word
}

// Hosted is what a server knows of an agent beside what its folder says.
type Hosted struct {
	Manager, Builder Person
	PushedBy         Person
	Pushed           int64 // when the last push that changed something arrived, microseconds since 1970
	Registered       int64
	Refused          int    // records that pushes could not bring and still cannot
	Archived         int64  // since when it is; 0
	RequestedName    string // the other name under which it came last, and was refused; ""
	RequestedAt      int64
	AllowedName      string // the other name under which its next push passes; ""
}

// DisplayName is the charter's name, else the folder's, else "Unnamed agent".
func (a *Agent) DisplayName() string {
	switch {
	case a.Charter.Name != "":
		return a.Charter.Name
	case a.Path != "":
		return a.Path
	}
	return "Unnamed agent"
}

// Position is a line of a ledger and its time as written.
type Position struct {
	File figs.File
	Line int    // 1-based; 0: none
	TS   string // as written; "" when the line has none
}

// Activity is how many lines were written on each day of about a year: 53 weeks, the last of
// which is that of today, or that of the newest line when that is older. Days are those of UTC.
type Activity struct {
	First                   int64 // the midnight with which Days begin, a Monday, in microseconds since 1970
	Days                    []Day // without a gap, to the last; none when no line has a time
	Before, After, Timeless int   // lines that stand on none of the days: older, in the future, without a time
}

// Day counts one day's lines by their ledger.
type Day struct{ Jobs, Asks, Replies int }

// Lines is how many lines the day has.
func (d Day) Lines() int { return d.Jobs + d.Asks + d.Replies }

// Overview is the first view: who, what needs a human, what ran last, what is in flight,
// what is broken, over which period.
type Overview struct {
	Agent    Agent
	Needs    []Ask     // asks that need a human, longest wait first; at most 12
	Waiting  []Ask     // asks that wait for the agent; at most 12
	InFlight []Job     // newest first; at most 12
	Last     *Job      // the job whose line is the newest settled one
	Failed   *Job      // the newest settled job that failed
	Newest   *Position // the newest change of all
	Event    *StepLine // the line of Newest, in words; nil when nobody knows it. It has an Owner that is a page; N is 0
	First    *figs.Finding
	Lanes    []Lane // the picture; at most 40, those of Needs and InFlight first
	Hidden   int    // lanes left out of the picture
}

// Lane is one row of the picture: a job or an ask over time.
type Lane struct {
	Ask   bool
	Key   string // address key of the record
	ID    string
	Title string
	Marks []Mark
	Waits []Wait // human wait, hatched
	Open  bool   // still in flight, or still open
}

// Mark is one line of a ledger on a lane; a reply stands on its ask's lane.
type Mark struct {
	Position Position
	At       int64  // microseconds since 1970 UTC; figs.NoTime when unreadable
	Kind     string // "checkpoint", "ok", "warn", "fail", "raise", "reply", "close", "note"
	Label    string // a few words of the agent
}

// Wait is a stretch of time in which a human was owed; To is figs.NoTime while it lasts.
type Wait struct{ From, To int64 }

// Job is a folded run with what belongs to it.
type Job struct {
	Key      string // address key: the number of the record by first line, offline
	Run      figs.Run
	First    Position
	Last     Position
	Lines    int
	Trail    []TrailEntry   // only from Journal.Job; in file order
	Asks     []Ask          // asks whose `run` names this job; only from Journal.Job
	Lanes    []Lane         // the job over time, then each of Asks; only from Journal.Job
	Findings []figs.Finding // findings on its lines; only from Journal.Job
	Raw      []byte         // the fold as one JSON object
	Erased   *Erasure       // only from Journal.Job; nil: its text is there
}

// TrailEntry is one line of a trail: what it set, and the raw line.
type TrailEntry struct {
	Position Position
	At       int64     // microseconds since 1970 UTC; figs.NoTime when unreadable
	Run      *figs.Run // the line alone, not the fold; nil on asks
	Ask      *figs.Ask // the line alone; nil on jobs
	Files    []File    // attachments of this line
	Changed  []string  // keys whose value this line set or changed
	Raises   bool      // asks: it puts the ask to a human (§6)
	Closes   bool      // asks: it closes the ask
	Round    int       // asks: the round that this line began or belongs to, from 1; 0 on jobs
	Received int64     // when it arrived at the server, microseconds since 1970; 0 offline
	PushedBy Person    // nobody offline
	Folded   int       // more than 0: this moment stands for so many lines of a long trail, folded into one
	Snapshot bool      // hosted: the client sent a fold, of which this is what changed
	Raw      []byte
}

// Ask is a folded ask with its state and thread.
type Ask struct {
	Key      string
	Ask      figs.Ask
	State    figs.AskState
	First    Position
	Last     Position
	Lines    int
	JobKey   string       // address key of the job that `run` names; "" when there is none
	Files    []File       // attachments that the newest raise names, only from Journal.Ask
	Earlier  []File       // attachments of earlier lines that the newest raise no longer names
	Trail    []TrailEntry // only from Journal.Ask
	Thread   []Message    // replies in time order, with their round; only from Journal.Ask
	Findings []figs.Finding
	Waits    []figs.Wait // for humans, round by round; hosted only from Journal.Ask
	Flights  []figs.Span // when the job that it names was in flight; as Waits
	Raw      []byte      // the fold as one JSON object
	Erased   *Erasure    // only from Journal.Ask; nil: its text is there
	// Contradicted names the person who contradicted a reply that the agent reported in this round; "" if no one did.
	// Only hosted, from Journal.Asks and Journal.Overview.
	Contradicted string
	// AskedOf is who is asked to reply to it now or, of what is only reported, to confirm it. Nobody offline, nor for an
	// archived agent.
	AskedOf []Person
}

// Message is one reply with its grade.
type Message struct {
	Key      string
	Message  figs.Message
	Position Position
	At       int64
	Verified bool   // minted by this reader; never true offline (§6)
	No       int    // hosted: by arrival, from 1; 0 offline
	Received int64  // hosted: when it arrived, microseconds since 1970; 0 offline
	Round    int    // round of the ask that it belongs to, from 1; 0 for an orphan
	Earlier  bool   // given before the newest change of its ask
	PushedBy Person // of a transcribed one; nobody offline
	AskKey   string // address key of its ask; "" for an orphan
	AskTitle string
	Raw      []byte // the event as one JSON object
	// Delivery is how far a verified one has come; nil of any other, and in lists.
	Delivery *Delivery
	Receipt  bool     // it has a receipt, at .../receipts/{Key}
	Erased   *Erasure // nil: its text is there
}

// Delivery is how far a verified reply has come. Times are microseconds since 1970; 0 as long as
// it has not happened.
type Delivery struct {
	Recorded  int64
	PickedUp  int64 // a sync handed it out first
	Confirmed int64 // its id came back in a push
	Closed    int64 // the close arrived that cites it
	Job       *Job  // what the close says it set in motion: Key, Run; Key is "" when it is not there; nil
}

// Pending is a decision that does not count yet.
type Pending struct {
	ID        string // of the reply that it becomes
	By        Person
	Mine      bool  // of the person who looks, who can take it back
	Effective int64 // when it counts, microseconds since 1970
	Verdict   string
	Chosen    string // an agent's words
}

// Claim says that somebody looks at an ask.
type Claim struct {
	By    Person
	Mine  bool
	Until int64 // microseconds since 1970
}

// File is an attachment or a file of artifacts/ that no line names.
type File struct {
	Key        string // address key: the file's number in the order in which names were met, from 1, offline
	Name       string
	Size       int64  // bytes; -1 when the file is not in this copy
	SHA256     string // in hex; "" when it is not in this copy, and offline, where nobody has asked for it
	Class      figs.AttachmentClass
	Named      []Position // lines that name it, in order; empty: no line names it
	Owner      string     // address of the first record that names it, "jobs/3" or "asks/1"
	OwnerTitle string
	Erased     *Erasure // what stays of its bytes; nil: nobody erased them
}

// Present reports whether the file is in this copy.
func (f *File) Present() bool { return f.Size >= 0 }

// Findings is a page of the report with its totals, before and after filters.
type Findings struct {
	Page[figs.Finding]
	Excerpts []Excerpt   // one for each item, same order
	Report   figs.Report // totals and More; Findings empty
	ByCode   []CodeCount // every rule with a finding, in report order
	// Mended are findings that a later line took back: with Query.State StateMended a page of them, else a few.
	Mended      []figs.ResolvedFinding
	MendedTotal int // how many there are; -1: nobody has looked, which takes a while where there is much
}

// StateMended has Findings list what was mended in place of what is open.
const StateMended = "mended"

// CodeCount is how many findings a rule has.
type CodeCount struct {
	Code  figs.Code
	Count int
}

// Excerpt is the part of the offending line around the marked bytes, at most 400 bytes.
type Excerpt struct {
	Before, Marked, After []byte
	CutBefore, CutAfter   bool // the line goes on
	Torn                  bool // the mark is the end of the file
}

// Line is one line of a ledger as it stands.
type Line struct {
	Place  Position
	Offset int64
	Raw    []byte // at most 8 KiB of it
	Size   int    // bytes of the whole line
	Owner  string // "jobs/3", "asks/1", "messages/2"; "" when set aside
	Broken bool
	Code   figs.Code // the rule, when Broken

	Findings []figs.Finding // on this line, at most 50
	Found    int            // how many there are
}

// Text is a small text file; Content is nil when it is not in this copy.
type Text struct {
	Name    string
	Content []byte
	Size    int64
}

// Hit is one search result.
type Hit struct {
	Owner   string // "jobs/3", "asks/1", "messages/2", "files/4"
	ID      string // of the record, as it was written; "" of a file
	Title   string
	Excerpt Excerpt
	Place   Position
}
