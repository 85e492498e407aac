package report

// Comparison is what changed between two attachments, or two versions of one.
type Comparison struct {
	Sanitizer string   `json:"sanitizer"`
	Limits    Limits   `json:"limits"`
	Before    Side     `json:"before"`
	After     Side     `json:"after"`
	Same      bool     `json:"same"` // byte for byte
	Way       DiffMode `json:"way"`
	// Document is the difference as a whole HTML document for a frame; nil where DiffMode is DiffFacts or
	// DiffPictures. It travels beside the JSON form.
	Document []byte   `json:"-"`
	Added    int      `json:"added"`   // lines, or values
	Deleted  int      `json:"deleted"` // lines, or values
	Changed  int      `json:"changed"` // values (JSON only)
	Notices  []Notice `json:"notices,omitempty"`
}

// Side is one of the two attachments that are compared.
type Side struct {
	Name   string `json:"name"` // untrusted
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	Kind   Kind   `json:"kind"`
	Facts  []Fact `json:"facts,omitempty"`
}

// DiffMode is how two attachments are compared.
type DiffMode string

// The ways to compare.
const (
	DiffLines     DiffMode = "lines"     // text and markdown; html by its plain text, its two renderings beside each other
	DiffStructure DiffMode = "structure" // JSON
	DiffPictures  DiffMode = "pictures"  // images, beside each other
	DiffFacts     DiffMode = "facts"     // download-only types, or two kinds that have nothing in common
)
