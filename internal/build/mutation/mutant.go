package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// A mutant is one change of a file's text.
type mutant struct {
	file       string
	line, col  int
	begin, end int // bytes of the file that are replaced
	old, new   string
}

// swaps are the operators that replace an operator. A comparison gets its opposite and its neighbour at the boundary.
var swaps = map[token.Token][]string{
	token.EQL: {"!="}, token.NEQ: {"=="}, token.LSS: {"<=", ">="}, token.LEQ: {"<", ">"}, token.GTR: {">=", "<="}, token.GEQ: {">", "<"},
	token.LAND: {"||"}, token.LOR: {"&&"}, token.ADD: {"-"}, token.SUB: {"+"}, token.MUL: {"/"}, token.QUO: {"*"}, token.REM: {"*"},
	token.ADD_ASSIGN: {"-="}, token.SUB_ASSIGN: {"+="}, token.INC: {"--"}, token.DEC: {"++"},
}

// mutants lists the changes of a Go file: operators, conditions without one, true and false, and errors that are returned.
func mutants(name string, source []byte) ([]mutant, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all []mutant
	add := func(from, to token.Pos, text string) {
		at, end := files.Position(from), files.Position(to)
		all = append(all, mutant{name, at.Line, at.Column, at.Offset, end.Offset, string(source[at.Offset:end.Offset]), text})
	}
	operator := func(at token.Pos, op token.Token) {
		for _, other := range swaps[op] {
			add(at, at+token.Pos(len(op.String())), other)
		}
	}
	condition := func(e ast.Expr) {
		switch x := ast.Unparen(e).(type) {
		case *ast.CallExpr, *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr:
			text := string(source[files.Position(x.Pos()).Offset:files.Position(x.End()).Offset])
			add(x.Pos(), x.End(), "!("+text+")")
		case *ast.UnaryExpr:
			if x.Op == token.NOT {
				add(x.Pos(), x.Pos()+1, "")
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok == token.VAR // constants are held by the tests that use them
		case *ast.BinaryExpr:
			if n.Op != token.ADD || !isText(n.X) && !isText(n.Y) {
				operator(n.OpPos, n.Op)
			}
			if n.Op == token.LAND || n.Op == token.LOR {
				condition(n.X)
				condition(n.Y)
			}
		case *ast.IncDecStmt:
			operator(n.TokPos, n.Tok)
		case *ast.AssignStmt:
			operator(n.TokPos, n.Tok)
		case *ast.IfStmt:
			condition(n.Cond)
		case *ast.ForStmt:
			condition(n.Cond)
		case *ast.SwitchStmt:
			if n.Tag == nil {
				for _, clause := range n.Body.List {
					for _, e := range clause.(*ast.CaseClause).List {
						condition(e)
					}
				}
			}
		case *ast.ReturnStmt:
			for i, e := range n.Results {
				switch word, _ := e.(*ast.Ident); {
				case word == nil:
				case word.Name == "true":
					add(e.Pos(), e.End(), "false")
				case word.Name == "false":
					add(e.Pos(), e.End(), "true")
				case i == len(n.Results)-1 && (word.Name == "err" || strings.HasPrefix(word.Name, "Err")):
					add(e.Pos(), e.End(), "nil")
				}
			}
		}
		return true
	})
	return all, nil
}

// isText reports whether an operand of + shows that text is put together, which has no other operator.
func isText(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING
	case *ast.BinaryExpr:
		return e.Op == token.ADD && (isText(e.X) || isText(e.Y))
	}
	return false
}
