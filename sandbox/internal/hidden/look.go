package hidden

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/internal/style"
)

// prop is a property that bears on what is seen.
type prop uint8

const (
	display prop = iota
	visibility
	opacity
	fontSize
	colour
	fill
	ground
	clipText
	position
	left
	right
	top
	bottom
	textIndent
	marginLeft
	marginRight
	marginTop
	clip
	clipPath
	overflow
	height
	width
	maxHeight
	maxWidth
	transform
	scale
	padding
	shadow
	floats
	props
)

var propNames = map[string]prop{
	"display": display, "visibility": visibility, "opacity": opacity, "font-size": fontSize, "color": colour, "-webkit-text-fill-color": fill,
	"background-color": ground, "background-clip": clipText, "-webkit-background-clip": clipText, "position": position, "left": left,
	"right": right, "top": top, "bottom": bottom, "text-indent": textIndent, "margin-left": marginLeft, "margin-right": marginRight,
	"margin-top": marginTop, "clip": clip, "clip-path": clipPath, "overflow": overflow, "overflow-x": overflow, "overflow-y": overflow, "height": height,
	"block-size": height, "inline-size": width, "max-block-size": maxHeight, "max-inline-size": maxWidth,
	"width": width, "max-height": maxHeight, "max-width": maxWidth, "transform": transform, "scale": scale, "padding": padding,
	"padding-top": padding, "padding-bottom": padding, "padding-left": padding, "padding-right": padding, "text-shadow": shadow,
	"-webkit-text-stroke": shadow, "-webkit-text-stroke-width": shadow, "min-height": padding, "min-width": padding, "float": floats,
	"margin-inline-start": marginLeft, "margin-inline-end": marginRight, "margin-block-start": marginTop,
}

// boxNames are the properties that package style judges together.
var boxNames = map[prop]string{left: "left", right: "right", top: "top", bottom: "bottom", textIndent: "text-indent", marginLeft: "margin-left",
	marginRight: "margin-right", marginTop: "margin-top", clip: "clip", clipPath: "clip-path", overflow: "overflow", height: "height", width: "width",
	maxHeight: "max-height", maxWidth: "max-width", transform: "transform", scale: "scale", position: "position"}

// unknown is a value that nothing is concluded from.
const unknown = "?"

// expand adds a declaration, a shorthand as what it sets.
func expand(list []decl, name, value string, important bool) []decl {
	add := func(p prop, v string) { list = append(list, decl{p, v, important}) }
	switch name {
	case "font":
		for _, w := range strings.Fields(value) {
			w, _, _ = strings.Cut(w, "/")
			if _, unit, ok := style.Number(w); ok && unit != "" {
				add(fontSize, w)
				break
			}
		}
	case "background":
		add(ground, groundOf(value))
		if strings.Contains(" "+value+" ", " text ") {
			add(clipText, "text")
		}
	case "background-image":
		if value != "none" {
			add(ground, unknown)
		}
	case "margin":
		sides := strings.Fields(value)
		if len(sides) > 0 && len(sides) < 5 {
			add(marginTop, sides[0])
			add(marginRight, sides[min(1, len(sides)-1)])
			add(marginLeft, sides[[]int{0, 0, 1, 1, 3}[len(sides)]])
		}
	case "inset":
		sides := strings.Fields(value)
		if len(sides) > 0 && len(sides) < 5 {
			add(top, sides[0])
			add(right, sides[min(1, len(sides)-1)])
			add(bottom, sides[[]int{0, 0, 0, 2, 2}[len(sides)]])
			add(left, sides[[]int{0, 0, 1, 1, 3}[len(sides)]])
		}
	default:
		if p, ok := propNames[name]; ok {
			add(p, value)
		}
	}
	return list
}

// groundOf is the colour that a background sets.
func groundOf(value string) string {
	if strings.Contains(value, "gradient(") || strings.Contains(value, "url(") {
		return unknown
	}
	for _, part := range split(value, ' ') {
		if strings.HasPrefix(part, "var(") || style.Colour(part) != "" || style.Invisible(part) {
			return part
		}
	}
	if value == "none" || value == "initial" || value == "unset" {
		return "transparent"
	}
	if value == "inherit" {
		return value
	}
	return unknown
}

