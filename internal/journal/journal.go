// Package journal defines the questions that pages ask about agents and their work. The inspector's engine, a local folder
// and the hosted store each implement its interface Journal, so one set of views shows all three.
package journal

import (
	"context"
	"errors"

	"github.com/figs-web/figs-web/figs"
)

// ErrNotFound means that the journal has no such agent, job, ask, message or file.
var ErrNotFound = errors.New("journal: not found")

// Journal answers the questions of the pages. Its methods are safe for concurrent use, and the caller owns the results.
// Methods with an agent or record key return ErrNotFound if it doesn't exist.
type Journal interface {
	// Overview returns the first page of an agent.
	Overview(ctx context.Context, agent string) (*Overview, error)
	// Agents returns every agent, in the order of the folders or of the workspace.
	Agents(ctx context.Context) ([]Agent, error)
	// Agent returns an agent with its charter.
	Agent(ctx context.Context, agent string) (*Agent, error)
	// Activity counts the agent's lines by day.
	Activity(ctx context.Context, agent string) (*Activity, error)
	// Jobs returns jobs, newest line first.
	Jobs(ctx context.Context, agent string, q Query) (*Page[Job], error)
	// Job returns a job with its trail.
	Job(ctx context.Context, agent, job string) (*Job, error)
	// Asks returns asks: those that need a human first, then waiting ones, then closed ones, each newest first.
	Asks(ctx context.Context, agent string, q Query) (*Page[Ask], error)
	// Ask returns an ask with its trail and its thread.
	Ask(ctx context.Context, agent, ask string) (*Ask, error)
	// Messages returns replies, including orphans, newest first.
	Messages(ctx context.Context, agent string, q Query) (*Page[Message], error)
	// Files returns attachments: those that records name, in order of first mention, then the others.
	Files(ctx context.Context, agent string, q Query) (*Page[File], error)
	// File returns an attachment by its key.
	File(ctx context.Context, agent, file string) (*File, error)
	// Findings returns findings in the order of the report.
	Findings(ctx context.Context, agent string, q Query) (*Findings, error)
	// Lines returns the lines of a ledger as written, including broken ones.
	Lines(ctx context.Context, agent string, file figs.File, q Query) (*Page[Line], error)
	// Text returns one of the folder's small text files: CONTRACT.md, GUIDE.md, agent.json or config.json.
	Text(ctx context.Context, agent, file string) (*Text, error)
	// Search finds records whose id or text contains the query's words, newest first.
	Search(ctx context.Context, agent string, q Query) (*Page[Hit], error)
}

// Page is a part of a list. From is the index of its first item, if the query has no cursor; Total is the length of the
// whole filtered list.
type Page[T any] struct {
	Items []T
	From  int
	Total int
	// AtLeast means that Total isn't exact: the list has that many items or more.
	AtLeast bool
	// Prev and Next are cursors, for Query.Before and Query.After, of lists that have them; "" if there are no such items.
	Prev, Next string
	// Searched is how many of the records with the words of Query.Text were looked through, the last ones to arrive; 0 for
	// all.
	Searched int
}

// More reports whether there are items after this page.
func (p *Page[T]) More() bool {
	return p.Next != "" || p.Prev == "" && p.From+len(p.Items) < p.Total
}

// Counts are an agent's totals.
type Counts struct {
	Jobs, InFlight, Failed, Warned  int // Failed and Warned count settled jobs by outcome
	Unknown                         int // settled jobs with a status that the protocol doesn't define
	Asks, NeedsYou, Waiting, Closed int
	Messages, Orphans, Files        int
	Lines, Broken                   int // lines of all ledgers, and how many of them are broken
	Unread                          int // one bit for each figs.File: ledgers that couldn't be read; offline only
	Absent                          int // one bit for each figs.File: ledgers that weren't given, see IsAbsent
	Given                           int // one bit for each figs.File: files that were given; offline only
	Bytes                           int64
	Errors, Warnings, Infos         int
}

// Agent is an agent as every page shows it.
type Agent struct {
	Key     string // address key: the agent's number offline ("1"), its id hosted
	Path    string // where the folder was found, "repo/.figs"; "" if hosted
	Config  figs.Config
	Charter figs.Charter
	Counts  Counts
	Since   Position // first line with a time
	Last    Position // last line with a time
	Oldest  string   // ts since when the oldest open ask has needed a human; "" if none
	Needed  *Needed  // the ask that has needed a human longest, from Journal.Agents; nil if there is none or only Overview knows it
	Hosted  *Hosted  // nil offline
	// At is the selected point in the history; nil for the present.
	At *Instant
}

// Needed is an ask that needs a human, in short.
type Needed struct { // address key
	Key   string // headline; written by an agent
	Title string // "", "question", "sign-off" or another word
	Type  string // "", "question", "sign-off" or another word
}

