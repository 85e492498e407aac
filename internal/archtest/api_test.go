package archtest

import (
	"errors"
	"flag"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/testenv"
)

var updateAPI = flag.Bool("update-api", false, "write api/figs.txt")

// TestAPI compares what the packages below figs export, which other modules import, with the list in api/figs.txt.
func TestAPI(t *testing.T) {
	file := filepath.Join(testenv.Root(t), "api", "figs.txt")
	var got []string
	for _, p := range publicPackages(t) {
		lines, foreign := exported(p)
		got = append(got, lines...)
		for _, sentence := range foreign {
			t.Error(sentence)
		}
	}
	slices.Sort(got)
	if *updateAPI {
		if err := os.WriteFile(file, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(data)), "\n")
	const update = "go test ./internal/archtest -run TestAPI -update-api"
	for _, line := range want {
		if !slices.Contains(got, line) {
			t.Errorf("no longer exported: %s\n\tThis breaks programs that use it. If it's meant, run %s and add a line to CHANGELOG.md.", line, update)
		}
	}
	for _, line := range got {
		if !slices.Contains(want, line) {
			t.Errorf("newly exported: %s\n\tPrograms will rely on it. If it's meant, run %s.", line, update)
		}
	}
}

// publicPackages loads the packages below figs from what the compiler exports.
func publicPackages(t *testing.T) []*types.Package {
	t.Helper()
	root := testenv.Root(t)
	if err := fs.WalkDir(os.DirFS(root), "figs", func(name string, e fs.DirEntry, err error) error { // so that go test notices changes
		if err == nil && strings.HasSuffix(name, ".go") {
			_, err = os.ReadFile(filepath.Join(root, name))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", "./figs/...")
	cmd.Dir = root
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	exports := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		path, export, _ := strings.Cut(line, "\t")
		exports[path] = export
	}
	load := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, errors.New("go list names no export data of " + path)
		}
		return os.Open(exports[path])
	})
	var packages []*types.Package
	for path := range exports {
		if !matches("figs/...", rel(path)) {
			continue
		}
		p, err := load.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	if len(packages) < 6 {
		t.Fatalf("%d packages are below figs, want 6 or more", len(packages))
	}
	return packages
}

// exported lists what a package exports, one line each, and says which of it needs types that importers can't name.
func exported(p *types.Package) (lines, foreign []string) {
	name := func(other *types.Package) string {
		if other == p {
			return ""
		}
		return rel(other.Path())
	}
	add := func(o types.Object, format string, args ...any) {
		line := "pkg " + rel(p.Path()) + ", " + fmt.Sprintf(format, args...)
		lines = append(lines, line)
		if hidden := hiddenIn(o.Type(), map[types.Type]bool{}); hidden != "" {
			foreign = append(foreign, line+"\n\tuses "+hidden+", which importers can't name")
		}
	}
	for _, id := range p.Scope().Names() {
		o := p.Scope().Lookup(id)
		if !o.Exported() {
			continue
		}
		switch o := o.(type) {
		case *types.Const:
			add(o, "const %s %s", id, types.TypeString(o.Type(), name))
		case *types.Var:
			add(o, "var %s %s", id, types.TypeString(o.Type(), name))
		case *types.Func:
			add(o, "func %s%s", id, strings.TrimPrefix(types.TypeString(o.Type(), name), "func"))
		case *types.TypeName:
			addType(o, name, add)
		}
	}
	return lines, foreign
}

func addType(o *types.TypeName, name types.Qualifier, add func(types.Object, string, ...any)) {
	under := o.Type().Underlying()
	s, isStruct := under.(*types.Struct)
	if !isStruct {
		add(o, "type %s %s", o.Name(), types.TypeString(under, name))
	} else {
		add(types.NewTypeName(token.NoPos, nil, "", types.Typ[types.Int]), "type %s struct", o.Name())
		for i := range s.NumFields() {
			if f := s.Field(i); f.Exported() {
				add(f, "type %s struct, %s %s", o.Name(), f.Name(), types.TypeString(f.Type(), name))
			}
		}
	}
	named, ok := o.Type().(*types.Named)
	if !ok {
		return
	}
	for i := range named.NumMethods() {
		m := named.Method(i)
		if !m.Exported() {
			continue
		}
		receiver := types.TypeString(m.Signature().Recv().Type(), name)
		add(m, "method (%s) %s%s", receiver, m.Name(), strings.TrimPrefix(types.TypeString(m.Type(), name), "func"))
	}
}

// hiddenIn names a type of ours inside another that other modules can't name; "" if there is none. The insides of a named
// type are its own matter.
func hiddenIn(t types.Type, seen map[types.Type]bool) string {
	if seen[t] {
		return ""
	}
	seen[t] = true
	any := func(all ...types.Type) string {
		for _, t := range all {
			if hidden := hiddenIn(t, seen); hidden != "" {
				return hidden
			}
		}
		return ""
	}
	tuple := func(list *types.Tuple) (all []types.Type) {
		for i := range list.Len() {
			all = append(all, list.At(i).Type())
		}
		return all
	}
	switch t := t.(type) {
	case *types.Named:
		o := t.Obj()
		if o.Pkg() != nil && ours(o.Pkg().Path()) && (!o.Exported() || !matches("figs/...", rel(o.Pkg().Path()))) {
			return o.Pkg().Path() + "." + o.Name()
		}
		for i := range t.TypeArgs().Len() {
			if hidden := hiddenIn(t.TypeArgs().At(i), seen); hidden != "" {
				return hidden
			}
		}
	case *types.Pointer:
		return any(t.Elem())
	case *types.Slice:
		return any(t.Elem())
	case *types.Array:
		return any(t.Elem())
	case *types.Chan:
		return any(t.Elem())
	case *types.Map:
		return any(t.Key(), t.Elem())
	case *types.Signature:
		return any(slices.Concat(tuple(t.Params()), tuple(t.Results()))...)
	case *types.Struct:
		for i := range t.NumFields() {
			if f := t.Field(i); f.Exported() {
				if hidden := any(f.Type()); hidden != "" {
					return hidden
				}
			}
		}
	}
	return ""
}

func TestHiddenIn(t *testing.T) {
	named := func(path, name string) types.Type {
		return types.NewNamed(types.NewTypeName(token.NoPos, types.NewPackage(module+"/"+path, "p"), name, nil), types.Typ[types.Int], nil)
	}
	for _, test := range []struct {
		t    types.Type
		want string
	}{
		{named("figs", "Folder"), ""},
		{types.NewSlice(types.NewPointer(named("internal/x", "T"))), module + "/internal/x.T"},
		{types.NewMap(types.Typ[types.String], named("figs", "folder")), module + "/figs.folder"},
		{types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewVar(token.NoPos, nil, "", named("sandbox", "Result"))), nil, false), module + "/sandbox.Result"},
	} {
		if got := hiddenIn(test.t, map[types.Type]bool{}); got != test.want {
			t.Errorf("hiddenIn(%v) = %q, want %q", test.t, got, test.want)
		}
	}
}
