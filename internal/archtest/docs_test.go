package archtest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"
	"testing"
)

func TestDocuments(t *testing.T) {
	files := kept(t)
	for _, doc := range []struct {
		name  string
		lines int // 0: any
		says  []string
	}{
		{"README.md", 120, []string{"make run", "make test", "docs/inspector.png", "ARCHITECTURE.md", "SECURITY.md"}},
		{"ARCHITECTURE.md", 250, []string{"figs/jsonl", "internal/archtest"}},
		{"CONTRIBUTING.md", 0, []string{"make check", "Add a rule", "Add a page", "Add a vector", "Add an attack"}},
		{"SECURITY.md", 0, []string{"Report"}},
		{"CHANGELOG.md", 0, []string{"Unreleased"}},
		{"LICENSE", 0, []string{"MIT License"}},
	} {
		data, ok := files[doc.name]
		if !ok {
			t.Errorf("%s is missing: every one of these documents is there from the first day", doc.name)
			continue
		}
		if lines := bytes.Count(data, []byte("\n")); doc.lines > 0 && lines > doc.lines {
			t.Errorf("%s has %d lines, at most %d: what does not fit is not the first thing to know", doc.name, lines, doc.lines)
		}
		for _, text := range doc.says {
			if !bytes.Contains(data, []byte(text)) {
				t.Errorf("%s does not mention %q", doc.name, text)
			}
		}
	}
}

// TestDocumentsPointToWhatIsThere follows every relative link of the documents.
func TestDocumentsPointToWhatIsThere(t *testing.T) {
	files := kept(t)
	folders := map[string]bool{}
	for name := range files {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	for name, data := range files {
		if path.Ext(name) != ".md" || strings.Contains(name, "/testdata/") || strings.Contains(name, ".figs/") {
			continue
		}
		for _, link := range links(string(data)) {
			target := path.Join(path.Dir(name), link)
			if files[target] == nil && !folders[target] {
				t.Errorf("%s points to %s, which is not there", name, link)
			}
		}
	}
	if got := strings.Join(links("[a](b.md#c) ![d](e.png) [f](https://g) [h](#i)"), " "); got != "b.md e.png" {
		t.Errorf("links = %q, want b.md e.png", got)
	}
}

// links returns the relative targets of a Markdown text's links and pictures.
func links(text string) []string {
	var found []string
	for _, part := range strings.Split(text, "](")[1:] {
		target, _, _ := strings.Cut(part, ")")
		target, _, _ = strings.Cut(target, "#")
		if target != "" && !strings.Contains(target, ":") && !strings.ContainsAny(target, " <>") {
			found = append(found, target)
		}
	}
	return found
}

func TestPackagesAndExportsHaveComments(t *testing.T) {
	documented, seen := map[string]bool{}, map[string]bool{}
	for name, data := range kept(t) {
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_templ.go") ||
			strings.Contains(name, "/testdata/") || strings.HasPrefix(name, "tools/") {
			continue
		}
		file, fileSet := parse(t, name, data)
		dir := path.Dir(name)
		seen[dir] = true
		documented[dir] = documented[dir] || file.Doc != nil
		if strings.HasPrefix(name, "figs/") {
			for _, decl := range undocumented(file) {
				t.Errorf("%s: exported %s has no comment: say its contract, its units and the section of the protocol", fileSet.Position(decl.pos), decl.name)
			}
		}
	}
	for dir := range seen {
		if !documented[dir] {
			t.Errorf("package %s has no comment: say what it is for in one of its files", dir)
		}
	}
}

func parse(t *testing.T, name string, data []byte) (*ast.File, *token.FileSet) {
	t.Helper()
	fileSet := token.NewFileSet()
	file, err := parser.ParseFile(fileSet, name, data, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return file, fileSet
}

type declared struct {
	name string
	pos  token.Pos
}

// undocumented lists a file's exported functions, methods of exported types, types, constants and variables without a
// comment. A comment on a group, or behind a value on its line, counts; the constants of a named type are covered by
// the type's comment, and Error, String and Unwrap say what they are.
func undocumented(file *ast.File) []declared {
	var found []declared
	add := func(name *ast.Ident, docs ...*ast.CommentGroup) {
		for _, doc := range docs {
			if doc != nil {
				return
			}
		}
		if name.IsExported() {
			found = append(found, declared{name.Name, name.Pos()})
		}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if receiverExported(decl) && !(decl.Recv != nil && strings.Contains(" Error String Unwrap ", " "+decl.Name.Name+" ")) {
				add(decl.Name, decl.Doc)
			}
		case *ast.GenDecl:
			if typedConstants(decl) {
				continue
			}
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name, spec.Doc, spec.Comment, decl.Doc)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						add(name, spec.Doc, spec.Comment, decl.Doc)
					}
				}
			}
		}
	}
	return found
}

func typedConstants(decl *ast.GenDecl) bool {
	if decl.Tok != token.CONST || len(decl.Specs) == 0 {
		return false
	}
	_, named := decl.Specs[0].(*ast.ValueSpec).Type.(*ast.Ident)
	return named
}

func receiverExported(decl *ast.FuncDecl) bool {
	if decl.Recv == nil {
		return true
	}
	kind := decl.Recv.List[0].Type
	if star, ok := kind.(*ast.StarExpr); ok {
		kind = star.X
	}
	if generic, ok := kind.(*ast.IndexExpr); ok {
		kind = generic.X
	}
	name, ok := kind.(*ast.Ident)
	return !ok || name.IsExported()
}

func TestUndocumented(t *testing.T) {
	const source = `package p
func Bare() {}
// Said is.
func Said() {}
func (q) Hidden() {}
func (*Q) Method() {}
type Q struct{}
// Group.
const (
	A = 1
)
var (
	B = 2
	C = 3 // said
	d = 4
)
const (
	E Q = iota
	F
)
func (Q) String() string { return "" }
`
	file, _ := parse(t, "p.go", []byte(source))
	var names []string
	for _, decl := range undocumented(file) {
		names = append(names, decl.name)
	}
	if got, want := strings.Join(names, " "), "Bare Method Q B"; got != want {
		t.Errorf("undocumented = %q, want %q", got, want)
	}
}
