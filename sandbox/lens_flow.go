package sandbox

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/internal/hidden"
	"github.com/figs-web/figs-web/sandbox/report"
)

// area is an element whose content may be covered: what is placed inside it lies over the rest.
type area struct {
	words  gathered // seen in it
	over   gathered // of what covers others
	covers int
	small  int // covers of a few letters each
}

// mostSmall is how many small covers an area may have before they count.
const mostSmallCovers = 8

// twoScreens is the height in pixels behind which nobody looks for a text.
const twoScreens = 1600

// flow follows where an element stands among others.
func (r *reader) flow(n *html.Node, up, s *scope) {
	if s.way != "" && s.sight != report.Unjudged {
		return
	}
	var before float64
	covers, positioned, flips, floats := false, false, false, false
	for i := range s.looks {
		l := &s.looks[i]
		before = max(before, l.Before)
		positioned = positioned || l.Positioned
		flips, floats = flips || l.Flips, floats || l.Floats
		if l.Covers && l.Small {
			up.area.small++
		}
		covers = covers || l.Covers && !l.Small
	}
	if n.Namespace == "" && s.looks != nil && n.Parent != nil {
		switch n.Data {
		case "br":
			before += 18
		case "p":
			before += 34
		case "div", "li", "tr", "dd", "dt":
			before += 18
		}
		r.blank += before
	}
	if s.over = up.over; len(s.looks) > 0 && s.over != nil && (s.looks[0].Paints || n.Data == "svg") && !s.looks[0].Small {
		s.over.covers++ // in a box that lies over others
	}
	if len(s.looks) > 0 && s.looks[0].Out {
		s.over = up.area
	}
	s.cut = up.cut
	for i := range s.looks {
		if l := &s.looks[i]; (l.Room > 0 || l.Line) && (s.cut == up.cut || l.Room < s.cut.room) {
			s.cut = &cut{room: l.Room, scrolls: l.Scrolls, line: l.Line, blank: r.blank - before}
		}
	}
	if covers || up.area.small > mostSmallCovers {
		up.area.covers++
	}
	if covers || positioned {
		s.area = &area{}
	}
	if n.Data == "img" || n.Data == "svg" || n.Data == "hr" {
		r.blank = 0
	}
	switch {
	case floats:
		if up.right++; up.right == 2 && n.Parent != nil {
			r.reordered(n.Parent, "float")
		}
	case up.right > 0:
		up.right = 0
	}
	if flips {
		r.reordered(n, "direction")
	}
	if r.drawing != nil && n.Namespace == "svg" {
		r.drawing.shape(n, s)
	}
	if n.Namespace == "" && len(s.looks) > 0 {
		r.parts(n, s)
	}
}

// reordered notes an element that is drawn in another order than it is written.
func (r *reader) reordered(n *html.Node, why string) {
	text := textOf(n)
	if len(strings.Fields(text)) < 2 || strings.ContainsFunc(text, func(c rune) bool { return unicode.In(c, unicode.Hebrew, unicode.Arabic) }) {
		return
	}
	from, to, ok := r.place(n)
	r.note(report.Passage{Way: report.Reordered, Sight: report.PersonOnly, Why: why, Text: text, Path: r.path(n)}, from, to, ok)
}

// end follows what an element leaves behind.
func (r *reader) end(n *html.Node, s, up *scope) {
	if s.area != up.area {
		r.covered(s.area, up.area, n)
		over := false
		for i := range s.looks {
			over = over || s.looks[i].Covers && !s.looks[i].Small
		}
		to := &up.area.words
		if over {
			to = &up.area.over
		}
		to.add(s.area.words.text.String())
	}
	up.texts += s.texts
	if s.way != "" && s.sight != report.Unjudged || len(s.looks) == 0 {
		return
	}
	l := &s.looks[0]
	switch {
	case l.Out:
		r.blank = s.blank
	case s.texts == 0:
		r.blank = max(r.blank, s.blank+l.Least) + l.After
	default:
		r.blank += l.After
	}
	if r.drawing != nil && r.drawing.root == n {
		r.drawing.judge(r)
		r.drawing = nil
	}
}

// covered notes the text of an area that something may lie over.
func (r *reader) covered(a, _ *area, n *html.Node) {
	if a.covers == 0 {
		return
	}
	text := a.words.text.String()
	if a.covers > 1 {
		text += a.over.text.String()
	}
	path := ""
	if n.Type == html.ElementNode {
		path = r.path(n)
	}
	r.p.finds.add(report.Passage{Way: report.Styled, Sight: report.Unjudged, Why: "covered", Text: strings.ToValidUTF8(text, ""), Path: path})
}

// cut is a box that cuts off what is too much for it.
type cut struct {
	room    float64 // its height in pixels; 0 where that is not bounded
	scrolls bool
	line    bool    // one line, which does not wrap
	blank   float64 // before it
	used    float64 // height of the texts in it
	texts   int
}

