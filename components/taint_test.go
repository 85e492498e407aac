package components

import (
	"go/ast"
	"go/token"
	"path"
	"strings"
)

// linter follows what agents wrote through the functions of these packages, from the fields of records
// to the places where a page prints a string as it is. It knows no types: names decide. A function is known
// as "package.Name", a method as ".Name", whatever its type.
type linter struct {
	fields  map[string]bool // that hold an agent's words
	funcs   map[string]function
	numbers map[string][]bool       // which parameters of a function are numbers, in all methods of one name
	params  map[string]map[int]bool // of functions that are given an agent's words
	returns map[string]bool         // functions that return them
	printed int
	report  func(at token.Pos, word string)
	in      *source // whose function is read
}

// source is a file: its package, and the last element of the path of each package that it imports, by its name there.
type source struct {
	pkg     string
	imports map[string]string
}

type function struct {
	decl *ast.FuncDecl
	in   *source
}

// methods of the records that return an agent's words.
var wordyMethods = map[string]bool{".DisplayName": true, ".Headline": true}

// clean are functions that isolate an agent's words or name their hidden characters, that choose
// or count words of ours, or that make data for the page's script.
var clean = map[string]bool{
	"agenttext.Text": true, "agenttext.Line": true, "agenttext.Whole": true, "agenttext.UpTo": true, "agenttext.Bytes": true, "agenttext.Plain": true, "agenttext.AsData": true,
	"ui.FieldValue": true, "agentpages.TextName": true, "recordviews.UnitName": true, ".ForAgent": true, "ui.RuleText": true, "ui.Instant": true, "ui.TypeWord": true,
	"ui.AskKind": true, "askpages.stepsWord": true, ".String": true, "len": true, "ui.AskedOf": true, "ui.RoleWord": true, "askpages.LiveAsk": true,
	"askpages.itemSign": true, "agentpages.missingHint": true, "recordviews.recordAt": true, "recordviews.recordWord": true, ".Place": true, "viewer.changeWord": true, "journal.Segment": true, "projectpages.numberOf": true, "agentpages.jobReason": true,
}

// raw are the functions through which a page prints what it is given.
func raw(name string) bool {
	return strings.HasPrefix(name, "templ.JoinStringErrs") || strings.HasPrefix(name, "templ.JoinURLErrs") || name == "templ.Raw" || name == "templ.SafeURL"
}

// lint reports every expression that is printed and may hold an agent's words.
func lint(files []*ast.File, fields map[string]bool, report func(at token.Pos, word string)) (printed int) {
	l := &linter{fields: fields, funcs: map[string]function{}, numbers: map[string][]bool{}, params: map[string]map[int]bool{}, returns: map[string]bool{}}
	for _, file := range files {
		in := &source{pkg: file.Name.Name, imports: map[string]string{}}
		for _, i := range file.Imports {
			at := path.Base(strings.Trim(i.Path.Value, `"`))
			name := at
			if i.Name != nil {
				name = i.Name.Name
			}
			in.imports[name] = at
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				name := in.pkg + "." + f.Name.Name
				if f.Recv != nil {
					name = "." + f.Name.Name
				}
				l.counted(name, f)
				l.funcs[name] = function{f, in}
			}
		}
	}
	for before := -1; before != l.size(); { // until nothing new is learnt
		before = l.size()
		for name := range l.funcs {
			l.follow(name)
		}
	}
	l.report = report
	for name := range l.funcs {
		l.follow(name)
	}
	return l.printed
}

func (l *linter) size() int {
	n := len(l.returns)
	for _, p := range l.params {
		n += len(p)
	}
	return n
}

// called is the name of what is called, as l.funcs has it; of a function elsewhere "package.Name", of one of the language its name.
func (l *linter) called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		if name := l.in.pkg + "." + f.Name; l.funcs[name].decl != nil {
			return name
		}
		return f.Name
	case *ast.IndexExpr: // with a type's name
		return l.called(&ast.CallExpr{Fun: f.X})
	case *ast.SelectorExpr:
		if from, ok := f.X.(*ast.Ident); ok && l.in.imports[from.Name] != "" {
			return l.in.imports[from.Name] + "." + f.Sel.Name
		}
		return "." + f.Sel.Name
	}
	return ""
}

// follow reads one function: which of its names hold an agent's words, and where they go. Whether
// it returns such words is asked for innocent arguments: those of a call are judged at the call.
func (l *linter) follow(name string) {
	f := l.funcs[name].decl
	l.in = l.funcs[name].in
	if !clean[name] && returnsText(f) {
		innocent := l.held(f, nil)
		ast.Inspect(f.Body, func(n ast.Node) bool {
			if n, ok := n.(*ast.ReturnStmt); ok {
				for _, result := range n.Results {
					if len(l.words(result, innocent)) > 0 {
						l.returns[name] = true
					}
				}
			}
			return true
		})
	}
	held := l.held(f, l.params[name])
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if n, ok := n.(*ast.CallExpr); ok {
			l.call(n, held)
		}
		return true
	})
}

