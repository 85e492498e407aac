// Package words has the sentences of the pages in other languages than English, in which they are
// written: a gettext catalogue for each language, de.po, which is linked into the program. A file
// beside it is another language.
//
// The pages ask by the English sentence. What has no translation, or one that can't be used, stays
// English; a test holds that there is no such sentence.
package words

import (
	"cmp"
	"embed"
	"io"
	"io/fs"
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

//go:embed *.po
var files embed.FS

// linked are the languages that are linked into the program.
var linked = discover(files)

// set is languages, English first, with what reads the catalogue of each when it is first wanted.
type set struct {
	languages  []Language
	catalogues map[string]func() *Catalogue
	refused    []string // files of no language
}

// discover finds the languages of a folder: each has a file CODE.po, whose header describes it. A
// separator that is a space is written in single quotes.
func discover(folder fs.FS) set {
	s := set{languages: []Language{English}, catalogues: map[string]func() *Catalogue{}}
	names, _ := fs.Glob(folder, "*.po")
	for _, name := range names {
		text, err := beginning(folder, name)
		code := strings.TrimSuffix(name, ".po")
		head, _, _ := strings.Cut(text, "\n\n")
		h := headers(read(head))
		if err != nil || code == English.Code || h["Language"] != code {
			s.refused = append(s.refused, code)
			continue
		}
		s.languages = append(s.languages, Language{
			Code: code, Name: cmp.Or(h["X-Language-Name"], code),
			Group: cmp.Or(strings.Trim(h["X-Thousands-Separator"], "'"), English.Group), Point: cmp.Or(h["X-Decimal-Point"], English.Point),
		})
		s.catalogues[code] = sync.OnceValue(func() *Catalogue {
			text, _ := fs.ReadFile(folder, name)
			return Parse(text)
		})
	}
	return s
}

// longestHeader is more than the header of a catalogue takes.
const longestHeader = 4096

// beginning is the first part of a file, with the header. The rest is read when the language is wanted: copying all
// languages takes a third of the memory with which the reader's module starts.
func beginning(folder fs.FS, name string) (string, error) {
	file, err := folder.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, longestHeader))
	return string(text), err
}

// Problem is a language in which some sentences, or all, stay English.
type Problem struct {
	Code    string
	Entries int    // that can't be used
	First   string // what is wrong with the first one
}

// Problems are what is wrong with the catalogues. It reads all of them.
func Problems() []Problem { return linked.problems() }

func (s set) problems() (out []Problem) {
	for _, code := range s.refused {
		out = append(out, Problem{Code: code, First: "the header doesn't say that the file is of this language"})
	}
	for _, l := range s.languages[1:] {
		if wrong := s.catalogues[l.Code]().Wrong; len(wrong) > 0 {
			out = append(out, Problem{l.Code, len(wrong), wrong[0]})
		}
	}
	return out
}

// Languages lists what pages can be in, English first.
func Languages() []Language { return append([]Language{}, linked.languages...) }

// Of is the language of a code, and English for a code of none.
func Of(code string) Language {
	if code == PseudoLanguage.Code {
		return PseudoLanguage
	}
	for _, l := range linked.languages {
		if l.Code == code {
			return l
		}
	}
	return English
}

// Known reports whether there is a language of that code.
func Known(code string) bool { return code == English.Code || Of(code) != English }

// For is the catalogue of a code; nil for English, for PseudoLanguage and for a code of none.
func For(code string) *Catalogue {
	if read := linked.catalogues[code]; read != nil {
		return read()
	}
	return nil
}
