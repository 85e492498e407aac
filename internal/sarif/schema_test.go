package sarif_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	published "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/sarif"
)

// publishedSchema is the schema of SARIF 2.1.0 from the sources of go-sarif, a constant that it doesn't export. (It
// validates only what its own types write.)
func publishedSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", reflect.TypeFor[published.Report]().PkgPath()).Output()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	text, err := strconv.Unquote(file.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("sarif.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// TestAppendFitsSchema validates logs against the published schema, and reads them with go-sarif, which knows every field of
// the standard.
func TestAppendFitsSchema(t *testing.T) {
	schema := publishedSchema(t)
	if broken, _ := jsonschema.UnmarshalJSON(strings.NewReader(`{"version":"2.1.0","runs":[{}]}`)); schema.Validate(broken) == nil {
		t.Fatal("the schema takes a run without a tool")
	}
	hostile := "](https://example.com) \x00\n\u2028 <b> ::error::x"
	bad := report()
	for i := range bad.Findings {
		bad.Findings[i].Message, bad.Findings[i].Record, bad.Findings[i].File = hostile, hostile, "a:b "+hostile
	}
	extra := []sarif.Extra{
		{Rule: "history_rewritten", Title: "T", Why: "W", Severity: figs.Error, File: "a/.figs/asks.jsonl", Line: 3, Message: "[a](b)"},
		{Rule: "history_rewritten", Title: "T", Why: "W", Severity: figs.Warning, File: "a/.figs", Message: hostile},
	}
	for name, folders := range map[string][]sarif.Folder{
		"none": nil, "one": {{Path: "a/.figs", Report: report()}}, "hostile": {{Path: hostile, Report: bad}},
		"extra": {{Path: "a/.figs", Report: report(), Extra: extra}, {Path: "b/.figs", Report: report(), Extra: extra}},
	} {
		t.Run(name, func(t *testing.T) {
			log := sarif.Append(nil, "v1.2.3", folders)
			d := json.NewDecoder(bytes.NewReader(log))
			d.DisallowUnknownFields()
			var read published.Report
			if err := d.Decode(&read); err != nil {
				t.Fatalf("%v:\n%s", err, log)
			}
			raw, err := jsonschema.UnmarshalJSON(bytes.NewReader(log))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(raw); err != nil {
				t.Errorf("%v:\n%s", err, log)
			}
			rules := map[string]int{}
			for _, r := range read.Runs[0].Tool.Driver.Rules {
				rules[*r.ID]++
			}
			for _, r := range read.Runs[0].Results {
				if rules[*r.RuleID] != 1 || *read.Runs[0].Tool.Driver.Rules[r.RuleIndex].ID != *r.RuleID || strings.Contains(*r.Message.Text, "](") {
					t.Errorf("%s has %d rules", *r.RuleID, rules[*r.RuleID])
				}
			}
			if name == "extra" && rules["history_rewritten"] != 1 {
				t.Errorf("the rules are %v", rules)
			}
		})
	}
}
