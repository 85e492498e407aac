package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// follower goes from where a sentence is said back to where it stands.
type follower struct {
	*index
	found map[string][]token.Pos // English, and where it stands
	lost  map[token.Pos]string   // where the way back ended, and why
	seen  map[string]bool

	cutting map[*ast.CallExpr]bool // calls that cut what is being followed: what is cut may be cut again

	keep   func(english string) string // what is noted of what was found; nil: all of it
	parts  *follower                   // of what sentences with values are made of; nil: such sentences are lost
	filled *follower                   // of the sentences that kind.Fill fills in
}

func newFollower(x *index) *follower {
	return &follower{index: x, found: map[string][]token.Pos{}, lost: map[token.Pos]string{}, seen: map[string]bool{}, cutting: map[*ast.CallExpr]bool{}}
}

// follow returns every string that may reach one of those parameters.
func follow(x *index, sinks ...types.Object) *follower {
	f := newFollower(x)
	for _, sink := range sinks {
		f.want(sink, nil)
	}
	return f
}

func (f *follower) once(what any, path []int) bool {
	key := fmt.Sprintf("%p %T %v", what, what, path)
	if f.seen[key] || len(path) > 6 {
		return false
	}
	f.seen[key] = true
	return true
}

// want follows everything that a variable may hold at the end of a path.
func (f *follower) want(o types.Object, path []int) {
	if !f.once(o, path) || f.parts != nil && isBytes(o) {
		return
	}
	for _, s := range f.sources[o] {
		if s.below <= len(path) {
			f.value(s.expr, append(slices.Clone(s.into), path[s.below:]...), s.result)
		}
	}
	if lit := f.lit[o]; lit != nil {
		f.parameter(lit.Type.Params, o, path, lit)
	}
	f.method(o, path)
}

// parameter follows what a function that is a value is called with.
func (f *follower) parameter(params *ast.FieldList, o types.Object, path []int, lit *ast.FuncLit) {
	at := 0
	for _, field := range params.List {
		for _, name := range field.Names {
			if f.info.Defs[name] == o {
				for _, holder := range f.held[lit] {
					f.through(holder, at, path)
				}
			}
			at++
		}
	}
}

// through follows an argument of the calls of a function that a variable holds, and of those that
// it is handed on to.
func (f *follower) through(holder types.Object, at int, path []int) {
	if !f.once(holder, append([]int{-3, at}, path...)) {
		return
	}
	for _, to := range f.passed[holder] {
		f.through(to, at, path)
	}
	for _, call := range f.calls[holder] {
		if at < len(call.Args) {
			f.value(call.Args[at], path, 0)
		}
	}
}

// method follows the arguments of calls through an interface.
func (f *follower) method(o types.Object, path []int) {
	v, ok := o.(*types.Var)
	if !ok || v.IsField() {
		return
	}
	for name, calls := range f.dynamic {
		for _, fn := range f.methods[name] {
			for i := range fn.Signature().Params().Len() {
				if fn.Signature().Params().At(i) != v {
					continue
				}
				for _, call := range calls {
					if i < len(call.Args) {
						f.value(call.Args[i], path, 0)
					}
				}
			}
		}
	}
}

// value follows an expression.
func (f *follower) value(e ast.Expr, path []int, result int) {
	if tv := f.info.Types[e]; tv.Value != nil {
		if tv.Value.Kind() == constant.String && len(path) == 0 {
			f.add(constant.StringVal(tv.Value), e.Pos())
		}
		return
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		f.value(e.X, path, result)
	case *ast.Ident, *ast.SelectorExpr:
		if o := f.object(e); o != nil {
			f.want(o, path)
		}
	case *ast.IndexExpr:
		f.value(e.X, append([]int{f.step(e.Index)}, path...), 0)
	case *ast.StarExpr:
		f.value(e.X, path, 0)
	case *ast.UnaryExpr:
		f.value(e.X, path, 0)
	case *ast.TypeAssertExpr:
		f.value(e.X, path, 0)
	case *ast.CompositeLit:
		f.elements(e, path)
	case *ast.CallExpr:
		f.call(e, path, result)
	case *ast.SliceExpr:
		if len(path) > 0 {
			f.value(e.X, path, 0)
		} else {
			f.lose(e, "a part of a string")
		}
	case *ast.BinaryExpr:
		if f.parts != nil && len(path) == 0 {
			f.joined(e)
			return
		}
		f.lose(e, "put together of parts")
	}
}

func (f *follower) add(english string, at token.Pos) {
	if f.keep != nil {
		english = f.keep(english)
	}
	if strings.ContainsFunc(english, letter) && f.shown(at) && !slices.Contains(f.found[english], at) {
		f.found[english] = append(f.found[english], at)
	}
}

// programs are the places whose sentences only programs read, which look for them in English.
var programs = []string{"handlers/api/", "handlers/pushapi/", "internal/cli/", "internal/client/", "internal/mcp/", "internal/remote/", "internal/backup/", "internal/config/", "figs/push.go"}

// shown reports whether what stands there may be on a page.
func (f *follower) shown(at token.Pos) bool {
	place := f.place(at)
	return !slices.ContainsFunc(programs, func(folder string) bool { return strings.HasPrefix(place, folder) })
}

func letter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

func (f *follower) lose(e ast.Expr, why string) { f.lost[e.Pos()] = why }

