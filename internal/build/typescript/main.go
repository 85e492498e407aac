// Command typescript writes the TypeScript types of the npm package's answers from the Go types (jsonapi.Answers): names
// and kinds from their JSON, comments from their jsonschema tags.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/comparison"
	"github.com/figs-web/figs-web/internal/recordjson"
	"github.com/figs-web/figs-web/internal/remark"
	"github.com/figs-web/figs-web/internal/testenv"
	"github.com/figs-web/figs-web/wasm/jsonapi"
)

// target is the file, below the root.
const target = "packages/engine/answers.d.ts"

func main() {
	root, err := testenv.FindRoot()
	if err == nil {
		err = os.WriteFile(filepath.Join(root, target), generate(), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "typescript:", err)
		os.Exit(1)
	}
}

// kinds are the types of fields that Go's types don't tell.
var kinds = map[string]string{
	"Finding.code": "RuleCode", "Finding.severity": "Severity", "Overflow.code": "RuleCode",
	"Job.outcome": union(figs.OutcomeWords()), "State.phase": union(phases()), "State.tab": union([]string{"needs", "waiting", "closed"}),
	"Job.record": "JSONObject | null", "Ask.record": "JSONObject | null", "Message.record": "JSONObject | null", "TrailEntry.line": "JSONObject | null",
	"JobDetail.findings": "Finding[]", "AskDetail.findings": "Finding[]",
	"Found.kind": union([]string{"job", "ask", "message", "file"}), "FileOwner.kind": union([]string{"job", "ask"}),
}

// names are the TypeScript names of types whose Go names say too little, or too much, outside of their packages.
var names = map[reflect.Type]string{
	reflect.TypeFor[jsonapi.Agent]():       "AgentFacts",
	reflect.TypeFor[recordjson.File]():     "Attachment",
	reflect.TypeFor[comparison.Result]():   "ComparisonResult",
	reflect.TypeFor[comparison.Folder]():   "ComparedFolder",
	reflect.TypeFor[comparison.Ledger]():   "ComparedLedger",
	reflect.TypeFor[comparison.Line]():     "ChangedLine",
	reflect.TypeFor[comparison.Record]():   "ChangedRecord",
	reflect.TypeFor[comparison.File]():     "ChangedFile",
	reflect.TypeFor[comparison.Decision](): "DecisionOnFile",
	reflect.TypeFor[jsonapi.Position]():    "FindingPosition",
	reflect.TypeFor[remark.Remark]():       "RemarkContent",
}

func phases() (words []string) {
	for p := figs.NeedsYou; p <= figs.Rejected; p++ {
		words = append(words, p.Word())
	}
	return words
}

func union(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = "'" + w + "'"
	}
	return strings.Join(quoted, " | ")
}

func generate() []byte {
	g := &generator{seen: map[string]reflect.Type{}}
	g.out.WriteString("// Generated from the Go types by internal/build/typescript: run make generate.\n\n")
	g.out.WriteString("/** A JSON object that an agent or a person wrote. */\nexport type JSONObject = { [key: string]: unknown };\n\n")
	g.out.WriteString("export type Severity = " + union([]string{figs.Error.String(), figs.Warning.String(), figs.Info.String()}) + ";\n\n")
	g.out.WriteString("/** The rules. */\nexport type RuleCode =")
	for c := range figs.Codes() {
		if !c.OfKind() { // the package reads .figs folders
			g.out.WriteString("\n  | '" + c.String() + "'")
		}
	}
	g.out.WriteString(";\n")
	for _, answer := range jsonapi.Answers {
		g.add(reflect.TypeOf(answer))
	}
	for len(g.todo) > 0 {
		next := g.todo[0]
		g.todo = g.todo[1:]
		g.object(next)
	}
	return g.out.Bytes()
}

type generator struct {
	out  bytes.Buffer
	seen map[string]reflect.Type
	todo []reflect.Type
}

// add has a type written, once, and returns its name.
func (g *generator) add(t reflect.Type) string {
	name := t.Name()
	if given, ok := names[t]; ok {
		name = given
	}
	switch was, ok := g.seen[name]; {
	case !ok:
		g.seen[name] = t
		g.todo = append(g.todo, t)
	case was != t:
		panic(fmt.Sprintf("%v and %v have the same name in TypeScript: add one to names", was, t))
	}
	return name
}

func (g *generator) object(t reflect.Type) {
	name := g.add(t)
	var above []string
	var fields bytes.Buffer
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			above = append(above, g.add(f.Type))
			continue
		}
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key == "" || key == "-" {
			continue
		}
		if about := f.Tag.Get("jsonschema"); about != "" {
			fmt.Fprintf(&fields, "  /** %s */\n", strings.ToUpper(about[:1])+about[1:]+".")
		}
		kind, ok := kinds[t.Name()+"."+key]
		if !ok {
			kind = g.kind(f.Type)
		}
		if optional := strings.HasPrefix(options, "omit"); optional {
			key, kind = key+"?", strings.TrimSuffix(kind, " | null")
		}
		fmt.Fprintf(&fields, "  %s: %s;\n", key, kind)
	}
	extends := ""
	if len(above) > 0 {
		extends = " extends " + strings.Join(above, ", ")
	}
	fmt.Fprintf(&g.out, "\nexport interface %s%s {\n%s}\n", name, extends, &fields)
}

func (g *generator) kind(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[json.RawMessage]():
		panic("a field of raw JSON has no type: add it to kinds")
	case t.Kind() == reflect.Pointer:
		return g.kind(t.Elem()) + " | null"
	case t.Kind() == reflect.Slice:
		return g.kind(t.Elem()) + "[]"
	case t.Kind() == reflect.Struct:
		return g.add(t)
	case t.Kind() == reflect.String:
		return "string"
	case t.Kind() == reflect.Bool:
		return "boolean"
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Float64:
		return "number"
	}
	panic(fmt.Sprintf("no type for %v", t))
}
