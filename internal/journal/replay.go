package journal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
)

// Instant is a point in the life of a folder: so many of its lines had been written. The order of
// writing is known as far as times tell; lines without one stand where their ledger has them.
type Instant struct {
	Point       string // as addresses name it: lines of runs, asks and messages, "12.5.3"
	Step, Steps int    // how many lines that is in all, of how many
	TS          int64  // of the newest of them, microseconds since 1970; figs.NoTime when none has a time
	Prev, Next  string // the points one line before and behind; "" at either end
}

// Replay is a journal that can also tell how its folder came to be. A Query's At chooses the point
// that is looked at; without it that is the end.
type Replay interface {
	// Timeline is the whole life of a folder with the lines around the point.
	Timeline(ctx context.Context, agent string, q Query) (*Timeline, error)
	// Step is the line with which the folder came to the point, and what came of it. ErrNotFound
	// when there is no such line: the folder is empty, or the point lies before its first line.
	Step(ctx context.Context, agent string, q Query) (*Step, error)
}

// Timeline is the life of a folder, twice in about a hundred slices: of equal time, and of equally many
// lines.
type Timeline struct {
	Now            Instant // the point that is looked at
	Past           bool    // it is not the end
	From, To       int64   // the first and the last moment, microseconds since 1970; figs.NoTime when no line has a time
	ByTime, ByLine []Slice
	Lines          []StepLine // around the point, in the order of writing
	// TooLarge says that the folder is too large for its bytes to be kept, so that no other point than
	// the end can be shown.
	TooLarge bool
}

// Slice is a part of a timeline.
type Slice struct {
	Lines  [figs.Ledgers]int // written in it
	Failed int               // jobs that ended in it, and failed
	Needs  int               // asks that needed a human at its end
	Step   int               // how many lines had been written at its end
}

// StepLine is one line in the order of writing.
type StepLine struct {
	N        int // its place in that order, from 1
	Position Position
	At       int64  // figs.NoTime when it has no time of its own
	Kind     string // as of a Mark; "aside": set aside as broken
	First    bool   // its record begins with it
	Owner    string // address of its record below the agent, "jobs/3"; "" when it is set aside
	Title    string // of the record as it stood then; an agent's words
	Label    string // a few words of what the line itself says; an agent's
	Code     figs.Code
	Flight   bool // the job is in flight after it
}

// Step is one line with what came of it.
type Step struct {
	StepLine
	Steps        int
	Raw          []byte        // the line as it stands
	PreviousStep int           // step of the line before it of the same record, or of the same thread; 0
	NextStep     int           // likewise of the next; 0
	Fields       []FieldChange // what it set
	WasJob, Job  *Job          // before and after; nil: there was none
	WasAsk, Ask  *Ask          // the ask that the line, or the reply, belongs to
	Reply        *Message      // the line is a reply
	Opened       []figs.Finding
	Closed       []figs.Finding // that stood before, and do not any more
	MoreFindings bool           // there are more findings than are listed, so that not all of these are known
}

// FieldChange is a field of a record before and after a line, as JSON; nil: it was not set.
type FieldChange struct {
	Key           string
	Before, After []byte
}

// EarlierWait is the journal of a server that can be asked what it knew at an instant.
type Past interface {
	// AsOf is the journal of what had arrived by then, microseconds since 1970 UTC: jobs, asks and replies.
	AsOf(at int64) Workspace
}
