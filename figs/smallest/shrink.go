package smallest

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// node is a value of JSON that can lose its parts.
type node struct {
	kind jsonl.Kind
	raw  []byte   // of what holds no others
	keys [][]byte // of an object, in their quotes
	kids []*node
}

func parse(v jsonl.Value) *node {
	n := &node{kind: v.Kind, raw: v.Raw}
	for c := jsonl.Walk(v); c.Next(); {
		n.kids = append(n.kids, parse(c.Value))
		if v.Kind == jsonl.Object {
			n.keys = append(n.keys, c.Key)
		}
	}
	return n
}

// append writes a value with what stands instead of its words.
func (m *maker) append(b []byte, n *node) []byte {
	if n.kind != jsonl.Object && n.kind != jsonl.Array {
		return append(b, m.instead(n.raw)...)
	}
	open, end := byte('{'), byte('}')
	if n.kind == jsonl.Array {
		open, end = '[', ']'
	}
	b = append(b, open)
	for i, kid := range n.kids {
		if i > 0 {
			b = append(b, ',')
		}
		if n.kind == jsonl.Object {
			b = append(append(b, m.instead(n.keys[i])...), ':')
		}
		b = m.append(b, kid)
	}
	return append(b, end)
}

func (m *maker) instead(raw []byte) []byte {
	if w, ok := m.words[string(raw)]; ok {
		return w
	}
	return raw
}

// halve takes parts away, large ones first. n is how many there are, cut takes those from i to before j away
// and returns what puts them back.
func (m *maker) halve(n func() int, cut func(i, j int) (undo func())) {
	for part := max(1, n()/2); part > 0; part /= 2 {
		for i := 0; i < n() && m.spent <= most; {
			j := min(n(), i+part)
			undo := cut(i, j)
			if !m.holds() {
				undo()
				i = j
			}
		}
	}
}

// thinLines leaves out lines.
func (m *maker) thinLines() {
	m.halve(func() int { return len(m.pieces) }, func(i, j int) func() {
		was := m.pieces
		m.pieces = append(append(make([]piece, 0, len(was)), was[:i]...), was[j:]...)
		return func() { m.pieces = was }
	})
}

// thinFiles leaves out attachments, and makes the others one byte long.
func (m *maker) thinFiles() {
	m.halve(func() int { return len(m.files) }, func(i, j int) func() {
		was := m.files
		m.files = append(append(make([]figs.Attachment, 0, len(was)), was[:i]...), was[j:]...)
		return func() { m.files = was }
	})
	for i := range m.files {
		if was := m.files[i].Size; was != 1 {
			if m.files[i].Size = 1; !m.holds() {
				m.files[i].Size = was
			}
		}
	}
}

// prune leaves out members and elements, at any depth.
func (m *maker) prune(n *node) {
	m.halve(func() int { return len(n.kids) }, func(i, j int) func() {
		keys, kids := n.keys, n.kids
		n.kids = append(append(make([]*node, 0, len(kids)), kids[:i]...), kids[j:]...)
		if keys != nil {
			n.keys = append(append(make([][]byte, 0, len(keys)), keys[:i]...), keys[j:]...)
		}
		return func() { n.keys, n.kids = keys, kids }
	})
	for _, kid := range n.kids {
		m.prune(kid)
	}
}

// close ends the last lines of ledgers that have no end, where that does not matter.
func (m *maker) close() {
	for file := range m.open {
		if m.open[file] {
			if m.open[file] = false; !m.holds() {
				m.open[file] = true
			}
		}
	}
}
