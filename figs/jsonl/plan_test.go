package jsonl

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// followAll reads b twice, line by line, and holds what Follow says to what Scan says. It returns how many lines were followed.
func followAll(t *testing.T, plan *Plan, b []byte, fixed uint64) (followed int) {
	t.Helper()
	var s, scan Scanner
	safe := bytes.LastIndexByte(b[:max(0, len(b)-Slack)], '\n')
	for i := 0; i < len(b); {
		want := scan.Scan(b, i)
		var ln Line
		ok := false
		if i <= safe {
			if ln, _, ok = s.Follow(plan, b, i); ok {
				followed++
				sameLine(t, b, &s, ln, &scan, want)
			}
		}
		if !ok {
			if ln = s.Scan(b, i); ln.Status == Whole {
				s.Learn(plan, b, i, ln, fixed)
			}
		}
		i = want.Next
	}
	return followed
}

func sameLine(t *testing.T, b []byte, s *Scanner, ln Line, scan *Scanner, want Line) {
	t.Helper()
	text := b[want.Start:want.End]
	odd := bytes.ContainsFunc(text, func(r rune) bool { return r >= 0x7F })
	if odd && !ln.NonASCII {
		t.Fatalf("%q: NonASCII is false", text)
	}
	if !odd && !ln.Stray && strays(text) {
		t.Fatalf("%q: Stray is false", text)
	}
	ln.NonASCII, ln.Stray = want.NonASCII, want.Stray
	if ln != want {
		t.Fatalf("%q: followed as %+v, scanned as %+v", text, ln, want)
	}
	if len(s.Members) != len(scan.Members) {
		t.Fatalf("%q: %d members, scanned %d", text, len(s.Members), len(scan.Members))
	}
	for j := range s.Members {
		if s.Members[j] != scan.Members[j] {
			t.Fatalf("%q: member %d is %+v, scanned %+v", text, j, s.Members[j], scan.Members[j])
		}
		c, w := s.Walk(b, j), scan.Walk(b, j)
		for more := true; more; {
			more = w.Next()
			if c.Next() != more {
				t.Fatalf("%q: member %d: the walk ends elsewhere", text, j)
			}
			if more && (c.Offset != w.Offset || c.KeyOffset != w.KeyOffset || !bytes.Equal(c.Key, w.Key) ||
				c.Value.Kind != w.Value.Kind || !bytes.Equal(c.Value.Raw, w.Value.Raw)) {
				t.Fatalf("%q: member %d: walked to %+v, scanned %+v", text, j, c, w)
			}
		}
	}
}

// strays is the plain way to tell Line.Stray of an ASCII line without escapes.
func strays(text []byte) bool {
	if bytes.IndexByte(text, '\\') >= 0 {
		return false
	}
	in := false
	for i, c := range text {
		switch {
		case c == '"':
			in = !in
		case in && (c == ',' || c == '.') && bytes.IndexByte([]byte(` "([{`), text[i-1]) >= 0:
			return true
		}
	}
	return false
}

// lines are ledgers that Follow must read; each of their last lines is spelled like one before it.
var lines = []string{
	`{"id":"a","ts":"x","n":1}` + "\n" + `{"id":"bcd","ts":"x","n":-1.5e+7}` + "\n",
	`{"a":[],"b":{},"c":null,"d":true,"e":"","f":["x","y"],"g":{"h":{"i":[1,{"j":"k"}]}}}` + "\n" + `{"a":[],"b":{},"c":null,"d":true,"e":"","f":["","z"],"g":{"h":{"i":[12,{"j":"kk"}]}}}` + "\n" +
		`{"a":[],"b":{},"c":null,"d":true,"e":"","f":["x y z","z"],"g":{"h":{"i":[0,{"j":"\"\\"}]}}}` + "\n",
	`{ "id" : "a" , "t" : [ "b" , "c" ] }` + " \r\n" + `{ "id" : "\u00e9é—.,,,. .x" , "t" : [ "b,c" , ".." ] }` + " \r\n",
	`{"id":"a","title":"","x":1}` + "\n" + `{"id":"a","title":"t","x":1}` + "\n" + `{"id":"b","title":"","x":2}` + "\n" + `{"id":"b","title":"uv","x":3}` + "\n",
	`{"id":"a","status":"open","x":"y"}` + "\n" + `{"id":"a","status":"resolved","x":"y"}` + "\n" + `{"id":"b","status":"open","x":" ,5"}` + "\n",
}

func TestFollow(t *testing.T) {
	for _, text := range lines {
		b := append([]byte(text), bytes.Repeat([]byte(" "), Slack)...)
		if followAll(t, new(Plan), append(b, '\n'), 2) == 0 {
			t.Errorf("no line was followed of %s", text)
		}
	}
}

// TestPlanBounded reads lines no two of which are spelled alike.
func TestPlanBounded(t *testing.T) {
	var plan Plan
	var b []byte
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 20_000 {
		b = append(b, `{"id":"a"`...)
		for range r.IntN(8) {
			b = fmt.Appendf(b, `,"k%d":"some text"`, r.IntN(1<<30))
		}
		b = fmt.Appendf(b, `,"last%d":%d}`+"\n", i, i)
	}
	followAll(t, &plan, b, 0)
	if len(plan.stops) > maxStops || len(plan.shapes) > maxShapes || plan.learned > firstTries+plan.hits/8+plan.misses/256 {
		t.Errorf("the plan has %d stops, %d shapes, of %d lines", len(plan.stops), len(plan.shapes), plan.learned)
	}
}
