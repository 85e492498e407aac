// Command i18ncheck finds every English sentence that pages show, and checks the catalogues of
// other languages in components/words against them: what is missing, what no page shows any more,
// and what can't be used, since it lacks a plural form or takes other placeholders.
//
//	go run ./internal/build/i18ncheck [-list | -pot]
//
// It reads the program as the compiler does. A sentence is said by i18n.Say, Count or CountWords;
// from there it goes back through variables, fields, tables, parameters and results to where the
// sentence is written. Package sentences finds those of scripts and of the inspector's page.
package main

import (
	"flag"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/figs-web/figs-web/components/words"
	"github.com/figs-web/figs-web/internal/build/sentences"
)

func main() {
	all := flag.Bool("list", false, "list every sentence with where it stands, and where the way to one was lost")
	template := flag.Bool("pot", false, "print a catalogue without translations, which a language begins with")
	flag.Parse()
	said, err := find(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "i18ncheck:", err)
		os.Exit(1)
	}
	switch {
	case *all:
		said.list()
		return
	case *template:
		fmt.Print(said.template())
		return
	}
	wrong := 0
	for _, l := range words.Languages()[1:] {
		c := words.For(l.Code)
		lines := said.wrong(l.Code, c)
		for _, line := range lines {
			fmt.Printf("%s: %s\n", l.Code, line)
		}
		fmt.Printf("%s: %d of %d sentences\n", l.Code, said.translated(c), len(said.at)+len(said.pairs))
		wrong += len(lines)
	}
	if wrong > 0 {
		os.Exit(1)
	}
}

// complete are the languages that must have every sentence, and no others. A sentence that another
// language lacks is shown in English.
var complete = map[string]bool{"de": true}

// said is every sentence, with where it stands, and where the way back to some was lost.
type said struct {
	at    map[string][]string
	pairs map[words.Pair][]string // one and many
	lost  []string
}

// find reads the module whose root is there.
func find(root string) (*said, error) {
	c, err := load(root)
	if err != nil {
		return nil, err
	}
	x, s := newIndex(c), &said{at: map[string][]string{}, pairs: map[words.Pair][]string{}}
	param := func(name string, i int) types.Object {
		return c.own[module+"/components/i18n"].Scope().Lookup(name).(*types.Func).Signature().Params().At(i)
	}
	said := follow(x, param("Say", 1))
	ones := follow(x, param("Count", 2), param("CountWords", 2))
	manys := follow(x, param("Count", 3), param("CountWords", 3))
	for english, places := range said.found {
		s.at[english] = said.places(places)
	}
	s.rules(x, c.own[module+"/components/ui"].Scope().Lookup("RuleText").(*types.Func).Signature().Params().At(0))
	s.pair(c, ones.found, manys.found)
	lost := map[string]bool{}
	for _, f := range []*follower{said, ones, manys} {
		for at, why := range f.lost {
			if f.shown(at) {
				lost[f.place(at)+": "+why] = true
			}
		}
	}
	s.lost = slices.Concat(s.lost, slices.Sorted(maps.Keys(lost)))
	scripts, err := sentences.Scripts(root)
	for english, places := range scripts {
		s.at[english] = append(s.at[english], places...)
	}
	for _, english := range sentences.Page() {
		s.at[english] = append(s.at[english], "internal/inspector/artifact/shell.html")
	}
	return s, err
}

func (f *follower) places(at []token.Pos) (out []string) {
	for _, pos := range at {
		out = append(out, f.place(pos))
	}
	slices.Sort(out)
	return out
}

func (s *said) list() {
	for _, english := range slices.Sorted(maps.Keys(s.at)) {
		fmt.Printf("%q\t%s\t%s\n", english, strings.Join(words.Placeholders(english), " "), strings.Join(s.at[english], " "))
	}
	for _, p := range sortedPairs(s.pairs) {
		fmt.Printf("%q %q\t%s\t%s\n", p.One, p.Many, strings.Join(words.Placeholders(p.Many), " "), strings.Join(s.pairs[p], " "))
	}
	for _, line := range s.lost {
		fmt.Println("lost:", line)
	}
}

// wrong says what has to be fixed in the catalogue of a language, a line for each entry.
func (s *said) wrong(code string, c *words.Catalogue) []string {
	if complete[code] {
		return s.check(c)
	}
	return c.Wrong
}

// translated is how many sentences a catalogue has.
func (s *said) translated(c *words.Catalogue) (n int) {
	for english := range s.at {
		if c.Single[english] != "" {
			n++
		}
	}
	for p := range s.pairs {
		if c.Plural[p] != nil {
			n++
		}
	}
	return n
}

// check says what is wrong with a catalogue, a line for each entry.
func (s *said) check(c *words.Catalogue) []string {
	wrong := slices.Clone(c.Wrong)
	for _, english := range slices.Sorted(maps.Keys(s.at)) {
		if c.Single[english] == "" {
			wrong = append(wrong, fmt.Sprintf("missing: %q (%s)", english, s.at[english][0]))
		}
	}
	for _, p := range sortedPairs(s.pairs) {
		if c.Plural[p] == nil {
			wrong = append(wrong, fmt.Sprintf("missing: %q, %q (%s)", p.One, p.Many, s.pairs[p][0]))
		}
	}
	for _, english := range slices.Sorted(maps.Keys(c.Single)) {
		if s.at[english] == nil {
			wrong = append(wrong, fmt.Sprintf("stale: no page shows %q", english))
		}
	}
	for _, p := range sortedPairs(c.Plural) {
		if s.pairs[p] == nil {
			wrong = append(wrong, fmt.Sprintf("stale: no page shows %q, %q", p.One, p.Many))
		}
	}
	return wrong
}
