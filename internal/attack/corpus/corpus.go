// Package corpus holds hostile attachments, each written for one lesson, as data that any test may run.
//
// A file of testdata is one family. Everything before the first "== name" line says what the family is about. A vector
// is such a line, a few "key: value" lines, a line of four dashes, and its content up to the next vector:
//
//	== link-preconnect
//	file: report.html
//	why: A preconnect opens a socket though nothing is fetched, and no policy stops it; the link must be gone.
//	strip: loads
//	keep: Totals
//	----
//	<link rel=preconnect href="{{HTTP}}"><p>Totals</p>
//
// The keys are the fields of Vector. Content is text as it stands, without its last newline, or after "encode: quoted"
// lines of Go strings, each with an optional "* N". Content may hold {{HTTP}}, {{HOST}} and {{NAME}} (see Fill),
// {{base64 TEXT}} and {{repeat N TEXT}}; the latter two end at the next }}, so they hold no braces in pairs.
package corpus

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
)

//go:embed testdata/*.txt
var files embed.FS

// Vector is one hostile attachment.
type Vector struct {
	Family string // the file that holds it, without its extension
	Number int    // from 1, over the whole corpus
	Name   string
	File   string // the attachment's name; its extension decides how it is read
	Why    string // why it is dangerous and what must happen

	// What the sandbox must say of it: names of report.RemovalKind that were removed, or "hosts", "links", "lies", "hidden",
	// "unseen" for a list of the report that must not be empty.
	Strip []string
	// Notice is the code of a notice that must be given; empty asks for none.
	Notice string
	// Keep is text that a reader must still see, each piece by itself.
	Keep []string
	// Unsafe says that the bytes are never given to a browser as they are: they would stop it.
	Unsafe bool

	encode string
	text   string
}

// All returns the corpus, in the order of files and lines.
func All() ([]Vector, error) {
	names, err := files.ReadDir("testdata")
	if err != nil {
		return nil, err
	}
	var all []Vector
	for _, entry := range names {
		text, err := files.ReadFile("testdata/" + entry.Name())
		if err != nil {
			return nil, err
		}
		family := strings.TrimSuffix(entry.Name(), path.Ext(entry.Name()))
		vectors, err := parse(family, string(text))
		if err != nil {
			return nil, err
		}
		all = append(all, vectors...)
	}
	for i := range all {
		all[i].Number = i + 1
	}
	return all, nil
}

func parse(family, text string) ([]Vector, error) {
	_, rest, found := strings.Cut(text, "\n== ")
	var vectors []Vector
	for found {
		var one string
		one, rest, found = strings.Cut(rest, "\n== ")
		v, err := parseOne(one)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", family, err)
		}
		v.Family = family
		if slices.ContainsFunc(vectors, func(o Vector) bool { return o.Name == v.Name }) {
			return nil, fmt.Errorf("%s: two vectors are named %s", family, v.Name)
		}
		vectors = append(vectors, v)
	}
	return vectors, nil
}

func parseOne(text string) (Vector, error) {
	head, body, found := strings.Cut(text, "\n----\n")
	if !found {
		return Vector{}, fmt.Errorf("%.40q lacks the line of four dashes before its content", text)
	}
	name, keys, _ := strings.Cut(head, "\n")
	v := Vector{Name: strings.TrimSpace(name), text: strings.TrimSuffix(body, "\n")}
	for line := range strings.Lines(keys) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if err := v.set(key, value); err != nil {
			return v, fmt.Errorf("%s: %w", v.Name, err)
		}
	}
	if v.File == "" || v.Why == "" {
		return v, fmt.Errorf("%s: a vector needs both file and why", v.Name)
	}
	return v, nil
}

func (v *Vector) set(key, value string) error {
	switch key {
	case "file":
		v.File = value
	case "why":
		v.Why = value
	case "strip":
		v.Strip = strings.Fields(value)
	case "notice":
		v.Notice = value
	case "keep":
		v.Keep = append(v.Keep, value)
	case "unsafe":
		v.Unsafe = value == "yes"
	case "encode":
		v.encode = value
	default:
		return fmt.Errorf("there is no key %q", key)
	}
	return nil
}
