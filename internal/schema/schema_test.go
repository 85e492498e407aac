package schema_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/figstest"
	"github.com/figs-web/figs-web/internal/schema"
)

// inexpressible are rules about one file or one line that a schema can't hold, and why. Every other rule about a line or a
// small file is held: see shape.
var inexpressible = map[figs.Code]string{
	figs.RunTSMissing:              "any line of the job may have the time",
	figs.AskTypeMissing:            "any line of the ask may have the type",
	figs.AskTitleMissing:           "any line of the ask may have the title",
	figs.SignOffWithoutAttachment:  "any line of the ask may attach a file",
	figs.SignOffWithoutOnApprove:   "any line of the ask may have the steps",
	figs.AttachmentNameInvalid:     "names are checked with tables of Unicode and of systems' reserved names",
	figs.AttachmentTypeUnsupported: "whether a file type is supported is a list of the viewer's, and not of the protocol's shape",
	figs.AttachmentLegacyField:     "a schema can only mark a field as deprecated",
	figs.KeyDuplicate:              "a schema sees an object after it was parsed",
	figs.LineBroken:                "a schema sees only valid JSON",
	figs.LineTorn:                  "a schema sees only valid JSON",
	figs.LineUnterminated:          "a schema sees no line ends",
	figs.LineUTF8Invalid:           "a schema sees text after it was decoded",
	figs.FileUTF16:                 "a schema sees text after it was decoded",
	figs.RecordTooLarge:            "a schema can't measure a line",
	figs.LineTooLong:               "a schema can't measure a line",
	figs.LineTooDeep:               "a schema can't measure how deep an object is nested",
	figs.LedgerTooLarge:            "a schema can't measure a ledger",
	figs.TextHiddenCharacters:      "it needs tables of Unicode, and the characters around each",
	figs.DollarEaten:               "it needs the words around a number, in every language",
	figs.UnitUnknown:               "it needs agent.json", figs.AskRunUnknown: "it needs runs.jsonl", figs.ResolutionRunUnknown: "it needs runs.jsonl",
	figs.ResolutionAnswerUnknown: "it needs messages.jsonl", figs.ResolutionAnswerMissing: "it needs the whole ask", figs.ResolutionAnswerOtherAsk: "it needs messages.jsonl",
	figs.ResolutionChosenUnknown: "it needs the whole ask", figs.MessageChosenUnknown: "it needs asks.jsonl", figs.MessageAskUnknown: "it needs asks.jsonl",
	figs.CloseWithoutVerdict: "it needs messages.jsonl", figs.CloseAgainstVerdict: "it needs messages.jsonl", figs.CloseCitesEarlierRound: "it needs messages.jsonl",
	figs.VerdictOnQuestion: "it needs asks.jsonl", figs.AnswerOnSignOff: "it needs asks.jsonl", figs.AskChangedAfterReply: "it needs messages.jsonl",
	figs.AskRejectedReopened: "it needs earlier lines", figs.MessageIDReused: "it needs earlier lines", figs.JobSilent: "it needs the time", figs.TSFuture: "it needs the time",
	figs.TSOutOfOrder: "it needs earlier lines", figs.AttachmentMissing: "it needs the folder", figs.AttachmentCaseDiffers: "it needs the folder",
	figs.AttachmentTooLarge: "it needs the folder", figs.AttachmentUnnamed: "it needs the folder", figs.AgentMissing: "it needs the folder",
	figs.FileUnreadable: "it needs the folder", figs.FileChanged: "it needs the folder", figs.FolderUnrecognised: "it needs the folder",
}

