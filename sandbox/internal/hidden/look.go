package hidden

import (
	"maps"
	"math"
	"strings"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/internal/colour"
)

// Verdict says whether a person sees a text. Its zero value says that nothing speaks against it.
type Verdict struct {
	// Why says what hides the text, or what keeps it from being judged: "display:none", "gradient".
	Why string
	// Sure is false where that was judged by colours, places or sizes.
	Sure bool
	// Unjudged says that the text may be seen or not.
	Unjudged bool
}

// worse reports whether v speaks more against a text than o.
func (v *Verdict) worse(o *Verdict) bool { return v.rank() > o.rank() }

func (v *Verdict) rank() int {
	switch {
	case v.Why == "":
		return 0
	case v.Unjudged:
		return 1
	case !v.Sure:
		return 2
	}
	return 3
}

// Look is what the text inside an element looks like at one width, as far as it is seen at all.
type Look struct {
	Verdict

	// Positioned says that elements inside are placed, and may be covered, within this one.
	Positioned bool
	// Covers says that the element is painted over others, Small that it hides a few letters at most.
	Covers, Small bool
	// Paints says that it has a ground that lets little through.
	Paints bool
	// Boxed says that it is drawn as a box around its words: padding, and a ground or a border of its own. Rounded says that
	// the corners of the box are round.
	Boxed, Rounded bool
	// Room is the height that its own box leaves for its content, where it cuts off the rest; 0 where it does not. Scrolls
	// says that the rest can be scrolled to, Line that its text does not wrap.
	Room    float64
	Scrolls bool
	Line    bool
	// Out says that it takes no room among the elements around it.
	Out bool
	// Floats and Flips say that it stands elsewhere than in its order, or turns the order of what is inside.
	Floats, Flips bool
	// Mark is what a style writes before the items of a list or as quotes, where that holds words.
	Mark string
	// Before and After are the height, in pixels, that nothing is drawn in before its text and after it.
	Before, After float64
	// Least is the height that it has without any content.
	Least float64

	box       Verdict // why nothing in the element is seen, whatever is set inside
	doubt     string  // why its text cannot be judged
	invisible bool
	size      float64
	ink, fill paint
	grounds   []colour.Colour // what may stand behind the text; nil where nobody knows
	inks      []colour.Colour // of a text that its background paints
	share     float64         // how much is left of what is drawn here, once it is on the page
	base      colour.Colour   // the rest
	outlined  bool
	room      [2]float64 // width and height that are left by what cuts off; infinite where nothing does
	nowrap    bool
	line      float64 // height of a line, in sizes of the font
	custom    map[string]string
}

// paint is a colour, where it is known.
type paint struct {
	colour.Colour
	set, known bool
}

// page is the look of the page itself.
func page() Look {
	return Look{size: rootSize, ink: paint{colour.Black, true, true}, grounds: []colour.Colour{colour.White}, share: 1, base: colour.White,
		room: [2]float64{math.Inf(1), math.Inf(1)}, line: 1.2}
}

// winner is the declaration that counts for a property.
type winner struct {
	value  string
	weight uint64
}

type winners [props]winner

const (
	importantWeight = 1 << 63
	inlineWeight    = 1 << 62
	attributeWeight = 1
)

// Enter returns the looks inside an element. inline is its style attribute as package style wrote it.
func (s *Sheets) Enter(n *html.Node, inline string, ups Looks) Looks {
	looks := make(Looks, len(ups))
	own, known := s.inline[inline]
	if !known {
		own = declarations(inline)
		s.inline[inline] = own
	}
	for i, sheet := range s.list {
		looks[i] = sheet.enter(n, own, &ups[i])
	}
	return looks
}

func (s *Sheet) enter(n *html.Node, inline []decl, up *Look) Look {
	var won winners
	var names map[string]winner
	set := func(d *decl, weight uint64) {
		if d.important {
			weight |= importantWeight
		}
		if d.prop == custom {
			if w := names[d.name]; weight >= w.weight {
				if names == nil {
					names = map[string]winner{}
				}
				names[d.name] = winner{d.value, weight}
			}
			return
		}
		if w := &won[d.prop]; weight >= w.weight {
			w.value, w.weight = d.value, weight
		}
	}
	presentational(n, set)
	s.match(n, set)
	for i := range inline {
		set(&inline[i], inlineWeight)
	}
	l := *up
	if len(names) > 0 {
		l.custom = maps.Clone(up.custom)
		if l.custom == nil {
			l.custom = map[string]string{}
		}
		for name, w := range names {
			l.custom[name] = w.value
		}
	}
	l.resolveAll(&won)
	l.derive(n, &won, up, s.width)
	return l
}

// resolveAll replaces var() by what the element inherits or sets.
func (l *Look) resolveAll(won *winners) {
	for i := range won {
		if w := &won[i]; strings.Contains(w.value, "var(") {
			v, ok := l.resolve(w.value)
			w.value = v
			if prop(i) == ground && ok {
				backgroundOf(v, func(p prop, v string) { won[p].value = v })
			}
		}
	}
}

// resolve replaces var(). A name that nobody set leaves the property unset, as in browsers; ok is false then,
// and where nothing is known.
func (l *Look) resolve(value string) (string, bool) {
	for range 8 {
		at := strings.Index(value, "var(")
		if at < 0 {
			return value, true
		}
		end := at + 3 + closing(value[at+3:])
		name, fallback, _ := strings.Cut(value[at+4:min(end, len(value))], ",")
		found, ok := l.custom[strings.TrimSpace(name)]
		if !ok {
			found = strings.TrimSpace(fallback)
		}
		if found == "" {
			return "unset", false
		}
		if len(value) > 4096 {
			return unknown, false
		}
		value = value[:at] + strings.ToLower(found) + value[min(len(value), end+1):]
	}
	return unknown, false
}

// presentational sets what attributes say.
func presentational(n *html.Node, set func(*decl, uint64)) {
	if n.Data == "a" && hasAttr(n, "href") {
		set(&decl{prop: ink, value: "#0000ee"}, 0)
	}
	if n.Data == "mark" {
		set(&decl{prop: ground, value: "#ffff00"}, 0)
		set(&decl{prop: ink, value: "#000000"}, 0)
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			set(&decl{prop: display, value: "none"}, attributeWeight)
		case "bgcolor":
			set(&decl{prop: ground, value: strings.ToLower(a.Val)}, attributeWeight)
		case "color":
			if n.Data == "font" {
				set(&decl{prop: ink, value: strings.ToLower(a.Val)}, attributeWeight)
			}
		case "text":
			if n.Data == "body" {
				set(&decl{prop: ink, value: strings.ToLower(a.Val)}, attributeWeight)
			}
		case "dir":
			set(&decl{prop: direction, value: strings.ToLower(a.Val)}, attributeWeight)
		case "nowrap":
			set(&decl{prop: whiteSpace, value: "nowrap"}, attributeWeight)
		}
	}
}

func (s *Sheet) match(n *html.Node, set func(*decl, uint64)) {
	s.try(s.other, n, set)
	s.try(s.byTag[n.Data], n, set)
	if len(s.byClass) > 0 {
		for _, c := range strings.Fields(attr(n, "class")) {
			s.try(s.byClass[c], n, set)
		}
	}
	if len(s.byID) > 0 {
		s.try(s.byID[attr(n, "id")], n, set)
	}
}

func (s *Sheet) try(list []*rule, n *html.Node, set func(*decl, uint64)) {
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
