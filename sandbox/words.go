package sandbox

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/visible"
)

// words writes what a machine reader would read of a report: its text in order, one line a block,
// with the text that a person would not see marked. A nil *words writes nothing.
type words struct {
	marked []byte
	raw    bool // as text, to be compared; otherwise as HTML
	limit  int
	full   bool
	ended  bool
	pre    int    // inside how many elements that keep white space
	breaks int    // line breaks before the next word
	gap    string // what stands before the next word of the line
	why    string // why the words that are being written are not seen
}

func newWords(limit int) *words { return &words{limit: limit} }

// end closes what is open; nothing is written after it.
func (w *words) end() {
	if w == nil || w.ended {
		return
	}
	w.switchTo("")
	w.ended = true
}

// text writes text; why is not empty when nobody sees it.
func (w *words) text(s, why string) {
	if w == nil || w.ended || w.full {
		return
	}
	if w.pre > 0 {
		w.put(s, why)
		return
	}
	if s != "" && space(s[0]) {
		w.gap = cmpOr(w.gap, " ")
	}
	for s != "" && !w.full {
		s = strings.TrimLeft(s, " \t\n\r\f")
		n := strings.IndexAny(s, " \t\n\r\f")
		if n < 0 {
			n = len(s)
		}
		if n > 0 {
			w.put(s[:n], why)
		}
		if s = s[n:]; s != "" {
			w.gap = cmpOr(w.gap, " ")
		}
	}
}

func space(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// apart writes words that stand apart from those around them.
func (w *words) apart(s, why string) {
	if w != nil && s != "" {
		w.text(" "+s+" ", why)
	}
}

// put writes one word, after the breaks and gaps that were asked for before it.
func (w *words) put(s, why string) {
	before := w.gap
	if w.breaks > 0 {
		before = strings.Repeat("\n", min(w.breaks, 2)) + strings.TrimLeft(w.gap, " \t")
	}
	if len(w.marked) == 0 {
		before = strings.TrimLeft(before, " \t\n")
	}
	w.breaks, w.gap = 0, ""
	if why != w.why {
		w.switchTo("")
	}
	w.marked = append(w.marked, before...)
	w.switchTo(why)
	room := max(0, w.limit-len(w.marked))
	if w.raw {
		w.marked = append(w.marked, s[:min(len(s), room)]...)
		w.full = len(s) > room
		return
	}
	var n int
	w.marked, n = visible.AppendMax(w.marked, s, room)
	w.full = n < len(s)
}

// switchTo begins or ends a stretch of text that nobody sees.
func (w *words) switchTo(why string) {
	if why == w.why {
		return
	}
	open, end := `<span class="f-unseen`+quietly(why)+`"><b>`+html.EscapeString(why)+`</b> `, "</span>"
	if w.raw {
		open, end = "["+why+"] ", ""
	}
	if w.why != "" {
		w.marked = append(w.marked, end...)
	}
	if w.why = why; why != "" {
		w.marked = append(w.marked, open...)
	}
}

// quietly is the class of a mark that tells of nothing hidden.
func quietly(why string) string {
	if strings.HasPrefix(why, notJudged) {
		return " is-aside"
	}
	return ""
}

// open and close turn the edges of an element into white space.
func (w *words) open(name string) {
	if w == nil || w.ended {
		return
	}
	switch edge(name) {
	case line, paragraph:
		w.brk(edge(name))
	case cell:
		w.gap = "\t"
	}
	switch name {
	case "li":
		w.gap = "- "
	case "pre", "textarea":
		w.pre++
	}
}

func (w *words) close(name string) {
	if w == nil || w.ended {
		return
	}
	if name == "pre" || name == "textarea" {
		w.pre = max(0, w.pre-1)
	}
	if e := edge(name); e == line || e == paragraph {
		w.brk(e)
	}
}

func (w *words) brk(n int) {
	w.breaks = max(w.breaks, n)
	w.gap = ""
}

const (
	inlined   = 0
	line      = 1
	paragraph = 2
	cell      = 3
)

// edge returns what an element's edges are to a reader.
func edge(name string) int {
	switch name {
	case "p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol", "dl", "pre", "blockquote", "hr", "section", "article":
		return paragraph
	case "div", "li", "tr", "br", "dt", "dd", "header", "footer", "main", "nav", "aside", "figure", "figcaption", "address", "details",
		"summary", "caption", "thead", "tbody", "tfoot", "center", "body", "title", "form", "noscript", "template", "iframe", "object", "video", "audio", "select", "textarea", "dialog", "fieldset", "legend", "option", "hgroup", "menu", "dir":
		return line
	case "td", "th":
		return cell
	}
	return inlined
}
