// Package report holds what the sandbox says about an attachment: the result types and nothing
// else, so that pages can show a result without linking the sandbox.
package report

import (
	"strconv"
	"strings"
)

// View is one way to look at an attachment.
type View string

// The views of an attachment. Compare is a page of its own: see Comparison.
const (
	Rendered View = "rendered" // as its author meant it, made safe
	Source   View = "source"   // its exact bytes as text
	Text     View = "text"     // what a machine reader would read, hidden text marked
)

// Kind is what an attachment is, by its extension and its first bytes together.
type Kind string

// The kinds of attachments (spec §7).
const (
	HTML     Kind = "html"
	Markdown Kind = "markdown"
	Plain    Kind = "text"
	JSON     Kind = "json"
	Image    Kind = "image"    // png, jpeg, gif, webp
	SVG      Kind = "svg"      // shown as an image
	Download Kind = "download" // never shown, in no view
)

// Result is what the sandbox made of one attachment. The same bytes, extension, view and limits
// give the same result on every machine.
type Result struct {
	Sanitizer string `json:"sanitizer"` // version of the pipeline
	Limits    Limits `json:"limits"`    // under which it was made
	Name      string `json:"name"`      // as given; untrusted
	Ext       string `json:"ext"`       // lower case, without the dot
	Size      int64  `json:"size"`      // bytes
	SHA256    string `json:"sha256"`    // of the attachment's bytes, lower-case hex
	Kind      Kind   `json:"kind"`
	Asked     View   `json:"asked"` // the view that was asked for
	View      View   `json:"view"`  // the view that Document shows; another than Asked comes with a notice

	// Document is a whole HTML document for a frame without rights. It is empty when the kind is
	// Download. It is not part of the JSON form: it travels beside it.
	Document []byte `json:"-"`

	Notices []Notice  `json:"notices,omitempty"` // what the reader must know before trusting the picture
	Removed []Removal `json:"removed,omitempty"` // what was taken out, by kind, most telling first
	Hosts   []Host    `json:"hosts,omitempty"`   // where the content wanted to load from
	Links   []Link    `json:"links,omitempty"`   // where it wanted to lead
	Hidden  []Hidden  `json:"hidden,omitempty"`  // characters that leave no mark
	Facts   []Fact    `json:"facts,omitempty"`

	// Passages are texts that a person and a machine do not both read, the worst first. Every view has the same.
	Passages []Passage `json:"passages,omitempty"`

	// Headings are those of Document, in order, for an outline beside it. Only the rendered view of HTML and Markdown has any.
	Headings []Heading `json:"headings,omitempty"`

	// More counts what the lists above leave out: each holds at most MaxItems.
	More Counts `json:"more,omitzero"`
}

// MaxItems bounds each list of a result.
const MaxItems = 200

// Counts says how many items a list of the result leaves out.
type Counts struct {
	Hosts  int `json:"hosts,omitempty"`
	Links  int `json:"links,omitempty"`
	Hidden int `json:"hidden,omitempty"`

	Passages int `json:"passages,omitempty"`
	Headings int `json:"headings,omitempty"`
}

// Heading is a heading of the document.
type Heading struct {
	Level int    `json:"level"` // 1 to 6
	Text  string `json:"text"`  // shortened; untrusted
	// ID is the id of its element in the document; "" where another element before it has the same.
	ID string `json:"id,omitempty"`
}

// Code names why a notice is given, in snake_case, never reused.
type Code string

// Why a view is not the one that was asked for, or must be read with care.
const (
	TooLarge        Code = "too_large" // over the limit of its kind: plain text instead
	TooDeep         Code = "too_deep"  // nested beyond the limit: plain text instead
	TooManyElements Code = "too_many_elements"
	TooComplex      Code = "too_complex"      // would cost more than the limits allow: plain text instead
	OutputTooLarge  Code = "output_too_large" // what it would become is too large: plain text instead
	NotParsed       Code = "not_parsed"       // is not what its extension says: plain text instead
	WrongType       Code = "wrong_type"       // first bytes contradict the extension
	Truncated       Code = "truncated"        // an image, or an archive, that ends too early
	Empty           Code = "empty"
	Binary          Code = "binary"       // NULs and control characters: no text
	InvalidUTF8     Code = "invalid_utf8" // bytes read as U+FFFD
	BOMRemoved      Code = "bom_removed"
	NULRemoved      Code = "nul_removed"
	DrawsItself     Code = "draws_itself"  // scripts were the content: ask for a static report
	Cut             Code = "cut"           // only the first part is shown
	DuplicateKey    Code = "duplicate_key" // JSON whose object names a key twice
	TookTooLong     Code = "took_too_long" // the sandbox was stopped by its time or memory limit
	DownloadOnly    Code = "download_only"
	TalksOfApproval Code = "talks_of_approval" // it uses words of the pages around it
)

