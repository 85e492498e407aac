package sqlstore

import (
	"bytes"
	"testing"
)

// TestMarkOf tests that small differences change the mark: one bit, the length, the kind, where a line ends.
func TestMarkOf(t *testing.T) {
	line := []byte(`{"id":"close-00001","ts":"2026-10-01T08:00:00Z","state":"settled","result":"All 412 invoices matched"}`)
	seen := map[int64]string{}
	note := func(what string, kind byte, lists ...[][]byte) {
		mark := markOf(kind, lists...)
		if other, known := seen[mark]; known {
			t.Errorf("%s has the mark of %s", what, other)
		}
		seen[mark] = what
		if markOf(kind, lists...) != mark {
			t.Errorf("%s has two marks", what)
		}
	}
	note("the line", 0, [][]byte{line})
	note("the line as an ask", 1, [][]byte{line})
	note("the line twice", 0, [][]byte{line, line})
	note("the line as an event", 0, nil, [][]byte{line})
	note("the line with its event", 0, [][]byte{line}, [][]byte{line})
	for i := range line {
		for bit := range 8 {
			other := bytes.Clone(line)
			other[i] ^= 1 << bit
			note("another bit of "+string(line[i:]), 0, [][]byte{other})
		}
		note("the beginning before "+string(line[i:]), 0, [][]byte{line[:i]})
		note("the line with a zero before "+string(line[i:]), 0, [][]byte{append(append(bytes.Clone(line[:i]), 0), line[i:]...)})
		note("two lines, the second "+string(line[i:]), 0, [][]byte{line[:i], line[i:]})
	}
	for n := range 40 {
		note("zeros", 0, [][]byte{make([]byte, n+1)})
	}
}
