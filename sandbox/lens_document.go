package sandbox

import (
	"sort"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/report"
	"github.com/figs-web/figs-web/sandbox/visible"
)

// lensSheet is the style of the marked text.
const lensSheet = `.f-lens .f-pre{padding-left:0}.f-lens .f-block{padding-left:68px}.f-lens i{display:inline-block;width:52px;margin:0 16px 0 -68px;color:#6d6579;text-align:right;font-style:normal;user-select:none;counter-increment:f}.f-lens i::before{content:counter(f)}.f-lens{color:#6d6579}.f-unseen{color:#4a2a00}.f-unseen.is-cued{background:#fbe3e0;color:#7a120b;box-shadow:0 0 0 1px #d98b84}.f-unseen.is-cued b{background:#a8261e}.f-unseen.is-aside{background:#eef3f8;color:#24405c;box-shadow:0 0 0 1px #b9cadb}.f-unseen.is-aside b{background:#45657f}`

// marked shows the text itself, numbered, with everything marked that a person would not see.
func (p *page) marked() {
	spans := p.spans()
	s, limit := p.text, p.room()-len(lensSheet)
	w := marker{b: append(make([]byte, 0, min(len(s)+len(s)/4+1024, max(limit, 0))), `<pre class="f-pre">`...), limit: limit, spans: spans}
	at := w.write(s)
	p.cut(at, len(s))
	p.own("f-own f-lens", string(append(w.b, `</pre>`...)), lensSheet)
}

// spans are the passages whose place is known, in order; of two that overlap the first counts.
func (p *page) spans() []report.Passage {
	var list []report.Passage
	for _, x := range p.finds.list {
		if x.End > x.At && x.Way != report.Characters {
			x.At, x.End = x.At-p.finds.base, x.End-p.finds.base
			list = append(list, x)
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].At < list[j].At })
	kept := list[:0]
	end := int64(0)
	for _, x := range list {
		if x.At >= end && x.End <= int64(len(p.text)) {
			kept = append(kept, x)
			end = x.End
		}
	}
	return kept
}

// marker writes text in numbered blocks, as lines does, with marks.
type marker struct {
	b     []byte
	limit int
	spans []report.Passage
}

// write returns how many bytes of s stand in the document.
func (w *marker) write(s string) int {
	at, line, fresh := 0, 0, true
	for at < len(s) && len(w.b) < w.limit-1024 {
		w.b = append(append(append(w.b, `<span class="f-block" style="counter-reset:f `...), strconv.Itoa(line)...), `">`...)
		end := at + blockBytes
		for n := 0; n < blockLines && at < len(s) && at < end && len(w.b) < w.limit-1024; n++ {
			if fresh {
				w.b = append(w.b, `<i></i>`...)
				line++
			}
			piece := pieceOf(s[at:], end-at)
			fresh = strings.HasSuffix(piece, "\n")
			took := w.piece(s, at, at+len(piece))
			if at += took; took < len(piece) {
				w.b = append(w.b, `</span>`...)
				return at
			}
			if !fresh {
				break
			}
		}
		w.b = append(w.b, `</span>`...)
	}
	return at
}

// piece writes s[from:to], which is no more than a line, and returns how many bytes of it there was room for.
func (w *marker) piece(s string, from, to int) int {
	at := from
	for at < to {
		for len(w.spans) > 0 && int(w.spans[0].End) <= at {
			w.spans = w.spans[1:]
		}
		end, x := to, (*report.Passage)(nil)
		if len(w.spans) > 0 {
			switch x = &w.spans[0]; {
			case int(x.At) > at:
				end, x = min(to, int(x.At)), nil
			default:
				end = min(to, int(x.End))
			}
		}
		if x != nil {
			w.begin(x, int(x.At) == at)
		}
		var took int
		w.b, took = visible.AppendMax(w.b, s[at:end], max(0, w.limit-512-len(w.b)))
		if x != nil {
			w.b = append(w.b, `</span>`...)
		}
		if at += took; at < end {
			break
		}
	}
	return at - from
}

func (w *marker) begin(x *report.Passage, first bool) {
	class := "f-unseen"
	switch {
	case x.Sight.Hides() && len(x.Cues) > 0:
		class += " is-cued"
	case !x.Sight.Hides():
		class += " is-aside"
	}
	w.b = append(append(append(w.b, `<span class="`...), class...), `">`...)
	if first {
		w.b = append(append(append(w.b, `<b>`...), html.EscapeString(x.Why)...), `</b> `...)
	}
}
