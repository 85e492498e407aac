package bridge

import "github.com/figs-web/figs-web/figs"

// Selection is what one page needs of the open folders: facts about every agent, and of one
// agent the lines, findings and files that the page shows. The lines' bytes come last, in
// order, so that a caller can append them when the engine keeps none.
type Selection struct {
	Agents []AgentInfo
	Agent  int // the agent that the rest speaks of, from 0; -1: none
	Found  bool

	From, Total int
	Main        []Ref // the records that the page lists or shows, in order
	Hidden      int   // records that the picture leaves out
	Lines       []Line
	Files       []FileInfo
	Findings    []figs.Finding
	Excerpts    []Excerpt // one for each finding or hit
	More        []figs.Overflow
	ByCode      []figs.Overflow
	Mended      []figs.ResolvedFinding // findings that later lines took back; only where the request asks for them
	MendedTotal int
	Hits        []Ref
	Needed      []Needed // of several agents, on the first page
	Text        []byte   // of a small file
	TextSize    int64

	FirstDay                int   // of Days, counted from 1970, UTC
	Days                    []Day // lines by day
	Before, After, Timeless int   // lines of no day of those
}

// Day is how many lines each ledger has of one day.
type Day [figs.Ledgers]int

// Ref names a record: its ledger and its number by first line, from 0.
type Ref struct {
	File   figs.File
	Record int
}

// Needed is the ask of an agent that has needed a human longest.
type Needed struct {
	Agent, Ask int    // from 0
	Type, ID   string // as figs.Folder.Headline has it
	Title      []byte // as JSON, after the lines and the excerpts; may be cut, or missing
	size       int
}

// Position is a line and its time.
type Position struct {
	File figs.File
	Line int
	At   int64
}

// AgentInfo is what every page shows of an agent.
type AgentInfo struct {
	Path, Now                       string // Now is the time that the report's rules used
	Config, Charter                 []byte
	Fed                             uint32 // bit by figs.File
	Sizes                           [figs.NoFile]int64
	Bytes                           int64
	Jobs, Asks, Messages, Files     int
	Outcomes                        [figs.OutcomeUnknown + 1]int
	Needs, Waiting, Closed, Orphans int
	Lines, Broken                   int
	Unread                          int // bit by figs.File: ledgers that could not be read
	Absent                          int // bit by figs.File: ledgers that were not given
	Errors, Warnings, Infos         int
	Since, Last                     Position
	Oldest                          int64

	Past              bool       // the agent is looked at as it was at an earlier point
	Step, Steps       int        // how many lines had been written by then, of how many
	Moment            int64      // of the newest of them, or figs.NoTime
	Point, Prev, Next figs.Point // the point, and those one line before and behind
}

// Line is one line with its place. Text is what follows the head of the selection; Size is
// the length of the whole line, which Text may cut or stand for in short.
type Line struct {
	figs.LineRef
	File   figs.File
	Size   int
	Folded int // more than 0: Text is the fold of so many lines, the last of which this is
	Found  int // findings on the line, of which Selection.Findings may list fewer; only on the page of lines
	Text   []byte
}

// FileInfo is an attachment and the lines that name it.
type FileInfo struct {
	Key   int // number of the attachment, from 1
	Name  string
	Size  int64
	Owner Ref
	Named []Position
}

// Excerpt is the offending bytes with some before and after.
type Excerpt struct {
	Before, Marked, After []byte
	CutBefore, CutAfter   bool
	Torn                  bool
	lens                  [3]int
}
