package jsonview

import "github.com/figs-web/figs-web/sandbox/report"

// Doc is a JSON text with the places of its values.
type Doc struct {
	Src   []byte
	Nodes []Node // in the order of the text; the first is the whole
	// Twice counts keys that their object has already named, and Again is the offset of the first.
	Twice int
	Again int
	// Pretty is how many bytes the text has with two columns of indent a level.
	Pretty int
	// Whole says whether Nodes holds every value.
	Whole bool
}

// Node is a value and, inside an object, its key. Positions are bytes of the text.
type Node struct {
	Kind             Kind
	Twice            bool  // the object has named this key before
	KeyStart, KeyEnd int32 // with quotes; both 0 outside an object
	Start, End       int32
	Next             int32 // the first node after this one and all it holds
	Count            int32 // members or elements
}

// Key returns the key as written, with its quotes; empty outside an object.
func (d *Doc) Key(i int) []byte { return d.Src[d.Nodes[i].KeyStart:d.Nodes[i].KeyEnd] }

// Raw returns the value as written.
func (d *Doc) Raw(i int) []byte { return d.Src[d.Nodes[i].Start:d.Nodes[i].End] }

// Parse reads a text of at most 1 GiB. Beyond limit values it only checks and counts. The
// notice says what is wrong with the text.
func Parse(src []byte, depth, limit int) (*Doc, *report.Notice) {
	b := builder{doc: &Doc{Src: src, Whole: true}, limit: limit}
	if fault := scan(src, depth, &b); fault != nil {
		return nil, fault
	}
	return b.doc, nil
}

// builder makes a Doc.
type builder struct {
	doc      *Doc
	limit    int
	keyStart int
	keyEnd   int
	twice    bool
	stack    []level
}

// level is an open container.
type level struct {
	node  int // -1 beyond the limit
	count int
	keys  keys
}

func (b *builder) key(start, end int) {
	b.keyStart, b.keyEnd = start, end
	b.twice = b.stack[len(b.stack)-1].keys.again(Text(b.doc.Src[start:end]))
	if b.twice {
		if b.doc.Twice == 0 {
			b.doc.Again = start
		}
		b.doc.Twice++
	}
}

// node notes a value that begins, and returns its number, or -1 beyond the limit.
func (b *builder) node(kind Kind, start, end int) int {
	d := b.doc
	if n := len(b.stack); n > 0 {
		b.stack[n-1].count++
		d.Pretty += 2 + 2*n // a line's end, a comma, the indent
	}
	if b.keyEnd > 0 {
		d.Pretty += b.keyEnd - b.keyStart + 2
	}
	i := len(d.Nodes)
	if i == b.limit {
		d.Whole, i = false, -1
	} else {
		d.Nodes = append(d.Nodes, Node{Kind: kind, Twice: b.twice, KeyStart: int32(b.keyStart), KeyEnd: int32(b.keyEnd),
			Start: int32(start), End: int32(end), Next: int32(i + 1)})
	}
	b.keyStart, b.keyEnd, b.twice = 0, 0, false
	return i
}

func (b *builder) scalar(kind Kind, start, end int) {
	b.node(kind, start, end)
	b.doc.Pretty += end - start
}

func (b *builder) open(kind Kind, start int) {
	i := b.node(kind, start, start)
	b.stack = append(b.stack, level{node: i})
	b.doc.Pretty += 2
}

func (b *builder) close(end int) {
	top := b.stack[len(b.stack)-1]
	b.stack = b.stack[:len(b.stack)-1]
	if top.count > 0 {
		b.doc.Pretty += 1 + 2*len(b.stack)
	}
	if top.node >= 0 {
		n := &b.doc.Nodes[top.node]
		n.End, n.Next, n.Count = int32(end), int32(len(b.doc.Nodes)), int32(top.count)
	}
}

// keys are the keys of an object so far.
type keys struct {
	few  []string
	many map[string]struct{}
}

// again adds a key and reports whether it was there.
func (k *keys) again(key string) bool {
	if k.many != nil {
		before := len(k.many)
		k.many[key] = struct{}{}
		return len(k.many) == before
	}
	for _, old := range k.few {
		if old == key {
			return true
		}
	}
	if k.few = append(k.few, key); len(k.few) > 12 {
		k.many = make(map[string]struct{}, 2*len(k.few))
		for _, old := range k.few {
			k.many[old] = struct{}{}
		}
		k.few = nil
	}
	return false
}
