package words

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// hostile are values that look like what stands around them.
var hostile = []string{
	"", "x", "{0}", "{1}", "%s", "%", "&", "”", "“", "” is not a valid verdict", "“{0}” should be {1}.", "This line is not valid JSON.",
	"a file", "a list of texts", " and ", ". (", ")", "permission denied", "\u202eevil", "zero\u200bwidth", "<b>&amp;</b>", "\n", "ü…�",
	"” was not compared with its record: no one looked at it", "” is in the future", "”, but its folder is named “", strings.Repeat("” and “", 30),
}

// filledIn are all sentences with places of a catalogue, each with values in it.
func filledIn(c *Catalogue, value func(quoted bool, i int) string, each func(t *template, text string, values []string)) {
	for _, t := range c.templates() {
		values, text := make([]string, len(t.places)), ""
		for i := range t.places {
			values[i] = value(t.quoted[i], i)
			text += t.parts[i] + values[i]
		}
		each(&t, text+t.parts[len(t.places)], values)
	}
}

// identity translates English to English.
func identity() *Catalogue {
	c := &Catalogue{Single: map[string]string{}}
	for english := range For("de").Single {
		c.Single[english] = english
	}
	all := newTemplates(c.Single)
	c.templates = func() []template { return all }
	return c
}

// TestRuleKeepsEveryByte translates English to English: whatever the values are, the text comes out as it was.
func TestRuleKeepsEveryByte(t *testing.T) {
	c, n := identity(), 0
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 2 * len(hostile) {
		filledIn(c, func(_ bool, i int) string {
			if round < len(hostile) {
				return hostile[(round+i)%len(hostile)]
			}
			return hostile[random.IntN(len(hostile))] + hostile[random.IntN(len(hostile))]
		}, func(_ *template, text string, _ []string) {
			n++
			if got, ok := c.Rule(text); ok && got != text {
				t.Errorf("%q became %q", text, got)
			}
		})
	}
	if n < 10_000 {
		t.Errorf("only %d texts", n)
	}
}

// TestRuleKeepsValues has the values of every sentence as they were in its translation, no matter what they look like, and
// never takes one for a template or a phrase. Where two are in quotes, nothing tells where a first one ends that holds
// the words between them.
func TestRuleKeepsValues(t *testing.T) {
	german := For("de")
	for round := range hostile {
		filledIn(german, func(quoted bool, i int) string {
			switch {
			case !quoted:
				return "31"
			case i > 0:
				return "{0}"
			}
			return hostile[round] + "x"
		}, func(s *template, text string, values []string) {
			got, ok := german.Rule(text)
			if len(text) > 0 && s.letters > 40 && !ok {
				t.Errorf("%q has no translation", text)
			}
			for _, v := range values {
				if ok && !strings.Contains(got, v) {
					t.Errorf("%q lost %q: %q", text, v, got)
				}
			}
		})
	}
}

func TestRule(t *testing.T) {
	german := For("de")
	for english, want := range map[string]string{
		"This line is not valid JSON.":                                                       "Diese Zeile ist kein gültiges JSON.",
		"“a file” is not a valid verdict.":                                                   "„a file“ ist kein gültiges Urteil.",
		"“tags” should be a list of texts.":                                                  "„tags“ sollte eine Liste von Texten sein.",
		"“out/a.md” is a file, but the record says otherwise.":                               "„out/a.md“ ist eine Datei, aber der Eintrag sagt etwas anderes.",
		"Line 3 already has the id “already has the id “x”.":                                 "Zeile 3 hat schon die id „already has the id “x“.",
		"This finding has no id, tier and 3 more.":                                           "Diesem Befund fehlt: id, tier und 3 weitere.",
		"Not all of this folder was read: it has 9 records, of which the first 8 were read.": "Dieser Ordner wurde nicht ganz gelesen. Er enthält 9 Einträge, von denen die ersten 8 gelesen wurden.",
		"This file couldn't be read completely. (permission denied)":                         "Diese Datei konnte nicht vollständig gelesen werden. (Zugriff verweigert)",
		"This file couldn't be read completely. (EIO: x)":                                    "Diese Datei konnte nicht vollständig gelesen werden. (EIO: x)",
		"This is not valid JSON: on line 3, at byte 4, a comma or ] is expected.":            "Das ist kein gültiges JSON: In Zeile 3 bei Byte 4 wird ein Komma oder ] erwartet.",
	} {
		if got, ok := german.Rule(english); !ok || got != want {
			t.Errorf("%q is %q, want %q", english, got, want)
		}
	}
	if got, ok := german.Rule("What no one here has ever said: it."); ok {
		t.Errorf("a sentence of no catalogue became %q", got)
	}
}

func BenchmarkRule(b *testing.B) {
	german := For("de")
	for _, bench := range []struct{ name, text string }{
		{"exact", "This line is not valid JSON."}, {"values", "“2026-13-01” is not a date and time with an offset."}, {"phrase", "“tags” should be a list of texts."}, {"unknown", "What no one here has ever said: it."},
	} {
		german.Rule(bench.text)
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				german.Rule(bench.text)
			}
		})
	}
}
