package remark

import (
	"bytes"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/internal/sentence"
)

// Document is what remarks are made on: an attachment, or the text of an ask, which has no name.
type Document struct {
	Name, SHA256 string
	Content      []byte // its bytes
	Plain        string // what a person reads of it; "" if that is its source
}

// Error says why a remark can't be made at a place.
type Error struct {
	Sentence, Hint string
	Args           []any // of both, as package sentence has them
}

func (e *Error) Error() string { return sentence.Fill(e.Sentence, e.Args) }

var tooLong = &Error{Sentence: "The passage is too long: a comment can quote up to 4,096 bytes.", Hint: "Select fewer lines, or only the passage that matters."}

// isMarkup reports whether people don't read the source of the document as it is.
func (d *Document) isMarkup() bool {
	switch strings.ToLower(path.Ext(d.Name)) {
	case ".html", ".htm", ".svg":
		return true
	}
	return false
}

// Lines is a remark on lines of the source, from 1, both ends included.
func (d *Document) Lines(from, to int) (Remark, error) {
	count := d.lines()
	switch {
	case from < 1 || to < from:
		return Remark{}, &Error{Sentence: "These line numbers can't be used.", Hint: "Enter the first and last line numbers, for example 12 and 14. Lines are numbered from 1."}
	case to > count:
		return Remark{}, &Error{Sentence: "The file has no line {0}.", Hint: "Its last line is {1}.", Args: []any{to, count}}
	}
	start, end := d.lineStart(from), d.lineStart(to+1)
	for end > start && (d.Content[end-1] == '\n' || d.Content[end-1] == '\r') {
		end--
	}
	if end-start > MaxQuote {
		return Remark{}, tooLong
	}
	r := d.passage(string(d.Content), start, end)
	r.Line, r.ToLine = from, to
	return r, r.fits()
}

// lines is how many lines the source has; a break at its end begins no other one.
func (d *Document) lines() int {
	n := bytes.Count(d.Content, []byte{'\n'})
	if len(d.Content) > 0 && d.Content[len(d.Content)-1] != '\n' {
		n++
	}
	return n
}

// lineStart is where a line begins, or the end of the source.
func (d *Document) lineStart(line int) int {
	at := 0
	for ; line > 1; line-- {
		i := bytes.IndexByte(d.Content[at:], '\n')
		if i < 0 {
			return len(d.Content)
		}
		at += i + 1
	}
	return at
}

// Selection is what a person selected or pasted: a passage, and what they saw before and after it.
type Selection struct {
	Quote, Before, After string
	Source               bool // it was selected in the source, not in what is read of it
}

// Passage is a remark on a selected passage, as the source has it or else as the plain text has it. Spaces and characters
// that can't be seen don't count when it is looked for, because browsers change them.
func (d *Document) Passage(s Selection) (Remark, error) {
	wanted := fold(s.Quote)
	switch {
	case len(wanted) == 0:
		return Remark{}, &Error{Sentence: "No passage is selected.", Hint: "Select a passage in the file, or enter line numbers."}
	case len(s.Quote) > MaxQuote:
		return Remark{}, tooLong
	}
	for _, text := range d.texts(s.Source) {
		all := fold(text.text)
		found := text.find(all, wanted, s)
		if found == nil {
			continue
		}
		r := d.passage(text.text, found.start, found.end)
		if text.source {
			r.Line, r.ToLine = d.lineAt(found.start), d.lineAt(found.end-1)
			r.Path = d.jsonPath(found.start)
		}
		if found.of > 1 {
			r.Nth, r.Of = found.nth, found.of
		}
		return r, r.fits()
	}
	return Remark{}, &Error{Sentence: "This passage is not in the file.", Hint: "Copy it from the Source or Plain text view, without line numbers, or enter line numbers."}
}

// fits reports by an error that a passage is too long once it is made visible.
func (r *Remark) fits() error {
	if len(r.Quote) > MaxQuote {
		return tooLong
	}
	return nil
}

// passage is the remark on bytes of a text of the document.
func (d *Document) passage(text string, start, end int) Remark {
	return Remark{Kind: d.kind(), File: VisibleName(d.Name), SHA256: d.SHA256, Quote: Visible(oneBreak(text[start:end])),
		Before: before(text[:start]), After: after(text[end:])}
}

func (d *Document) kind() Kind {
	if d.Name == "" {
		return Request
	}
	return Passage
}

// before is the end of a text, after is its beginning, each on one line.
func before(text string) string {
	at := len(text)
	for n := 0; n < contextLength && at > 0; n++ {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	return strings.TrimLeft(oneLine(text[at:]), " ")
}

func after(text string) string {
	at := 0
	for n := 0; n < contextLength && at < len(text); n++ {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return strings.TrimRight(oneLine(text[:at]), " ")
}

// oneLine makes one space of every run of spaces and line breaks.
func oneLine(text string) string {
	var b strings.Builder
	space := false
	for _, r := range Visible(oneBreak(text)) {
		if isSpace := r == ' ' || r == '\n' || r == '\t'; !isSpace {
			b.WriteRune(r)
			space = false
		} else if !space {
			b.WriteByte(' ')
			space = true
		}
	}
	return b.String()
}

func (d *Document) lineAt(at int) int { return 1 + bytes.Count(d.Content[:at], []byte{'\n'}) }

// Whole is a remark on the attachment as a whole.
func (d *Document) Whole() Remark {
	return Remark{Kind: File, File: VisibleName(d.Name), SHA256: d.SHA256}
}

// Rect is a remark on a part of an image whose natural size is given.
func (d *Document) Rect(area Rect, width, height int) (Remark, error) {
	if area.Width < 1 || area.Height < 1 || area.X < 0 || area.Y < 0 || area.X+area.Width > width || area.Y+area.Height > height {
		return Remark{}, &Error{Sentence: "This area is not inside the image, which is {0} × {1} pixels.", Hint: "Draw the rectangle again, or enter other numbers.", Args: []any{width, height}}
	}
	return Remark{Kind: Area, File: VisibleName(d.Name), SHA256: d.SHA256, Area: &area}, nil
}

// OfStep is a remark on a step of a sign-off, by its number from 1.
func OfStep(steps []string, number int) (Remark, error) {
	if number < 1 || number > len(steps) {
		return Remark{}, &Error{Sentence: "The request has no step {0}.", Hint: "Choose one of its steps.", Args: []any{number}}
	}
	return Remark{Kind: Step, Step: number, Quote: shortened(Visible(oneBreak(steps[number-1])))}, nil
}

// shortened is the beginning of a long text.
func shortened(text string) string {
	if len(text) <= MaxQuote {
		return text
	}
	cut := MaxQuote - len("…")
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}
