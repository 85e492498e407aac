package main

import (
	"cmp"
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/components/words"
)

// pair joins singulars and plurals. They are written next to each other, in a call or in a table:
// in the order of a file, each singular is followed by its plural.
func (s *said) pair(c *code, ones, manys map[string][]token.Pos) {
	type place struct {
		at   token.Pos
		text string
		many bool
	}
	var all []place
	for many, found := range []map[string][]token.Pos{ones, manys} {
		for text, places := range found {
			for _, at := range places {
				all = append(all, place{at, text, many == 1})
			}
		}
	}
	slices.SortFunc(all, func(a, b place) int { return cmp.Compare(a.at, b.at) })
	for i := 0; i < len(all); i++ {
		one := all[i]
		if i+1 == len(all) || one.many || !all[i+1].many || c.fset.File(one.at) != c.fset.File(all[i+1].at) {
			s.lost = append(s.lost, fmt.Sprintf("%s: %q has no other number beside it", c.place(one.at), one.text))
			continue
		}
		i++
		p := words.Pair{One: one.text, Many: all[i].text}
		s.pairs[p] = append(s.pairs[p], c.place(one.at))
	}
}

func sortedPairs[V any](pairs map[words.Pair]V) []words.Pair {
	return slices.SortedFunc(maps.Keys(pairs), func(a, b words.Pair) int {
		return cmp.Or(cmp.Compare(a.One, b.One), cmp.Compare(a.Many, b.Many))
	})
}

// quoted writes a string as a catalogue has it.
var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)

// template is a catalogue without translations. Its entries are sorted. Gettext's tools take two
// entries with one msgid for the same: of a sentence that is said alone too, or that has more than
// one plural, the plural is the context.
func (s *said) template() string {
	used := map[string]int{}
	for english := range s.at {
		used[english]++
	}
	for p := range s.pairs {
		used[p.One]++
	}
	entries := map[[2]string]string{}
	for english, places := range s.at {
		entries[[2]string{english}] = fmt.Sprintf("#: %s\nmsgid \"%s\"\nmsgstr \"\"\n", strings.Join(places, " "), quoted.Replace(english))
	}
	for p, places := range s.pairs {
		context := "#: " + strings.Join(places, " ") + "\n"
		if used[p.One] > 1 {
			context += fmt.Sprintf("msgctxt \"%s\"\n", quoted.Replace(p.Many))
		}
		entries[[2]string{p.One, p.Many}] = fmt.Sprintf("%smsgid \"%s\"\nmsgid_plural \"%s\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n", context, quoted.Replace(p.One), quoted.Replace(p.Many))
	}
	out := []string{potHeader}
	for _, key := range slices.SortedFunc(maps.Keys(entries), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		out = append(out, entries[key])
	}
	return strings.Join(out, "\n")
}

const potHeader = `# The sentences of the pages. docs/languages.md says how to translate them.
msgid ""
msgstr ""
"Project-Id-Version: figs-web\n"
"PO-Revision-Date: YEAR-MO-DA HO:MI+ZONE\n"
"Last-Translator: FULL NAME <EMAIL@ADDRESS>\n"
"Language-Team: LANGUAGE\n"
"Language: \n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"
"X-Language-Name: \n"
"X-Thousands-Separator: ,\n"
"X-Decimal-Point: .\n"
`
