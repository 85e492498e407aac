package report

// Lens is the view of an attachment's text in which everything that a person would not see is marked:
// what a model reads that is given the file.
const Lens View = "lens"

// Unread says that a part of the file was not looked into by the lens.
const Unread Code = "unread"

// Passage is text that a model would read and a person who looks at the rendered view would not, or the other
// way round.
type Passage struct {
	Way   Hiding `json:"way"`
	Sight Sight  `json:"sight"`
	Why   string `json:"why,omitempty"` // what hides it, in the file's own terms: "display:none", "data-note", "U+200B"; untrusted
	Text  string `json:"text"`          // shortened; hidden characters stand in it as they are; untrusted
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

// Sight says how far a passage is from a person's eyes, the furthest first.
type Sight string

// The sights.
const (
	Never  Sight = "never"  // no person sees it in the rendered view
	Likely Sight = "likely" // most likely nobody does: judged by colours, places and sizes
	// Unjudged says that the static check cannot tell: the text may be seen or not. Why names what it cannot follow.
	Unjudged   Sight = "unjudged"
	PersonOnly Sight = "person-only" // a person sees it and no machine reads it, or reads it in another order
	LeftOut    Sight = "left-out"    // not shown here, for safety: scripts, forms
	Aside      Sight = "aside"       // seen on purpose only: on hover, when opened, by a screen reader
	Elsewhere  Sight = "elsewhere"   // shown here as text; other programs hide it
)

// Sights lists them in order.
var Sights = [...]Sight{Never, Likely, Unjudged, PersonOnly, LeftOut, Aside, Elsewhere}

// Hides reports whether a person who looks with care would still miss it here.
func (s Sight) Hides() bool { return s == Never || s == Likely }

// Hiding is how a text is kept from a person's eyes.
type Hiding string

// The ways.
const (
	Characters Hiding = "characters" // characters that leave no mark
	LookAlike  Hiding = "look-alike" // letters of another script that look like Latin ones
	Comment    Hiding = "comment"
	Styled     Hiding = "styled"    // an element that its style hides
	Folded     Hiding = "folded"    // inside a closed details element
	Attribute  Hiding = "attribute" // alt, title, aria-…, data-…, meta
	Undrawn    Hiding = "undrawn"   // scripts, templates, fallbacks: elements whose content is never drawn
	Control    Hiding = "control"   // forms and other elements that are not shown here
	LinkNote   Hiding = "link-note" // titles and unused targets of links, words after a code block's language
	Formula    Hiding = "formula"   // a cell of which a spreadsheet shows the result
	Member     Hiding = "member"    // JSON that readers pass over: a key named twice, a field that no page shows
	Metadata   Hiding = "metadata"  // text in a picture or a pdf that is no part of the page
	Far        Hiding = "far"       // behind so much white space that nobody gets there
	Generated  Hiding = "generated" // written by a style: before or after an element, as a marker or a counter
	Reordered  Hiding = "reordered" // drawn in another order than it is written
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

// Of counts the passages with a sight.
func Of(list []Passage, s Sight) int {
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

// Worse reports whether a passage deserves a person's eyes before another one: what reads like an
// instruction first, then what is hidden best, then what stands first.
func Worse(a, b *Passage) bool {
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
	n := len(Sights)
	for i, s := range Sights {
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
