package jsonview

import (
	"strconv"

	"github.com/figs-web/figs-web/sandbox/visible"
)

// Tree appends the tree of a whole document to dst, as long as it grows by at most room bytes.
func Tree(dst []byte, doc *Doc, room int) ([]byte, bool) {
	w := writer{doc: doc, dst: append(dst, `<div class="f-json">`...), limit: len(dst) + room, many: len(doc.Nodes) > manyNodes}
	w.value(0, 0, "")
	w.dst = append(w.dst, "</div>\n"...)
	return w.dst, w.room()
}

// Part appends one value of a document with its key, as in Tree. A folded container is closed.
func Part(dst []byte, doc *Doc, i int, folded bool, room int) ([]byte, bool) {
	w := writer{doc: doc, dst: dst, limit: len(dst) + room, closed: folded, many: len(doc.Nodes) > manyNodes}
	w.value(i, 0, "")
	return w.dst, w.room()
}

// manyNodes is when a document has so many values that long lists below the top are folded.
const manyNodes = 5000

// long is how many values such a list has.
const long = 100

// short is how many bytes a list has that is shown on one line.
const short = 80

type writer struct {
	doc    *Doc
	dst    []byte
	limit  int
	many   bool
	closed bool // the first container is folded
}

func (w *writer) room() bool { return len(w.dst) <= w.limit }

func (w *writer) add(s string) { w.dst = append(w.dst, s...) }

// value writes a value on lines of its own. It stops when there is no more room.
func (w *writer) value(i, depth int, comma string) {
	n := &w.doc.Nodes[i]
	switch {
	case !w.room():
	case n.Count == 0 || w.flows(i):
		w.add(`<div>`)
		w.Key(i)
		w.inline(i)
		w.add(comma)
		w.add("</div>\n")
	default:
		w.container(i, depth, comma)
	}
}

func (w *writer) container(i, depth int, comma string) {
	n := &w.doc.Nodes[i]
	open := " open"
	if w.closed && depth == 0 || w.many && depth > 0 && n.Count > long {
		open = ""
	}
	w.add("<details" + open + `><summary data-n="` + Size(n) + `">`)
	w.Key(i)
	w.add(string(n.Kind))
	w.add("</summary>\n<div>")
	for child := i + 1; child < int(n.Next) && w.room(); {
		next := int(w.doc.Nodes[child].Next)
		sep := ","
		if next == int(n.Next) {
			sep = ""
		}
		w.value(child, depth+1, sep)
		child = next
	}
	w.add("</div><div>")
	w.add(string(n.Kind + 2))
	w.add(comma)
	w.add("</div></details>\n")
}

// Key writes the key of a value and its colon, if it has one.
func (w *writer) Key(i int) {
	n := &w.doc.Nodes[i]
	if n.KeyEnd == 0 {
		return
	}
	class := `<span class="f-key">`
	if n.Twice {
		class = `<span class="f-key f-twice" title="this object already has this key">`
	}
	w.add(class)
	w.dst = text(w.dst, w.doc.Key(i), w.limit)
	w.add("</span>: ")
}

// flows reports whether a list is shown on one line, which may wrap: its values are numbers and
// literals, or it is short and holds no container.
func (w *writer) flows(i int) bool {
	n := &w.doc.Nodes[i]
	if n.Kind != Array || int(n.Next)-i-1 != int(n.Count) {
		return false
	}
	isShort := n.End-n.Start <= short
	for child := i + 1; child < int(n.Next); child++ {
		switch w.doc.Nodes[child].Kind {
		case Object, Array:
			return false
		case String:
			if !isShort {
				return false
			}
		}
	}
	return true
}

// inline writes a scalar, an empty container, or a list that flows.
func (w *writer) inline(i int) {
	n := &w.doc.Nodes[i]
	if n.Kind != Object && n.Kind != Array {
		w.dst = Scalar(w.dst, n.Kind, w.doc.Raw(i), w.limit-len(w.dst))
		return
	}
	w.add(string(n.Kind))
	for child := i + 1; child < int(n.Next) && w.room(); child++ {
		if child > i+1 {
			w.add(", ")
		}
		c := &w.doc.Nodes[child]
		w.dst = Scalar(w.dst, c.Kind, w.doc.Raw(child), w.limit-len(w.dst))
	}
	w.add(string(n.Kind + 2))
}

// Scalar appends a scalar as written. When that takes more than room bytes, dst grows by more
// than room, but not by much.
func Scalar(dst []byte, kind Kind, raw []byte, room int) []byte {
	limit := len(dst) + room
	class := `<span class="f-lit">`
	switch kind {
	case String:
		class = `<span class="f-str">`
	case Number:
		class = `<span class="f-num">`
	}
	dst = append(dst, class...)
	dst = text(dst, raw, limit)
	return append(dst, "</span>"...)
}

// text appends untrusted text up to a limit of dst. What is longer ends beyond the limit.
func text(dst []byte, s []byte, limit int) []byte {
	dst, n := visible.AppendMax(dst, string(s), max(0, limit-len(dst)))
	if n < len(s) {
		dst = append(dst, make([]byte, max(0, limit+1-len(dst)))...)
	}
	return dst
}

// Size says how many values a container has.
func Size(n *Node) string {
	unit := " values"
	switch {
	case n.Kind == Object && n.Count == 1:
		unit = " key"
	case n.Kind == Object:
		unit = " keys"
	case n.Count == 1:
		unit = " value"
	}
	return strconv.Itoa(int(n.Count)) + unit
}
