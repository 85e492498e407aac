package api_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/handlers/api"
)

// document is what the description must hold for the tests to hold the API to it.
type document struct {
	OpenAPI string
	Servers []struct{ URL string }
	Paths   map[string]map[string]struct {
		OperationID string
		Parameters  []struct {
			Name, In, Description string
			Required              bool
			Schema                map[string]any
		}
		Responses map[string]struct {
			Content map[string]struct{ Schema map[string]any }
		}
		RequestBody *struct {
			Content map[string]struct{ Schema map[string]any }
		}
	}
	Components struct{ Schemas map[string]any }
}

func (d *desk) document() *document {
	d.t.Helper()
	var out document
	r := d.ask("GET", api.Base+"/openapi.json", "") // it is public
	if r.StatusCode != 200 {
		d.t.Fatalf("the description = %d", r.StatusCode)
	}
	d.ok(json.Unmarshal([]byte(body(d.t, r)), &out))
	return &out
}

// TestDocumentHasEveryRoute holds that the description and the router have the same addresses and
// methods, and that answers carry their headers.
func TestDocumentHasEveryRoute(t *testing.T) {
	d := newDesk(t)
	doc := d.document()
	if doc.OpenAPI != "3.1.0" || doc.Servers[0].URL != public+api.Base {
		t.Errorf("the description is of OpenAPI %s, of %v", doc.OpenAPI, doc.Servers)
	}
	routed := map[string][]string{}
	for _, r := range d.e.Routes() {
		if r.Path == api.MCPPath {
			continue // another protocol, which describes itself
		}
		path := strings.TrimPrefix(r.Path, api.Base)
		for _, part := range []string{"workspace", "agent", "id", "draft"} {
			path = strings.ReplaceAll(path, ":"+part, "{"+part+"}")
		}
		method := strings.ToLower(r.Method)
		if routed[path] = append(routed[path], method); method == "head" {
			method = "get"
		}
		if _, ok := doc.Paths[path][method]; !ok {
			t.Errorf("%s %s is not described", r.Method, path)
		}
	}
	operations := map[string]bool{}
	for path, methods := range doc.Paths {
		for method, operation := range methods {
			if !slices.Contains(routed[path], method) || method == "get" && !slices.Contains(routed[path], "head") {
				t.Errorf("%s %s has no route, or one of GET and HEAD alone", method, path)
			}
			if id := operation.OperationID; id == "" || operations[id] {
				t.Errorf("%s %s has the operation %q", method, path, id)
			}
			operations[operation.OperationID] = true
			if takes := operation.RequestBody != nil; takes != (method == "post") {
				t.Errorf("%s %s takes a body: %v", method, path, takes)
			}
		}
		if _, reads := methods["get"]; !reads || strings.HasSuffix(path, "/content") {
			continue
		}
		for _, address := range d.addresses(path) {
			d.holdsHeaders(address, routed[path])
		}
	}
	if r := d.ask("GET", api.Base+"/feedback", "ana"); r.StatusCode != 405 {
		t.Errorf("GET /feedback = %d: nothing here reads it", r.StatusCode)
	}
}

func (d *desk) holdsHeaders(address string, routed []string) {
	d.t.Helper()
	r := d.ask("GET", address, "ana")
	want := map[string]string{"Content-Type": "application/json", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "X-Content-Type-Options": "nosniff",
		"Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin", "Cache-Control": "private, no-cache", "Vary": "Authorization, X-Figs-Token, Cookie"}
	if strings.HasSuffix(address, "/openapi.json") {
		want["Cache-Control"] = "public, no-cache"
	}
	for name, value := range want {
		if got := r.Header.Get(name); got != value {
			d.t.Errorf("%s has %s %q, want %q", address, name, got, value)
		}
	}
	head := d.ask("HEAD", address, "ana")
	if head.StatusCode != r.StatusCode || head.Header.Get("ETag") != r.Header.Get("ETag") {
		d.t.Errorf("HEAD %s = %d %s, GET %d %s", address, head.StatusCode, head.Header.Get("ETag"), r.StatusCode, r.Header.Get("ETag"))
	}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
		if slices.Contains(routed, strings.ToLower(method)) {
			continue
		}
		if r := d.ask(method, address, "ana"); r.StatusCode != 405 {
			d.t.Errorf("%s %s = %d, want 405", method, address, r.StatusCode)
		}
	}
}