// Hosted is what a server knows about an agent beyond its folder.
type Hosted struct {
	Manager, Builder Person
	PushedBy         Person
	Pushed           int64 // when the last push that changed something arrived, microseconds since 1970
	Registered       int64
	Refused          int    // number of records that pushes left out and that are still missing
	Archived         int64  // when it was archived; 0 if it isn't
	RequestedName    string // other name of the latest push, which was rejected; "" if none
	RequestedAt      int64
	AllowedName      string // other name that the next push may use; "" if none
}

// DisplayName returns the charter's name, or the folder's, or "Unnamed agent".
func (a *Agent) DisplayName() string {
	switch {
	case a.Charter.Name != "":
		return a.Charter.Name
	case a.Path != "":
		return a.Path
	}
	return "Unnamed agent"
}

// Position is the position of a line in a ledger, with its time as written.
type Position struct {
	File figs.File
	Line int    // from 1; 0 for none
	TS   string // as written; "" if the line has no time
}

// Activity is the number of lines per UTC day over 53 weeks. The last week is the current one, or that of the newest line
// if that is more than a year old.
type Activity struct {
	First                   int64 // midnight of the first day, a Monday, microseconds since 1970
	Days                    []Day // without gaps; empty if no line has a time
	Before, After, Timeless int   // lines outside of Days: older, in the future, without a time
}

// Day counts the lines of a day by ledger.
type Day struct{ Jobs, Asks, Replies int }

// Lines returns the number of all lines.
func (d Day) Lines() int { return d.Jobs + d.Asks + d.Replies }

// Overview is the first page of an agent: who it is, what needs a human, what ran last, what is in flight, what is broken,
// and over which period.
type Overview struct {
	Agent    Agent
	Needs    []Ask     // asks that need a human, longest wait first; at most 12
	Waiting  []Ask     // asks that wait for the agent; at most 12
	InFlight []Job     // newest first; at most 12
	Last     *Job      // the job that settled last
	Failed   *Job      // the job that failed last
	Newest   *Position // the newest line
	Event    *StepLine // the same line in words, with an Owner that is a page, and N 0; nil if unknown
	First    *figs.Finding
	Lanes    []Lane // the chart; at most 40, those of Needs and InFlight first
	Hidden   int    // number of lanes left out
}

// Lane is a row of the chart: a job or an ask over time.
type Lane struct {
	Ask   bool
	Key   string // address key of the record
	ID    string
	Title string
	Marks []Mark
	Waits []Wait // waiting times for humans, shown hatched
	Open  bool   // still in flight, or still open
}

// Mark is a line of a ledger in a lane; a reply is in its ask's lane.
type Mark struct {
	Position Position
	At       int64  // microseconds since 1970 UTC; figs.NoTime if unreadable
	Kind     string // "checkpoint", "ok", "warn", "fail", "raise", "reply", "close", "note"
	Label    string // a few words; written by an agent
}

// Wait is a time span in which a human was asked; To is figs.NoTime while it lasts.
type Wait struct{ From, To int64 }

// Job is a folded run with what belongs to it.
type Job struct {
	Key      string // address key: number of the record by its first line offline, its id hosted
	Run      figs.Run
	First    Position
	Last     Position
	Lines    int
	Trail    []TrailEntry   // in file order; only from Journal.Job
	Asks     []Ask          // asks whose `run` names this job; only from Journal.Job
	Lanes    []Lane         // the job, then each of Asks; only from Journal.Job
	Findings []figs.Finding // findings on its lines; only from Journal.Job
	Raw      []byte         // the fold as one JSON object
	Erased   *Erasure       // tombstone if its text was erased; only from Journal.Job
}

// TrailEntry is a line of a trail.
type TrailEntry struct {
	Position Position
	At       int64     // microseconds since 1970 UTC; figs.NoTime if unreadable
	Run      *figs.Run // the line alone, not the fold; nil for asks
	Ask      *figs.Ask // the line alone; nil for jobs
	Files    []File    // attachments of this line
	Changed  []string  // keys whose value this line set or changed
	Raises   bool      // for asks: the line puts the ask to a human (§6)
	Closes   bool      // for asks: the line closes the ask
	Round    int       // for asks: the round of the line, from 1; 0 for jobs
	Received int64     // arrival at the server, microseconds since 1970; 0 offline
	PushedBy Person    // zero offline
	Folded   int       // if not 0, this entry represents that many lines of a long trail
	Snapshot bool      // hosted: the client sent a fold, and Raw is what it changed
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
	JobKey   string       // address key of the job that `run` names; "" if there is none
	Files    []File       // attachments that the newest raise names; only from Journal.Ask
	Earlier  []File       // attachments of earlier lines that the newest raise doesn't name
	Trail    []TrailEntry // only from Journal.Ask
	Thread   []Message    // replies in time order, with their rounds; only from Journal.Ask
	Findings []figs.Finding
	Waits    []figs.Wait // for humans, by round; hosted only from Journal.Ask
	Flights  []figs.Span // when the job that it names was in flight; available like Waits
	Raw      []byte      // the fold as one JSON object
	Erased   *Erasure    // tombstone if its text was erased; only from Journal.Ask
	// Contradicted is the name of the person who denied a reply that the agent reported in this round; "" if nobody did.
	// Only hosted, from Journal.Asks and Journal.Overview.
	Contradicted string
	// AskedOf is the people who are asked to reply now or, if it is only reported, to confirm the reply. Empty offline and
	// for archived agents.
	AskedOf []Person
}