// Notice is one thing that the reader must know. Text is a sentence of ours; it never holds the
// attachment's words.
type Notice struct {
	Code Code   `json:"code"`
	Text string `json:"text"`
	At   int64  `json:"at,omitempty"` // byte offset, where one place is meant; 0 is none
}

// Removal is one kind of thing that was taken out of the content.
type Removal struct {
	What  RemovalKind `json:"what"`
	Count int         `json:"count"`
	// Example is the name of an element, attribute, property or scheme, shortened; untrusted.
	Example string `json:"example,omitempty"`
}

// RemovalKind is a kind of removed thing. The components turn it into plain words.
type RemovalKind string

// The kinds of removed things.
const (
	Scripts    RemovalKind = "scripts"    // script elements and javascript: addresses
	Handlers   RemovalKind = "handlers"   // on… attributes
	Loads      RemovalKind = "loads"      // anything that would fetch: images, styles, fonts, frames, media, preloads
	Frames     RemovalKind = "frames"     // iframe, object, embed, portal
	Forms      RemovalKind = "forms"      // forms and controls
	Redirects  RemovalKind = "redirects"  // meta refresh, base
	Foreign    RemovalKind = "foreign"    // svg or math that could not be shown as an image
	Elements   RemovalKind = "elements"   // other elements that are not allowed
	Attributes RemovalKind = "attributes" // other attributes that are not allowed
	Styles     RemovalKind = "styles"     // properties, functions, at-rules and selectors that are not allowed
	Comments   RemovalKind = "comments"
	Addresses  RemovalKind = "addresses" // link targets, which are listed instead
	Data       RemovalKind = "data"      // data: addresses that hold no raster image within the limits
)

// Host is where the content wanted to load something from.
type Host struct {
	Name  string `json:"name"` // punycode, lower case; untrusted
	Count int    `json:"count"`
}

// Link is where the content wanted to lead. It is shown as text by the trusted page, never as a link.
type Link struct {
	Text    string `json:"text"`           // what the reader sees, shortened; untrusted
	Address string `json:"address"`        // shortened; untrusted
	Host    string `json:"host,omitempty"` // punycode, lower case; empty when it has none
	// Lies says that Text names another host than the address.
	Lies bool `json:"lies,omitempty"`
}

// Hidden is a character that leaves no mark of its own, or turns the direction of others.
type Hidden struct {
	Char  rune  `json:"char"`
	Count int   `json:"count"`
	At    int64 `json:"at"` // byte offset of the first, in the attachment
}

// Fact is one safe fact about the bytes: "rows" "128", "pixels" "640 × 480".
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"` // may quote the attachment: untrusted
}

// mostSide is the longest side of an image whose size nobody knows.
const mostSide = 100_000

// Pixels is the size of an image; where the facts don't say it, the largest one that can be.
func (r *Result) Pixels() (width, height int) {
	for _, f := range r.Facts {
		if f.Name == "pixels" {
			w, h, _ := strings.Cut(f.Value, " × ")
			width, _ = strconv.Atoi(w)
			height, _ = strconv.Atoi(h)
		}
	}
	if width == 0 || height == 0 {
		return mostSide, mostSide
	}
	return width, height
}

// Removes returns how often a kind of thing was removed.
func (r *Result) Removes(w RemovalKind) int {
	for _, x := range r.Removed {
		if x.What == w {
			return x.Count
		}
	}
	return 0
}

// Notice returns the notice with a code, or nil.
func (r *Result) Notice(c Code) *Notice {
	for i := range r.Notices {
		if r.Notices[i].Code == c {
			return &r.Notices[i]
		}
	}
	return nil
}