// addresses are concrete ones of a path: of every agent, and of every record that lists have.
func (d *desk) addresses(path string) []string {
	d.t.Helper()
	all := []string{api.Base + path}
	fill := func(name string, values func(address string) []string) {
		var out []string
		for _, address := range all {
			before, after, found := strings.Cut(address, "{"+name+"}")
			if !found {
				out = append(out, address)
				continue
			}
			for _, value := range values(strings.TrimSuffix(before, "/")) {
				out = append(out, before+value+after)
			}
		}
		all = out
	}
	keys := func(address string) (out []string) {
		for _, item := range d.get(address)["items"].([]any) {
			out = append(out, item.(map[string]any)["key"].(string))
		}
		return out
	}
	fill("workspace", func(string) []string { return []string{"acme", d.acme.ID} })
	fill("agent", keys)
	fill("id", keys)
	fill("draft", keys)
	if strings.HasSuffix(path, "/search") {
		for i := range all {
			all[i] += "?q=invoice"
		}
	}
	return all
}

// TestAnswersAreAsDescribed holds every answer of every address to its schema, with every
// parameter and every value that the description names.
func TestAnswersAreAsDescribed(t *testing.T) {
	d := newDesk(t)
	doc := d.document()
	checked, items := 0, map[string]int{}
	for path, methods := range doc.Paths {
		get, reads := methods["get"]
		if !reads || strings.HasSuffix(path, "/content") {
			continue
		}
		s := get.Responses["200"].Content["application/json"].Schema
		for i, address := range d.addresses(path) {
			queries := []string{""}
			for _, p := range get.Parameters {
				if p.Description == "" || p.In == "path" != strings.Contains(path, "{"+p.Name+"}") {
					t.Errorf("%s describes its parameter %s badly", path, p.Name)
				}
				if p.In == "query" && i < 12 {
					queries = append(queries, values(t, p.Name, p.Schema)...)
				}
			}
			for _, query := range queries {
				asked := with(address, query)
				answer := d.get(asked)
				for _, wrong := range doc.judge(s, "", asAny(answer)) {
					t.Errorf("%s: %s", asked, wrong)
				}
				checked++
				if list, ok := answer["items"].([]any); ok {
					items[path] += len(list)
				}
			}
		}
	}
	if checked < 200 || len(items) != 13 {
		t.Errorf("only %d answers with the items of %d lists were checked", checked, len(items))
	}
	for path, n := range items {
		if n == 0 {
			t.Errorf("no answer of %s had an item", path)
		}
	}
	for _, address := range []string{acme + "?x", api.Base + "/workspaces/nowhere"} {
		for _, wrong := range doc.judge(map[string]any{"$ref": "#/components/schemas/Error"}, "", asAny(parse(t, body(t, d.ask("GET", address, "ana"))))) {
			t.Errorf("%s: %s", address, wrong)
		}
	}
}

// with adds a key to a query, or replaces it.
func with(address, query string) string {
	path, had, _ := strings.Cut(address, "?")
	name, _, _ := strings.Cut(query, "=")
	if had != "" && !strings.HasPrefix(had, name+"=") && query != "" {
		query = had + "&" + query
	} else if query == "" {
		query = had
	}
	if query == "" {
		return path
	}
	return path + "?" + query
}

// values are keys with values that a parameter says it takes.
func values(t *testing.T, name string, s map[string]any) (out []string) {
	switch words, isEnum := s["enum"].([]any); {
	case isEnum:
		for _, w := range words {
			out = append(out, fmt.Sprintf("%s=%v", name, w))
		}
	case s["type"] == "integer":
		out = append(out, name+"=0", fmt.Sprintf("%s=%.0f", name, min(1, s["maximum"].(float64))), fmt.Sprintf("%s=%.0f", name, s["maximum"]))
	case s["type"] == "string":
		out = append(out, name+"=invoice", name+"=%F0%9F%AB%92%22%3C", name+"=")
		if name == "q" {
			out = out[:2]
		}
		if name == "at" { // a day or a time, after all that arrived; words are refused
			out = []string{"at=9999-12-30", "at=9999-12-30T10:00:00%2B01:00"}
		}
		if name == "agent" {
			out = []string{"agent=0d4f2a3c-1111-4222-8333-000000000001", "agent="}
		}
	default:
		t.Errorf("the parameter %s has a schema that the test does not know: %v", name, s)
	}
	return out
}

// asAny is the value as a schema sees it.
func asAny(v map[string]any) any { return v }

