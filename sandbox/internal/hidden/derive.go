package hidden

import (
	"math"
	"strings"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/internal/colour"
	"github.com/figs-web/figs-web/sandbox/internal/style"
)

// What counts, in pixels.
const (
	unreadable = 3   // a font of this size
	away       = 500 // this far off the page
	beyond     = 5000
)

// element is one element at one width, while its look is derived.
type element struct {
	l       *Look
	up      *Look
	won     *winners
	inline  bool
	picture bool
	units   units // of its lengths; shares are of the width
}

func (e *element) v(p prop) string { return e.won[p].value }

// px reads a length; ok is false where it is not set, automatic or not to be known.
func (e *element) px(p prop) (float64, bool) {
	if e.won[p].value == "" {
		return 0, false
	}
	return length(e.won[p].value, e.units)
}

// opaqueLength reports whether a property is set to something that is neither a word nor a length that is known.
func (e *element) opaqueLength(p prop) bool {
	v := e.won[p].value
	if v == "" || v == "auto" || v == "none" || v == "normal" || strings.HasSuffix(v, "%") || strings.HasSuffix(v, "-content") || strings.HasPrefix(v, "fit-content") || v == "inherit" || v == "initial" || v == "unset" {
		return false
	}
	_, ok := e.px(p)
	return !ok
}

func (e *element) doubt(why string) {
	if e.l.doubt == "" {
		e.l.doubt = why
	}
}

func (e *element) hide(why string, sure bool) {
	if e.l.box.Why == "" {
		e.l.box = Verdict{Why: why, Sure: sure}
	}
}

// derive makes the look of an element from its own values and what it inherits.
func (l *Look) derive(n *html.Node, won *winners, up *Look, window float64) {
	l.Verdict, l.Positioned, l.Covers, l.Small, l.Floats, l.Flips = Verdict{}, false, false, false, false, false
	l.Before, l.After, l.Least, l.Out, l.Mark = 0, 0, 0, false, ""
	l.Paints, l.Room, l.Scrolls, l.Line = false, 0, false, false
	l.Boxed, l.Rounded = false, false
	for _, p := range []prop{markers, quotes} {
		if v := won[p].value; v != "" && l.Mark == "" {
			l.Mark = Written(v)
		}
	}
	e := &element{l: l, up: up, won: won, inline: inlined(n, won), picture: n.Data == "img" || n.Data == "svg", units: units{em: up.size, share: math.NaN(), window: window}}
	switch e.v(visibility) {
	case "hidden", "collapse":
		l.invisible = true
	case "visible", "initial":
		l.invisible = false
	}
	e.font()
	e.units = units{em: l.size, share: math.NaN(), window: window}
	e.group()
	e.colours()
	if e.v(display) == "none" {
		e.hide("display:none", true)
	} else if e.v(display) != "contents" {
		e.place()
		e.cut()
		e.blank()
		e.box()
	}
	l.judge()
}

// box notes whether the element is drawn as a box around its words, as buttons and badges are.
func (e *element) box() {
	side, _ := e.px(paddingSide)
	e.l.Boxed = side > 0 && (e.paints() || e.widest(border) > 0)
	e.l.Rounded = e.widest(radius) > 0 || strings.HasSuffix(e.v(radius), "%")
}

