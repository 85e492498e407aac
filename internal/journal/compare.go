package journal

import (
	"context"

	"github.com/figs-web/figs-web/figs"
)

// Comparer is a journal that can also tell what became of a folder since another was read.
type Comparer interface {
	// Compare compares an agent's folder, the newer one, with what the query's With names. Without it, and where that
	// is not here, the comparison says so and nothing else.
	Compare(ctx context.Context, agent string, q Query) (*Comparison, error)
}

// CompareMode says what a folder is compared with.
type CompareMode int

// What a folder is compared with.
const (
	CompareNothing     CompareMode = iota // nothing was chosen
	CompareFolder                         // another folder
	CompareLastOpening                    // what it was when this browser opened it before: hashes of lines, no texts
	ComparePoints                         // itself at another time
)

// CompareProblem says why there is no comparison.
type CompareProblem int

// Why there is none.
const (
	CompareOK       CompareProblem = iota
	CompareUnknown                 // what the address names is not here
	CompareTooLarge                // the folder is too large for its bytes to be kept
)

// Comparison is what became of a folder.
type Comparison struct {
	Mode            CompareMode
	Problem         CompareProblem
	Past            figs.History // what it amounts to, where lines were compared
	DifferentAgents bool         // both say which agent they are, and they are two
	Partial         bool         // a ledger of either was not read whole, or changed while it was read
	Path            string       // of the older folder, where it is another
	Was, Now        Instant      // Point and TS alone
	Ledgers         []LedgerChange
	Lines           Page[LineChange] // of the past that were changed
	Records         []RecordChange   // asks, jobs, replies; of each the newest, at most 20; none where not a line stands
	// Counts are how many records there are of each kind, by ledger. When only hashes are known of the past, and it was
	// changed, nothing is known of records.
	Counts         [figs.RecordChanged + 1][figs.Ledgers]int
	Files          []figs.FileChange
	Choices        []CompareChoice
	OpeningHistory OpeningHistory
}

// OpeningHistory says whether who looks has a browser that keeps hashes of what it opens.
type OpeningHistory string

// Whether it does; "" where no page of ours does.
const (
	OpeningHistoryOn          OpeningHistory = "on"
	OpeningHistoryOff         OpeningHistory = "off"
	OpeningHistoryUnavailable OpeningHistory = "unable" // nothing can be stored
)

// CompareChoice is something that a folder can be compared with. Agent is set for another folder, At for an earlier opening.
type CompareChoice struct {
	With  string // of a Query
	Agent *Agent
	Same  bool  // it says that it is the same agent
	At    int64 // microseconds since 1970
	Lines int   // that it had
}

// LedgerChange counts what became of the lines of one ledger.
type LedgerChange struct {
	File                            figs.File
	Old, Same, Added                int
	Edited, Removed, Moved, Between int  // Between: inserted before lines that had been written
	Deleted                         bool // the ledger is not there any more
	Completed, Joined, Dropped      bool // as in figs.LedgerChange
	Ends                            int  // as in figs.LedgerChange
}

// Changed is how many lines of the past were changed or are gone.
func (l *LedgerChange) Changed() int {
	n := l.Edited + l.Removed + l.Moved + l.Between
	if l.Deleted {
		n += l.Old
	}
	return n
}

// LineChange is one line of the past that was changed or is gone.
type LineChange struct {
	Kind     figs.LineKind
	File     figs.File
	Old, New int    // lines of the file, from 1; 0: none
	Owner    string // of the line as it stands now, as in Line.Owner
	Was, Is  LineText
}

// LineText is a line, or the part of a long one around what differs. Known is false where it is not there, or only its
// hash was kept.
type LineText struct {
	Known bool
	Text  []byte
	From  int // the first byte of Text
	Size  int // bytes of the whole line
}

// RecordChange is a record that is not as it was. Phases are of asks, outcomes of jobs; where Kind is RecordNew there is
// no old one, where it is RecordLost no new one.
type RecordChange struct {
	Kind                   figs.RecordKind
	File                   figs.File
	Owner                  string // address below the agent; "" of one that is lost
	ID, Title              string // the title of one that is lost is not known
	OldPhase, NewPhase     figs.Phase
	OldOutcome, NewOutcome figs.Outcome
	Last                   Position
	Message                *Message // of a reply
	Ask                    *Ask
}
