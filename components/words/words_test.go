package words

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	for _, test := range []struct {
		accept []string
		want   string
	}{
		{nil, "en"},
		{[]string{""}, "en"},
		{[]string{"de"}, "de"},
		{[]string{"de-AT,de;q=0.9,en;q=0.8"}, "de"},
		{[]string{"en-GB,en;q=0.9,de;q=0.8"}, "en"},
		{[]string{"en;q=0.3, de;q=0.7"}, "de"},
		{[]string{"fr,de;q=0.5,en;q=0.2"}, "de"},
		{[]string{"fr, es"}, "en"},
		{[]string{"fr;q=1", "DE ; Q=0.4"}, "de"},
		{[]string{"*"}, "en"},
		{[]string{"*;q=0.1,de;q=0.2"}, "de"},
		{[]string{"de;q=0"}, "en"},
		{[]string{"de;q=0,en;q=0"}, "en"},
		{[]string{"de;q=1.001,en;q=0.1"}, "en"},
		{[]string{"de;q=0.1234,en;q=0.1"}, "en"},
		{[]string{"de;q=x,en;q=0.1"}, "en"},
		{[]string{"de;q=.5,en;q=0.1"}, "en"},
		{[]string{"de;level=1;q=0.5,en;q=0.4"}, "de"},
		{[]string{"en,de"}, "en"},
		{[]string{"de,en"}, "de"},
		{[]string{strings.Repeat("fr,", mostAsked) + "de"}, "en"},
	} {
		if got := Choose(test.accept); got != test.want {
			t.Errorf("Choose(%q) = %s, want %s", test.accept, got, test.want)
		}
	}
}

func FuzzChoose(f *testing.F) {
	for _, seed := range []string{"de", "en-GB,en;q=0.9,de;q=0.8", "*;q=0", ";q=,=;;", "de;q=1.000"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		if got := Choose([]string{accept}); !Known(got) {
			t.Errorf("Choose(%q) = %q, which there is not", accept, got)
		}
	})
}

func TestParse(t *testing.T) {
	got := Parse("# a note\twith a tab\n\na\tb\n#x\ty\nline\\none\tZeile\\neins\\\\\nno tab\nempty\t\n")
	want := map[string]string{"a": "b", "#x": "y", "line\none": "Zeile\neins\\"}
	if len(got) != len(want) {
		t.Errorf("Parse = %q, want %q", got, want)
	}
	for k, v := range want {
		if got[k] != v {
			t.Errorf("Parse: %q is %q, want %q", k, got[k], v)
		}
	}
}

// markup is a tag or an entity; "<3" is neither.
var markup = regexp.MustCompile(`<[^0-9=]|[^ ]>$|&[#a-zA-Z]`)

// TestCatalogueIsTidy holds the file to lines that are sorted, whole and there once, so that a
// change shows as what it is.
func TestCatalogueIsTidy(t *testing.T) {
	before := ""
	for line := range strings.Lines(german) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "# ") || line == "#" {
			if before != "" {
				t.Errorf("the note %q stands among the entries", line)
			}
			continue
		}
		english, other, ok := strings.Cut(line, "\t")
		if !ok || english == "" || other == "" || strings.Contains(other, "\t") {
			t.Errorf("%q is no entry: write English, a tab, and the translation", line)
		}
		if english <= before {
			t.Errorf("%q stands behind %q: sort the lines", english, before)
		}
		if strings.TrimSpace(other) != other || markup.MatchString(other) || strings.Contains(other, "\u00a0") {
			t.Errorf("%q: the translation %q begins or ends with a space, or holds markup", english, other)
		}
		before = english
	}
}

func TestLanguages(t *testing.T) {
	codes := []string{}
	for _, l := range Languages() {
		codes = append(codes, l.Code)
		if !Known(l.Code) || Of(l.Code) != l || l.Name == "" || l.Group == l.Point {
			t.Errorf("%+v is no language", l)
		}
		if (For(l.Code) == nil) != (l == English) || (Entries(l.Code) == nil) != (l == English) {
			t.Errorf("%s has a catalogue: %v", l.Code, For(l.Code) != nil)
		}
	}
	if !slices.Equal(codes, []string{"en", "de"}) {
		t.Errorf("languages %q", codes)
	}
	if Known("xx") || Known("") || Of("xx") != English || For("xx") != nil {
		t.Error("there is a language of no code")
	}
	if text, ok := For("de")("Sign in"); !ok || text != "Anmelden" {
		t.Errorf("Sign in is %q, %v", text, ok)
	}
	if _, ok := For("de")("Nobody says this."); ok {
		t.Error("what nobody says has a translation")
	}
}