// shape are the rules that schemas hold, errors and warnings.
var shape = []figs.Code{
	figs.LineNotObject, figs.AgentMalformed, figs.ConfigMalformed, figs.NameMissing, figs.PlaceholderLeft, figs.AgentIDMissing, figs.AgentIDMalformed, figs.WorkspaceIDMalformed,
	figs.EndpointMalformed, figs.UnitIncomplete, figs.StatsMalformed, figs.PropertiesMalformed, figs.StepsMalformed, figs.ResponsibilitiesMalformed, figs.StepsAndResponsibilities,
	figs.OrgMalformed, figs.AvatarMalformed, figs.UnitsMalformed,
	figs.RunIDMissing, figs.RunStatusUnknown, figs.RunStateUnknown, figs.AskIDMissing, figs.AskTypeUnknown, figs.AskTypeRetired, figs.AskStatusUnknown, figs.AskToUnknown,
	figs.MessageIDMissing, figs.MessageKindMissing, figs.MessageKindUnknown, figs.MessageKindReserved, figs.MessageAskMissing, figs.MessageTSMissing, figs.MessageByMissing,
	figs.MessageVerdictMissing, figs.MessageVerdictUnknown, figs.MessageSourceRefused, figs.AnswerEmpty, figs.TSMalformed, figs.TextMalformed, figs.OptionsMalformed,
	figs.OptionTooLong, figs.OnApproveMalformed, figs.OnApproveOnQuestion, figs.DetailsMalformed, figs.DetailsValueMalformed, figs.AttachmentsMalformed, figs.ArtifactMalformed,
	figs.ArtifactsMalformed, figs.RefsMalformed, figs.ResolutionMalformed, figs.ResolutionViaUnknown, figs.SessionMalformed, figs.TokensMalformed,
}

// TestEveryRuleIsSorted: each rule of the protocol is held by a schema, or has a reason why not.
func TestEveryRuleIsSorted(t *testing.T) {
	for code := range figs.Codes() {
		if _, out := inexpressible[code]; !code.OfKind() && out == slices.Contains(shape, code) {
			t.Errorf("%s: held %v, inexpressible %v", code, slices.Contains(shape, code), out)
		}
	}
}

func compile(t testing.TB, name string, strict bool) *jsonschema.Schema {
	t.Helper()
	text := schema.Of(name, strict)
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(nil) // nothing is fetched
	id := parsed.(map[string]any)["$id"].(string)
	if err := c.AddResource(id, parsed); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(id) // it is validated against the schema of schemas
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
	return s
}

// schemas has the schemas by file, lax and strict.
func schemas(t testing.TB) map[figs.File][2]*jsonschema.Schema {
	t.Helper()
	all := map[figs.File][2]*jsonschema.Schema{}
	for name, file := range map[string]figs.File{"agent": figs.AgentJSON, "config": figs.ConfigJSON, "runs": figs.Runs, "asks": figs.Asks, "messages": figs.Messages} {
		all[file] = [2]*jsonschema.Schema{compile(t, name, false), compile(t, name, true)}
	}
	return all
}

// rulesOn are the rules of shape that a file, or a line of a ledger, breaks on its own.
func rulesOn(file figs.File, text []byte) (errors, warnings []figs.Code) {
	f := figs.New(figs.Options{Loose: true})
	f.Feed(file, slices.Clone(text))
	for _, found := range f.Finish().Findings {
		switch {
		case found.File != file.String() || !slices.Contains(shape, found.Code):
		case found.Severity == figs.Error:
			errors = append(errors, found.Code)
		default:
			warnings = append(warnings, found.Code)
		}
	}
	return errors, warnings
}

// agree holds schema and rules to each other on one file or line. It reports whether a schema can say anything about it.
func agree(t testing.TB, all map[figs.File][2]*jsonschema.Schema, file figs.File, text []byte) bool {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil || !utf8.Valid(text) || odd(text) {
		return false
	}
	errors, warnings := rulesOn(file, text)
	lax, strict := all[file][0].Validate(value), all[file][1].Validate(value)
	switch {
	case (lax != nil) != (len(errors) > 0):
		t.Errorf("%s: the rules find errors %v, the schema says %v\n%s", file, errors, lax, text)
	case (strict != nil) != (len(errors)+len(warnings) > 0) && !longInUTF16(warnings, errors):
		t.Errorf("%s: the rules find %v and %v, the strict schema says %v\n%s", file, errors, warnings, strict, text)
	}
	return true
}

