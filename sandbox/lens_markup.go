package sandbox

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/internal/hidden"
	"github.com/figs-web/figs-web/sandbox/internal/style"
	"github.com/figs-web/figs-web/sandbox/report"
)

// reader walks a document and notes what a person who looks at its rendered view does not see.
type reader struct {
	p       *page
	doc     *html.Node
	located bool
	at      places
	sheets  *hidden.Sheets
	inline  map[string]string // style attributes as package style writes them
	styles  int               // bytes of style attributes that may still come
	stack   []scope
	seen    strings.Builder // what is seen, to compare titles and descriptions with
	later   []report.Passage

	blank    float64 // height in pixels since the last text
	drawing  *drawing
	written  map[string]bool // by styles
	searched int             // bytes of tags, for values
	names    map[*html.Node]string
}

// scope is an element that the walk is inside of.
type scope struct {
	node  *html.Node
	looks hidden.Looks
	way   report.HidingMethod // why its text is not seen; "" when it is
	sight report.Visibility
	why   string
	from  *html.Node // the element that hides it
	words *gathered
	area  *area // what may be covered with it

	over    *area          // that an absolute box around it lies over
	cut     *cut           // what cuts off its text
	drawing hidden.Verdict // on all that is inside a part of a drawing
	blank   float64        // before it
	texts   int            // seen inside it
	right   int            // elements in a row that float to the other side
}

// gathered is the text inside an element that hides it.
type gathered struct {
	text     strings.Builder
	from, to int
}

func (g *gathered) add(s string) {
	if g.text.Len() < 2*longest {
		g.text.WriteString(s[:min(len(s), 2*longest)])
		g.text.WriteByte(' ')
	}
}

// mark is what the Plain text view says of a text.
type mark struct {
	why    string
	hidden bool
}

// notJudged begins the marks of texts that the static check cannot judge.
const notJudged = "not judged: "

// newReader reads the style sheets of a document.
func newReader(p *page, doc *html.Node) *reader {
	r := &reader{p: p, doc: doc, located: p.result.Kind == report.Markdown, styles: p.limits.Styles, inline: map[string]string{}, names: map[*html.Node]string{}, written: map[string]bool{}}
	var drawn strings.Builder // the sheets of drawings
	walk(doc, func(n *html.Node) bool {
		if n.Type == html.ElementNode && n.Data == "style" {
			r.cssNotes(n)
			if n.Namespace == "svg" {
				drawn.WriteString(style.Sheet(allText(n), max(0, p.limits.Styles-drawn.Len())).CSS)
			}
			return false
		}
		return true
	}, func(*html.Node) {})
	r.sheets = hidden.Read(p.sheets(doc).CSS + drawn.String())
	r.stack = []scope{{looks: r.sheets.Page(), area: &area{}}}
	p.marks = map[*html.Node]mark{}
	return r
}

// read walks the document.
func (r *reader) read(doc *html.Node) {
	walk(doc, r.enter, r.leave)
	r.covered(r.stack[0].area, nil, doc)
	seen := strings.ToLower(squeezeAll(r.seen.String()))
	for _, x := range r.later {
		if !strings.Contains(seen, strings.ToLower(squeezeAll(x.Text))) {
			r.p.finds.add(x)
		}
	}
	if r.sheets.Exhausted() {
		r.p.finds.unread = "Its CSS has too many rules to check them all, so some hidden text may be missing here."
	}
}

// place is where a node stands in the text, which is read for that once the first node is asked for.
func (r *reader) place(n *html.Node) (from, to int, ok bool) {
	if r.p.finds.saturated {
		return 0, 0, false // it would not be listed
	}
	if !r.located {
		r.located, r.at = true, r.p.locate(r.doc)
	}
	return r.at.of(n)
}

func squeezeAll(s string) string { return strings.Join(strings.Fields(s), " ") }

func (r *reader) enter(n *html.Node) bool {
	top := &r.stack[len(r.stack)-1]
	switch n.Type {
	case html.DocumentNode:
		return true
	case html.TextNode:
		r.text(n, top)
	case html.CommentNode:
		from, to, ok := r.place(n)
		r.note(report.Passage{Way: report.Comment, Sight: report.Never, Why: "comment", Text: n.Data, Path: r.path(n.Parent)}, from, to, ok)
	case html.ElementNode:
		r.attributes(n)
		s := r.scope(n, top)
		r.flow(n, top, &s)
		r.stack = append(r.stack, s)
		return true
	}
	return false
}

