package remark

import (
	"bytes"
	"strings"
)

// State is what became of a passage in a later version.
type State string

const (
	Unchanged State = "unchanged" // it is there as it was
	Changed   State = "changed"   // the text before or after it is there, and another text in its place
	Gone      State = "gone"      // it isn't there, and what was around it isn't either, or is too short to tell
)

// Outcome is what became of a remark's place in a later version.
type Outcome struct {
	State  State  `json:"state"`
	File   string `json:"file,omitempty"`   // attachment in which it was looked for; "" for steps and the ask's text
	Line   int    `json:"line,omitempty"`   // where it is now, in the source
	ToLine int    `json:"toLine,omitempty"` //
	Step   int    `json:"step,omitempty"`   // the step that it is now
	Text   string `json:"text,omitempty"`   // the text there now, if it changed
}

const (
	enoughContext = 12 // folded bytes of context that tell one place from another
	longPassage   = 24 // folded bytes of a passage that needs no context
	mostBetween   = 4 * MaxQuote
)

// In is what became of the remark's place in a document; nil is one that isn't there any more.
func (r *Remark) In(d *Document) Outcome {
	if d == nil {
		return Outcome{State: Gone}
	}
	o := Outcome{State: Unchanged, File: VisibleName(d.Name)}
	switch {
	case d.SHA256 != "" && d.SHA256 == r.SHA256:
		o.Line, o.ToLine = r.Line, r.ToLine
		return o
	case r.Kind != Passage && r.Kind != Request:
		o.State = Changed
		return o
	case r.Quote == "":
		return o
	}
	s := Selection{Quote: r.Quote, Before: r.Before, After: r.After, Source: r.Line > 0}
	for _, t := range d.texts(s.Source) {
		if t.loose {
			continue
		}
		all := fold(t.text)
		if found := t.find(all, fold(r.Quote), s); found != nil && r.tells(found.context) {
			o.at(d, &t, found.start, found.end)
			return o
		}
		start, end, ok := t.between(all, fold(r.Before), fold(r.After))
		if !ok {
			start, end, ok = t.beside(all, fold(r.Before), fold(r.After))
		}
		if ok {
			o.State, o.Text = Changed, shortened(Visible(oneBreak(strings.TrimSpace(t.text[start:end]))))
			o.at(d, &t, start, end)
			return o
		}
	}
	o.State = Gone
	return o
}

// at notes the lines of a place in the source.
func (o *Outcome) at(d *Document, t *text, start, end int) {
	if t.source && d.Name != "" {
		o.Line, o.ToLine = d.lineAt(start), d.lineAt(max(start, end-1))
	}
}

// tells reports whether a place with that much of the remark's context is the remark's place.
func (r *Remark) tells(context int) bool {
	return context >= min(enoughContext, len(fold(r.Before))+len(fold(r.After))) || len(fold(r.Quote)) >= longPassage
}

// between finds the text between before and after, at the first place where both occur close together.
func (t *text) between(all, before, after []byte) (start, end int, ok bool) {
	if len(before)+len(after) < enoughContext {
		return 0, 0, false
	}
	at := 0
	for {
		i := bytes.Index(all[at:], before)
		if i < 0 {
			return 0, 0, false
		}
		at += i + len(before)
		window := all[at:min(len(all), at+mostBetween)]
		length := bytes.Index(window, after)
		if len(after) == 0 {
			length = len(window)
		}
		if length >= 0 && !(len(before) == 0 && at+length > mostBetween) {
			return t.gap(at, length)
		}
		if len(before) == 0 {
			return 0, 0, false
		}
	}
}

// beside finds the rest of the line after one text, or else what is before the other one on its line.
func (t *text) beside(all, before, after []byte) (start, end int, ok bool) {
	if i := bytes.Index(all, before); len(before) >= enoughContext && i >= 0 {
		start, _, _ = t.gap(i+len(before), 0)
		end = len(t.text)
		if n := strings.IndexByte(t.text[start:], '\n'); n >= 0 {
			end = start + n
		}
		return start, end, true
	}
	if i := bytes.Index(all, after); len(after) >= enoughContext && i >= 0 {
		end, _, _ = t.gap(i, 0)
		return strings.LastIndexByte(t.text[:end], '\n') + 1, end, true
	}
	return 0, 0, false
}

// gap is like span, but an empty range is allowed: it is the position before the next folded byte.
func (t *text) gap(at, length int) (start, end int, ok bool) {
	if length > 0 {
		start, end = t.span(at, length)
		return start, end, true
	}
	start = len(t.text)
	n := 0
	walk(t.text, func(i, size int, _ rune) bool {
		if n == at {
			start = i
			return false
		}
		n += size
		return true
	})
	return start, start, true
}

// InSteps is what became of a step that the remark is about.
func (r *Remark) InSteps(steps []string) Outcome {
	quote := string(fold(r.Quote))
	same := func(n int) bool { return string(fold(shortened(Visible(oneBreak(steps[n-1]))))) == quote }
	if r.Step >= 1 && r.Step <= len(steps) && same(r.Step) {
		return Outcome{State: Unchanged, Step: r.Step}
	}
	for n := range steps {
		if same(n + 1) {
			return Outcome{State: Unchanged, Step: n + 1}
		}
	}
	if r.Step >= 1 && r.Step <= len(steps) {
		return Outcome{State: Changed, Step: r.Step, Text: shortened(Visible(oneBreak(steps[r.Step-1])))}
	}
	return Outcome{State: Gone}
}
