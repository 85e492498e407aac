package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// module is where this program's packages have their addresses.
const module = "github.com/figs-web/figs-web"

// roots are the packages that show sentences to people, or hold some that others show; what they
// need of the module is read with them.
var roots = []string{"./components", "./handlers", "./internal/cli", "./internal/inspector", "./wasm/reader/pages"}

// listed is a package as `go list` knows it.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Module                  *struct{ Path string }
}

// code is the module's packages with their types, those first that others need.
type code struct {
	fset  *token.FileSet
	files []*ast.File
	info  *types.Info
	own   map[string]*types.Package
	root  string // the folder that positions are said from
}

// load reads and checks the packages below the folder.
func load(root string) (*code, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	packages, err := list(root)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
	}
	c := &code{fset: token.NewFileSet(), own: map[string]*types.Package{}, root: root, info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{},
	}}
	others := importer.ForCompiler(c.fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("%s was not built", path)
		}
		return os.Open(exports[path])
	})
	config := types.Config{Importer: both{c.own, others}}
	for _, p := range packages {
		if p.Module == nil || p.Module.Path != module {
			continue
		}
		if err := c.check(&config, p); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// list asks the go command for the packages and all that they need, in the order of need.
func list(root string) ([]listed, error) {
	cmd := exec.Command("go", append([]string{"list", "-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles,Module"}, roots...)...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var packages []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
}

func (c *code) check(config *types.Config, p listed) error {
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(c.fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	checked, err := config.Check(p.ImportPath, c.fset, files, c.info)
	if err != nil {
		return err
	}
	c.own[p.ImportPath] = checked
	c.files = append(c.files, files...)
	return nil
}

// both takes the module's packages from source, so that one object is the same everywhere, and
// all others as they were built.
type both struct {
	own    map[string]*types.Package
	others types.Importer
}

func (b both) Import(path string) (*types.Package, error) {
	if p := b.own[path]; p != nil {
		return p, nil
	}
	return b.others.Import(path)
}

// place is where something stands, as people write it: "components/i18n/sentence.go:23".
func (c *code) place(at token.Pos) string {
	p := c.fset.Position(at)
	name, err := filepath.Rel(c.root, p.Filename)
	if err != nil {
		name = p.Filename
	}
	return fmt.Sprintf("%s:%d", filepath.ToSlash(name), p.Line)
}
