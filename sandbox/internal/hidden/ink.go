package hidden

import (
	"strings"

	"github.com/figs-web/figs-web/sandbox/internal/colour"
	"github.com/figs-web/figs-web/sandbox/internal/style"
)

// faint is the contrast ratio below which nobody reads a text.
const faint = 1.6

// mostGrounds bounds the colours that may stand behind one text.
const mostGrounds = 12

// colours follows the colours of text and ground into an element.
func (e *element) colours() {
	l := e.l
	l.ink = e.paint(ink, l.ink, e.up.ink)
	l.fill = e.paint(fill, l.fill, e.up.fill)
	if s := e.v(svgFill); s == "none" {
		l.fill = paint{colour.Clear, true, true}
	} else if s != "" {
		l.fill = e.paint(svgFill, l.fill, e.up.fill)
	}
	if s := e.v(shadow); s != "" {
		l.outlined = s != "none" && s != "0"
	}
	if s := e.v(stroke); s != "" && s != "0" && s != "0px" && s != "none" {
		e.doubt("text-stroke")
	}
	if s := e.v(outline); s != "" {
		for _, w := range strings.Fields(s) {
			if n, ok := length(w, e.units); ok && n > 6 {
				e.doubt("outline")
			}
		}
	}
	e.ground()
}

// paint is the colour that a property sets.
func (e *element) paint(p prop, now, inherited paint) paint {
	switch s := e.v(p); s {
	case "":
		return now
	case "inherit", "unset", "revert":
		return inherited
	case "currentcolor":
		if p == ink {
			return inherited
		}
		return e.l.ink
	case "initial":
		if p == ink {
			return paint{colour.Black, true, true}
		}
		return paint{}
	default:
		c, ok := colour.Parse(s)
		return paint{c, true, ok}
	}
}

// ground follows what stands behind the text.
func (e *element) ground() {
	l := e.l
	behind := l.grounds
	if c, image := e.v(ground), e.v(groundImage); c == "" && image == "" {
		return
	}
	known := true
	if s := e.v(ground); s != "" && s != "none" && s != "unset" && s != "initial" && s != "transparent" {
		p := e.paint(ground, paint{}, paint{})
		switch {
		case s == "inherit" || !p.known:
			known = false
		case p.Alpha > 0.996:
			l.grounds = []colour.Colour{p.Colour}
		case p.Alpha > 0:
			l.grounds = over([]colour.Colour{p.Colour}, l.grounds)
		}
	}
	layers := split(e.v(groundImage), ',')
	for i := len(layers) - 1; i >= 0 && known; i-- {
		layer := strings.TrimSpace(layers[i])
		if layer == "" || layer == "none" || layer == "unset" || layer == "initial" {
			continue
		}
		stops, ok := gradient(layer)
		if !ok {
			known = false
			break
		}
		drawn := over(stops, l.grounds)
		if len(layers) > 1 || e.partly() {
			drawn = append(drawn, l.grounds...)
		}
		l.grounds = drawn
	}
	if !known || len(l.grounds) > mostGrounds {
		l.grounds = nil
	}
	switch {
	case e.v(clipText) == "text": // the background is what the letters are drawn with
		if l.inks = l.grounds; l.inks == nil {
			e.doubt("background-clip")
		}
		l.grounds = behind
	case e.small():
		l.inks = nil
		if l.grounds != nil {
			l.grounds = append(append([]colour.Colour{}, l.grounds...), behind...)
		}
	default:
		l.inks = nil
	}
}

// partly reports whether pictures of a background may leave a part of the box bare.
func (e *element) partly() bool {
	s := e.v(groundPart)
	return s != "" && s != "repeat" && s != "border-box" && s != "center" && s != "cover"
}

// small reports whether text may stand beside the box of its element.
func (e *element) small() bool {
	for _, p := range []prop{height, maxHeight, width, maxWidth} {
		if n, ok := e.px(p); ok && n < 2*e.l.size && (p == width || p == maxWidth || n < 0.9*e.l.size) {
			return true
		}
		if n, unit, ok := style.Number(e.v(p)); ok && unit == "%" && n < 12 {
			return true
		}
	}
	n, ok := e.px(textIndent)
	return ok && n != 0 && (n < -8 || n > 200)
}

