package markdown

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
)

// ids names headings as GitHub does, so that a table of contents leads to them. goldmark's own
// tries every number for equal headings from one on, which is quadratic.
type ids struct{ seen map[string]int }

func newIDs() *ids { return &ids{seen: map[string]int{}} }

// maxID bounds an id in bytes.
const maxID = 200

// Generate returns an id that no other heading has.
func (s *ids) Generate(value []byte, _ ast.NodeKind) []byte {
	var id []byte
	for len(value) > 0 && len(id) < maxID {
		r, size := utf8.DecodeRune(value)
		value = value[size:]
		switch {
		case r == ' ':
			id = append(id, '-')
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			id = utf8.AppendRune(id, unicode.ToLower(r))
		}
	}
	if len(id) == 0 {
		id = append(id, "heading"...)
	}
	base := string(id)
	for s.taken(string(id)) {
		id = strconv.AppendInt(append([]byte(base), '-'), int64(s.seen[base]), 10)
		s.seen[base]++
	}
	return id
}

// taken reports whether an id is in use, and takes it.
func (s *ids) taken(id string) bool {
	if s.seen[id] > 0 {
		return true
	}
	s.seen[id] = 1
	return false
}

// Put takes an id that the document gave.
func (s *ids) Put(value []byte) { s.taken(string(value)) }
