package words

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/leonelquinteros/gotext"
)

const english = "nplurals=2; plural=(n != 1);"

// counted is a catalogue of a rule, with the pairs "%d job" and "One ask".
func counted(rule string, forms ...string) string {
	text := "msgid \"\"\nmsgstr \"Language: xx\\nPlural-Forms: " + rule + "\\n\"\n\nmsgid \"%d job\"\nmsgid_plural \"%d jobs\"\n"
	for i, form := range forms {
		text += "msgstr[" + string(rune('0'+i)) + "] \"" + form + "\"\n"
	}
	return text
}

// TestCount chooses forms by the rules of languages that have more than two.
func TestCount(t *testing.T) {
	for _, test := range []struct {
		name, rule string
		forms      []string
		want       map[int]string
	}{
		{"Polish", "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
			[]string{"jedno zadanie", "%d zadania", "%d zadań"},
			map[int]string{0: "%d zadań", 1: "jedno zadanie", 2: "%d zadania", 5: "%d zadań", 11: "%d zadań", 12: "%d zadań", 21: "%d zadań", 22: "%d zadania", -1: "jedno zadanie"}},
		{"Russian", "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
			[]string{"%d задача", "%d задачи", "%d задач"},
			map[int]string{0: "%d задач", 1: "%d задача", 2: "%d задачи", 5: "%d задач", 11: "%d задач", 21: "%d задача", 112: "%d задач"}},
		{"Arabic", "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);",
			[]string{"لا مهام", "مهمة واحدة", "مهمتان", "%d مهام", "%d مهمة", "%d مهمه"},
			map[int]string{0: "لا مهام", 1: "مهمة واحدة", 2: "مهمتان", 5: "%d مهام", 11: "%d مهمة", 21: "%d مهمة", 100: "%d مهمه", 103: "%d مهام"}},
		{"Japanese", "nplurals=1; plural=0;", []string{"%d件"}, map[int]string{0: "%d件", 1: "%d件", 21: "%d件"}},
	} {
		c := Parse([]byte(counted(test.rule, test.forms...)))
		if len(c.Wrong) > 0 {
			t.Errorf("%s: %q", test.name, c.Wrong)
		}
		for n, want := range test.want {
			if got, ok := c.Count(n, "%d job", "%d jobs"); !ok || got != want {
				t.Errorf("%s: %d is %q, %v, want %q", test.name, n, got, ok, want)
			}
		}
	}
}

// TestBroken keeps the English of what can't be used, and says so.
func TestBroken(t *testing.T) {
	for _, test := range []struct{ name, text, wrong string }{
		{"a form missing", counted(english, "%d Auftrag"), "forms: "},
		{"a form too many", counted(english, "%d Auftrag", "%d Aufträge", "%d Aufträge"), "forms: "},
		{"a number missing", counted(english, "%d Auftrag", "Aufträge"), "placeholders: "},
		{"a number missing from a form for 1, 21, 31", counted("nplurals=2; plural=(n%10==1 ? 0 : 1);", "одна", "%d"), "placeholders: "},
		{"another verb", counted(english, "%d Auftrag", "%s Aufträge"), "placeholders: "},
		{"forms out of range", counted("nplurals=1; plural=(n != 1);", "%d Auftrag"), "forms: "},
		{"a rule that divides by nothing", counted("nplurals=2; plural=(n%0==1 ? 0 : 1);", "%d Auftrag", "%d Aufträge"), "forms: "},
		{"a rule that is none", counted("nplurals=2; plural=many;", "%d Auftrag", "%d Aufträge"), "forms: "},
		{"forms without number", counted("nplurals=99999999; plural=(n != 1);", "%d Auftrag", "%d Aufträge"), "forms: "},
		{"no rule", "msgid \"%d job\"\nmsgid_plural \"%d jobs\"\nmsgstr[0] \"%d Auftrag\"\n", "forms: "},
		{"no catalogue", "\x00\xff msgid\nmsgstr[ \"", "forms: "},
		{"a text without end", counted(english, "%d Auftrag") + "msgstr[1] \"%d Aufträge\n", "line 7 can't be read: "},
		{"a form of no number", counted(english, "%d Auftrag", "%d Aufträge") + "msgstr[x] \"%d Aufträge\"\n", "line 8 can't be read: "},
		{"a word that is none", counted(english, "%d Auftrag", "%d Aufträge") + "msgtext \"%d Aufträge\"\n", "line 8 can't be read: "},
		{"nothing", "", "forms: "},
	} {
		c := Parse([]byte(test.text))
		for n := range 30 {
			if got, ok := c.Count(n, "%d job", "%d jobs"); ok {
				t.Errorf("%s: %d is %q", test.name, n, got)
			}
		}
		if len(c.Wrong) == 0 || !strings.HasPrefix(c.Wrong[0], test.wrong) {
			t.Errorf("%s: wrong are %q, want %s", test.name, c.Wrong, test.wrong)
		}
	}
	c := Parse([]byte(counted(english, "", "") + "\nmsgid \"{0} of %s\"\nmsgstr \"{0} von %d\"\n\nmsgid \"Close\"\nmsgstr \"\"\n\nmsgid \"Open\"\nmsgstr \"Öffnen\"\n"))
	for english, want := range map[string]string{"{0} of %s": "", "Close": "", "Open": "Öffnen"} {
		if got, ok := c.Say(english); got != want || ok != (want != "") {
			t.Errorf("%q is %q, %v, want %q", english, got, ok, want)
		}
	}
	if len(c.Wrong) != 1 {
		t.Errorf("wrong are %q, want one: what is not translated yet is not wrong", c.Wrong)
	}
}

