package components

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/lessons"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/provenance"
	"github.com/figs-web/figs-web/internal/share"
	"github.com/figs-web/figs-web/sandbox/report"
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
			case ourFields[f.Name], !f.IsExported(): // which no page can print
			case inner.Kind() == reflect.String, inner == reflect.TypeFor[[]string](), inner == reflect.TypeFor[[]byte]():
				fields[f.Name] = true
			default:
				walk(inner)
			}
		}
	}
	for _, value := range []any{journal.Overview{}, journal.Findings{}, journal.Line{}, journal.Text{}, journal.Hit{}, lessons.Lesson{}, figs.Finding{}, report.Result{}, report.Comparison{}, ui.ViewedAttachment{},
		journal.Chart{}, journal.InboxItem{}, journal.Inbox{}, journal.WorkspaceHit{}, journal.Refusal{},
		journal.Timeline{}, journal.Step{}, journal.Comparison{}, journal.SearchReport{}, journal.WaitReport{}, provenance.Explanation{}, share.Preview{}, viewer.HiddenTextReport{}} {
		walk(reflect.TypeOf(value))
	}
	return fields
}

// printed may stand as they are: what the address says in a form's own fields, sections of the
// specification, and sentences of ours about a form.
var printed = map[string]bool{"q.Text": true, "q.State": true, "lesson.Section": true, "fault.Hint": true}

// TestTemplatesPrintNoAgentWords reads the packages, what templ generated included: no expression
// that is printed as a string, as markup or as an address may hold what an agent wrote, not even
// by way of a variable, a parameter or a result. Such words go through agenttext.Text, agenttext.Line,
// ui.AgentBlock or ui.RawLine, which are components, or through agenttext.Plain.
func TestTemplatesPrintNoAgentWords(t *testing.T) {
	fields := agentFields()
	if len(fields) < 40 {
		t.Fatalf("only %d fields are known", len(fields))
	}
	names, _ := filepath.Glob("*/*.go")
	more, _ := filepath.Glob("*.go")
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range append(names, more...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	checked := lint(files, fields, func(at token.Pos, word string) {
		t.Errorf("%s: %s is printed as it is: use @agenttext.Text, @agenttext.Line or agenttext.Plain(…)", set.Position(at), word)
	})
	if checked < 300 {
		t.Errorf("only %d printed expressions were found: the generated code has changed", checked)
	}
}

// TestLintFindsWords shows the lint what it must find, and what it must let pass.
func TestLintFindsWords(t *testing.T) {
	fields := map[string]bool{"Title": true, "Options": true}
	for _, test := range []struct{ lesson, code, want string }{
		{"field", `func f(a Ask) { templ.JoinStringErrs(a.Title) }`, "Title"},
		{"in_a_sentence", `func f(a Ask) { templ.JoinStringErrs(say(ctx, "by %s", a.Title)) }`, "Title"},
		{"joined", `func f(a Ask) { templ.JoinStringErrs("by " + a.Title) }`, "Title"},
		{"cut", `func f(a Ask) { templ.JoinStringErrs(a.Title[:9]) }`, "Title"},
		{"variable", `func f(a Ask) { title := a.Title; templ.JoinStringErrs(title) }`, "title"},
		{"two_variables", `func f(a Ask) { x := a.Title; y := x; templ.JoinStringErrs(y) }`, "y"},
		{"loop", `func f(a Ask) { for _, o := range a.Options { templ.JoinStringErrs(o) } }`, "o"},
		{"capped_loop", `func f(a Ask) { for _, o := range capped(a.Options) { templ.JoinStringErrs(o) } }; func capped(s []string) []string { return s[:1] }`, "o"},
		{"parameter", `func f(a Ask) { g(a.Title) }; func g(s string) { templ.JoinStringErrs(s) }`, "s"},
		{"parameter_of_a_parameter", `func f(a Ask) { g(a.Title) }; func g(s string) { h(1, s) }; func h(n int, s string) { templ.JoinStringErrs(s) }`, "s"},
		{"result", `func f(a Ask) { templ.JoinStringErrs(g(a)) }; func g(a Ask) string { return a.Title }`, "p.g"},
		{"method", `func f(a Ask) { templ.JoinStringErrs(a.DisplayName()) }`, ".DisplayName"},
		{"list", `func f(a Ask) { var l []string; l = append(l, a.Title); for _, s := range l { templ.JoinStringErrs(s) } }`, "s"},
		{"markup", `func f(a Ask) { templ.Raw(a.Title) }`, "Title"},
		{"address", `func f(a Ask) { templ.SafeURL("/" + a.Title) }`, "Title"},
		{"isolated", `func f(a Ask) { g(agenttext.Text(a.Title)) }; func g(s string) { templ.JoinStringErrs(s) }`, ""},
		{"named", `func f(a Ask) { templ.JoinStringErrs(agenttext.Plain(a.Title)) }`, ""},
		{"counted", `func f(a Ask) { templ.JoinStringErrs(len(a.Title)) }`, ""},
		{"compared", `func f(a Ask) { templ.JoinStringErrs(word(a.Title == "x")) }`, ""},
		{"number", `func f(a Ask) { templ.JoinStringErrs(day(a.Title)) }; func day(ts int64) string { return "" }`, ""},
		{"number_or_words", `func f(a Ask) { templ.JoinStringErrs(a.day(a.Title)) }; func (A) day(ts int64) string { return "" }; func (B) day(s string) string { return "" }`, "Title"},
		{"ours", `func f(a Ask) { g("x"); use(a.Title) }; func g(s string) { templ.JoinStringErrs(s) }`, ""},
	} {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, test.lesson+".go", "package p; import \"github.com/a-h/templ\"; import \"x/agenttext\"; "+test.code, 0)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		lint([]*ast.File{file}, fields, func(_ token.Pos, word string) { got += word })
		if got != test.want {
			t.Errorf("%s: found %q, want %q", test.lesson, got, test.want)
		}
	}
}
