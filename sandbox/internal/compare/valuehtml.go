package compare

import (
	"github.com/figs-web/figs-web/sandbox/internal/jsonview"
)

// few is how many unchanged values in a row are shown one by one.
const few = 2

func (w *valueWriter) open(j int) {
	if w.full() {
		return
	}
	n := &w.y.Nodes[j]
	w.add(`<details open><summary data-n="` + jsonview.Size(n) + `">`)
	w.key(w.y, j)
	w.add(string(n.Kind))
	w.add("</summary>\n<div>")
}

func (w *valueWriter) close(j int) {
	w.add("</div><div>" + string(w.y.Nodes[j].Kind+2) + "</div></details>\n")
}

// key writes a value's key and colon.
func (w *valueWriter) key(s *side, i int) {
	if k := s.Key(i); len(k) > 0 {
		w.add(`<span class="f-key">`)
		w.text(string(k))
		w.add("</span>: ")
	}
}

// whole writes a value that one side lacks.
func (w *valueWriter) whole(class, element string, s *side, i int) {
	if w.full() {
		return
	}
	w.add(`<div class="` + class + `"><` + element + `>`)
	w.part(s, i, false)
	w.add("</" + element + "></div>\n")
}

// part writes a value with its key, if there is room for all of it.
func (w *valueWriter) part(s *side, i int, folded bool) {
	start := len(w.dst)
	var ok bool
	if w.dst, ok = jsonview.Part(w.dst, s.Doc, i, folded, w.limit-start); !ok {
		w.dst = w.dst[:start]
		w.cut = true
	}
}

// unchanged writes values that are equal: a few, folded each; more, folded together.
func (w *valueWriter) unchanged(all []int) {
	if len(all) == 0 || w.full() {
		return
	}
	if len(all) <= few {
		for _, j := range all {
			w.part(w.y, j, true)
		}
		return
	}
	start, summary := len(w.dst), plural(len(all), "unchanged value", "unchanged values")
	w.add(`<details class="f-fold"><summary>` + summary + "</summary>\n")
	for _, j := range all {
		if w.part(w.y, j, true); w.cut || len(w.dst)-start > w.folds {
			w.cut = false
			w.dst = w.dst[:start]
			w.add(`<div class="f-fold">` + summary + ", not repeated here</div>\n")
			return
		}
	}
	w.add("</details>\n")
	w.folds -= len(w.dst) - start
}

// changed writes two values one of which replaces the other.
func (w *valueWriter) changed(i, j int) {
	if w.full() {
		return
	}
	var before, after []span
	if !w.x.container(i) && !w.y.container(j) {
		before, after = w.differ(string(w.x.Raw(i)), string(w.y.Raw(j)))
	}
	w.add(`<div class="f-new f-del"><del>`)
	w.value(w.x, i, before)
	w.add(`</del></div>` + "\n" + `<div class="f-new f-add"><ins>`)
	w.value(w.y, j, after)
	w.add("</ins></div>\n")
}

// value writes one side of a changed value.
func (w *valueWriter) value(s *side, i int, marks []span) {
	if s.container(i) {
		w.part(s, i, false)
		return
	}
	w.key(s, i)
	class := map[jsonview.Kind]string{jsonview.String: "f-str", jsonview.Number: "f-num", jsonview.Literal: "f-lit"}[s.Nodes[i].Kind]
	w.add(`<span class="` + class + `">`)
	w.marked(string(s.Raw(i)), marks)
	w.add("</span>")
}