// Look is what the text inside an element looks like, as far as it is seen at all.
type Look struct {
	// Why says why the text is not seen: "display:none"; "" when nothing speaks for it. Sure is false where that was
	// judged by colours, places or sizes.
	Why  string
	Sure bool

	box           string // why nothing in the element is seen, whatever is set inside
	sure          bool   // of box
	invisible     bool
	through       float64 // opacity
	size          float64
	colour, fill  string
	ground        string
	outlined      bool
	clippedToText bool
}

// Page is the look of the page itself.
func Page() Look { return Look{through: 1, size: 16, colour: "#000000", ground: "#ffffff"} }

// winner is the declaration that counts for a property.
type winner struct {
	value  string
	weight uint64
}

const (
	importantWeight = 1 << 63
	inlineWeight    = 1 << 62
	attributeWeight = 1
)

// Enter returns the look inside an element. inline is its style attribute as package style wrote it.
func (s *Sheet) Enter(n *html.Node, inline string, up *Look) Look {
	var won [props]winner
	set := func(d *decl, weight uint64) {
		if d.important {
			weight |= importantWeight
		}
		if w := &won[d.prop]; weight >= w.weight {
			w.value, w.weight = d.value, weight
		}
	}
	presentational(n, set)
	s.match(n, set)
	if inline != "" {
		for _, d := range declarations(inline, nil) {
			set(&d, inlineWeight)
		}
	}
	for i := range won {
		if strings.Contains(won[i].value, "var(") {
			v, ok := s.resolve(won[i].value)
			if prop(i) == ground && ok {
				v = groundOf(v)
			}
			if !ok {
				v = unknown
			}
			won[i].value = v
		}
	}
	return look(n, &won, up)
}

// presentational sets what attributes say.
func presentational(n *html.Node, set func(*decl, uint64)) {
	if n.Data == "a" && hasAttr(n, "href") {
		set(&decl{prop: colour, value: "#0000ee"}, 0)
	}
	if n.Data == "mark" {
		set(&decl{prop: ground, value: "#ffff00"}, 0)
		set(&decl{prop: colour, value: "#000000"}, 0)
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			set(&decl{prop: display, value: "none"}, attributeWeight)
		case "bgcolor":
			set(&decl{prop: ground, value: strings.ToLower(a.Val)}, attributeWeight)
		case "color":
			if n.Data == "font" {
				set(&decl{prop: colour, value: strings.ToLower(a.Val)}, attributeWeight)
			}
		case "text":
			if n.Data == "body" {
				set(&decl{prop: colour, value: strings.ToLower(a.Val)}, attributeWeight)
			}
		}
	}
}

func (s *Sheet) match(n *html.Node, set func(*decl, uint64)) {
	try := func(list []*rule) {
		for _, r := range list {
			if s.left > 0 && r.sel.matches(n, &s.left) {
				for i := range r.decls {
					set(&r.decls[i], r.weight+2)
				}
			}
			if s.left <= 0 {
				s.Partly = true
				return
			}
		}
	}
	try(s.other)
	try(s.byTag[n.Data])
	if len(s.byClass) > 0 {
		for _, c := range strings.Fields(attr(n, "class")) {
			try(s.byClass[c])
		}
	}
	if len(s.byID) > 0 {
		try(s.byID[attr(n, "id")])
	}
}

// look derives the look of an element from its own values and what it inherits.
func look(n *html.Node, won *[props]winner, up *Look) Look {
	l := *up
	v := func(p prop) string { return won[p].value }
	switch v(visibility) {
	case "hidden", "collapse":
		l.invisible = true
	case "visible", "initial":
		l.invisible = false
	}
	if size, ok := sized(v(fontSize), up.size); ok {
		l.size = size
	}
	if through, _, ok := style.Number(strings.TrimSuffix(v(opacity), "%")); ok {
		if strings.HasSuffix(v(opacity), "%") {
			through /= 100
		}
		l.through *= min(1, max(0, through))
	}
	coloured(&l, won, up)
	l.boxed(n, won)
	l.judge()
	return l
}

