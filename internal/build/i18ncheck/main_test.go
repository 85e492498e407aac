package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/components/words"
)

// TestCatalogues holds every catalogue to the sentences that there are: nothing missing, nothing
// stale, the same verbs and places.
func TestCatalogues(t *testing.T) {
	s, err := find("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if len(s.at) < 2000 {
		t.Fatalf("only %d sentences were found: the way from say back to them is lost", len(s.at))
	}
	for _, l := range words.Languages()[1:] {
		for _, line := range s.wrong(l.Code, words.For(l.Code)) {
			t.Errorf("%s: %s", l.Code, line)
		}
	}
	for _, at := range s.lost {
		t.Errorf("%s, so that no language can say it: write it whole, with its arguments beside it as in ui.Message", at)
	}
}

// TestCheck finds each kind of mistake.
func TestCheck(t *testing.T) {
	s := &said{
		at:    map[string][]string{"a job": {"a.go:1"}, "%d jobs": {"a.go:2"}, "an ask": {"a.go:3"}},
		pairs: map[words.Pair][]string{{One: "one run", Many: "%d runs"}: {"a.go:4"}, {One: "one line", Many: "%d lines"}: {"a.go:5"}},
	}
	got := s.check(words.Parse([]byte(`msgid ""
msgstr "Plural-Forms: nplurals=2; plural=(n != 1);\n"

msgid "an ask"
msgstr "eine Anfrage"

msgid "%d jobs"
msgstr "Aufträge"

msgid "a run"
msgstr "ein Lauf"

msgid "one line"
msgid_plural "%d lines"
msgstr[0] "eine Zeile"

msgid "one run"
msgid_plural "runs"
msgstr[0] "ein Lauf"
msgstr[1] "Läufe"
`)))
	want := []string{
		`forms: "one line" has no form 1 of 2`, `placeholders: "%d jobs" takes [1%d], "Aufträge" takes []`,
		`missing: "%d jobs" (a.go:2)`, `missing: "a job" (a.go:1)`, `missing: "one line", "%d lines" (a.go:5)`, `missing: "one run", "%d runs" (a.go:4)`,
		`stale: no page shows "a run"`, `stale: no page shows "one run", "runs"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("check found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestTemplate holds the template to entries that are sorted, and that gettext's tools tell apart.
func TestTemplate(t *testing.T) {
	s := &said{
		at:    map[string][]string{"a \"job\"\n": {"a.go:1", "b.go:2"}, "one run": {"a.go:3"}},
		pairs: map[words.Pair][]string{{One: "one run", Many: "%d runs"}: {"a.go:4"}, {One: "one ask", Many: "%d asks"}: {"a.go:5"}},
	}
	want := potHeader + `
#: a.go:1 b.go:2
msgid "a \"job\"\n"
msgstr ""

#: a.go:5
msgid "one ask"
msgid_plural "%d asks"
msgstr[0] ""
msgstr[1] ""

#: a.go:3
msgid "one run"
msgstr ""

#: a.go:4
msgctxt "%d runs"
msgid "one run"
msgid_plural "%d runs"
msgstr[0] ""
msgstr[1] ""
`
	if got := s.template(); got != want {
		t.Errorf("template\n%s\nwant\n%s", got, want)
	}
}
