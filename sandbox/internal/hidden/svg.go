package hidden

import "github.com/figs-web/figs-web/sandbox/internal/colour"

// Fill is the colour that a shape, or a text, of a drawing is filled with; ok is false where that is not known.
func (l *Look) Fill() (c colour.Colour, ok bool) {
	c, ok = colour.Black, true
	if l.fill.set {
		c, ok = l.fill.Colour, l.fill.known
	}
	c.Alpha *= l.share
	return c, ok
}

// Size is the size of the font in pixels.
func (l *Look) Size() float64 { return l.size }

// Grounds are the colours that may stand behind the element; nil where nobody knows.
func (l *Look) Grounds() []colour.Colour { return l.grounds }

// Drawn judges a text of one colour on one of several others.
func Drawn(ink colour.Colour, grounds []colour.Colour) Verdict {
	l := Look{grounds: grounds, share: 1, base: colour.White}
	if len(grounds) == 0 || len(grounds) > mostGrounds {
		return Verdict{Why: "background", Unjudged: true}
	}
	return l.contrast([]colour.Colour{ink})
}