func (f *follower) step(at ast.Expr) int {
	if tv := f.info.Types[at]; tv.Value != nil && tv.Value.Kind() == constant.Int {
		n, _ := constant.Int64Val(tv.Value)
		return int(n)
	}
	return anyElement
}

// elements follows those of a list or a table that the path leads to.
func (f *follower) elements(e *ast.CompositeLit, path []int) {
	t := f.info.TypeOf(e).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	if _, ok := t.(*types.Struct); ok || len(path) == 0 {
		return
	}
	_, table := t.(*types.Map)
	at := 0
	for _, x := range e.Elts {
		value := x
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			value = kv.Value
			if path[0] == mapKey {
				value = kv.Key
			} else if !table {
				at = f.step(kv.Key)
			}
		}
		if table || path[0] == anyElement || path[0] == at || at == anyElement {
			f.value(value, path[1:], 0)
		}
		at++
	}
}

// call follows what a call returns.
func (f *follower) call(e *ast.CallExpr, path []int, result int) {
	if tv := f.info.Types[e.Fun]; tv.IsType() {
		f.value(e.Args[0], path, 0)
		return
	} else if tv.IsBuiltin() {
		f.builtin(e, path)
		return
	}
	fn := f.callee(e)
	switch {
	case fn == nil:
		f.closure(e, path, result)
	case fn.FullName() == "cmp.Or":
		for _, arg := range e.Args {
			f.value(arg, path, 0)
		}
	case fn.FullName() == "strings.CutPrefix" && result == 0:
		f.cut(e)
	case types.IsInterface(receiver(fn)):
		if fn.Name() == "Error" { // what any error says is for operators and programs
			return
		}
		for _, m := range f.methods[fn.Name()] {
			f.results(m, m.Signature().Results(), path, result)
		}
	case f.parts != nil && (fn.Name() == "Fill" || fn.Name() == "fill"):
		f.fill(fn, e)
	case fn.Pkg() != nil && f.own[fn.Pkg().Path()] != nil:
		f.results(fn, fn.Signature().Results(), path, result)
	case len(path) == 0 && f.parts != nil && fn.FullName() == "fmt.Sprintf":
		f.formatted(e)
	case len(path) == 0:
		f.lose(e, "made by "+fn.FullName())
	}
}

// cut follows what is left of a label without a sign before it. Labels stand in components, in
// lists with the values that they are of; what is elsewhere is a value.
func (f *follower) cut(e *ast.CallExpr) {
	sign := f.info.Types[e.Args[1]].Value
	if sign == nil {
		f.lose(e, "cut at what is not known")
		return
	}
	if f.cutting[e] {
		return
	}
	f.cutting[e] = true
	defer delete(f.cutting, e)
	whole := &follower{index: f.index, found: map[string][]token.Pos{}, lost: map[token.Pos]string{}, seen: map[string]bool{}, cutting: f.cutting}
	whole.value(e.Args[0], nil, 0)
	for english, places := range whole.found {
		for _, at := range places {
			if strings.HasPrefix(f.place(at), "components/") {
				f.add(strings.TrimPrefix(english, constant.StringVal(sign)), at)
			}
		}
	}
}

func (f *follower) builtin(e *ast.CallExpr, path []int) {
	name, ok := ast.Unparen(e.Fun).(*ast.Ident)
	if !ok || name.Name != "append" || len(path) == 0 {
		return
	}
	f.value(e.Args[0], path, 0)
	for i, arg := range e.Args[1:] {
		if e.Ellipsis.IsValid() && i == len(e.Args)-2 {
			f.value(arg, path, 0)
		} else {
			f.value(arg, path[1:], 0)
		}
	}
}

// closure follows a call of a function that is a value.
func (f *follower) closure(e *ast.CallExpr, path []int, result int) {
	if lit, ok := ast.Unparen(e.Fun).(*ast.FuncLit); ok {
		f.results(lit, f.info.TypeOf(lit).(*types.Signature).Results(), path, result)
		return
	}
	o := f.object(e.Fun)
	if o == nil {
		f.lose(e, "called from a table")
		return
	}
	for _, s := range f.sources[o] {
		switch fun := ast.Unparen(s.expr).(type) {
		case *ast.FuncLit:
			f.results(fun, f.info.TypeOf(fun).(*types.Signature).Results(), path, result)
		case *ast.Ident:
			if fn, ok := f.info.Uses[fun].(*types.Func); ok {
				f.results(fn, fn.Signature().Results(), path, result)
			}
		}
	}
}

// results follows what a function returns as its i-th result.
func (f *follower) results(of any, results *types.Tuple, path []int, i int) {
	if !f.once(of, append([]int{i}, path...)) || i >= results.Len() || isSay(of) {
		return
	}
	if results.At(i).Name() != "" {
		f.want(results.At(i), path)
	}
	for _, r := range f.returns[of] {
		switch {
		case len(r.Results) == results.Len():
			f.value(r.Results[i], path, 0)
		case len(r.Results) == 1:
			f.value(r.Results[0], path, i)
		}
	}
}

// isSay reports whether a function's words are in the reader's language already.
func isSay(of any) bool {
	fn, ok := of.(*types.Func)
	return ok && fn.Pkg() != nil && fn.Pkg().Path() == module+"/components/i18n" && slices.Contains([]string{"Say", "Count", "CountWords"}, fn.Name())
}
