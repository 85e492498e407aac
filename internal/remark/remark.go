// Package remark is what a person says about one place of what they review: an attachment, a step of a sign-off, or the
// ask's own text. Remarks travel in the note of a reply as Markdown, which unmodified clients show and agents read; Parse
// gets them back, so every reader has them in structured form from the note alone.
//
// A remark is bound to the bytes it was made on: it carries the attachment's SHA-256, the exact passage, and 32 characters
// before and after it. Find places it in a later version.
package remark

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
)

// Kind is what a remark is about.
type Kind string

const (
	Passage Kind = "passage" // a passage of an attachment
	Area    Kind = "area"    // a rectangle of an image
	File    Kind = "file"    // an attachment as a whole
	Step    Kind = "step"    // a step of a sign-off
	Request Kind = "request" // the ask's own text, or a passage of it
)

const (
	// MaxQuote is the longest passage, in bytes.
	MaxQuote = 4 << 10
	// MaxRemarks is how many remarks a note has at most. One that has more is read as plain text.
	MaxRemarks = 200
	// contextLength is how many characters before and after a passage a remark carries.
	contextLength = 32
)

// Remark is a remark with its place. Texts of the place are as a person reads them (see Visible).
type Remark struct {
	Kind   Kind   `json:"kind"`
	File   string `json:"file,omitempty"`   // name of the attachment; "" for Step and Request
	SHA256 string `json:"sha256,omitempty"` // of the attachment, in hex
	Line   int    `json:"line,omitempty"`   // first line of the passage in the attachment's source, from 1; 0 if only the plain text has it
	ToLine int    `json:"toLine,omitempty"` // last line
	Path   string `json:"path,omitempty"`   // of a value in a JSON file, "$.total.amount"
	Nth    int    `json:"nth,omitempty"`    // which of equal passages, from 1; 0 if there is only one
	Of     int    `json:"of,omitempty"`     // how many equal passages there are
	Before string `json:"before,omitempty"` // up to 32 characters before the passage
	Quote  string `json:"quote,omitempty"`  // the passage
	After  string `json:"after,omitempty"`  // up to 32 characters after it
	Area   *Rect  `json:"area,omitempty"`   // of an image
	Step   int    `json:"step,omitempty"`   // number of the step, from 1

	Text       string  `json:"text,omitempty"`       // what the person says
	Suggestion *string `json:"suggestion,omitempty"` // what the passage should be instead; nil if nothing is suggested
}

// Rect is a rectangle in pixels of an image's natural size.
type Rect struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

// String is how notes and forms write it: "300×200 at 120,80".
func (r Rect) String() string {
	return strconv.Itoa(r.Width) + "×" + strconv.Itoa(r.Height) + " at " + strconv.Itoa(r.X) + "," + strconv.Itoa(r.Y)
}

// Empty reports whether the person says nothing with the remark yet.
func (r *Remark) Empty() bool { return strings.TrimSpace(r.Text) == "" && r.Suggestion == nil }

// Place says in English where the remark is, without the attachment's hash: "`brief.md`, line 12".
func (r *Remark) Place() string {
	switch r.Kind {
	case Step:
		return "step " + strconv.Itoa(r.Step)
	case Request:
		return "the request"
	}
	parts := []string{"`" + r.File + "`"}
	switch {
	case r.Kind == Area && r.Area != nil:
		parts = append(parts, "area "+r.Area.String())
	case r.Kind == Passage && r.Line == 0:
		parts = append(parts, "plain text")
	case r.Kind == Passage:
		parts = append(parts, lineWord(r.Line, r.ToLine))
	}
	if r.Path != "" {
		parts = append(parts, "`"+r.Path+"`")
	}
	if r.Of > 0 {
		parts = append(parts, "place "+strconv.Itoa(r.Nth)+" of "+strconv.Itoa(r.Of))
	}
	return strings.Join(parts, ", ")
}

func lineWord(from, to int) string {
	if to <= from {
		return "line " + strconv.Itoa(from)
	}
	return "lines " + strconv.Itoa(from) + "–" + strconv.Itoa(to)
}

// Visible is text as remarks carry it: characters that leave no mark, that change the order of others, or that mark a
// place in a note are written as their code points, ⟨U+202E⟩, and bytes that aren't UTF-8 as ⟨byte FF⟩.
func Visible(text string) string {
	if plain(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString("⟨byte " + hexadecimal(uint32(text[0]), 2) + "⟩")
		case r != '\t' && r != '\n' && isMarked(r):
			b.WriteString("⟨U+" + hexadecimal(uint32(r), 4) + "⟩")
		default:
			b.WriteString(text[:n])
		}
		text = text[n:]
	}
	return b.String()
}

// plain reports whether Visible changes nothing, for texts of which a byte tells.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

func isMarked(r rune) bool {
	return r == openMark || r == closeMark || r == 0x2800 || figs.IsHidden(r) ||
		unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// VisibleName is a file's name as remarks carry it: on one line, without the mark around it.
func VisibleName(name string) string {
	return strings.NewReplacer("`", "⟨U+0060⟩", "\n", "⟨U+000A⟩", "\t", "⟨U+0009⟩").Replace(Visible(name))
}

func hexadecimal(n uint32, width int) string {
	text := strings.ToUpper(strconv.FormatUint(uint64(n), 16))
	return strings.Repeat("0", max(0, width-len(text))) + text
}
