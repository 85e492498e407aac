// Package findings reads finding registries: .agents/findings/registry.jsonl, in which agents keep what they learned
// from mistakes, so that the next plan or review asks about it.
package findings

import "github.com/figs-web/figs-web/figs"

// File is where the registry stands, below the repository.
const File = ".agents/findings/registry.jsonl"

// LockFile is where a writer that locks does so.
const LockFile = ".agents/findings/registry.lock"

// MaxRanked is how many findings are given to a reader at most.
const MaxRanked = 5

// Applicable is the controlled vocabulary of applicable_when, the one that the contract has.
var Applicable = []string{"plan-shape", "classifier", "enum-parser", "struct-change", "pattern-matcher", "validation-gap", "test-gap", "docs-drift"}

// Registry is one registry, read and judged. A line that cannot be read is left out and warned about.
type Registry struct {
	Entries []Entry // in file order
	Lines   int     // that are not blank
	Skipped int     // lines that could not be read as an entry
	Absent  bool    // there is no file
	Locked  bool    // a writer's lock lies beside it
	Refused string  // why the file as a whole could not be read, "it is UTF-16"; "" when it could
}

// Entry is one finding that an agent recorded.
type Entry struct {
	No, Line int // No from 1, its key in addresses; the line in the file, 1-based

	ID, Tier                       string
	Version                        int
	Source                         Source
	Date, Severity, Category       string
	Pattern, Question, Checklist   string
	Languages, When                []string // applicable_languages, applicable_when
	Status, SupersededBy, DedupKey string
	HitCount                       int
	LastCited                      string
	TTLDays                        int // -1 when it has none
	Confidence                     string
	Rank                           int         // of its severity: 0 critical, 1 high, major or significant, 2 medium or moderate, 3 low or minor, 4 anything else
	ExpectedKey                    string      // what dedup_key should be; equal when it is right, "" when it cannot be told
	SupersededNo                   int         // number of the entry that SupersededBy names; 0 when there is none
	Expires                        int64       // microseconds since 1970; figs.NoTime without ttl or date
	Expired                        bool        // active, and past its ttl when it was judged; it ranks all the same
	Extra                          figs.Object // fields that the contract does not name, the first 32 of them
	Raw                            []byte      // the object as it stands in the file
}

// Source is where a finding comes from.
type Source struct{ Repo, Session, File, Skill string }

// Filter chooses entries; the zero value is all.
type Filter struct {
	Status, Severity, Category, When, Language string
	Text                                       string // its words stand in the entry, in any order and either case
	Expired                                    bool   // only active ones past their ttl
}

// WorkItem is what findings are wanted for.
type WorkItem struct {
	When, Languages []string
	Paths           []string // files and folders that it touches, below the repository
	Text            string   // goal, plan or review target
}

// Ranked is a finding with the reasons for its place.
type Ranked struct {
	Entry *Entry
	Why   []string // sentences of ours, most decisive first
}