// Message is a reply with its grade.
type Message struct {
	Key      string
	Message  figs.Message
	Position Position
	At       int64
	Verified bool   // given by a signed-in person on this server; always false offline (§6)
	No       int    // hosted: number by arrival, from 1; 0 offline
	Received int64  // hosted: arrival, microseconds since 1970; 0 offline
	Round    int    // round of its ask, from 1; 0 for an orphan
	Earlier  bool   // given before the newest change of its ask
	PushedBy Person // for a reported reply; zero offline
	AskKey   string // address key of its ask; "" for an orphan
	AskTitle string
	Raw      []byte // the event as one JSON object
	// Delivery is how far a verified reply has got; nil for others, and in lists.
	Delivery *Delivery
	Receipt  bool     // it has a receipt, at .../receipts/{Key}
	Erased   *Erasure // tombstone if its text was erased; else nil
}

// Delivery is how far a verified reply has got. Each time is in microseconds since 1970, and 0 until it has happened.
type Delivery struct {
	Recorded  int64
	PickedUp  int64 // first returned by a sync
	Confirmed int64 // its id came back in a push
	Closed    int64 // a line that closes the ask and cites it arrived
	Job       *Job  // the job that this line names, with Key and Run; Key is "" if the job doesn't exist; nil if none is named
}

// Pending is a decision that isn't effective yet.
type Pending struct {
	ID        string // of the reply that it will become
	By        Person
	Mine      bool  // made by the viewer, who can undo it
	Effective int64 // when it becomes effective, microseconds since 1970
	Verdict   string
	Chosen    string // written by an agent
}

// Claim says that someone is reviewing an ask.
type Claim struct {
	By    Person
	Mine  bool
	Until int64 // microseconds since 1970
}

// File is an attachment, or a file in artifacts/ that no line names.
type File struct {
	Key        string // address key
	Number     int    // offline: in order of first mention, from 1
	Name       string
	Size       int64  // bytes; -1 if the file isn't in this copy
	SHA256     string // hex; "" if the file isn't in this copy, and offline if it wasn't needed
	Class      figs.AttachmentClass
	Named      []Position // lines that name it, in order
	Owner      string     // address of the first record that names it, "jobs/3" or "asks/1"
	OwnerTitle string
	Erased     *Erasure // tombstone if its bytes were erased; else nil
}

// Present reports whether the file is in this copy.
func (f *File) Present() bool { return f.Size >= 0 }

// Findings is a page of the report, with totals before and after filters.
type Findings struct {
	Page[figs.Finding]
	Excerpts []Excerpt   // one for each item, in the same order
	Report   figs.Report // totals and More; Findings is empty
	ByCode   []CodeCount // every rule with findings, in report order
	// Resolved are findings that a later line resolved: with StateResolved a page of them, else a few.
	Resolved      []figs.ResolvedFinding
	ResolvedTotal int // number of resolved findings; -1 if not computed, which can take a while
	// ResolvedAmong is how many of the newest jobs and asks were looked through for resolved findings; 0 for all records.
	ResolvedAmong int
}

// StateResolved is the Query.State that lists resolved findings instead of open ones.
const StateResolved = "mended"

// CodeCount is the number of findings of a rule.
type CodeCount struct {
	Code  figs.Code
	Count int
}

// Excerpt is the part of a line around the marked bytes, at most 400 bytes.
type Excerpt struct {
	Before, Marked, After []byte
	CutBefore, CutAfter   bool // the line continues
	Torn                  bool // the mark is the end of the file
}

// Line is a line of a ledger as written.
type Line struct {
	Position Position
	Offset   int64
	Raw      []byte // at most the first 8 KiB
	Size     int    // size of the whole line in bytes
	Owner    string // "jobs/3", "asks/1", "messages/2"; "" if the line is broken
	Broken   bool
	Code     figs.Code // the rule, if Broken

	Findings []figs.Finding // on this line, at most 50
	Found    int            // number of all findings on this line
}

// Text is a small text file; Content is nil if it isn't in this copy.
type Text struct {
	Name    string
	Content []byte
	Size    int64
}

// Hit is a search result.
type Hit struct {
	Owner    string // "jobs/3", "asks/1", "messages/2", "files/4"
	ID       string // of the record, as written; "" for a file
	Title    string
	Excerpt  Excerpt
	Position Position
	Run      *figs.Run // of a job, with its state and status; nil if unknown
	Ask      *Ask      // of an ask, with its type and state; nil if unknown
}