// scrolled is the height of a box in which people scroll.
const scrolled = 100

// off reports whether a text may be cut off, and counts it.
func (c *cut) off(text string, size, blank float64) bool {
	if c == nil || c.scrolls && (c.room >= scrolled || c.room == 0) {
		return false
	}
	long := float64(len(strings.TrimSpace(text))) * size / 2
	if c.texts++; c.line && (c.texts > 1 || long > 280) {
		return true
	}
	before := c.used + max(0, blank-c.blank)
	c.used += size * 1.2 * (1 + float64(int(long/600)))
	return c.room > 0 && (before >= 0.8*c.room || c.used > 3*c.room)
}

// drawn notes text that is seen, unless it stands behind screens of nothing.
func (r *reader) drawn(n *html.Node, s *scope) {
	if r.drawing != nil && n.Parent != nil && n.Parent.Namespace == "svg" {
		r.drawing.text(r, n, s)
		return
	}
	s.area.words.add(n.Data)
	if s.cut != nil && len(s.looks) > 0 && s.cut.off(n.Data, s.looks[0].Size(), r.blank) {
		from, to, ok := r.place(n)
		r.note(report.Passage{Way: report.Styled, Sight: report.Unjudged, Why: "clip", Text: n.Data, Path: r.path(n.Parent)}, from, to, ok)
		r.p.marks[n] = mark{notJudged + "clip", false}
	}
	if far := farWithin(n); far != "" {
		from, to, ok := r.place(n)
		r.note(report.Passage{Way: report.Far, Sight: report.Likely, Why: "empty lines", Text: far, Path: r.path(n.Parent)}, from, to, ok)
		r.p.marks[n] = mark{"empty lines", true}
	}
	if len(strings.TrimSpace(n.Data)) < 4 && !strings.ContainsFunc(n.Data, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) {
		return // a dot between blank lines
	}
	s.texts++
	if r.blank > twoScreens {
		from, to, ok := r.place(n)
		r.note(report.Passage{Way: report.Far, Sight: report.Likely, Why: "blank space", Text: n.Data, Path: r.path(n.Parent)}, from, to, ok)
		r.p.marks[n] = mark{"blank space", true}
	}
	r.blank = 0
}

// farWithin is what stands behind many empty lines of a text whose lines are kept.
func farWithin(n *html.Node) string {
	if strings.Count(n.Data, "\n") < farLines {
		return ""
	}
	kept := false
	for p := n.Parent; p != nil; p = p.Parent {
		kept = kept || p.Data == "pre"
	}
	empty, rest := 0, n.Data
	for kept && rest != "" {
		line, after, _ := strings.Cut(rest, "\n")
		switch {
		case blankLine(line):
			empty++
		case empty >= farLines:
			return rest
		default:
			empty = 0
		}
		rest = after
	}
	return ""
}

// empty counts lines that hold nothing, where lines are kept.
func (r *reader) empty(n *html.Node) {
	if lines := strings.Count(n.Data, "\n"); lines > 20 {
		for p := n.Parent; p != nil; p = p.Parent {
			if p.Data == "pre" {
				r.blank += 18 * float64(lines)
			}
		}
	}
	r.blank += 4 * float64(strings.Count(n.Data, "\u00a0"))
}

// parts notes what a style writes, and what it does to a first line.
func (r *reader) parts(n *html.Node, s *scope) {
	if s.way != "" && s.sight != report.Unjudged {
		return
	}
	for _, p := range r.sheets.Parts(n, s.looks) {
		switch {
		case p.Verdict.Why != "":
			sight := report.Likely
			if p.Verdict.Unjudged {
				sight = report.Unjudged
			}
			from, to, ok := r.place(n)
			r.note(report.Passage{Way: report.Styled, Sight: sight, Why: p.Name + " " + p.Verdict.Why, Text: textOf(n), Path: r.path(n)}, from, to, ok)
		case p.Text != "":
			r.generated(n, "::"+p.Name, p.Text)
		}
		if p.Look.Covers && p.Name != "first-line" {
			r.over(s, &p.Look)
		}
	}
	for i := range s.looks {
		if text := s.looks[i].Mark; text != "" {
			r.generated(n, "marker", text)
		}
	}
}

// over counts a box that a style lays over an element.
func (r *reader) over(s *scope, l *hidden.Look) {
	if l.Small {
		s.area.small++
	}
	if !l.Small || s.area.small > mostSmallCovers {
		s.area.covers++
	}
}

// generated notes words that a style writes: a person sees them, and no machine reads them in the text.
func (r *reader) generated(n *html.Node, why, text string) {
	if r.written[why+text] {
		return
	}
	r.written[why+text] = true
	r.p.finds.add(report.Passage{Way: report.Generated, Sight: report.PersonOnly, Why: why, Text: text, Path: r.path(n)})
}
