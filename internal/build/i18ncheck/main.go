// Command i18ncheck finds every English sentence that pages show, and checks the catalogues of
// other languages in components/words against them: what is missing, what no page shows any more,
// and what does not take the same verbs and places.
//
//	go run ./internal/build/i18ncheck [-list]
//
// It reads the program as the compiler does. A sentence is said by i18n.Say; from there it
// goes back through variables, fields, tables, parameters and results to where the sentence
// stands, so that it is found wherever it is written. Scripts say theirs with tr('…').
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
)

func main() {
	all := flag.Bool("list", false, "list every sentence with where it stands, and where the way to one was lost")
	flag.Parse()
	said, err := find(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "i18ncheck:", err)
		os.Exit(1)
	}
	if *all {
		said.list()
		return
	}
	wrong := 0
	for _, l := range words.Languages()[1:] {
		for _, line := range said.check(words.Entries(l.Code)) {
			fmt.Printf("%s: %s\n", l.Code, line)
			wrong++
		}
	}
	fmt.Printf("%d sentences, %d languages beside English, %d wrong entries\n", len(said.at), len(words.Languages())-1, wrong)
	if wrong > 0 {
		os.Exit(1)
	}
}

// said is every sentence, with where it stands, and where the way back to some was lost.
type said struct {
	at   map[string][]string
	lost []string
}

// find reads the module whose root is there.
func find(root string) (*said, error) {
	c, err := load(root)
	if err != nil {
		return nil, err
	}
	sink := c.own[module+"/components/i18n"].Scope().Lookup("Say").(*types.Func)
	f := follow(newIndex(c), sink.Signature().Params().At(1))
	s := &said{at: map[string][]string{}}
	for english, places := range f.found {
		s.at[english] = f.places(places)
	}
	for at, why := range f.lost {
		if f.shown(at) {
			s.lost = append(s.lost, f.place(at)+": "+why)
		}
	}
	slices.Sort(s.lost)
	return s, scripts(root, s.at)
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
		fmt.Printf("%q\t%s\t%s\n", english, strings.Join(verbs(english), " "), strings.Join(s.at[english], " "))
	}
	for _, line := range s.lost {
		fmt.Println("lost:", line)
	}
}

// check says what is wrong with a catalogue, a line for each entry.
func (s *said) check(entries map[string]string) (wrong []string) {
	for _, english := range slices.Sorted(maps.Keys(s.at)) {
		other, ok := entries[english]
		switch {
		case !ok:
			wrong = append(wrong, fmt.Sprintf("missing: %q (%s)", english, s.at[english][0]))
		case !slices.Equal(verbs(english), verbs(other)):
			wrong = append(wrong, fmt.Sprintf("verbs: %q takes %v, %q takes %v", english, verbs(english), other, verbs(other)))
		}
	}
	for _, english := range slices.Sorted(maps.Keys(entries)) {
		if s.at[english] == nil {
			wrong = append(wrong, fmt.Sprintf("stale: nobody says %q", english))
		}
	}
	return wrong
}
