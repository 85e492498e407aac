package components

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/lessons"
	"github.com/figs-web/figs-web/internal/journal"
)

// agentFields are the names of all fields of records and journal values that hold strings
// which an agent may have written.
func agentFields() map[string]bool {
	fields, seen := map[string]bool{}, map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(t reflect.Type) {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || seen[t] {
			return
		}
		seen[t] = true
		for f := range t.Fields() {
			switch inner := f.Type; {
			case ourFields[f.Name]:
			case inner.Kind() == reflect.String, inner == reflect.TypeFor[[]string](), inner == reflect.TypeFor[[]byte]():
				fields[f.Name] = true
			default:
				walk(inner)
			}
		}
	}
	for _, value := range []any{journal.Overview{}, journal.Findings{}, journal.Line{}, journal.Text{}, journal.Hit{}, lessons.Lesson{}, figs.Finding{}} {
		walk(reflect.TypeOf(value))
	}
	return fields
}

// safe are the functions that may take an agent's words where a template prints a string:
// they name hidden characters, choose or count words of ours, or make data for the page's script.
var safe = map[string]bool{"plain": true, "textName": true, "unitName": true, "ForAgent": true, "ours": true, "instant": true, "asked": true, "typeWord": true, "askKind": true, "stepsWord": true, "String": true, "len": true}

// printed may stand as they are: file names that the page's script asks for, what the
// address says in a form's own fields, and sections of the specification.
var printed = map[string]bool{"f.Name": true, "q.Text": true, "q.State": true, "lesson.Section": true}

// TestTemplatesPrintNoAgentWords reads what templ generated: no expression that is printed
// as a string may hold a field that an agent writes. Such fields go through agentText,
// agentLine, agentBlock or rawLine, which are components, or through plain.
func TestTemplatesPrintNoAgentWords(t *testing.T) {
	fields := agentFields()
	if len(fields) < 40 {
		t.Fatalf("only %d fields are known", len(fields))
	}
	files, _ := filepath.Glob("*_templ.go")
	checked := 0
	for _, name := range files {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !strings.HasPrefix(calledName(call), "JoinStringErrs") {
				return true
			}
			checked++
			for _, field := range wordsIn(call.Args[0], fields) {
				t.Errorf("%s: %s is printed as a string: use @agentText, @agentLine or plain(…)", set.Position(call.Pos()), field)
			}
			return true
		})
	}
	if checked < 200 {
		t.Errorf("only %d printed expressions were found: the generated code has changed", checked)
	}
}

func calledName(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// wordsIn lists the agent-written fields in an expression, outside safe calls.
func wordsIn(e ast.Expr, fields map[string]bool) []string {
	var out []string
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return !safe[calledName(n)]
		case *ast.BinaryExpr:
			return n.Op == token.ADD
		case *ast.SelectorExpr:
			from, _ := n.X.(*ast.Ident)
			if from != nil && printed[from.Name+"."+n.Sel.Name] {
				return false
			}
			if fields[n.Sel.Name] {
				out = append(out, n.Sel.Name)
			}
			_, call := n.X.(*ast.CallExpr)
			return call
		}
		return true
	})
	return out
}