func (r *reader) leave(n *html.Node) {
	if n.Type != html.ElementNode {
		return
	}
	s := &r.stack[len(r.stack)-1]
	if s.words != nil && s.from == n {
		r.hide(s)
	}
	if !r.p.imitated && looksLikeOurs(n, s.looks) {
		r.p.imitated = true
	}
	r.end(n, s, &r.stack[len(r.stack)-2])
	r.stack = r.stack[:len(r.stack)-1]
}

// style is the style attribute of an element as package style writes it.
func (r *reader) style(n *html.Node) string {
	v := attrOf(n.Attr, "style")
	if v == "" || len(v) > 64<<10 {
		return ""
	}
	css, known := r.inline[v]
	if !known && len(v) <= r.styles {
		r.styles -= len(v)
		css = r.p.inline(v, 64<<10).CSS
		r.inline[v] = css
	}
	return css
}

// scope judges an element.
func (r *reader) scope(n *html.Node, up *scope) scope {
	s := scope{node: n, looks: up.looks, way: up.way, sight: up.sight, why: up.why, from: up.from, words: up.words, area: up.area, blank: r.blank}
	if up.way == report.Undrawn || up.way == report.Control {
		return s
	}
	if way, sight := undrawn(n); way != "" {
		r.begin(&s, way, sight, n.Data)
		return s
	}
	inline := r.style(n)
	if n.Namespace == "svg" {
		inline = drawnStyle(n, inline)
	}
	s.looks = r.sheets.Enter(n, inline, up.looks)
	v := r.sheets.Judge(s.looks)
	if n.Namespace == "svg" {
		if v = r.drawnVerdict(n, v); v.Why == "" {
			v = up.drawing
		}
		s.drawing = v
	}
	switch why := v.Why; {
	case why == "" && folds(n) && up.way == "":
		r.begin(&s, report.Folded, report.Aside, "details")
	case why == "" && up.way == report.Styled:
		s.way, s.sight, s.why, s.from, s.words = "", "", "", nil, nil // made visible again inside
	case why != "" && (up.way != report.Styled || up.why != why):
		sight := report.Likely
		switch {
		case v.Unjudged:
			sight = report.Unjudged
		case v.Sure && n.Namespace == "":
			sight = report.Never
		}
		r.begin(&s, report.Styled, sight, why)
	}
	return s
}

// begin starts to gather the text inside an element that hides it.
func (r *reader) begin(s *scope, way report.HidingMethod, sight report.Visibility, why string) {
	s.way, s.sight, s.why, s.from, s.words = way, sight, why, s.node, &gathered{from: -1}
}

// folds reports whether an element is shown only once its details are opened.
func folds(n *html.Node) bool {
	p := n.Parent
	if p == nil || p.Data != "details" || p.Namespace != "" {
		return false
	}
	for _, a := range p.Attr {
		if a.Key == "open" {
			return false
		}
	}
	if n.Data != "summary" {
		return true
	}
	for o := n.PrevSibling; o != nil; o = o.PrevSibling {
		if o.Type == html.ElementNode && o.Data == "summary" {
			return true
		}
	}
	return false
}

// undrawn says of an element whose content no rendered view draws why that is.
func undrawn(n *html.Node) (report.HidingMethod, report.Visibility) {
	if n.Namespace == "svg" {
		switch n.Data {
		case "title", "desc":
			return report.Attribute, report.Aside
		case "script":
			return report.Undrawn, report.LeftOut
		case "style":
			return report.Undrawn, ""
		case "metadata":
			return report.Attribute, report.Never
		case "defs":
			return "", "" // may be drawn from elsewhere
		}
		return "", ""
	}
	if n.Namespace != "" {
		return report.Control, report.LeftOut
	}
	switch n.Data {
	case "rp", "progress", "meter": // their text is for programs that know no better
		return report.Undrawn, report.Never
	}
	if fateOf(n.Data).fate != drop {
		return "", ""
	}
	switch n.Data {
	case "style": // its notes are read apart
		return report.Undrawn, ""
	case "noscript": // says that scripts do not run
		return report.Attribute, report.Never
	case "script": // what it would do is left out, and told as such
		return report.Undrawn, report.LeftOut
	case "title":
		return report.Attribute, report.Aside
	case "template", "noembed", "noframes", "iframe", "object", "applet", "audio", "video", "canvas", "datalist", "meta", "base", "link", "head", "map", "slot":
		return report.Undrawn, report.Never
	case "svg":
		return "", ""
	}
	return report.Control, report.LeftOut
}

