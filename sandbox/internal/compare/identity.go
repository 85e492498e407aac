package compare

import (
	"encoding/binary"
	"slices"

	"github.com/figs-web/figs-web/sandbox/internal/jsonview"
)

// side is one of two JSON documents whose values carry numbers: two values have the same number
// exactly when every reader takes them for the same. Strings are compared without their
// escapes, objects without their order, numbers as written: 1.0 is not 1.
type side struct {
	*jsonview.Doc
	id  []int32 // of a value
	key []int32 // of a key; -1 outside an object
}

// identify gives every value of a document its number. Nothing is hashed without being compared:
// an author who looks for collisions finds none.
func identify(t table, doc *jsonview.Doc) *side {
	s := &side{Doc: doc, id: make([]int32, len(doc.Nodes)), key: make([]int32, len(doc.Nodes))}
	for i := len(doc.Nodes) - 1; i >= 0; i-- { // what a value holds comes after it
		s.key[i] = -1
		if k := doc.Key(i); len(k) > 0 {
			s.key[i] = t.id("k" + jsonview.Text(k))
		}
		s.id[i] = t.id(s.name(i))
	}
	return s
}

// name writes a value so that equal values are written alike.
func (s *side) name(i int) string {
	n := &s.Nodes[i]
	switch n.Kind {
	case jsonview.String:
		return "s" + jsonview.Text(s.Raw(i))
	case jsonview.Array:
		b := []byte{'a'}
		for child := range s.children(i) {
			b = binary.BigEndian.AppendUint32(b, uint32(s.id[child]))
		}
		return string(b)
	case jsonview.Object:
		members := make([]uint64, 0, n.Count)
		for child := range s.children(i) {
			members = append(members, uint64(s.key[child])<<32|uint64(s.id[child]))
		}
		slices.Sort(members)
		b := []byte{'o'}
		for _, m := range members {
			b = binary.BigEndian.AppendUint64(b, m)
		}
		return string(b)
	}
	return "n" + string(s.Raw(i))
}

// children yields what a container holds.
func (s *side) children(i int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for child := i + 1; child < int(s.Nodes[i].Next); child = int(s.Nodes[child].Next) {
			if !yield(child) {
				return
			}
		}
	}
}

// list returns what a container holds.
func (s *side) list(i int) []int {
	all := make([]int, 0, s.Nodes[i].Count)
	for child := range s.children(i) {
		all = append(all, child)
	}
	return all
}

func (s *side) container(i int) bool {
	return s.Nodes[i].Kind == jsonview.Object || s.Nodes[i].Kind == jsonview.Array
}
