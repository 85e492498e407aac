package words

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// template is a sentence with places, and its translation.
type template struct {
	parts       []string // the English between its places
	places      []int    // the number of the place behind each part but the last
	quoted      []bool   // which of them are in “…”: an agent's words, never one of our phrases
	letters     int      // bytes of the parts
	translation string
}

// deepest is how many phrases may be inside of each other.
const deepest = 3

var anyPlace = regexp.MustCompile(`\{(\d+)\}`)

// Rule translates a sentence whose values are filled in already, as those of findings are. The catalogue has it
// as it is, or with places where its values are. Values stay as they are, except for phrases that the catalogue has
// too: no value in “…” is one.
//
// A value may look like another sentence. Of the templates that fit, the one counts whose values outside of quotes
// are phrases, numbers or names of fields, and of several such ones the one with the most text.
func (c *Catalogue) Rule(english string) (string, bool) {
	text, _ := c.ruleAt(english, 0)
	return text, text != ""
}

// ruleAt is "" when there is no translation. It is sure when nothing that an agent wrote can be outside of quotes.
func (c *Catalogue) ruleAt(english string, depth int) (text string, sure bool) {
	if text, ok := c.Single[english]; ok {
		return text, true
	}
	if depth == deepest {
		return "", false
	}
	for _, t := range c.templates() {
		values, ok := t.match(english)
		if !ok {
			continue
		}
		sure := true
		for i, v := range values {
			if !t.quoted[i] {
				other, known := c.ruleAt(v, depth+1)
				values[i] = cmp.Or(other, v)
				sure = sure && (known || isPlain(v))
			}
		}
		if sure {
			return t.fill(values), true
		}
		text = cmp.Or(text, t.fill(values))
	}
	// An error of the system follows in brackets.
	if sentence, detail, ok := strings.Cut(english, ". ("); ok && strings.HasSuffix(detail, ")") {
		if translated, ok := c.Single[sentence+"."]; ok {
			detail = strings.TrimSuffix(detail, ")")
			other, _ := c.ruleAt(detail, depth+1)
			return translated + " (" + cmp.Or(other, detail) + ")", true
		}
	}
	return text, false
}

// isPlain reports whether a value is a number or a name, or a list of them.
func isPlain(value string) bool {
	return !strings.ContainsAny(strings.ReplaceAll(value, ", ", ""), " \n“”")
}

// newTemplates are the sentences of a catalogue that have places, those with the most text first.
func newTemplates(single map[string]string) (all []template) {
	for english, translation := range single {
		t := template{translation: translation}
		at, open := 0, 0
		for _, m := range anyPlace.FindAllStringSubmatchIndex(english, -1) {
			n, _ := strconv.Atoi(english[m[2]:m[3]])
			part := english[at:m[0]]
			open += strings.Count(part, "“") - strings.Count(part, "”")
			t.parts, t.places, t.quoted = append(t.parts, part), append(t.places, n), append(t.quoted, open > 0)
			at = m[1]
		}
		t.parts = append(t.parts, english[at:])
		if distinct := slices.Compact(slices.Sorted(slices.Values(t.places))); len(distinct) < len(t.places) {
			continue // rules say no value twice
		}
		text := strings.Join(t.parts, "")
		t.letters = len(text)
		if len(t.places) > 0 && strings.ContainsFunc(text, unicode.IsLetter) {
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b template) int {
		if a.letters != b.letters {
			return b.letters - a.letters
		}
		return slices.Compare(a.parts, b.parts)
	})
	return all
}

// match is the values of a text in the order of the English. A sentence ends in a full stop, a phrase does not.
func (t *template) match(text string) (values []string, ok bool) {
	first, last := t.parts[0], t.parts[len(t.parts)-1]
	if len(text) < t.letters || !strings.HasPrefix(text, first) || !strings.HasSuffix(text, last) || strings.HasSuffix(text, ".") && last == "" {
		return nil, false
	}
	text = text[len(first) : len(text)-len(last)]
	between := t.parts[1 : len(t.parts)-1]
	for i, part := range between {
		at := strings.Index(text, part)
		if i == len(between)-1 && t.quoted[i] { // the value may hold what follows it; a phrase behind it does not
			at = strings.LastIndex(text, part)
		}
		if at < 0 {
			return nil, false
		}
		values, text = append(values, text[:at]), text[at+len(part):]
	}
	return append(values, text), true
}

// fill puts the values into the translation, each as it is.
func (t *template) fill(values []string) string {
	return anyPlace.ReplaceAllStringFunc(t.translation, func(place string) string {
		n, _ := strconv.Atoi(place[1 : len(place)-1])
		if i := slices.Index(t.places, n); i >= 0 {
			return values[i]
		}
		return place
	})
}