// text notes text that is not seen.
func (r *reader) text(n *html.Node, s *scope) {
	if strings.TrimSpace(n.Data) == "" {
		r.empty(n)
		return
	}
	if n.Parent != nil && n.Parent.Type == html.ElementNode && s.way == "" && folds(n) {
		from, to, ok := r.place(n)
		r.note(report.Passage{Way: report.Folded, Sight: report.Aside, Why: "details", Text: n.Data, Path: r.path(n.Parent)}, from, to, ok)
		return
	}
	if s.way == "" {
		if r.seen.Len() < 1<<20 {
			r.seen.WriteString(n.Data)
			r.seen.WriteByte(' ')
		}
		r.drawn(n, s)
		return
	}
	if s.sight == "" {
		return
	}
	switch {
	case s.way == report.Folded:
	case s.sight == report.Unjudged:
		r.p.marks[n] = mark{notJudged + s.why, false}
	default:
		r.p.marks[n] = mark{s.why, true}
	}
	w := s.words
	if w.text.Len() >= 2*longest {
		return
	}
	w.add(n.Data)
	from, to, ok := r.place(n)
	if ok && (w.from < 0 || from >= w.from) {
		if w.from < 0 {
			w.from = from
		}
		w.to = max(w.to, to)
	}
}

// hide notes the text that an element hid.
func (r *reader) hide(s *scope) {
	w := s.words
	x := report.Passage{Way: s.way, Sight: s.sight, Why: s.why, Text: strings.ToValidUTF8(w.text.String(), ""), Path: r.path(s.from)}
	if s.way == report.Attribute && s.sight == report.Aside { // a title
		if w.from >= 0 {
			x.At, x.End = int64(w.from), int64(w.to)
		}
		r.postpone(x)
		return
	}
	switch {
	case s.way == report.Undrawn && bars[s.why] && !prose(x.Text): // a figure that its bar shows too
		x.Sight = report.Aside
	case s.way == report.Styled && s.sight == report.Likely && r.skips(s.from):
		x.Sight = report.Aside
	}
	r.note(x, w.from, w.to, w.from >= 0)
}

// bars are the elements whose text repeats in letters what they draw.
var bars = map[string]bool{"meter": true, "progress": true, "rp": true}

// skips reports whether an element is a link from the top of a page to its content, which keyboards and screen
// readers reach.
func (r *reader) skips(n *html.Node) bool {
	return n.Data == "a" && strings.HasPrefix(attrOf(n.Attr, "href"), "#") && strings.TrimSpace(r.seen.String()) == "" && len(squeeze(textOf(n))) < 40
}

func (r *reader) note(x report.Passage, from, to int, ok bool) {
	if ok && to > from {
		x.At, x.End = int64(from), int64(to)
	}
	r.p.finds.add(x)
}

// postpone keeps words that count only where nothing that is seen says the same.
func (r *reader) postpone(x report.Passage) {
	switch {
	case len(r.later) < 2*report.MaxPassages:
		r.later = append(r.later, x)
	case x.Sight.Hides():
		r.p.finds.add(x)
	}
}

// path names an element by those around it, outermost first; at most the last five.
func (r *reader) path(n *html.Node) string {
	var names []string
	for ; n != nil && n.Type == html.ElementNode && len(names) < 5; n = n.Parent {
		name, known := r.names[n]
		if !known { // an element may have many attributes, each of which is noted
			name = nameOf(n)
			r.names[n] = name
		}
		names = append(names, name)
	}
	slices.Reverse(names)
	return strings.Join(names, " > ")
}

// nameOf is an element with its id, else with the first of its classes.
func nameOf(n *html.Node) string {
	if id := attrOf(n.Attr, "id"); id != "" {
		return n.Data + "#" + shorten(id, 24)
	}
	if first, _, _ := strings.Cut(strings.TrimSpace(attrOf(n.Attr, "class")), " "); first != "" {
		return n.Data + "." + shorten(first, 24)
	}
	return n.Data
}

// prose reports whether a value reads like words for a reader: three words, or two of which one is long.
func prose(s string) bool {
	words, letters := 0, 0
	for _, w := range strings.Fields(s[:min(len(s), 4096)]) {
		n := 0
		for _, r := range w {
			if unicode.IsLetter(r) {
				n++
			}
		}
		if n*2 > len(w)/2 && n > 1 && !strings.ContainsAny(w, "{}=<>;/\\") {
			words++
			letters += n
		}
	}
	return words >= 3 || words == 2 && letters >= 10
}
