package words

import (
	"regexp"
	"slices"
	"strconv"
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

// markup is a tag or an entity; "<3" is neither.
var markup = regexp.MustCompile(`<[^0-9=]|[^ ]>$|&[#a-zA-Z]`)

// TestCataloguesAreTidy holds the files to entries that are sorted, whole and there once, so that a
// change shows as what it is.
func TestCataloguesAreTidy(t *testing.T) {
	for _, l := range Languages()[1:] {
		text, err := files.ReadFile(l.Code + ".po")
		if err != nil {
			t.Fatal(err)
		}
		blocks, before := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n\n"), ""
		for _, block := range blocks[1:] {
			if strings.HasPrefix(block, "#") {
				continue // a note of the translator, as the header has
			}
			_, entry, _ := strings.Cut(block, "msgid ")
			english, _, _ := strings.Cut(entry, "\nmsgstr")
			key := unquote(t, english)
			if key <= before {
				t.Errorf("%s: %q stands behind %q: sort the entries", l.Code, key, before)
			}
			before = key
		}
		c := For(l.Code)
		if got := len(c.Single) + len(c.Plural); got != len(blocks)-1 {
			t.Errorf("%s: %d of %d entries can be used", l.Code, got, len(blocks)-1)
		}
		for english, other := range c.Translations() {
			if strings.TrimSpace(other) != other || markup.MatchString(other) && !markup.MatchString(english) || strings.Contains(other, "\u00a0") {
				t.Errorf("%s: %q: the translation %q begins or ends with a space, or holds markup", l.Code, english, other)
			}
		}
	}
}

// unquote joins what an entry says of the English, one and many, as it sorts.
func unquote(t *testing.T, lines string) string {
	one, many, _ := strings.Cut(lines, "\nmsgid_plural ")
	key := ""
	for _, text := range []string{one, many} {
		if text == "" {
			continue
		}
		plain, err := strconv.Unquote(text)
		if err != nil {
			t.Errorf("%s: write each text on one line: %v", text, err)
		}
		key += plain + "\x00"
	}
	return key
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
	if _, ok := For("de").Say("Nobody says this."); ok {
		t.Error("what nobody says has a translation")
	}
}
