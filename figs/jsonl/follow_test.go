package jsonl_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/figs-web/figs-web/figs/figstest"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// followAll reads b twice, line by line, and holds what Follow says to what Scan says. It returns how many lines were followed.
func followAll(t *testing.T, plan *jsonl.Plan, b []byte, fixed uint64) (followed int) {
	t.Helper()
	var s, scan jsonl.Scanner
	safe := bytes.LastIndexByte(b[:max(0, len(b)-jsonl.Slack)], '\n')
	for i := 0; i < len(b); {
		want := scan.Scan(b, i)
		var ln jsonl.Line
		ok := false
		if i <= safe {
			if _, ok = s.Follow(&ln, plan, b, i); ok {
				followed++
				sameLine(t, b, &s, ln, &scan, want)
			}
		}
		if !ok {
			if ln = s.Scan(b, i); ln.Status == jsonl.Whole {
				s.Learn(plan, b, i, ln, fixed)
			}
		}
		i = want.Next
	}
	return followed
}

func sameLine(t *testing.T, b []byte, s *jsonl.Scanner, ln jsonl.Line, scan *jsonl.Scanner, want jsonl.Line) {
	t.Helper()
	text := b[want.Start:want.End]
	odd := bytes.ContainsFunc(text, func(r rune) bool { return r >= 0x7F })
	if odd && !ln.NonASCII {
		t.Fatalf("%q: NonASCII is false", text)
	}
	if !odd && !ln.Escaped && !ln.Stray && strays(jsonl.Value{Kind: jsonl.Object, Raw: text}) {
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
		var c, w jsonl.Cursor
		s.Walk(&c, b, j)
		scan.Walk(&w, b, j)
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

// strays is the plain way to tell Line.Stray of a value in ASCII without escapes.
func strays(v jsonl.Value) bool {
	if v.Kind == jsonl.String {
		return slices.ContainsFunc([]string{`",`, `".`, " ,", " .", "(,", "(.", "[,", "[.", "{,", "{."}, func(s string) bool {
			return bytes.Contains(v.Raw[:len(v.Raw)-1], []byte(s))
		})
	}
	for c := jsonl.Walk(v); c.Next(); {
		if strays(c.Value) {
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
		b := append([]byte(text), bytes.Repeat([]byte(" "), jsonl.Slack)...)
		if followAll(t, new(jsonl.Plan), append(b, '\n'), 2) == 0 {
			t.Errorf("no line was followed of %s", text)
		}
	}
}

// FuzzFollow holds Follow to Scan: a line that is followed has the same text, the same members, and the same elements in these.
// The ledger is read three times over by one plan, the last two times with edits that seed chooses.
func FuzzFollow(f *testing.F) {
	for v := range figstest.Vectors() {
		for _, b := range v.Files {
			if len(b) < 64<<10 {
				f.Add(b, uint64(len(b)), uint64(2))
			}
		}
	}
	for i, text := range lines {
		f.Add([]byte(text), uint64(i), uint64(i))
	}
	f.Fuzz(func(t *testing.T, b []byte, seed, fixed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		var plan jsonl.Plan
		followAll(t, &plan, append(bytes.Clone(b), '\n'), fixed)
		for range 2 {
			edited := bytes.Clone(b)
			for range r.IntN(4) {
				edited = edit(r, edited)
			}
			edited = append(append(edited, '\n'), bytes.Repeat([]byte(" "), jsonl.Slack)...)
			followAll(t, &plan, append(edited, '\n'), fixed)
		}
	})
}

// edit puts something into b that a scanner may stumble over.
func edit(r *rand.Rand, b []byte) []byte {
	bits := []string{`"`, `\`, `\n`, `\u00e9`, `\ud83d\ude00`, `\u12`, `,`, ` .00`, "\x7f", "é", "—", "\xff", "{", "}", "[]", ":", "\n", "\r\n", "\t", "\x01", " ", `""`, "null", "-1.5e3", "01", `"a":"b",`}
	at := r.IntN(len(b) + 1)
	rest := b[at:]
	if r.IntN(3) == 0 {
		rest = rest[min(len(rest), r.IntN(4)):]
	}
	return append(append(bytes.Clone(b[:at]), bits[r.IntN(len(bits))]...), rest...)
}