// coloured follows the colours of text and ground into an element.
func coloured(l *Look, won *[props]winner, up *Look) {
	v := func(p prop) string { return won[p].value }
	if c := v(colour); c != "" {
		l.colour = ink(c, up.colour)
	}
	if c := v(fill); c != "" {
		l.fill = ink(c, up.fill)
	}
	if v(position) == "absolute" || v(position) == "sticky" {
		l.ground = unknown // over something that is not around it
	}
	switch c := v(ground); {
	case c == "" || c == "inherit" || style.Invisible(c):
	case style.Colour(c) != "":
		l.ground = style.Colour(c)
	default:
		l.ground = unknown
	}
	if s := v(shadow); s != "" {
		l.outlined = s != "none" && s != "0"
	}
	l.clippedToText = v(clipText) == "text" || l.clippedToText && v(ground) == ""
}

// ink is the colour of a text: "#rrggbb", "transparent", or unknown.
func ink(c, inherited string) string {
	switch {
	case c == "inherit" || c == "unset" || c == "currentcolor":
		return inherited
	case style.Invisible(c):
		return "transparent"
	case style.Colour(c) != "":
		return style.Colour(c)
	}
	return unknown
}

var sizes = map[string]float64{"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32, "initial": 16}

func sized(s string, up float64) (float64, bool) {
	switch s {
	case "":
		return 0, false
	case "smaller":
		return up / 1.2, true
	case "larger":
		return up * 1.2, true
	}
	if n, ok := sizes[s]; ok {
		return n, true
	}
	return pixels(s, up, 16)
}

// boxed judges whether the element as a whole is kept from sight.
func (l *Look) boxed(n *html.Node, won *[props]winner) {
	v := func(p prop) string { return won[p].value }
	if l.box != "" {
		return
	}
	switch {
	case v(display) == "none":
		l.box, l.sure = "display:none", true
		return
	case v(display) == "contents":
		return
	}
	values := map[string]string{}
	for p, name := range boxNames {
		if w := v(p); w != "" && w != unknown {
			values[name] = w
		}
	}
	if len(values) == 0 {
		return
	}
	if v(position) != "absolute" {
		delete(values, "clip")
	}
	if v(padding) != "" && v(padding) != "0" && v(padding) != "0px" || inline(n, won) {
		delete(values, "overflow") // what is cut off is not what is written
	}
	if inline(n, won) {
		delete(values, "transform")
		delete(values, "text-indent")
	}
	if why := style.Boxed(values); why != "" {
		l.box, l.sure = why, false
	}
}

// inline reports whether an element has no box of its own, so that heights and indents mean nothing.
func inline(n *html.Node, won *[props]winner) bool {
	switch n.Data {
	case "tr", "td", "th", "tbody", "thead", "tfoot":
		return true
	case "span", "a", "b", "i", "em", "strong", "code", "small", "sub", "sup", "u", "s", "font", "kbd", "samp", "var", "mark", "q", "cite", "abbr", "time", "tt", "big", "ins", "del", "dfn", "bdi", "data":
	default:
		return false
	}
	if p := won[position].value; p == "absolute" || won[floats].value != "" && won[floats].value != "none" {
		return false
	}
	d := won[display].value
	return d == "" || d == "inline" || d == "initial"
}

// judge says why the text of the element is not seen.
func (l *Look) judge() {
	l.Why, l.Sure = l.text()
}

func (l *Look) text() (why string, sure bool) {
	drawn := l.colour
	if l.fill != "" {
		drawn = l.fill
	}
	switch {
	case l.box != "":
		return l.box, l.sure
	case l.invisible:
		return "visibility:hidden", true
	case l.through == 0:
		return "opacity:0", true
	case l.through < 0.1:
		return "opacity", false
	case l.size < 1:
		return "font-size:0", true
	case l.size < 2.1:
		return "font-size", false
	case l.outlined || l.clippedToText:
		return "", false
	case drawn == "transparent":
		return "color:transparent", false
	case style.Alike(drawn, l.ground):
		return "same colour", false
	}
	return "", false
}