// longInUTF16: the length of an option is counted in UTF-16 by the rules, and in characters by a schema.
func longInUTF16(warnings, errors []figs.Code) bool {
	return len(errors) == 0 && len(warnings) > 0 && !slices.ContainsFunc(warnings, func(c figs.Code) bool { return c != figs.OptionTooLong })
}

// odd reports spellings that the rules see and a parsed value doesn't have: times with escapes, escaped keys inside a field,
// and duplicate keys.
func odd(text []byte) bool { return bytes.Contains(text, []byte(`\u00`)) || duplicates(text) }

func duplicates(text []byte) bool {
	d := json.NewDecoder(bytes.NewReader(text))
	type level struct {
		keys map[string]bool
		key  bool
	}
	var stack []level
	for {
		token, err := d.Token()
		if err != nil {
			return false
		}
		top := len(stack) - 1
		if s, is := token.(string); is && top >= 0 && stack[top].keys != nil && stack[top].key {
			if stack[top].keys[s] {
				return true
			}
			stack[top].keys[s], stack[top].key = true, false
			continue
		}
		switch token {
		case json.Delim('{'):
			stack = append(stack, level{map[string]bool{}, true})
			continue
		case json.Delim('['):
			stack = append(stack, level{})
			continue
		case json.Delim('}'), json.Delim(']'):
			stack = stack[:top]
		}
		if top = len(stack) - 1; top >= 0 {
			stack[top].key = true
		}
	}
}

const largest = 1 << 20 // bytes of a file that is tried line by line

// TestVectors holds schemas and rules to each other on every line of every vector.
func TestVectors(t *testing.T) {
	all := schemas(t)
	tried, refused := 0, map[figs.Code]bool{}
	for v := range figstest.Vectors() {
		for name, text := range v.Files {
			file := figs.ParseFile(name)
			if all[file][0] == nil || len(text) > largest {
				continue
			}
			lines := [][]byte{text}
			if file < figs.Ledgers {
				lines = bytes.Split(text, []byte("\n"))
			}
			for _, line := range lines {
				if len(bytes.TrimSpace(line)) > 0 && agree(t, all, file, line) {
					tried++
					errors, warnings := rulesOn(file, line)
					for _, code := range append(errors, warnings...) {
						refused[code] = true
					}
				}
			}
			if t.Failed() {
				t.Fatalf("in the vector %s", v.Name)
			}
		}
	}
	for _, code := range shape {
		if !refused[code] {
			t.Errorf("no line of a vector breaks %s", code)
		}
	}
	t.Logf("%d lines and files", tried)
}

// fields are values that are tried in every field.
var fields = []string{
	"null", "true", "false", "0", "-0.0", "1e5", "1", `""`, `"x"`, `"ok"`, `"open"`, `"question"`, `"sign-off"`, `"manager"`, `"answer"`, `"verdict"`, `"approved"`, `"app"`, `"settled"`,
	`"2026-11-20T10:00:00Z"`, `"2024-02-29T23:59:60,5+0530"`, `"2023-02-29T10:00:00Z"`, `"2026-11-20t10:00z"`, `"2026-11-20T10:00"`, `"2026-04-31T10:00:00Z"`, `"2000-02-29T00:00+01"`, `"1900-02-29T00:00Z"`,
	`"0f6f2a52-5d0c-4d2e-9a39-0C1B7e6d1a11"`, `"HTTPS://x"`, `"https:// x"`, `"http://"`, `"<x>"`, `" \n<x> "`, `"<x\ny>"`, `"<"`, `"<>"`,
	"[]", `["a"]`, `["a",1]`, `[null]`, "{}", `[{}]`, `[{"l":"a","v":"b"}]`, `[{"l":"a","v":1}]`, `[{"l":1,"v":"b"}]`, `[{"k":"a","v":"b"}]`, `[{"label":"x"}]`, `[{"label":1}]`,
	`{"tokens":null}`, `{"tokens":{"input":1}}`, `{"tokens":{"input":"1"}}`, `{"tokens":[]}`, `{"ts":null}`, `{"ts":"2026-11-20T10:00:00Z"}`, `{"ts":"x"}`, `{"via":"figs"}`, `{"via":null}`, `{"via":"x"}`, `{"a":{"b":["<c>"]}}`,
	`[{"id":"a","name":"b"}]`, `[{"id":"a"}]`, `[{"id":"a","name":"b","stats":[{"l":"a"}]}]`, `[{"id":"a","name":"b","stats":5}]`, `["` + strings.Repeat("x", 80) + `"]`, `["` + strings.Repeat("x", 81) + `"]`, `["` + strings.Repeat("😀", 41) + `"]`,
}

