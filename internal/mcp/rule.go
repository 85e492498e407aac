package mcp

import (
	"context"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/lessons"
)

// rule is what a model learns of one rule.
type rule struct {
	Code     string    `json:"code"`
	Severity string    `json:"severity"`
	Title    string    `json:"title"`
	Why      string    `json:"why"`
	Section  string    `json:"section" jsonschema:"of the specification"`
	Citation string    `json:"citation,omitempty"`
	Bad      []example `json:"bad" jsonschema:"files that break the rule"`
	Good     []example `json:"good" jsonschema:"the same files, fixed"`
}

type example struct {
	File   string `json:"file"`
	Text   string `json:"text,omitempty"`
	Size   int64  `json:"size,omitempty" jsonschema:"size of an attachment whose text does not matter"`
	Absent bool   `json:"absent,omitempty" jsonschema:"the folder does not have this file"`
}

func ruleOf(code figs.Code) *rule {
	l := lessons.Of(code)
	r := &rule{Code: code.String(), Severity: code.Severity().String(), Title: l.Title, Why: l.Why, Section: l.Section, Citation: l.Citation, Bad: []example{}, Good: []example{}}
	for _, e := range l.Bad {
		r.Bad = append(r.Bad, example{e.File, e.Text, e.Size, e.Absent})
	}
	for _, e := range l.Good {
		r.Good = append(r.Good, example{e.File, e.Text, e.Size, e.Absent})
	}
	return r
}

type ofRule struct {
	Code string `json:"code" jsonschema:"code of the rule, as in findings, for example ask_type_unknown"`
}

func (s *server) addRules() {
	add(s, tool{"explain_rule", "Explain a rule", "Explains one protocol rule: why it exists, an example that breaks it and one that follows it."}, explainRule)
	s.sdk.AddResource(&sdk.Resource{URI: rulesAddress, Name: "rules", Title: "Rules", MIMEType: "text/plain",
		Description: "All protocol rules, one per line: code, severity, title."}, readRules)
	s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: rulesAddress + "/{code}", Name: "rule", Title: "A rule", MIMEType: "text/plain",
		Description: "One rule: why it exists, an example that breaks it and one that follows it."}, readRule)
}

func explainRule(_ context.Context, in *ofRule) (*rule, error) {
	code, ok := figs.ParseCode(in.Code)
	if !ok {
		return nil, noRule(in.Code)
	}
	return ruleOf(code), nil
}

func noRule(name string) error {
	var all []string
	for code := range figs.Codes() {
		all = append(all, code.String())
	}
	if near := figs.Suggest(name, all); near != "" {
		return refusal("Unknown rule. Did you mean " + near + "?")
	}
	return refusal("Unknown rule. Findings contain rule codes, such as ask_type_unknown.")
}

// rulesAddress is the resource that lists the rules; each stands below it.
const rulesAddress = "figs://rules"

func readRules(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	var b strings.Builder
	for code := range figs.Codes() {
		b.WriteString(code.String() + "  " + code.Severity().String() + "  " + lessons.Of(code).Title + "\n")
	}
	return text(rulesAddress, b.String()), nil
}

func readRule(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	name, _ := strings.CutPrefix(r.Params.URI, rulesAddress+"/")
	code, ok := figs.ParseCode(name)
	if !ok {
		return nil, sdk.ResourceNotFoundError(r.Params.URI)
	}
	l := ruleOf(code)
	var b strings.Builder
	b.WriteString(l.Code + "  " + l.Severity + "\n" + l.Title + "\n\n" + l.Why + "\n")
	for _, part := range []struct {
		word     string
		examples []example
	}{{"Bad", l.Bad}, {"Good", l.Good}} {
		for _, e := range part.examples {
			b.WriteString("\n" + part.word + ": " + e.File + "\n" + e.Text + "\n")
		}
	}
	return text(r.Params.URI, b.String()), nil
}

func text(uri, s string) *sdk.ReadResourceResult {
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: "text/plain", Text: s}}}
}
