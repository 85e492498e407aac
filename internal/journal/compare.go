package journal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
)

// Comparer is a journal that can also compare a folder with an earlier state or another folder.
type Comparer interface {
	// Compare compares an agent's folder, as the newer one, with what q.With names. If With is empty or names nothing, the
	// Comparison has only its Mode, Problem and Choices.
	Compare(ctx context.Context, agent string, q Query) (*Comparison, error)
}

// CompareMode is what a folder is compared with.
type CompareMode int

// The modes.
const (
	CompareNothing     CompareMode = iota // nothing is selected
	CompareFolder                         // another folder
	CompareLastOpening                    // its state when this browser last opened it; only hashes of lines are known
	ComparePoints                         // itself at another point in time
)

// CompareProblem is why there is no comparison.
type CompareProblem int

// The problems.
const (
	CompareOK       CompareProblem = iota
	CompareUnknown                 // what the URL names doesn't exist here
	CompareTooLarge                // the folder is too large to keep its bytes
)

// Comparison is the result of comparing two folders.
type Comparison struct {
	Mode            CompareMode
	Problem         CompareProblem
	Past            figs.History // summary, if lines were compared
	DifferentAgents bool         // the folders name two different agents
	Partial         bool         // a ledger of either folder wasn't read completely, or changed while it was read
	Path            string       // of the older folder; "" if it is the same folder
	Was, Now        Instant      // only Point and TS are set
	Ledgers         []LedgerChange
	Lines           Page[LineChange] // changed or deleted lines of the older folder
	Records         []RecordChange   // asks, jobs and replies, the newest 20 of each; none if no line is the same
	// Counts is the number of records of each kind, by ledger. It is zero if only hashes of the older folder are known and
	// lines were changed.
	Counts         [figs.RecordChanged + 1][figs.Ledgers]int
	Files          []figs.FileChange
	Choices        []CompareChoice
	OpeningHistory OpeningHistory
}

// OpeningHistory says whether the user's browser stores hashes of the folders it opens.
type OpeningHistory string

// The values; "" outside the inspector.
const (
	OpeningHistoryOn          OpeningHistory = "on"
	OpeningHistoryOff         OpeningHistory = "off"
	OpeningHistoryUnavailable OpeningHistory = "unable" // the browser can't store anything
)

// CompareChoice is something that a folder can be compared with: another folder if Agent is set, else an earlier opening.
type CompareChoice struct {
	With  string // value for Query.With
	Agent *Agent
	Same  bool  // it is a folder of the same agent
	At    int64 // of the opening, microseconds since 1970
	Lines int   // how many lines the folder had then
}

// LedgerChange counts the changes to the lines of one ledger.
type LedgerChange struct {
	File                            figs.File
	Old, Same, Added                int
	Edited, Removed, Moved, Between int  // Between: inserted before existing lines
	Deleted                         bool // the ledger doesn't exist any more
	Completed, Joined, Dropped      bool // as in figs.LedgerChange
	Ends                            int  // as in figs.LedgerChange
}

// Changed returns how many existing lines were changed or deleted.
func (l *LedgerChange) Changed() int {
	n := l.Edited + l.Removed + l.Moved + l.Between
	if l.Deleted {
		n += l.Old
	}
	return n
}

// LineChange is a line that was changed or deleted.
type LineChange struct {
	Kind     figs.LineKind
	File     figs.File
	Old, New int    // line numbers from 1; 0 for none
	Owner    string // of the line as it is now, as in Line.Owner
	Was, Is  LineText
}

// LineText is a line, or the differing part of a long one. Known is false if the line doesn't exist or only its hash is
// known.
type LineText struct {
	Known bool
	Text  []byte
	From  int // offset of Text in the line
	Size  int // size of the whole line in bytes
}

// RecordChange is a record that changed. Phases are set for asks, outcomes for jobs; RecordNew has no old value, RecordLost
// no new one.
type RecordChange struct {
	Kind                   figs.RecordKind
	File                   figs.File
	Owner                  string // address below the agent; "" if the record is lost
	ID, Title              string // Title is "" if the record is lost
	OldPhase, NewPhase     figs.Phase
	OldOutcome, NewOutcome figs.Outcome
	Last                   Position
	Message                *Message // for a reply
	Ask                    *Ask
}
