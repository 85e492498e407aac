// Package figstest holds the conformance vectors of the protocol: small folders with the
// findings, folds and ask states that a reader must give for them. They are plain txtar
// files under testdata, for readers in any language; README.md there describes the format.
package figstest

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// Vector is one folder and what must be said about it.
type Vector struct {
	Name  string // the lesson, "ask_type_retired_fyi"
	About string // the lesson in a sentence or two
	Now   string // the time at which the folder is judged

	Files     map[string][]byte // by name inside .figs, "runs.jsonl"
	Artifacts []Artifact        // files of artifacts/, by name and size only
	Problems  []Problem         // what the host reports about files that it could not read

	// Tree is the project of a vector about another kind of folder, by path: KindVectors. Dirs are its empty folders,
	// Links its symbolic links, path to target.
	Tree  map[string][]byte
	Dirs  []string
	Links map[string]string

	Findings []Finding         // exactly these, in this order
	Fold     map[string][]byte // "runs", "asks", "messages": folded records, one JSON object a line; judged where present
	States   []string          // one for each ask, in order of its first line; see StateLine
}

// Artifact is a file of artifacts/.
type Artifact struct {
	Name string
	Size int64 // bytes
}

// Problem is what a host met while it read a folder; only hosts can meet it, so a door that
// reads real files leaves such vectors out.
type Problem struct {
	File string // name inside .figs
	Code string // "file_unreadable", "file_changed" or "folder_unrecognised"
}

// Finding is what a vector says of a finding; texts are free.
type Finding struct {
	Severity string
	Code     string
	File     string
	Line     int    // 1-based; 0: the whole file
	Column   int    // 1-based, in bytes; 0: the whole line
	Record   string // id of the record; "" when there is none
}

// String writes the finding as it stands in a vector.
func (f Finding) String() string {
	s := fmt.Sprintf("%s %s %s:%d:%d", f.Severity, f.Code, quoteOdd(f.File), f.Line, f.Column)
	if f.Record != "" {
		s += " " + quoteOdd(f.Record)
	}
	return s
}

// quoteOdd quotes what would not read back as it is.
func quoteOdd(s string) string {
	if s == "" || strings.Trim(strconv.QuoteToASCII(s), `"`) != s || strings.ContainsAny(s, " :") {
		return strconv.QuoteToASCII(s)
	}
	return s
}

//go:embed testdata/*.txtar testdata/kinds/*.txtar
var data embed.FS

// Names returns the names of all vectors about .figs, sorted.
func Names() []string { return names("testdata", "") }

// KindNames returns the names of all vectors about other kinds of folders, "kinds/…", sorted.
func KindNames() []string { return names("testdata/kinds", "kinds/") }

func names(dir, prefix string) (names []string) {
	entries, err := data.ReadDir(dir)
	if err != nil {
		panic(err) // the folder is part of the program
	}
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, prefix+strings.TrimSuffix(e.Name(), ".txtar"))
		}
	}
	return names
}

// Load reads one vector of this package.
func Load(name string) (Vector, error) {
	text, err := data.ReadFile(path.Join("testdata", name+".txtar"))
	if err != nil {
		return Vector{}, err
	}
	return Parse(name, text)
}

// Vectors reads all vectors, one after the other: some unfold to many megabytes. It panics
// when one cannot be read, which a test of this package rules out.
func Vectors() iter.Seq[Vector] { return vectors(Names()) }

// KindVectors reads all vectors about other kinds of folders, as Vectors does.
func KindVectors() iter.Seq[Vector] { return vectors(KindNames()) }

func vectors(names []string) iter.Seq[Vector] {
	return func(yield func(Vector) bool) {
		for _, name := range names {
			v, err := Load(name)
			if err != nil {
				panic(err)
			}
			if !yield(v) {
				return
			}
		}
	}
}

// Parse reads a vector. An error names the section and what is wrong with it.
func Parse(name string, text []byte) (Vector, error) {
	archive := txtar.Parse(text)
	v := Vector{Name: name, Files: map[string][]byte{}, Fold: map[string][]byte{}, Tree: map[string][]byte{}, Links: map[string]string{}}
	comment := string(archive.Comment)
	last := strings.LastIndex(comment, "\nnow:")
	if last < 0 {
		return v, fmt.Errorf("%s: the comment must end in a line “now: TIME”", name)
	}
	v.About, v.Now = strings.TrimSpace(comment[:last]), strings.TrimSpace(comment[last+len("\nnow:"):])
	for _, section := range archive.Files {
		title, content := section.Name, section.Data
		if plain, quoted := strings.CutSuffix(title, " (quoted)"); quoted {
			var err error
			if content, err = Unquote(content); err != nil {
				return v, fmt.Errorf("%s: %s: %w", name, title, err)
			}
			title = plain
		}
		if err := v.put(title, content); err != nil {
			return v, fmt.Errorf("%s: %s: %w", name, title, err)
		}
	}
	return v, nil
}

// put files the content of one section.
func (v *Vector) put(title string, content []byte) (err error) {
	dir, base, _ := strings.Cut(title, "/")
	switch {
	case dir == ".figs" && base != "" && !strings.Contains(base, "/"):
		v.Files[base] = content
	case title == "artifacts":
		v.Artifacts, err = each(content, parseArtifact)
	case title == "problems":
		v.Problems, err = each(content, parseProblem)
	case title == "expect/findings":
		v.Findings, err = each(content, parseFinding)
	case title == "expect/states":
		v.States, err = each(content, func(line string) (string, error) { return line, nil })
	case title == "expect/runs", title == "expect/asks", title == "expect/messages":
		v.Fold[base] = content
	case title == "links":
		_, err = each(content, func(line string) (string, error) {
			from, to, ok := strings.Cut(line, " -> ")
			if !ok {
				return "", errors.New("want “path -> target”")
			}
			v.Links[from] = to
			return from, nil
		})
	case title == "folders":
		v.Dirs, err = each(content, func(line string) (string, error) { return line, nil })
	case dir != ".figs" && dir != "expect" && path.Clean(title) == title && fs.ValidPath(title):
		v.Tree[title] = content
	default:
		err = fmt.Errorf("unknown section")
	}
	return err
}

// each parses the lines of a section that are not empty.
func each[T any](content []byte, parse func(string) (T, error)) (all []T, err error) {
	for line := range strings.Lines(string(content)) {
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			continue
		}
		one, err := parse(line)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		all = append(all, one)
	}
	return all, nil
}
