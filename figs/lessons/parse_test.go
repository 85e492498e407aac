package lessons

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/figs-web/figs-web/figs"
)

// TestFilesOfRules parses the files and looks for lessons that are missing and texts that nothing uses.
func TestFilesOfRules(t *testing.T) {
	c, err := parse(files)
	if err != nil {
		t.Fatal(err)
	}
	for code := range figs.Codes() {
		if c.lessons[code] == nil {
			t.Errorf("%v has no lesson in rules/*.txt", code)
		}
	}
	var all strings.Builder
	names, err := os.ReadDir("rules") // a file that is not embedded fails below
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := files.ReadFile("rules/" + name.Name())
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "\nrule: ") {
			t.Errorf("rules/%s holds no lesson", name.Name())
		}
		all.Write(text)
	}
	for name := range c.shared {
		if name != "agent" && name != "config" && !strings.Contains(all.String(), "\n< "+name+"\n") {
			t.Errorf("shared.txt: no example uses %q", name)
		}
	}
}

// TestParse shows what each kind of line does.
func TestParse(t *testing.T) {
	c, err := parse(fstest.MapFS{
		"shared.txt": {Data: []byte("# Used below.\ntext: step\n|   - id: draft\n|     name: Draft\n\ntext: later\n< step\n- draft\n+ last\n")},
		"rules/a.txt": {Data: []byte(`rule: ask_id_missing
title: An ask has no id
section: §3
why: Nobody can answer it.
citation: Every ask has an id (§3).
bad: workflow.yaml (no final newline)
| - id: draft
< step
-     name: Draft
< later
- id: last
+ id: a
+     # b
- name
+ title
good: ledger.jsonl
| (a) (b)
> "(a)" = "\xff" * 3 "x"
> " (b)\n" = ""
both: artifacts/plan.md (900 bytes)
good: wide.txt (UTF-16)
| é
good: gone.txt (absent)
bad: (host)
| permission denied
`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	l := c.lessons[figs.AskIDMissing]
	if got, want := []string{l.Title, l.Section, l.Why, l.Citation}, []string{"An ask has no id", "§3", "Nobody can answer it.", "Every ask has an id (§3)."}; !slices.Equal(got, want) {
		t.Errorf("fields = %q, want %q", got, want)
	}
	for _, test := range []struct {
		name      string
		got, want Example
		bytes     string
	}{
		{"changes", l.Bad[0], Example{File: "workflow.yaml", Text: "- id: draft\n  - id: draft\n  - id: a\n    # b\n    title: Draft"}, "- id: draft\n  - id: draft\n  - id: a\n    # b\n    title: Draft"},
		{"size", l.Bad[1], Example{File: "artifacts/plan.md", Size: 900}, ""},
		{"host", l.Bad[2], Example{Text: "permission denied", Host: true}, ""},
		{"bytes", l.Good[0], Example{File: "ledger.jsonl", Text: "(a) (b)\n"}, "\xff\xff\xffx"},
		{"both", l.Good[1], Example{File: "artifacts/plan.md", Size: 900}, ""},
		{"utf16", l.Good[2], Example{File: "wide.txt", Text: "é\n"}, "\xff\xfe\xe9\x00\n\x00"},
		{"absent", l.Good[3], Example{File: "gone.txt", Absent: true}, ""},
	} {
		if got := string(test.got.Bytes()); got != test.bytes {
			t.Errorf("%s: Bytes() = %q, want %q", test.name, got, test.bytes)
		}
		test.got.data = nil
		if !reflect.DeepEqual(test.got, test.want) {
			t.Errorf("%s: example = %+v, want %+v", test.name, test.got, test.want)
		}
	}
}

// TestParseError holds every mistake to a sentence that names the file and the line.
func TestParseError(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"unknown rule", "rule: ask_lost", `rules/a.txt:1: "ask_lost" is not a rule, or already has a lesson`},
		{"second lesson", "rule: ts_future\n\n# again\nrule: ts_future", `rules/a.txt:4: "ts_future" is not a rule, or already has a lesson`},
		{"no rule", "title: A time is in the future", `rules/a.txt:1: "title:" needs a line rule: above it`},
		{"unknown part", "rule: ts_future\nreason: Why not?", `rules/a.txt:2: "reason:" is not a part of a lesson`},
		{"no file", "rule: ts_future\n| {}", `rules/a.txt:2: "|" needs a line bad:, good: or both: above it`},
		{"unknown note", "rule: ts_future\nbad: a.md (empty)", `rules/a.txt:2: (empty) is not a note about a file`},
		{"unknown line", "rule: ts_future\nbad: a.md\nHello", `rules/a.txt:3: a line cannot begin with "Hello"`},
		{"white space", "rule: ts_future\nbad: a.md\n| Hello ", `rules/a.txt:3: the line ends in white space, which editors remove`},
		{"shared text", "rule: ts_future\nbad: a.md\n< flow", `rules/a.txt:3: there is no shared text "flow"`},
		{"second text", "text: step", `rules/a.txt:1: there are two shared texts "step"`},
		{"change", "rule: ts_future\nbad: a.md\n< step\n- last", `rules/a.txt:4: no shared text above this change contains "last"`},
		{"nothing to change", "rule: ts_future\nbad: a.md\n< step\n+ last\n", `rules/a.txt:4: no shared text above this change contains ""`},
		{"change of a line", "rule: ts_future\nbad: a.md\n| last\n- last\n+ first\n", `rules/a.txt:5: no shared text above this change contains "last"`},
		{"bytes", "rule: ts_future\nbad: a.md\n| (a)\n> \"(b)\" = \"b\"", `rules/a.txt:4: the file does not contain "(b)"`},
		{"bytes without =", "rule: ts_future\nbad: a.md\n| (a)\n> \"(a)\"", `rules/a.txt:4: a line of bytes lacks its =`},
		{"bytes without quotes", "rule: ts_future\nbad: a.md\n| (a)\n> (a) = 3", `rules/a.txt:4: (a) = 3 does not begin with a Go string`},
		{"times", "rule: ts_future\nbad: a.md\n| (a)\n> \"(a)\" = \"a\" * many", `rules/a.txt:4: "many" is not a number of times`},
	} {
		_, err := parse(fstest.MapFS{"shared.txt": {Data: []byte("text: step\n| draft\n")}, "rules/a.txt": {Data: []byte(test.text)}})
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: parse = %v, want %s", test.name, err, test.want)
		}
	}
}