// held are the names in a function that hold an agent's words, when some parameters do.
func (l *linter) held(f *ast.FuncDecl, given map[int]bool) map[string]bool {
	held := map[string]bool{}
	at := 0
	for _, field := range f.Type.Params.List {
		for _, param := range field.Names {
			if given[at] && wordy(field.Type) {
				held[param.Name] = true
			}
			at++
		}
	}
	for before := -1; before != len(held); {
		before = len(held)
		ast.Inspect(f.Body, func(n ast.Node) bool { l.assign(n, held); return true })
	}
	return held
}

// wordy reports whether a parameter's type can be printed: strings, and lists of them.
func wordy(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "string" || e.Name == "any"
	case *ast.ArrayType:
		return wordy(e.Elt)
	case *ast.Ellipsis:
		return wordy(e.Elt)
	}
	return false
}

// counted notes which parameters of a function are numbers: no words come through them, whatever the name of
// a field that is given. Where functions share a name, all of them must agree.
func (l *linter) counted(name string, f *ast.FuncDecl) {
	var list []bool
	for _, field := range f.Type.Params.List {
		id, _ := field.Type.(*ast.Ident)
		for range max(1, len(field.Names)) {
			list = append(list, id != nil && (id.Name == "int" || id.Name == "int64"))
		}
	}
	if before, ok := l.numbers[name]; ok {
		for i := range list {
			list[i] = list[i] && i < len(before) && before[i]
		}
	}
	l.numbers[name] = list
}

// number reports whether an argument of a call is a number for certain.
func (l *linter) number(call *ast.CallExpr, i int) bool {
	list := l.numbers[l.called(call)]
	return i < len(list) && list[i]
}

func returnsText(f *ast.FuncDecl) bool {
	if f.Type.Results == nil {
		return false
	}
	for _, r := range f.Type.Results.List {
		if wordy(r.Type) {
			return true
		}
	}
	return false
}

// assign learns names from assignments and loops.
func (l *linter) assign(n ast.Node, held map[string]bool) {
	hold := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok && id.Name != "_" {
			held[id.Name] = true
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, value := range n.Rhs {
			if len(l.words(value, held)) == 0 {
				continue
			}
			if len(n.Rhs) == len(n.Lhs) {
				hold(n.Lhs[i])
				continue
			}
			for _, target := range n.Lhs {
				hold(target)
			}
		}
	case *ast.RangeStmt:
		if n.Value != nil && len(l.words(n.X, held)) > 0 {
			hold(n.Value)
		}
	}
}

// call passes words on to the parameters of a function, and reports those that are printed.
func (l *linter) call(call *ast.CallExpr, held map[string]bool) {
	name := l.called(call)
	if raw(name) {
		if l.report == nil {
			return
		}
		l.printed++
		for _, arg := range call.Args {
			for _, word := range l.words(arg, held) {
				l.report(call.Pos(), word)
			}
		}
		return
	}
	if l.funcs[name].decl == nil {
		return
	}
	for i, arg := range call.Args {
		if len(l.words(arg, held)) > 0 {
			if l.params[name] == nil {
				l.params[name] = map[int]bool{}
			}
			l.params[name][i] = true
		}
	}
}

// words lists what in an expression an agent may have written.
func (l *linter) words(e ast.Expr, held map[string]bool) []string {
	var out []string
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			name := l.called(n)
			if clean[name] {
				return false
			}
			if wordyMethods[name] {
				out = append(out, name)
			} else if l.returns[name] && !strings.HasPrefix(name, ".") {
				out = append(out, name)
			}
			for i, arg := range n.Args {
				if !l.number(n, i) {
					out = append(out, l.words(arg, held)...)
				}
			}
			if f, ok := n.Fun.(*ast.SelectorExpr); ok {
				out = append(out, l.words(f.X, held)...)
			}
			return false
		case *ast.BinaryExpr:
			return n.Op == token.ADD
		case *ast.KeyValueExpr:
			out = append(out, l.words(n.Value, held)...)
			return false
		case *ast.SelectorExpr:
			if from, ok := n.X.(*ast.Ident); ok && printed[from.Name+"."+n.Sel.Name] {
				return false
			}
			if l.fields[n.Sel.Name] {
				out = append(out, n.Sel.Name)
			}
			_, call := n.X.(*ast.CallExpr)
			return call
		case *ast.IndexExpr:
			out = append(out, l.words(n.X, held)...)
			return false
		case *ast.Ident:
			if held[n.Name] {
				out = append(out, n.Name)
			}
		}
		return true
	})
	return out
}
