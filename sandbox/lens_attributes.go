package sandbox

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/internal/hints"
	"github.com/figs-web/figs-web/sandbox/report"
)

// technical are attributes whose values are for programs. A text in them is noted when it reads like an instruction.
var technical = words2(`class style id href src srcset sizes width height d points viewbox transform fill stroke name type rel for media
	content-type charset http-equiv colspan rowspan align valign lang dir xmlns xmlns:xlink xlink:href role tabindex target action method
	font-family cellpadding cellspacing border bgcolor color face size text-anchor dominant-baseline gradienttransform preserveaspectratio
	stroke-dasharray clip-path mask filter marker-end marker-start onclick onload integrity datetime scope headers autocomplete pattern accept
	data-theme data-mode data-bs-toggle data-toggle aria-labelledby aria-describedby aria-controls aria-hidden`)

func words2(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// spoken are attributes that are meant for people: shown on hover, when something is missing, or read aloud.
var spoken = map[string]bool{"alt": true, "title": true, "placeholder": true, "label": true, "summary": true, "abbr": true,
	"aria-label": true, "aria-description": true, "aria-roledescription": true, "aria-placeholder": true, "aria-valuetext": true, "aria-braillelabel": true}

// attributes notes the words in an element's attributes.
func (r *reader) attributes(n *html.Node) {
	if n.Data == "meta" && n.Namespace == "" {
		r.meta(n)
		return
	}
	for _, a := range n.Attr {
		v := strings.TrimSpace(a.Val)
		x := report.Passage{Way: report.Attribute, Why: a.Key, Text: v, Path: r.path(n)}
		switch {
		case v == "":
			continue
		case spoken[a.Key]:
			x.Sight = report.Aside
			from, to, ok := r.value(n, a)
			if ok {
				x.At, x.End = int64(from), int64(to)
			}
			r.postpone(x)
			continue
		case a.Key == "value" && (n.Data == "input" || n.Data == "button" || n.Data == "option"):
			x.Way, x.Sight = report.Control, report.LeftOut
			if strings.EqualFold(attrOf(n.Attr, "type"), "hidden") {
				x.Sight = report.Never
			}
		case a.Key == "srcdoc":
			x.Sight = report.Never
		case technical[a.Key] || strings.HasPrefix(a.Key, "on"):
			if a.Key == "style" || len(v) < 24 || hints.Find(v) == nil {
				continue
			}
			x.Sight = report.Never
		case prose(v) || strings.HasPrefix(a.Key, "data-") && hints.Find(v) != nil:
			x.Sight = report.Never
		default:
			continue
		}
		from, to, ok := r.value(n, a)
		if ok && to > from {
			x.At, x.End = int64(from), int64(to)
		}
		if repeats[a.Key] {
			r.postpone(x)
			continue
		}
		r.p.finds.add(x)
	}
}

// repeats are attributes in which tables for narrow windows repeat their headings.
var repeats = words2("data-label data-title data-th data-header data-heading data-column data-name")

// plainMeta are the meta elements that tell programs how to read a page.
var plainMeta = words2("viewport color-scheme theme-color format-detection generator charset robots referrer msapplication-tilecolor apple-mobile-web-app-capable")

// meta notes what a page says of itself.
func (r *reader) meta(n *html.Node) {
	name := strings.ToLower(attrOf(n.Attr, "name"))
	if name == "" {
		name = strings.ToLower(attrOf(n.Attr, "property"))
	}
	if name == "" {
		name = strings.ToLower(attrOf(n.Attr, "itemprop"))
	}
	for _, a := range n.Attr {
		if a.Key != "content" || strings.TrimSpace(a.Val) == "" {
			continue
		}
		if equiv := attrOf(n.Attr, "http-equiv"); (equiv != "" || plainMeta[name]) && hints.Find(a.Val) == nil {
			continue
		}
		from, to, ok := r.value(n, a)
		r.note(report.Passage{Way: report.Attribute, Sight: report.Never, Why: strings.TrimSpace("meta " + name), Text: a.Val, Path: r.path(n)}, from, to, ok)
	}
}

// mostSearched is how many bytes of tags are searched for values; behind that, a passage stands where its tag does.
const mostSearched = 64 << 20

// value finds where the value of an attribute stands: inside the start tag of its element.
func (r *reader) value(n *html.Node, a html.Attribute) (from, to int, ok bool) {
	from, to, ok = r.place(n)
	if !ok || to > len(r.p.text) || from > to {
		return 0, 0, false
	}
	tag := r.p.text[from:to]
	if r.searched += len(tag); r.searched > mostSearched {
		return from, to, true
	}
	i := strings.Index(tag, a.Val)
	for i > 0 && tag[i-1] != '"' && tag[i-1] != '\'' && tag[i-1] != '=' {
		next := strings.Index(tag[i+1:], a.Val)
		if next < 0 {
			return from, to, true
		}
		i += 1 + next
	}
	if i < 0 || a.Val == "" {
		return from, to, true
	}
	return from + i, from + i + len(a.Val), true
}

// cssNotes notes the comments of a style sheet.
func (r *reader) cssNotes(n *html.Node) {
	base, _, ok := r.place(n.FirstChild)
	css := allText(n)
	// The place of a text begins with its first letter.
	lead := len(css) - len(strings.TrimLeft(css, " \t\r\n\f"))
	for at := 0; ; {
		i := strings.Index(css[at:], "/*")
		if i < 0 {
			return
		}
		at += i
		end := strings.Index(css[at+2:], "*/")
		if end < 0 {
			end = len(css) - at - 2
		}
		note := strings.Trim(css[at+2:at+2+end], " \t\r\n*=-_#~")
		stop := min(len(css), at+2+end+2)
		if prose(note) || hints.Find(note) != nil {
			r.note(report.Passage{Way: report.Comment, Sight: report.Never, Why: "css comment", Text: note, Path: r.path(n)}, base+at-lead, base+stop-lead, ok)
		}
		at = stop
	}
}
