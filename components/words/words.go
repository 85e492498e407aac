// Package words has the sentences of the pages in other languages than English, in which they are
// written: one catalogue for each language, which is linked into the program.
//
// The pages ask by the English sentence. What has no translation stays English; a test holds that
// there is no such sentence.
package words

import (
	_ "embed"
	"strings"
	"sync"
)

// Language is what pages can be in.
type Language struct {
	Code  string // as in <html lang>: "de"
	Name  string // in itself: "Deutsch"
	Group string // between thousands
	Point string // before what is less than one
}

// English is what the pages are written in.
var English = Language{Code: "en", Name: "English", Group: ",", Point: "."}

// languages are those there are, English first.
var languages = []Language{
	English,
	{Code: "de", Name: "Deutsch", Group: ".", Point: ","},
}

//go:embed de.txt
var german string

// catalogues are read when they are first wanted.
var catalogues = map[string]func() map[string]string{
	"de": sync.OnceValue(func() map[string]string { return Parse(german) }),
}

// Languages lists what pages can be in, English first.
func Languages() []Language { return append([]Language{}, languages...) }

// Of is the language of a code, and English for a code of none.
func Of(code string) Language {
	for _, l := range languages {
		if l.Code == code {
			return l
		}
	}
	return English
}

// Known reports whether there is a language of that code.
func Known(code string) bool { return code == English.Code || Of(code) != English }

// For returns what translates English sentences into the language of a code; nil for English and
// for a code of none.
func For(code string) func(english string) (string, bool) {
	catalogue := catalogues[code]
	if catalogue == nil {
		return nil
	}
	return func(english string) (string, bool) {
		text, ok := catalogue()[english]
		return text, ok
	}
}

// Entries is the whole catalogue of a code; nil where there is none.
func Entries(code string) map[string]string {
	if catalogue := catalogues[code]; catalogue != nil {
		return catalogue()
	}
	return nil
}

// unescape undoes what a line of a catalogue cannot hold.
var unescape = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\\`, `\`)

// Parse reads a catalogue: lines of English, a tab, and the translation. Lines that are empty or
// begin with "# " say nothing, and of two lines with the same English the last one counts.
func Parse(catalogue string) map[string]string {
	entries := make(map[string]string, strings.Count(catalogue, "\n"))
	for line := range strings.Lines(catalogue) {
		english, other, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if ok && !strings.HasPrefix(english, "# ") && other != "" {
			entries[unescape.Replace(english)] = unescape.Replace(other)
		}
	}
	return entries
}
