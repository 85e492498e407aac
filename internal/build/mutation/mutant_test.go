package main

import (
	"slices"
	"testing"
)

func TestMutants(t *testing.T) {
	const head = "package p\n\nfunc f(a, b int, ok bool, err error) (bool, error) {\n"
	for line, want := range map[string][]string{
		"if a < b {}":                {"< <=", "< >="},
		"if a == b && ok {}":         {"&& ||", "== !=", "ok !(ok)"},
		"if !ok {}":                  {"! "},
		"a += b * 2":                 {"* /", "+= -="},
		"for ok { a++ }":             {"++ --", "ok !(ok)"},
		"return true, err":           {"err nil", "true false"},
		`_ = "x" + g() + "y"`:        nil, // text has no other operator
		"const c = 1 + 2":            nil, // the tests that use a constant hold it
		"switch { case ok, a > b: }": {"> <=", "> >=", "ok !(ok)"},
	} {
		all, err := mutants("p.go", []byte(head+line+"\nreturn g()\n}\n"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range all {
			got = append(got, m.old+" "+m.new)
			if m.line != 4 {
				t.Errorf("%s: a change of line %d", line, m.line)
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// A change is run where a block that ran holds it, and where no block does.
func TestProfileHas(t *testing.T) {
	p := profile{"p.go": {{1, 5, 3, 2, true}, {3, 2, 4, 9, false}, {2, 1, 2, 4, false}}}
	for at, want := range map[[2]int]bool{{1, 4}: true, {1, 5}: true, {2, 2}: true, {3, 1}: true, {3, 2}: false, {4, 8}: false, {4, 9}: true, {9, 1}: true} {
		if got := p.has(mutant{file: "d/p.go", line: at[0], col: at[1]}); got != want {
			t.Errorf("has(%v) = %v, want %v", at, got, want)
		}
	}
}
