package main

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Steps from a container to one of its elements: an index that is known, or one of these.
const (
	anyElement = -1
	mapKey     = -2
)

// source is something that a variable may hold: an expression, the path from its value to what
// is held, and how much of a path into the variable leads to the expression.
type source struct {
	expr   ast.Expr
	result int   // of a call with many results
	into   []int // from the expression's value to the variable's
	below  int   // the expression is an element of the variable, so deep
}

// index says where everything comes from.
type index struct {
	*code
	sources map[types.Object][]source
	returns map[any][]*ast.ReturnStmt // by *types.Func or *ast.FuncLit
	held    map[*ast.FuncLit][]types.Object
	passed  map[types.Object][]types.Object // where a variable with a function is handed on to
	lit     map[types.Object]*ast.FuncLit   // whose parameter it is
	calls   map[types.Object][]*ast.CallExpr
	dynamic map[string][]*ast.CallExpr // calls of interface methods, by name
	methods map[string][]*types.Func   // of the module, by name
}

func newIndex(c *code) *index {
	x := &index{code: c, sources: map[types.Object][]source{}, returns: map[any][]*ast.ReturnStmt{}, held: map[*ast.FuncLit][]types.Object{}, passed: map[types.Object][]types.Object{},
		lit: map[types.Object]*ast.FuncLit{}, calls: map[types.Object][]*ast.CallExpr{}, dynamic: map[string][]*ast.CallExpr{}, methods: map[string][]*types.Func{}}
	for _, f := range c.files {
		for _, d := range f.Decls {
			x.declared(d)
		}
		ast.Inspect(f, x.node)
	}
	return x
}

// declared notes what a function returns, and the methods there are.
func (x *index) declared(d ast.Decl) {
	f, ok := d.(*ast.FuncDecl)
	if !ok || f.Body == nil {
		return
	}
	fn := x.info.Defs[f.Name].(*types.Func)
	if f.Recv != nil {
		x.methods[fn.Name()] = append(x.methods[fn.Name()], fn)
	}
	x.returned(fn, f.Body)
}

// returned notes the return statements of a body, not those of functions in it.
func (x *index) returned(of any, body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			x.returns[of] = append(x.returns[of], n)
		}
		return true
	})
}

func (x *index) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		x.returned(n, n.Body)
		for _, field := range n.Type.Params.List {
			for _, name := range field.Names {
				x.lit[x.info.Defs[name]] = n
			}
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			x.assigned(name, n.Values, i)
		}
	case *ast.AssignStmt:
		if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
			for i, left := range n.Lhs {
				x.assigned(left, n.Rhs, i)
			}
		}
	case *ast.RangeStmt:
		x.ranged(n)
	case *ast.CompositeLit:
		x.composite(n)
	case *ast.CallExpr:
		x.called(n)
	}
	return true
}

// assigned notes what the i-th of many gets.
func (x *index) assigned(left ast.Expr, right []ast.Expr, i int) {
	switch {
	case len(right) == 0:
	case len(right) > i && (len(right) > 1 || i == 0):
		x.put(left, source{expr: right[i]})
	case len(right) == 1:
		x.put(left, source{expr: right[0], result: i})
	}
}

func (x *index) ranged(n *ast.RangeStmt) {
	if n.Value != nil {
		x.put(n.Value, source{expr: n.X, into: []int{anyElement}})
	}
	if n.Key != nil {
		if _, ok := x.info.TypeOf(n.X).Underlying().(*types.Map); ok {
			x.put(n.Key, source{expr: n.X, into: []int{mapKey}})
		}
	}
}

// put notes what is written to a place: a variable, a field, or an element of one.
func (x *index) put(left ast.Expr, s source) {
	for {
		switch l := ast.Unparen(left).(type) {
		case *ast.IndexExpr:
			s.below++
			left = l.X
			continue
		case *ast.StarExpr:
			left = l.X
			continue
		}
		break
	}
	if o := x.object(left); o != nil {
		x.note(o, s)
	}
}

func (x *index) note(o types.Object, s source) {
	x.sources[o] = append(x.sources[o], s)
	if lit, ok := ast.Unparen(s.expr).(*ast.FuncLit); ok {
		x.held[lit] = append(x.held[lit], o)
	} else if from := x.object(s.expr); from != nil && isFunction(from) {
		x.passed[from] = append(x.passed[from], o)
	}
}

func isFunction(o types.Object) bool {
	_, ok := o.Type().Underlying().(*types.Signature)
	return ok
}

// object is the variable or the field that an expression names; nil when it is neither.
func (x *index) object(e ast.Expr) types.Object {
	var o types.Object
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if o = x.info.Defs[e]; o == nil {
			o = x.info.Uses[e]
		}
	case *ast.SelectorExpr:
		o = x.info.Uses[e.Sel]
	}
	if v, ok := o.(*types.Var); ok {
		return v.Origin()
	}
	return nil
}

// composite notes what the fields of a struct get.
func (x *index) composite(n *ast.CompositeLit) {
	t := x.info.TypeOf(n)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if o := x.object(kv.Key); o != nil {
				x.note(o, source{expr: kv.Value})
			}
		} else {
			x.note(s.Field(i).Origin(), source{expr: e})
		}
	}
}

// called notes what the parameters of a function get.
func (x *index) called(n *ast.CallExpr) {
	if fn := x.callee(n); fn != nil {
		if types.IsInterface(receiver(fn)) {
			x.dynamic[fn.Name()] = append(x.dynamic[fn.Name()], n)
		}
		x.bind(fn.Signature(), n)
		return
	}
	if o := x.object(n.Fun); o != nil {
		x.calls[o] = append(x.calls[o], n)
	}
}

func (x *index) bind(s *types.Signature, n *ast.CallExpr) {
	params := s.Params()
	for i, arg := range n.Args {
		switch last := params.Len() - 1; {
		case i < last || i == last && (!s.Variadic() || n.Ellipsis.IsValid()):
			x.note(params.At(i), source{expr: arg})
		case s.Variadic() && last >= 0:
			x.note(params.At(last), source{expr: arg, below: 1})
		}
	}
}

// callee is the function that is called by its name, nil when it is a value.
func (x *index) callee(n *ast.CallExpr) *types.Func {
	e := ast.Unparen(n.Fun)
	switch i := e.(type) {
	case *ast.IndexExpr:
		e = i.X
	case *ast.IndexListExpr:
		e = i.X
	}
	var o types.Object
	switch e := e.(type) {
	case *ast.Ident:
		o = x.info.Uses[e]
	case *ast.SelectorExpr:
		o = x.info.Uses[e.Sel]
	}
	if fn, ok := o.(*types.Func); ok {
		return fn.Origin()
	}
	return nil
}

// receiver is the type that a method belongs to; an empty struct for a function.
func receiver(fn *types.Func) types.Type {
	if r := fn.Signature().Recv(); r != nil {
		return r.Type()
	}
	return types.NewStruct(nil, nil)
}