var sizes = map[string]float64{"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32, "xxx-large": 48, "initial": 16}

// font follows the size of letters and lines.
func (e *element) font() {
	l, up := e.l, e.up
	switch s := e.v(fontSize); {
	case s == "" || s == "inherit" || s == "unset":
	case s == "smaller":
		l.size = up.size / 1.2
	case s == "larger":
		l.size = up.size * 1.2
	case sizes[s] != 0:
		l.size = sizes[s]
	default:
		n, ok := length(s, units{em: up.size, share: up.size, window: e.units.window})
		if ok {
			l.size = max(0, n)
		} else {
			e.doubt("font-size")
		}
	}
	switch s := e.v(lineHeight); {
	case s == "" || s == "inherit" || s == "unset":
	case s == "normal" || s == "initial":
		l.line = 1.2
	default:
		if n, unit, ok := style.Number(s); ok && unit == "" {
			l.line = n
		} else if n, ok := length(s, units{em: l.size, share: l.size, window: e.units.window}); ok && l.size > 0 {
			l.line = n / l.size
		} else if !ok {
			e.doubt("line-height")
		}
	}
	if l.line < 0.6 {
		e.doubt("line-height")
	}
	if n, ok := length(e.v(letterSpacing), units{em: l.size, share: l.size, window: e.units.window}); ok && n < -l.size/5 || !ok && e.opaqueLength(letterSpacing) {
		e.doubt("letter-spacing")
	}
	switch e.v(whiteSpace) {
	case "nowrap", "pre":
		l.nowrap = true
	case "":
	default:
		l.nowrap = false
	}
}

// group follows opacity: what is drawn inside is mixed with what is behind the element.
func (e *element) group() {
	s := e.v(opacity)
	if s == "" {
		return
	}
	n, unit, ok := style.Number(s)
	if unit == "%" {
		n /= 100
	}
	if !ok || unit != "" && unit != "%" {
		if s != "inherit" && s != "initial" && s != "unset" {
			e.doubt("opacity")
		}
		return
	}
	l := e.l
	n = min(1, max(0, n))
	share := l.share * n
	if share < 1 && len(l.grounds) > 0 {
		// What is left of the page is a mix of the older base and the ground behind this group.
		old := 1 - l.share
		ground := l.share * (1 - n)
		if old+ground > 0 {
			l.base = l.base.Fade(old/(old+ground), l.grounds[0])
		}
	}
	l.share = share
}

// place judges where an element stands.
func (e *element) place() {
	l := e.l
	where := e.v(position)
	placed := where == "absolute" || where == "relative" || where == "sticky"
	l.Positioned = placed
	shift := 0.0 // how far the element is from its place
	for _, p := range []prop{marginLeft, marginRight, marginTop, marginBottom, left, right, top, bottom} {
		if p >= left && p <= bottom && !placed {
			continue
		}
		n, ok := e.px(p)
		switch {
		case !ok && e.opaqueLength(p):
			e.doubt("position")
		case !ok && strings.HasSuffix(e.v(p), "%"):
			if s, _, _ := style.Number(e.v(p)); s <= -50 || s >= 100 {
				e.hide("text off the page", false)
			} else if s < 0 {
				shift = max(shift, 100)
			} else if placed && where != "absolute" && s > 0 {
				shift = max(shift, 100)
			}
		case n <= -away || n >= beyond && (p == left || p == right || p == marginLeft):
			e.hide("text off the page", false)
		case n > e.units.window && (p == left || p == right || p == marginLeft):
			e.doubt("position")
		case n < 0 || p >= left && p <= bottom:
			shift = max(shift, math.Abs(n))
		}
	}
	if n, ok := e.px(textIndent); ok && n <= -away && !e.inline {
		e.hide("text off the page", false)
	} else if ok && (n < -100 || n > e.units.window/2) || e.opaqueLength(textIndent) {
		e.doubt("text-indent")
	}
	if n, ok := e.px(verticalAlign); ok && math.Abs(n) > 100 {
		e.hide("text off the page", false)
	}
	moved := strings.HasPrefix(e.v(translate), "translate") || e.v(translate) != "" && e.v(translate)[0] >= '-' && e.v(translate)[0] <= '9'
	opaque := e.picture || e.paints()
	l.Out, l.Paints = where == "absolute", opaque
	lifted := placed && where != "static" && (e.widest(boxShadow) > 20 || e.widest(outline) > 8 || e.widest(border) > 6)
	stacked := e.v(gridArea) != "" && e.v(gridArea)[0] <= '9' || e.v(gridRow) != "" && e.v(gridColumn) != ""
	if moved && (strings.Contains(e.v(translate), "%") || e.widest(translate) > 8) {
		shift = max(shift, 9)
	}
	if strings.Contains(e.v(boxShadow), "inset") && e.widest(boxShadow) > 8 {
		l.grounds = nil
	}
	switch {
	case where == "absolute":
		if strings.HasPrefix(e.v(clip), "rect(") && clippedAway(e.v(clip)) {
			e.hide("clip", false)
		}
		if !math.IsInf(l.room[0], 0) || !math.IsInf(l.room[1], 0) {
			e.doubt("position")
		}
		if !opaque {
			l.grounds = nil // over something that is not around it
		}
		l.Covers = opaque || lifted
	case where == "sticky":
		n, ok := e.px(top)
		l.Covers = opaque && (!ok && e.v(top) != "" && e.v(top) != "auto" || n > 8 || e.v(bottom) != "" || shift > 8)
	case lifted:
		l.Covers = true
	case stacked && opaque:
		l.Covers = true
	case shift > 8:
		l.Covers = opaque
		if where == "relative" && !opaque {
			l.grounds = nil
		}
	}
	if z, _, ok := style.Number(e.v(zIndex)); placed && ok && z < 0 {
		e.doubt("z-index")
	}
	if moved && where != "absolute" && strings.Contains(e.v(translate), "%") {
		e.doubt("transform")
	}
	w, wide := e.px(width)
	h, high := e.px(height)
	l.Small = wide && high && w <= 24 && h <= 24
	side := e.v(floats)
	l.Floats = side == "right" || side == "inline-end"
	if d := e.v(display); e.v(direction) == "rtl" {
		l.Flips = strings.Contains(d, "flex") || strings.Contains(d, "grid") || strings.Contains(d, "table")
	}
}

// widest is the largest length in a value, in pixels.
func (e *element) widest(p prop) float64 {
	most := 0.0
	for _, w := range strings.FieldsFunc(e.v(p), func(r rune) bool { return r == ' ' || r == ',' || r == '(' || r == ')' }) {
		if n, ok := length(w, e.units); ok {
			most = max(most, math.Abs(n))
		}
	}
	return most
}

// paints reports whether the element has a ground of its own that lets little through, or that nobody knows.
func (e *element) paints() bool {
	if image := e.v(groundImage); image != "" && image != "none" {
		return true
	}
	s := e.v(ground)
	if s == "" || s == "transparent" || s == "none" || s == "unset" || s == "initial" {
		return e.v(outline) != "" && e.v(outline) != "none" && e.v(outline) != "0"
	}
	c, ok := colour.Parse(s)
	return !ok || c.Alpha > 0.3
}

// clippedAway reports whether rect() leaves nothing.
func clippedAway(clip string) bool {
	digits := strings.Map(func(r rune) rune {
		if '1' <= r && r <= '9' || r == 'a' { // a number other than 0, or auto
			return r
		}
		return -1
	}, strings.TrimPrefix(clip, "rect("))
	return strings.Trim(digits, "1") == ""
}

// cut follows what cuts off the content of an element: how much room it leaves.
func (e *element) cut() {
	l := e.l
	o := e.v(overflow)
	if e.inline {
		if o != "" && o != "visible" && l.nowrap {
			e.doubt("clip") // a cell: its column may have no width
		}
		return
	}
	clips := strings.Contains(o, "hidden") || strings.Contains(o, "clip") || strings.Contains(o, "auto") || strings.Contains(o, "scroll")
	if strings.Contains(e.v(gridColumns), "fr") || e.v(gridColumns) != "" || e.v(gridRows) != "" {
		for _, track := range strings.Fields(e.v(gridColumns) + " " + e.v(gridRows)) {
			if n, unit, ok := style.Number(track); ok && (unit == "fr" && n < 0.05 || unit != "fr" && unit != "%" && n < 8) {
				e.doubt("grid")
			}
		}
	}
	if n, ok := e.px(flex); ok && n < 8 && clips {
		e.doubt("flex")
	}
	if e.v(lineClamp) != "" && e.v(lineClamp) != "none" {
		e.doubt("line-clamp")
	}
	if !clips {
		if n, ok := e.px(width); ok && n < l.size/2 && l.nowrap {
			e.doubt("width")
		}
		return
	}
	if l.line < 0.3 {
		e.hide("clip", false)
	}
	l.Scrolls = strings.Contains(o, "auto") || strings.Contains(o, "scroll")
	l.Line = l.nowrap
	paddings := func(p prop) float64 { n, _ := e.px(p); return n }
	border := e.v(boxSizing) == "border-box"
	for i, ps := range [2][2]prop{{width, maxWidth}, {height, maxHeight}} {
		for _, p := range ps {
			n, ok := e.px(p)
			if s, unit, is := style.Number(e.v(p)); is && unit == "%" && s == 0 {
				n, ok = 0, true
			} else if is && unit == "%" && s < 3 && i == 0 {
				e.doubt("width")
			}
			if !ok {
				if e.opaqueLength(p) {
					e.doubt("size")
				}
				continue
			}
			if i == 1 {
				if border {
					n = max(0, n-paddings(paddingTop)-paddings(paddingBottom))
				}
				n += paddings(paddingBottom)
			} else if !border {
				n += 2 * paddings(paddingSide)
			}
			if least, ok := e.px(minHeight); ok && i == 1 {
				n = max(n, least)
			}
			l.room[i] = min(l.room[i], n)
			if i == 1 && (l.Room == 0 || n < l.Room) {
				l.Room = max(n, 1)
			}
		}
	}
}

// blank measures the height that stands before and after the content of an element.
func (e *element) blank() {
	if e.inline {
		return
	}
	sum := func(ps ...prop) float64 {
		all := 0.0
		for _, p := range ps {
			if n, ok := e.px(p); ok {
				all += max(0, n)
			}
		}
		return all
	}
	e.l.Before, e.l.After = sum(marginTop, paddingTop, top), sum(marginBottom, paddingBottom)
	e.l.Least = max(sum(height), sum(minHeight))
	for _, w := range strings.Fields(e.v(border)) {
		if n, ok := length(w, e.units); ok {
			e.l.Before += max(0, n)
		}
	}
}

// inlined reports whether an element has no box of its own, so that heights and indents mean nothing.
func inlined(n *html.Node, won *winners) bool {
	d := won[display].value
	switch n.Data {
	case "tr", "td", "th", "tbody", "thead", "tfoot":
		return d == "" || strings.HasPrefix(d, "table")
	case "span", "a", "b", "i", "em", "strong", "code", "small", "sub", "sup", "u", "s", "font", "kbd", "samp", "var", "mark", "q", "cite", "abbr", "time", "tt", "big", "ins", "del", "dfn", "bdi", "data":
	default:
		return d == "inline"
	}
	if p := won[position].value; p == "absolute" || won[floats].value != "" && won[floats].value != "none" {
		return false
	}
	return d == "" || d == "inline" || d == "initial"
}
