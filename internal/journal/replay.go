package journal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
)

// Instant is a point in the history of a folder: its state after a number of lines. Lines are ordered by their times; a
// line without a time follows the line before it in its ledger.
type Instant struct {
	Point       string // as in URLs: number of lines of runs, asks and messages, "12.5.3"
	Step, Steps int    // number of lines so far, and in all
	TS          int64  // time of the newest of these lines, microseconds since 1970; figs.NoTime if none has a time
	Prev, Next  string // the points one line earlier and later; "" at either end
}

// Replay is a journal that can also show the history of its folder. Query.At selects a point; "" is the end.
type Replay interface {
	// Timeline returns the whole history of a folder, and the lines around the point.
	Timeline(ctx context.Context, agent string, q Query) (*Timeline, error)
	// Step returns the last line before the point and what it changed. It returns ErrNotFound if there is no such line,
	// because the folder is empty or the point is its beginning.
	Step(ctx context.Context, agent string, q Query) (*Step, error)
}

// Timeline is the history of a folder, divided into about a hundred slices in two ways: by time and by number of lines.
type Timeline struct {
	Now            Instant // the selected point
	Past           bool    // Now isn't the end
	From, To       int64   // first and last time, microseconds since 1970; figs.NoTime if no line has a time
	ByTime, ByLine []Slice
	Lines          []StepLine // around the point, in order
	// TooLarge means that the folder is too large to keep its bytes, so that only the end can be shown.
	TooLarge bool
	Months   []TimelineMonth // newest first; only if TooLarge, of an agent on a server
}

// TimelineMonth counts what happened in a month of UTC.
type TimelineMonth struct {
	From                                    int64 // its first instant, microseconds since 1970
	Lines, Settled, Failed, Raised, Replies int
}

// Slice is a slice of a timeline.
type Slice struct {
	Lines  [figs.Ledgers]int // lines written in the slice
	Failed int               // jobs that failed in the slice
	Needs  int               // asks that need a human at its end
	Step   int               // number of lines up to its end
}

// StepLine is a line in the order of the history.
type StepLine struct {
	N        int // its number in that order, from 1
	Position Position
	At       int64  // microseconds since 1970; figs.NoTime if the line has no time
	Kind     string // as Mark.Kind, or "aside" for a broken line
	First    bool   // the line is the first of its record
	Owner    string // address of its record below the agent, "jobs/3"; "" if the line is broken
	Title    string // of the record at that point; written by an agent
	Label    string // a few words of the line; written by an agent
	Code     figs.Code
	Flight   bool // the job is in flight after the line
}

// Step is a line and what it changed.
type Step struct {
	StepLine
	Steps        int
	Raw          []byte        // the line as written
	PreviousStep int           // N of the previous line of the same record or thread; 0 if none
	NextStep     int           // N of the next one; 0 if none
	Fields       []FieldChange // fields that it set
	WasJob, Job  *Job          // before and after; nil if the job didn't exist
	WasAsk, Ask  *Ask          // before and after, of the ask that the line or reply belongs to; nil if it didn't exist
	Reply        *Message      // if the line is a reply
	Opened       []figs.Finding
	Closed       []figs.Finding // findings that the line resolved
	MoreFindings bool           // there are more findings than listed
}

// FieldChange is a field of a record before and after a line, as JSON; nil if not set.
type FieldChange struct {
	Key           string
	Before, After []byte
}

// Past is a journal of a server that can also return what it knew at a point in time.
type Past interface {
	// AsOf returns the journal of the jobs, asks and replies that had arrived by then, microseconds since 1970 UTC.
	AsOf(at int64) Workspace
}