// TestFuzzy leaves out what a translator has yet to check, as gettext's tools do.
func TestFuzzy(t *testing.T) {
	c := Parse([]byte(counted(english, "%d Auftrag", "%d Aufträge") + `
#, fuzzy
msgid "Open"
msgstr "Schließen"

# a note
#: a.go:1
#, c-format, fuzzy
#| msgid "%d ask"
msgid "%d asks"
msgid_plural "%d asks"
msgstr[0] "%d Auftrag"
msgstr[1] "%d Aufträge"

#, c-format
msgid "Close"
msgstr "Schließen"
`))
	if len(c.Single) != 1 || c.Single["Close"] == "" || len(c.Plural) != 1 || len(c.Wrong) != 0 {
		t.Errorf("%q, %q, wrong %q", c.Single, c.Plural, c.Wrong)
	}
}

// TestNumberedPlural accepts the number of an argument in a plural form.
func TestNumberedPlural(t *testing.T) {
	c := Parse([]byte(counted(english, "Auftrag %[1]d", "Aufträge: %[1]d")))
	if got, _ := c.Count(5, "%d job", "%d jobs"); got != "Aufträge: %d" {
		t.Errorf("%q, wrong %q", got, c.Wrong)
	}
}

// TestAloneAndCounted has a sentence that is said alone, and is the one of two pairs.
func TestAloneAndCounted(t *testing.T) {
	c := Parse([]byte(counted(english, "%d Auftrag", "%d Aufträge") + `
msgctxt "%d jobs left"
msgid "%d job"
msgid_plural "%d jobs left"
msgstr[0] "%d Auftrag übrig"
msgstr[1] "%d Aufträge übrig"

msgctxt "alone"
msgid "%d job"
msgstr "%d. Auftrag"
`))
	alone, _ := c.Say("%d job")
	one, _ := c.Count(1, "%d job", "%d jobs")
	left, _ := c.Count(1, "%d job", "%d jobs left")
	many, _ := c.Count(2, "%d job", "%d jobs left")
	if got, want := []string{alone, one, left, many}, []string{"%d. Auftrag", "%d Auftrag", "%d Auftrag übrig", "%d Aufträge übrig"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestSameAsGotext holds the reader to that of a library, which is too large for the inspector.
func TestSameAsGotext(t *testing.T) {
	long := "msgid \"\"\n\"one \"\n\"line\\n\"\n# note\nmsgstr \"eine \"\n\"Zeile\\n\"\n\n#~ msgid \"old\"\n#~ msgstr \"alt\"\n"
	german, err := files.ReadFile("de.po")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(german), counted(english, "%d Auftrag", "%d Aufträge\\t\\\"") + "\n" + long} {
		po := gotext.NewPo()
		po.Parse([]byte(text))
		want := po.GetDomain().GetTranslations()
		got := read(text)
		for _, e := range got {
			if w := want[e.id]; w == nil || w.PluralID != e.plural || !maps.Equal(w.Trs, e.forms) {
				t.Errorf("line %d: %+v, want %+v", e.line, e, w)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%d entries, want %d", len(got), len(want))
		}
	}
}

// TestDiscover makes a language of every file that says it is one.
func TestDiscover(t *testing.T) {
	s := discover(fstest.MapFS{
		"fr.po": {Data: []byte("# note\nmsgid \"\"\nmsgstr \"\"\n\"Language: fr\\n\"\n\"X-Language-Name: Français\\n\"\n\"X-Thousands-Separator: '\u202f'\\n\"\n\"X-Decimal-Point: ,\\n\"\n\nmsgid \"Open\"\nmsgstr \"Ouvrir\"\n")},
		"xx.po": {Data: []byte("broken")}, "yy.po": {}, "en.po": {Data: []byte("msgid \"\"\nmsgstr \"Language: en\\n\"\n")}, "de.txt": {},
	})
	if want := []Language{English, {"fr", "Français", "\u202f", ","}}; !slices.Equal(s.languages, want) {
		t.Errorf("languages %q, want %q", s.languages, want)
	}
	if text, ok := s.catalogues["fr"]().Say("Open"); !ok || text != "Ouvrir" {
		t.Errorf("Open is %q", text)
	}
	none := discover(fstest.MapFS{})
	if !slices.Equal(none.languages, []Language{English}) || none.problems() != nil {
		t.Errorf("without a file there are %q, with the problems %v", none.languages, none.problems())
	}
}

// TestProblems has one problem for each language, whose pages say in English what they can't say otherwise.
func TestProblems(t *testing.T) {
	head := "msgid \"\"\nmsgstr \"Language: %s\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n\"\n\n"
	file := func(code, entries string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(strings.Replace(head, "%s", code, 1) + entries)}
	}
	s := discover(fstest.MapFS{
		"fr.po": file("fr", "msgid \"Open\"\nmsgstr \"Ouvrir\"\n"),
		"it.po": file("it", "msgid \"Open\"\nmsgstr \"Aprire\"\n\nmsgid \"%s left\"\nmsgstr \"rimane\"\n\nmsgid Close\nmsgstr \"Chiudi\"\n"),
		"nl.po": {Data: []byte("\x00\xff msgid\nmsgstr[ \"")},
		"pt.po": file("es", ""),
	})
	if len(s.languages) != 3 {
		t.Errorf("languages %q, want English, French and Italian", s.languages)
	}
	var got []string
	for _, p := range s.problems() {
		got = append(got, p.Code+" "+strconv.Itoa(p.Entries)+" "+p.First[:min(10, len(p.First))])
	}
	if want := []string{"nl 0 the header", "pt 0 the header", "it 2 line 10 ca"}; !slices.Equal(got, want) {
		t.Errorf("problems %q, want %q", got, want)
	}
	italian := s.catalogues["it"]()
	if text, ok := italian.Say("Open"); !ok || text != "Aprire" {
		t.Errorf("Open is %q: what can be used is lost", text)
	}
	for _, english := range []string{"%s left", "Close"} {
		if text, ok := italian.Say(english); ok {
			t.Errorf("%q is %q", english, text)
		}
	}
	if got := Problems(); got != nil {
		t.Errorf("the catalogues of the program have %+v", got)
	}
}

func TestPlaceholders(t *testing.T) {
	for _, test := range []struct {
		english, other string
		same           bool
	}{
		{"%s of %s", "%s von %s", true},
		{"%s of %d", "%[2]d von %[1]s", true},
		{"%s of %d", "%d von %s", false},
		{"{0} by {1}", "von {1}: {0}", true},
		{"{0} by {1}", "von {1}", false},
		{"100 %% of %d", "%d, alle", true},
		{"at %02d:00", "um %d:00", true},
		{"one", "%d", false},
	} {
		if got := slices.Equal(Placeholders(test.english), Placeholders(test.other)); got != test.same {
			t.Errorf("%q and %q take the same: %v, want %v", test.english, test.other, got, test.same)
		}
	}
}
