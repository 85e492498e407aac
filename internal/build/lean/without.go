package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
)

// unit is one top-level declaration.
type unit struct {
	file    string
	node    ast.Node
	from    token.Pos // where it starts, its comment included
	names   []string  // what it declares
	of      string    // the type that a method belongs to; "" for everything else
	dropped bool
}

// without returns the files that change when every declaration is left out that mentions a dropped import, or mentions what
// was left out itself. The rest of each file stays as it is, but for imports that nothing uses any more.
func without(files map[string][]byte, drop []string) (map[string][]byte, error) {
	set := token.NewFileSet()
	parsed := map[string]*ast.File{}
	var units []*unit
	for name, text := range files {
		f, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed[name] = f
		units = append(units, unitsOf(name, f)...)
	}
	gone := map[string]bool{}
	for _, u := range units {
		if slices.ContainsFunc(drop, func(path string) bool { return mentions(u.node, importName(parsed[u.file], path)) }) {
			u.leaveOut(gone)
		}
	}
	for again := true; again; {
		again = false
		for _, u := range units {
			if !u.dropped && (gone[u.of] || refers(u.node, gone)) {
				u.leaveOut(gone)
				again = true
			}
		}
	}
	changed := map[string][]byte{}
	for name, f := range parsed {
		text, err := rewrite(set, name, files[name], f, units)
		if err != nil {
			return nil, err
		}
		if text != nil {
			changed[name] = text
		}
	}
	return changed, nil
}

func (u *unit) leaveOut(gone map[string]bool) {
	u.dropped = true
	for _, name := range u.names {
		gone[name] = true
	}
}

// unitsOf lists the declarations of a file; each of a group stands for itself.
func unitsOf(name string, f *ast.File) []*unit {
	var units []*unit
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			u := &unit{file: name, node: d, from: start(d.Pos(), d.Doc)}
			if d.Recv == nil && d.Name.Name != "init" { // which nothing can name, and any number may have
				u.names = []string{d.Name.Name}
			} else if d.Recv != nil {
				u.of = receiver(d.Recv.List[0].Type)
			}
			units = append(units, u)
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				continue
			}
			if !d.Lparen.IsValid() {
				units = append(units, &unit{file: name, node: d, from: start(d.Pos(), d.Doc), names: declared(d.Specs[0])})
				continue
			}
			for _, s := range d.Specs {
				units = append(units, &unit{file: name, node: s, from: start(s.Pos(), comment(s)), names: declared(s)})
			}
		}
	}
	return units
}

func start(pos token.Pos, doc *ast.CommentGroup) token.Pos {
	if doc != nil {
		return doc.Pos()
	}
	return pos
}

func comment(s ast.Spec) *ast.CommentGroup {
	switch s := s.(type) {
	case *ast.ValueSpec:
		return s.Doc
	case *ast.TypeSpec:
		return s.Doc
	}
	return nil
}

func declared(s ast.Spec) []string {
	switch s := s.(type) {
	case *ast.TypeSpec:
		return []string{s.Name.Name}
	case *ast.ValueSpec:
		var names []string
		for _, n := range s.Names {
			if n.Name != "_" {
				names = append(names, n.Name)
			}
		}
		return names
	}
	return nil
}

// receiver is the name of a method's type, without its star and parameters.
func receiver(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// importName is what a file calls an import; "" when it has none of it.
func importName(f *ast.File, want string) string {
	for _, i := range f.Imports {
		if p, _ := strconv.Unquote(i.Path.Value); p == want {
			if i.Name != nil {
				return i.Name.Name
			}
			return path.Base(p)
		}
	}
	return ""
}

// mentions reports whether something of a package is used.
func mentions(n ast.Node, pkg string) bool {
	if pkg == "" {
		return false
	}
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == pkg {
				found = true
			}
		}
		return !found
	})
	return found
}

// refers reports whether one of the names is used, fields and methods of other things aside.
func refers(n ast.Node, names map[string]bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			found = found || refers(n.X, names)
			return false
		case *ast.Field:
			found = found || refers(n.Type, names)
			return false
		case *ast.Ident:
			found = found || names[n.Name]
		}
		return !found
	})
	return found
}

// rewrite returns a file without what was left out of it; nil when it loses nothing.
func rewrite(set *token.FileSet, name string, text []byte, f *ast.File, units []*unit) ([]byte, error) {
	text = bytes.Clone(text)
	lost := false
	blank := func(from, to token.Pos) {
		for i := set.Position(from).Offset; i < set.Position(to).Offset; i++ {
			if text[i] != '\n' {
				text[i] = ' ' // lines keep their numbers
			}
		}
		lost = true
	}
	for _, u := range units {
		if u.file == name && u.dropped {
			blank(u.from, u.node.End())
		}
	}
	for _, i := range f.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return nil, err
		}
		used := func(u *unit) bool { return u.file == name && !u.dropped && mentions(u.node, importName(f, p)) }
		if i.Name != nil && (i.Name.Name == "_" || i.Name.Name == ".") || slices.ContainsFunc(units, used) {
			continue
		}
		blank(i.Pos(), i.End())
	}
	if !lost {
		return nil, nil
	}
	if _, err := parser.ParseFile(token.NewFileSet(), name, text, 0); err != nil {
		return nil, fmt.Errorf("what is left of %s is no Go: %w", name, err)
	}
	return text, nil
}
