// Package artifacts reads artifact channels: the records under .flue-runtime/artifacts/records with which agents hand files to
// each other. A record points to a file of the workspace; it names who made it, for which channel, and what it replaces.
package artifacts

import "github.com/figs-web/figs-web/figs"

// Dir is where records stand, below the workspace.
const Dir = ".flue-runtime/artifacts/records"

// Most is how much is read of a workspace: records, and bytes of all of them. What is beyond is said to be.
const (
	MaxRecords = 100_000
	MostBytes  = 256 << 20
)

// Bounds of the texts that travel through prompts and events, in characters (code points).
const (
	MaxTitle    = 200
	MostSummary = 2000
)

// MaxDepth is the depth of a work that stands deeper.
const MaxDepth = 64

// Documented are the channels that the proposal names; any other lower-case words with dashes are one's own.
var Documented = []string{"analysis", "design", "patch", "verification", "handoff"}

// Kinds are the kinds of artifacts that the proposal names.
var Kinds = []string{"file", "directory", "report", "patch", "json", "log", "binary", "other"}

// Statuses are what a record may say of itself. Superseded is a record also when another one replaces it.
var Statuses = []string{"active", "superseded", "deleted"}

// Channels is a workspace's artifact records, read and judged.
type Channels struct {
	Records      []Record      // by number; see List for the order in which people read them
	Channels     []Channel     // those documented first, then by name
	Works        []Work        // parents before their children, by first record
	Competitions []Competition // by the first of their revisions

	newest []int // numbers of the records, newest first
}

// Record is one published artifact.
type Record struct {
	No   int    // from 1, in the order of the records' file names: its key in addresses
	File string // the record's own file, ".flue-runtime/artifacts/records/art_1.json"

	ID, Channel, Kind, Title, Summary, MediaType string // as written
	Path, RecordPath                             string
	Created, Updated                             string // as written
	At                                           int64  // Created, microseconds since 1970; figs.NoTime
	Status                                       string // as written
	Superseded                                   bool   // its status says so, or another record replaces it
	Deleted                                      bool
	Competition                                  int // from 1, of Channels.Competitions, among whose revisions it is; 0: it competes with none
	Producer                                     Producer

	Replaces   string // id; "" is none
	ReplacesNo int    // 0 when no record has that id, or when replacing leads round in a circle: no chain has a cycle
	ReplacedBy []int  // numbers
	Parents    []Ref
	Tags       []string
	Metadata   []byte // as written, a JSON object; nil is none
	Extra      figs.Object

	Size   int64  // as written; -1 is none
	Digest string // SHA-256 as written; "" is none
	Target Target
	Raw    []byte
}

// Ref is an artifact that another names.
type Ref struct {
	ID string
	No int // 0 when there is none
}

// Producer is who made an artifact. Both shapes of the proposal read the same.
type Producer struct {
	Work       string // workId, or runId: what everything is joined by
	ParentWork string
	Operation  string
	Kind, Name string
	Session    string // sessionId or session
	Parent     string // parentSessionId or parentSession
	Task, Role string
	CWD, Model string
	Renamed    bool // the later names were used
}

// TargetState is what became of the file that a record points at.
type TargetState uint8

const (
	TargetUnknown     TargetState = iota // nobody looked, or it could not be read
	TargetAvailable                      // there, and nothing shows that it differs; see Record.Verified
	TargetUnavailable                    // gone
	TargetEscapes                        // outside of the workspace
	TargetDiffers                        // there, with another size or digest
)

// String is the state's word: "unknown", "available", "unavailable", "escapes" or "differs".
func (s TargetState) String() string {
	return [...]string{"unknown", "available", "unavailable", "escapes", "differs"}[s]
}

// Target is the file that a record points at, as it is now.
type Target struct {
	State  TargetState
	Path   string // inside the workspace, with slashes, "." for the workspace itself; "" when it leads out of it
	Dir    bool
	Size   int64  // bytes; -1 when unknown
	SHA256 string // lower-case hex; "" when unknown
}

// Verified reports whether the target is there and has the digest that the record gives. An available target may still
// be unverified: the record gives no digest, the target is a folder, or nobody computed its digest.
func (r *Record) Verified() bool {
	return r.Target.State == TargetAvailable && r.Digest != "" && r.Target.SHA256 != ""
}

// Channel is a stream of artifacts for a purpose.
type Channel struct {
	Name            string // as written; "" of records that name none
	Documented      bool
	Records, Active int
	Competing       int    // artifacts of which several revisions compete
	Heads           []int  // numbers of its active records, newest first
	Last            string // Created of its newest record
}

// Competition is an artifact that several records replace, none of which has come to an end: revisions that were made
// without knowing of each other. A revision has come to an end when it, or all that replaces it, is superseded or
// deleted.
type Competition struct {
	ID        string // of what they replace
	No        int    // its number; 0 when no record has that id
	Revisions []int  // numbers
}

// Work is a unit of work and what it published.
type Work struct {
	ID, Parent string
	Depth      int    // 0 without a parent; at most MaxDepth
	Known      bool   // some record was produced by it; else it is only named as a parent
	Kind, Name string // of its first record
	Records    []int  // numbers, oldest first
	Children   []int  // indexes of Channels.Works; what leads round in a circle is left out
}

// Filter chooses records. The zero value is every record that is neither superseded nor deleted.
type Filter struct {
	Channel, Work, Parent, Task, Session string
	Status                               string // "active", "superseded", "deleted"; "" is active
	Since                                string // RFC 3339, or a date, which begins at midnight UTC; see ParseSince
	All                                  bool   // also superseded and deleted ones
	Limit                                int    // 0: all
}
