// Package kind is what the other folders that agents write for people have in common, beside .figs: how they are
// read without a file system, and how what is wrong with them becomes findings of the one catalogue.
package kind

import "github.com/figs-web/figs-web/figs"

// Reader reads one folder of a kind. It opens nothing: whoever has the files tells it what there is (See), then the
// content that it asked for (Give, or Problem), then what it wants to know of other files (Targets, Look), and asks
// for the verdict (Finish). All paths are relative to the folder that holds the kind, with slashes.
type Reader interface {
	// See is told every file below the folder, in the order of their paths, and reports whether its content is needed.
	See(path string) (wanted bool)
	// Give brings the content of a file that was wanted. It belongs to the reader.
	Give(path string, content []byte)
	// Problem says why a wanted file could not be read: ProjectFileUnreadable, ProjectFileTooLarge. Detail is the
	// machine's own word.
	Problem(path string, code figs.Code, detail string)
	// Targets lists what other files must be looked at, once all content was given. Paths may repeat, and may name
	// what does not exist; none leads out of the folder.
	Targets() []string
	// Look tells what was found there.
	Look(path string, t Target)
	// Finish judges everything. Now is RFC 3339; with "" the rules about time are silent.
	Finish(now string) *figs.Report
}

// MaxContent is how many bytes a file may have whose content a reader wants; a larger one is a Problem. Registries
// may be larger: see MaxRegistry.
const MaxContent = 4 << 20

// MaxRegistry is how large a finding registry may be, in bytes.
const MaxRegistry = 256 << 20

// MaxDigest is up to which size, in bytes, a target's digest is computed; of a larger one only the size is known.
const MaxDigest = 256 << 20

// State says whether a target is there.
type State uint8

const (
	TargetUnknown    State = iota // nobody looked
	TargetAvailable               // a file, or a folder
	TargetMissing                 // nothing has that path
	TargetEscaping                // a symbolic link leads out of the folder
	TargetUnreadable              // it is there and could not be read
)

// Target is what was found at a path.
type Target struct {
	State  State
	Dir    bool
	Link   bool   // it is, or lies behind, a symbolic link that stays inside
	Size   int64  // bytes; -1 when unknown, or a folder
	SHA256 string // lower-case hex; "" of a folder, or when it was not computed
	Detail string // the machine's word on what could not be read
}

// Sentence is what a rule says; % stands for the value that a finding quotes, & for a second one.
type Sentence struct{ Message, Hint, Expected string }

// Findings collects the findings of one folder.
type Findings struct {
	say    func(figs.Code) Sentence
	list   []figs.Finding
	sorted int      // how many of the list were kept when it was last sorted
	counts [256]int // how many there were, by rule
}

// NewFindings collects findings whose sentences say knows.
func NewFindings(say func(figs.Code) Sentence) *Findings { return &Findings{say: say} }