// TestSchemas holds that every schema is used, and that what they do not allow is found.
func TestSchemas(t *testing.T) {
	d := newDesk(t)
	doc := d.document()
	text := body(t, d.ask("GET", api.Base+"/openapi.json", ""))
	for name := range doc.Components.Schemas {
		if !strings.Contains(text, `"#/components/schemas/`+name+`"`) {
			t.Errorf("nothing uses the schema %s", name)
		}
	}
	ask := d.get(d.agent(d.odd) + "/asks")
	schema := map[string]any{"$ref": "#/components/schemas/Asks"}
	if wrong := doc.judge(schema, "", asAny(ask)); len(wrong) > 0 {
		t.Fatalf("a good answer is found bad: %v", wrong)
	}
	for lesson, spoil := range map[string]func(first, state map[string]any){
		"missing": func(first, _ map[string]any) { delete(first, "title") }, "more": func(first, _ map[string]any) { first["more"] = 1 },
		"null": func(first, _ map[string]any) { first["page"] = nil }, "word": func(_, state map[string]any) { state["phase"] = "open" },
		"fraction": func(_, state map[string]any) { state["round"] = json.Number("1.5") }, "below": func(_, state map[string]any) { state["round"] = json.Number("-1") },
	} {
		bad := d.get(d.agent(d.odd) + "/asks")
		first := bad["items"].([]any)[0].(map[string]any)
		spoil(first, first["state"].(map[string]any))
		if wrong := doc.judge(schema, "", asAny(bad)); len(wrong) != 1 {
			t.Errorf("%s: found %v, want one thing wrong", lesson, wrong)
		}
	}
}

// judge says what of a value its schema does not allow. It knows as much of JSON Schema as the
// description uses, and finds fault with a keyword that it does not know.
func (doc *document) judge(schema map[string]any, at string, v any) (wrong []string) {
	say := func(format string, args ...any) { wrong = append(wrong, at+": "+fmt.Sprintf(format, args...)) }
	for keyword, says := range schema {
		switch keyword {
		case "description", "format":
		case "$ref":
			name := strings.TrimPrefix(says.(string), "#/components/schemas/")
			target, ok := doc.Components.Schemas[name].(map[string]any)
			if !ok {
				say("no schema %s", name)
				break
			}
			wrong = append(wrong, doc.judge(target, at, v)...)
		case "type":
			if !isA(says, v) {
				say("%v is no %v", v, says)
			}
		case "enum":
			if !slices.Contains(says.([]any), v) {
				say("%v is none of %v", v, says)
			}
		case "minimum":
			if n, ok := v.(json.Number); ok && strings.HasPrefix(n.String(), "-") {
				say("%v is below %v", v, says)
			}
		case "anyOf":
			if !slices.ContainsFunc(says.([]any), func(s any) bool { return len(doc.judge(s.(map[string]any), at, v)) == 0 }) {
				say("%v is nothing of %v", v, says)
			}
		case "items":
			list, _ := v.([]any)
			for i, item := range list {
				wrong = append(wrong, doc.judge(says.(map[string]any), fmt.Sprintf("%s/%d", at, i), item)...)
			}
		case "properties", "required", "additionalProperties":
		default:
			say("the keyword %s is not known to the test", keyword)
		}
	}
	return append(wrong, doc.judgeObject(schema, at, v)...)
}

func (doc *document) judgeObject(schema map[string]any, at string, v any) (wrong []string) {
	o, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, ok := o[name.(string)]; !ok {
			wrong = append(wrong, fmt.Sprintf("%s: %v is missing", at, name))
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, value := range o {
		if s, ok := properties[name].(map[string]any); ok {
			wrong = append(wrong, doc.judge(s, at+"/"+name, value)...)
		} else if schema["additionalProperties"] == false {
			wrong = append(wrong, fmt.Sprintf("%s: %s is not described", at, name))
		}
	}
	return wrong
}

// isA reports whether a value is of a type, or of one of several.
func isA(kind, v any) bool {
	if kinds, ok := kind.([]any); ok {
		return slices.ContainsFunc(kinds, func(k any) bool { return isA(k, v) })
	}
	switch v := v.(type) {
	case nil:
		return kind == "null"
	case bool:
		return kind == "boolean"
	case string:
		return kind == "string"
	case []any:
		return kind == "array"
	case map[string]any:
		return kind == "object"
	case json.Number:
		return kind == "number" || kind == "integer" && !strings.ContainsAny(v.String(), ".eE")
	}
	return false
}
