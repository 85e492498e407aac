package report

// HiddenTextView is the view of an attachment's text in which everything that a person would not see is marked:
// what a model reads that is given the file.
const HiddenTextView View = "lens"

// NotRead says that a part of the file was not looked into by the lens.
const NotRead Code = "unread"

// Passage is text that a model would read and a person who looks at the rendered view would not, or the other
// way round.
type Passage struct {
	Way   HidingMethod `json:"way"`
	Sight Visibility   `json:"sight"`
	Why   string       `json:"why,omitempty"` // what hides it, in the file's own terms: "display:none", "data-note", "U+200B"; untrusted
	Text  string       `json:"text"`          // shortened; hidden characters stand in it as they are; untrusted
	// Plain is what the text says once hidden or exchanged characters are read as what they stand for; ""
	// where that is the same.
	Plain string `json:"plain,omitempty"`
	// At and End are byte offsets of it in the attachment; both are 0 when it is not known where it stands.
	At  int64 `json:"at,omitempty"`
	End int64 `json:"end,omitempty"`
	// Line is the line on which it begins, from 1; 0 when that is not known.
	Line int `json:"line,omitempty"`
	// Path is the element, the member or the cell in which it stands: "body > p.note", "/total", "C7"; untrusted.
	Path string `json:"path,omitempty"`
	// Cues are words of a fixed list that make it read like an instruction to a machine; nil when it does not.
	Cues []string `json:"cues,omitempty"`
}

// Visibility says how far a passage is from a person's eyes, the furthest first.
type Visibility string

// The sights.
const (
	Never  Visibility = "never"  // no person sees it in the rendered view
	Likely Visibility = "likely" // most likely nobody does: judged by colours, places and sizes
	// Unjudged says that the static check cannot tell: the text may be seen or not. Why names what it cannot follow.
	Unjudged   Visibility = "unjudged"
	PersonOnly Visibility = "person-only" // a person sees it and no machine reads it, or reads it in another order
	LeftOut    Visibility = "left-out"    // not shown here, for safety: scripts, forms
	Aside      Visibility = "aside"       // seen on purpose only: on hover, when opened, by a screen reader
	Elsewhere  Visibility = "elsewhere"   // shown here as text; other programs hide it
)

// Visibilities lists them in order.
var Visibilities = [...]Visibility{Never, Likely, Unjudged, PersonOnly, LeftOut, Aside, Elsewhere}

// Hides reports whether a person who looks with care would still miss it here.
func (s Visibility) Hides() bool { return s == Never || s == Likely }

// HidingMethod is how a text is kept from a person's eyes.
type HidingMethod string

// The ways.
const (
	Characters HidingMethod = "characters" // characters that leave no mark
	LookAlike  HidingMethod = "look-alike" // letters of another script that look like Latin ones
	Comment    HidingMethod = "comment"
	Styled     HidingMethod = "styled"    // an element that its style hides
	Folded     HidingMethod = "folded"    // inside a closed details element
	Attribute  HidingMethod = "attribute" // alt, title, aria-…, data-…, meta
	Undrawn    HidingMethod = "undrawn"   // scripts, templates, fallbacks: elements whose content is never drawn
	Control    HidingMethod = "control"   // forms and other elements that are not shown here
	LinkNote   HidingMethod = "link-note" // titles and unused targets of links, words after a code block's language
	Formula    HidingMethod = "formula"   // a cell of which a spreadsheet shows the result
	Member     HidingMethod = "member"    // JSON that readers pass over: a key named twice, a field that no page shows
	Metadata   HidingMethod = "metadata"  // text in a picture or a pdf that is no part of the page
	Far        HidingMethod = "far"       // behind so much white space that nobody gets there
	Generated  HidingMethod = "generated" // written by a style: before or after an element, as a marker or a counter
	Reordered  HidingMethod = "reordered" // drawn in another order than it is written
)

// MaxPassages bounds the passages of one attachment or one ledger.
const MaxPassages = 300

// Reading is what the lens found in one source: an attachment, or a ledger of an agent.
type Reading struct {
	Name     string    `json:"name"` // of the file; untrusted
	Size     int64     `json:"size"` // bytes
	Passages []Passage `json:"passages,omitempty"`
	More     int       `json:"more,omitempty"`   // passages that are left out
	Unread   string    `json:"unread,omitempty"` // a sentence of ours: what was not looked into, and why
}

// CountVisibility counts the passages with a sight.
func CountVisibility(list []Passage, s Visibility) int {
	n := 0
	for i := range list {
		if list[i].Sight == s {
			n++
		}
	}
	return n
}

// Hidden counts the passages that a person would miss, and of these the ones that read like instructions.
func (r *Reading) Hidden() (hidden, instructions int) { return Count(r.Passages) }

// Count counts passages that a person would miss, and of these the ones that read like instructions.
func Count(list []Passage) (hidden, instructions int) {
	for i := range list {
		if list[i].Sight.Hides() {
			hidden++
			if len(list[i].Cues) > 0 {
				instructions++
			}
		}
	}
	return hidden, instructions
}

// IsWorse reports whether a passage deserves a person's eyes before another one: what reads like an
// instruction first, then what is hidden best, then what stands first.
func IsWorse(a, b *Passage) bool {
	if x, y := rank(a), rank(b); x != y {
		return x < y
	}
	if x, y := len(a.Cues), len(b.Cues); x != y {
		return x > y
	}
	return a.At < b.At
}

// rank orders passages: those that hide instructions, those that hide anything, instructions that only
// stand aside, the rest.
func rank(p *Passage) int {
	n := len(Visibilities)
	for i, s := range Visibilities {
		if p.Sight == s {
			n = i
		}
	}
	switch {
	case p.Sight.Hides() && len(p.Cues) > 0:
		return n
	case len(p.Cues) > 0:
		return 10 + n
	case p.Sight.Hides():
		return 20 + n
	}
	return 30 + n
}