// bases are complete objects, to which one field is added, or in which one is replaced.
var bases = map[figs.File][]string{
	figs.AgentJSON:  {`"name":"Ada"`, ``, `"name":"Ada","steps":["a"]`},
	figs.ConfigJSON: {`"agentId":"0f6f2a52-5d0c-4d2e-9a39-0c1b7e6d1a11"`, ``},
	figs.Runs:       {`"id":"a","ts":"2026-11-20T10:00:00Z"`, ``},
	figs.Asks:       {`"id":"a","type":"question","title":"T"`, `"id":"a","type":"sign-off","title":"T","status":"resolved"`, `"id":"a"`},
	figs.Messages: {`"id":"a","kind":"answer","ask":"x","by":"b","ts":"2026-11-20T10:00:00Z","text":"t"`, `"id":"a","kind":"verdict","ask":"x","by":"b","ts":"2026-11-20T10:00:00Z","verdict":"approved"`,
		`"id":"a","kind":"answer","ask":"x","by":"b","ts":"2026-11-20T10:00:00Z"`},
}

// TestFields holds schemas and rules to each other with every value in every field.
func TestFields(t *testing.T) {
	all, tried := schemas(t), 0
	for _, name := range schema.Names {
		var s struct{ Properties map[string]any }
		if err := json.Unmarshal(schema.Of(name, false), &s); err != nil {
			t.Fatal(err)
		}
		file := figs.ParseFile(name + ".jsonl")
		if file >= figs.Ledgers {
			file = figs.ParseFile(name + ".json")
		}
		for field := range s.Properties {
			if file < figs.Ledgers && !figs.IsKnownKey([]byte(field)) {
				t.Errorf("%s: the schema has the field %s, which the protocol doesn't name", name, field)
			}
			for _, base := range bases[file] {
				for _, value := range fields {
					object := map[string]json.RawMessage{}
					if err := json.Unmarshal([]byte("{"+base+"}"), &object); err != nil {
						t.Fatal(err)
					}
					object[field] = json.RawMessage(value)
					text, err := json.Marshal(object)
					if err != nil {
						t.Fatal(err)
					}
					if agree(t, all, file, text) {
						tried++
					}
				}
			}
		}
	}
	t.Logf("%d objects", tried)
}

// FuzzShape holds schemas and rules to each other on any object.
func FuzzShape(f *testing.F) {
	all := schemas(f)
	for file, objects := range bases {
		for _, base := range objects {
			f.Add(uint8(file), []byte("{"+base+"}"))
		}
	}
	f.Fuzz(func(t *testing.T, n uint8, text []byte) {
		file := figs.File(n)
		if all[file][0] != nil && json.Valid(text) && !bytes.Contains(text, []byte("\n")) && !bytes.Contains(text, []byte(`\`)) && len(bytes.TrimSpace(text)) > 0 {
			agree(t, all, file, text)
		}
	})
}
