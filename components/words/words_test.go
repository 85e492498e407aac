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
		{[]string{"it,de;q=0.5,en;q=0.2"}, "de"},
		{[]string{"it, es"}, "en"},
		{[]string{"it;q=1", "DE ; Q=0.4"}, "de"},
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
		{[]string{"de_DE"}, "en"},
		{[]string{"german", "d", "x-de", "-de", "de-"}, "de"},
		{[]string{"i-klingon", "zh-Hant-TW", "a\x00b\xff", "../de", ",,;;q=1,", "tlh;q=9"}, "en"},
		{[]string{"de\u202e", "de;q=0.9\u202e", "de;q=-1", "de;q=1e9", "de;q=NaN"}, "en"},
		{[]string{strings.Repeat("x", 1<<16) + "-de", "en"}, "en"},
		{[]string{strings.Repeat("it,", mostAsked) + "de"}, "en"},
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

// markup is a tag or an entity; "<3" is neither.
var markup = regexp.MustCompile(`<[^0-9=]|[^ ]>$|&[#a-zA-Z]`)

// TestCataloguesAreTidy holds every entry of the catalogues to be usable, and plain text.
func TestCataloguesAreTidy(t *testing.T) {
	for _, l := range Languages()[1:] {
		c := For(l.Code)
		for _, wrong := range c.Wrong {
			t.Errorf("%s: %s", l.Code, wrong)
		}
		for english, other := range c.Translations() {
			if strings.TrimSpace(other) != other || markup.MatchString(other) && !markup.MatchString(english) {
				t.Errorf("%s: %q: the translation %q begins or ends with a space, or contains markup", l.Code, english, other)
			}
		}
	}
}

func TestLanguages(t *testing.T) {
	codes := []string{}
	for _, l := range Languages() {
		codes = append(codes, l.Code)
		if !Known(l.Code) || Of(l.Code) != l || l.Name == "" || l.Group == l.Point {
			t.Errorf("%+v is no language", l)
		}
		if (For(l.Code) == nil) != (l == English) {
			t.Errorf("%s has a catalogue: %v", l.Code, For(l.Code) != nil)
		}
	}
	if codes[0] != "en" || !slices.Contains(codes, "de") {
		t.Errorf("languages %q", codes)
	}
	if Known("xx") || Known("") || Of("xx") != English || For("xx") != nil {
		t.Error("there is a language of no code")
	}
	if text, ok := For("de").Say("Sign in"); !ok || text != "Anmelden" {
		t.Errorf("Sign in is %q, %v", text, ok)
	}
	if _, ok := For("de").Say("No page says this."); ok {
		t.Error("a sentence of no page has a translation")
	}
}
