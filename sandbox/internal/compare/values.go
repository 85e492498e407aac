package compare

import (
	"bytes"

	"github.com/figs-web/figs-web/sandbox/internal/jsonview"
	"github.com/figs-web/figs-web/sandbox/report"
)

// Values compares two JSON texts by structure: objects by their keys, lists by the longest run
// of equal values. It reports false, and says why, when one of them cannot be compared so: the
// caller compares their lines instead.
func Values(before, after []byte, l report.Limits) (Diff, bool) {
	var d Diff
	x, ok := read(&d, before, l)
	if !ok {
		return d, false
	}
	y, ok := read(&d, after, l)
	if !ok {
		return d, false
	}
	t := table{}
	w := valueWriter{page: newPage(l), d: &d, x: identify(t, x), y: identify(t, y)}
	w.ids = len(t)
	w.add(`<div class="f-diff f-values"><div class="f-json">` + "\n")
	if w.x.id[0] == w.y.id[0] {
		w.unchanged([]int{0})
		if !bytes.Equal(before, after) {
			d.notice(SameValues, "Both have the same values. Only white space, escapes or the order of keys differ.")
		}
	} else {
		w.pair(0, 0)
	}
	w.add("</div></div>\n")
	w.finish(&d)
	return d, true
}

// read parses one side.
func read(d *Diff, src []byte, l report.Limits) (*jsonview.Doc, bool) {
	if len(src) > l.Diff {
		d.notice(report.TooLarge, "This JSON is too large to compare by structure. It is compared line by line.")
		return nil, false
	}
	doc, fault := jsonview.Parse(src, l.JSONDepth, l.Elements)
	switch {
	case fault != nil:
		fault.Text += " It is compared line by line."
		d.Notices = append(d.Notices, *fault)
	case doc.Twice > 0:
		d.Notices = append(d.Notices, report.Notice{Code: report.DuplicateKey, At: int64(doc.Again),
			Text: "An object has the same key twice, which parsers read differently. The files are compared line by line."})
	case !doc.Whole:
		d.notice(report.TooManyElements, "This JSON has too many values to compare by structure. It is compared line by line.")
	default:
		return doc, true
	}
	return nil, false
}

// valueWriter walks two documents and writes what differs.
type valueWriter struct {
	*page
	d    *Diff
	x, y *side
	ids  int
}

// pair writes two values that stand for each other and differ.
func (w *valueWriter) pair(i, j int) {
	x, y := &w.x.Nodes[i], &w.y.Nodes[j]
	switch {
	case x.Kind == y.Kind && x.Kind == jsonview.Object:
		w.open(j)
		w.members(i, j)
		w.close(j)
	case x.Kind == y.Kind && x.Kind == jsonview.Array:
		w.open(j)
		w.elements(i, j)
		w.close(j)
	default:
		w.d.Changed++
		w.changed(i, j)
	}
}

// members compares two objects: what after holds in its order, what it lacks where it stood.
func (w *valueWriter) members(i, j int) {
	was := map[int32]int{}
	for child := range w.x.children(i) {
		was[w.x.key[child]] = child
	}
	now := map[int32]bool{}
	for child := range w.y.children(j) {
		now[w.y.key[child]] = true
	}
	gone, same := w.x.list(i), run{w: w}
	drop := func(before int) { // the missing ones that stood before a member
		for len(gone) > 0 && gone[0] < before {
			if !now[w.x.key[gone[0]]] {
				same.end()
				w.whole("f-del", "del", w.x, gone[0])
				w.d.Deleted++
			}
			gone = gone[1:]
		}
	}
	for child := range w.y.children(j) {
		old, ok := was[w.y.key[child]]
		if ok {
			drop(old)
		}
		switch {
		case !ok:
			same.end()
			w.whole("f-add", "ins", w.y, child)
			w.d.Added++
		case w.x.id[old] == w.y.id[child]:
			same.take(child)
		default:
			same.end()
			w.pair(old, child)
		}
	}
	same.end()
	drop(len(w.x.Nodes))
}

// elements compares two lists.
func (w *valueWriter) elements(i, j int) {
	xs, ys := w.x.list(i), w.y.list(j)
	changes, coarse := script(pick(w.x.id, xs), pick(w.y.id, ys), w.ids, &w.budget)
	w.coarse = w.coarse || coarse
	at := 0
	for _, c := range changes {
		w.unchanged(ys[at:c.y0])
		w.replaced(xs[c.x0:c.x1], ys[c.y0:c.y1])
		at = c.y1
	}
	w.unchanged(ys[at:])
}

func pick(ids []int32, of []int) []int32 {
	out := make([]int32, len(of))
	for i, n := range of {
		out[i] = ids[n]
	}
	return out
}

// replaced compares the values of a change in their order, as far as both sides have some.
func (w *valueWriter) replaced(xs, ys []int) {
	n := min(len(xs), len(ys))
	for k := range n {
		if w.x.id[xs[k]] == w.y.id[ys[k]] { // in a change that is coarse
			w.unchanged(ys[k : k+1])
			continue
		}
		w.pair(xs[k], ys[k])
	}
	for _, i := range xs[n:] {
		w.whole("f-del", "del", w.x, i)
		w.d.Deleted++
	}
	for _, j := range ys[n:] {
		w.whole("f-add", "ins", w.y, j)
		w.d.Added++
	}
}

// run gathers members that did not change.
type run struct {
	w   *valueWriter
	all []int
}

func (r *run) take(i int) { r.all = append(r.all, i) }

func (r *run) end() {
	r.w.unchanged(r.all)
	r.all = r.all[:0]
}
