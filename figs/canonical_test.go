package figs_test

import (
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// FuzzSameValue holds SameValue to the canonical bytes of two values, and those of an object to its fields'.
func FuzzSameValue(f *testing.F) {
	for _, pair := range [][2]string{
		{`"a"`, `"\u0061"`}, {`"\ud83d"`, `"\ude00"`}, {`"\ud83d\ude00"`, `"😀"`}, {"\"\xff\"", "\"\xfe\""}, {`"\u2028"`, "\"\u2028\""},
		{`[1,"a"]`, `[1, "a"]`}, {`[1]`, `[1,2]`}, {`{"l":"a","v":"b"}`, `{"v":"b","l":"a"}`}, {`{"a":1,"a":2}`, `{"a":2}`},
		{`{"a":1,"b":{"c":[]}}`, `{"b":{"c":[]},"\u0061":1}`}, {`{"ab":1,"a":2,"a!":3}`, `{"a":2,"a!":3,"ab":1}`}, {`1`, `1.0`}, {`null`, `false`},
	} {
		f.Add([]byte(pair[0]), []byte(pair[1]))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		v, _, ok := jsonl.Parse(a)
		w, _, also := jsonl.Parse(b)
		if !ok || !also || len(a)+len(b) > 4096 {
			return
		}
		one, two := figs.AppendCanonical(nil, v), figs.AppendCanonical(nil, w)
		if same := figs.SameValue(v, w); same != (string(one) == string(two)) {
			t.Fatalf("SameValue(%q, %q) = %v; canonical they are %q and %q", v.Raw, w.Raw, same, one, two)
		}
		if !figs.SameValue(v, v) {
			t.Fatalf("%q is not the same as itself", v.Raw)
		}
		if v.Kind == jsonl.Object {
			if plain := figs.AppendCanonicalObject(nil, figs.Fold([][]byte{v.Raw})); string(plain) != string(one) {
				t.Fatalf("%q is canonical as %q, by its fields %q", v.Raw, one, plain)
			}
		}
	})
}
