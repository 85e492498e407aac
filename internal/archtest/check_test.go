package archtest

import (
	"slices"
	"strings"
	"testing"
)

// TestCheck proves that the table bites: each case breaks one rule in an invented house.
func TestCheck(t *testing.T) {
	table := []room{
		{path: "core", never: []string{"time", "encoding/...", anyDependency}, why: "small"},
		{path: "page/...", may: []string{"core", "example.com/views/..."}, never: []string{"base"}, why: "pure"},
		{path: "base", may: []string{"example.com/driver"}, why: "kept"},
		{path: "cmd/tool", may: []string{"core", "page/...", "base"}, why: "wiring"},
	}
	std := func(path string, imports ...string) pkg {
		return pkg{ImportPath: path, Standard: true, Imports: imports}
	}
	own := func(path string, imports ...string) pkg {
		for i, name := range imports {
			if slices.Contains([]string{"core", "base", "page/a", "page/b", "cmd/tool"}, name) {
				imports[i] = module + "/" + name
			}
		}
		return pkg{ImportPath: module + "/" + path, Imports: imports}
	}
	tests := []struct {
		name  string
		house []pkg // the first is checked
		want  string
	}{
		{"allowed", []pkg{own("page/a", "core", "page/b", "strings", "example.com/views/html"), own("core"), own("page/b"), std("strings"), {ImportPath: "example.com/views/html"}}, ""},
		{"no_row", []pkg{own("attic")}, "attic has no row"},
		{"third_party_not_in_row", []pkg{own("base", "example.com/views"), {ImportPath: "example.com/views"}}, "base imports example.com/views, which its row does not allow: kept"},
		{"room_not_in_row", []pkg{own("base", "page/a"), own("page/a")}, "base imports page/a, which its row does not allow"},
		{"standard_library_ruled_out", []pkg{own("core", "time"), std("time")}, `core reaches time (core → time), which its row rules out by "time": small`},
		{"indirectly", []pkg{own("core", "log"), std("log", "bytes", "encoding/json"), std("bytes"), std("encoding/json")}, "core reaches encoding/json (core → log → encoding/json)"},
		{"any_dependency", []pkg{own("core", "example.com/driver"), {ImportPath: "example.com/driver"}}, `rules out by "third parties"`},
		{"through_a_neighbour", []pkg{own("page/a", "page/b"), own("page/b", "base"), own("base")}, "page/a reaches base (page/a → page/b → base)"},
		{"a_program_is_not_imported", []pkg{own("base", "cmd/tool"), own("cmd/tool")}, "nothing imports a program"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := graph{}
			for _, p := range test.house {
				g[p.ImportPath] = p
			}
			first := test.house[0]
			for reached := []string{first.ImportPath}; len(reached) > 0; reached = reached[1:] {
				for _, next := range g[reached[0]].Imports {
					if !slices.Contains(first.Deps, next) {
						first.Deps = append(first.Deps, next)
						reached = append(reached, next)
					}
				}
			}
			got := strings.Join(g.check(table, first), "\n")
			if test.want == "" && got != "" || !strings.Contains(got, test.want) {
				t.Errorf("check(%s) = %q, want %q", rel(first.ImportPath), got, test.want)
			}
		})
	}
}