// over draws colours on each of some grounds; nil where one of them is not known.
func over(drawn, grounds []colour.Colour) []colour.Colour {
	var list []colour.Colour
	for _, c := range drawn {
		if c.Alpha > 0.996 {
			list = append(list, c)
			continue
		}
		if len(grounds) == 0 {
			return nil
		}
		for _, g := range grounds {
			list = append(list, c.Over(g))
		}
	}
	return list
}

// gradient reads the colours of a gradient.
func gradient(s string) (stops []colour.Colour, ok bool) {
	name, inside, found := strings.Cut(s, "(")
	if !found || !strings.HasSuffix(name, "gradient") || !strings.HasSuffix(inside, ")") {
		return nil, false
	}
	for i, arg := range split(strings.TrimSuffix(inside, ")"), ',') {
		read := false
		for _, word := range split(strings.TrimSpace(arg), ' ') {
			if c, ok := colour.Parse(word); ok {
				stops, read = append(stops, c), true
			}
		}
		_, _, hint := style.Number(strings.TrimSpace(arg))
		if !read && i > 0 && !hint {
			return nil, false
		}
	}
	return stops, len(stops) > 0 && len(stops) <= mostGrounds
}

// judge says why the text of the element is not seen.
func (l *Look) judge() {
	switch {
	case l.box.Why != "":
		l.Verdict = l.box
	case l.invisible:
		l.Verdict = Verdict{Why: "visibility:hidden", Sure: true}
	case l.share == 0:
		l.Verdict = Verdict{Why: "opacity:0", Sure: true}
	case l.size < 1 && l.doubt != "font-size":
		l.Verdict = Verdict{Why: "font-size:0", Sure: true}
	case l.size < unreadable:
		l.Verdict = Verdict{Why: "font-size"}
	case l.room[0] < 0.35*l.size || l.room[1] < 0.35*l.size:
		l.Verdict = Verdict{Why: "clip"}
	default:
		l.Verdict = l.drawn()
	}
	if l.Why == "" && l.doubt == "" && (l.room[0] < l.size || l.room[1] < 0.9*l.size) {
		l.doubt = "clip"
	}
	if l.Why == "" && l.doubt != "" {
		l.Verdict = Verdict{Why: l.doubt, Unjudged: true}
	}
}

// drawn judges a text by its colour and what stands behind it.
func (l *Look) drawn() Verdict {
	p := l.ink
	if l.fill.set {
		p = l.fill
	}
	inks := []colour.Colour{p.Colour}
	switch {
	case !p.known:
		return Verdict{Why: "colour", Unjudged: true}
	case p.Alpha < 0.02 && len(l.inks) == 0 && l.outlined:
		return Verdict{Why: "text-shadow", Unjudged: true}
	case len(l.inks) > 0 && p.Alpha < 0.9:
		inks = l.inks
	case p.Alpha < 0.02:
		return Verdict{Why: "color:transparent"}
	}
	if len(l.grounds) == 0 {
		return Verdict{Why: "background", Unjudged: true}
	}
	v := l.contrast(inks)
	switch {
	case v.Why == "" || v.Unjudged:
	case l.outlined:
		return Verdict{Why: "text-shadow", Unjudged: true}
	}
	return v
}

// contrast judges inks against grounds: all of them must differ.
func (l *Look) contrast(inks []colour.Colour) Verdict {
	least, most := 22.0, 0.0
	darkest, lightest := 1.0, 0.0
	for _, g := range l.grounds {
		y := g.Fade(l.share, l.base).Luminance()
		darkest, lightest = min(darkest, y), max(lightest, y)
	}
	between := false
	for _, c := range inks {
		for _, g := range l.grounds {
			drawn, bare := c.Over(g).Fade(l.share, l.base), g.Fade(l.share, l.base)
			ratio := colour.Contrast(drawn, bare)
			least, most = min(least, ratio), max(most, ratio)
			y := drawn.Luminance()
			between = between || y > darkest && y < lightest
		}
	}
	switch c, g := inks[0], l.grounds[0]; {
	case most < faint && colour.Contrast(c.Over(g), g) >= faint:
		return Verdict{Why: "opacity"}
	case most < faint:
		return Verdict{Why: c.Over(g).Name() + " on " + g.Name()}
	case least < faint || between:
		return Verdict{Why: "background", Unjudged: true}
	}
	return Verdict{}
}
