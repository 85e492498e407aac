package lessons

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/figs-web/figs-web/figs"
)

// The files in rules/ hold the lessons. The first word of a line says what it is; # begins a comment.
//
//	rule: ask_id_missing                   begins a lesson; title:, section:, why: and citation: follow, each on one line
//	bad: asks.jsonl                        begins a file of the example that breaks the rule; its lines follow
//	good: agent.json (no final newline)    a file of the example that keeps the rule
//	both: artifacts/plan.md (900 bytes)    a file of both examples; files directly in artifacts/ have a size and no lines
//	| {"id": "bridge"}                     a line of the file
//	< manifest                             a text from shared.txt, where "text: manifest" begins it
//	- "status": "active"                   after <: replaces this, everywhere in the shared text,
//	+ "status": "stale"                    by this; consecutive lines belong together; without +, whole lines are removed
//	> "(65 MiB of text)" = "a" * 68157440  the true bytes, as Go strings, of a part that pages show in other words
//
// Other notes in brackets are "absent" (the folder lacks the file) and "host" (the machine says this about the file, which it
// could not read), both without a final newline, and "UTF-16" (the encoding of the true bytes). Commas separate several notes.
//
//go:embed shared.txt rules/*.txt
var files embed.FS

// collection is what all files say.
type collection struct {
	lessons map[figs.Code]*Lesson
	shared  map[string]string
}

// parse reads all files. An error names the file and the line.
func parse(dir fs.FS) (*collection, error) {
	names, err := fs.Glob(dir, "rules/*.txt")
	if err != nil {
		return nil, err
	}
	c := &collection{lessons: map[figs.Code]*Lesson{}, shared: map[string]string{}}
	for _, name := range append([]string{"shared.txt"}, names...) {
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, err
		}
		p, number := parser{collection: c}, 0
		for line := range strings.Lines(string(text)) {
			number++
			if err := p.parseLine(strings.TrimSuffix(line, "\n")); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, number, err)
			}
		}
		if err := p.finishFile(); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
	}
	return c, nil
}

type parser struct {
	*collection
	lesson *Lesson
	name   string // of the shared text that is being read
	file   *file
}

// file is an example or a shared text while its lines are read.
type file struct {
	Example
	bad, good bool
	open      bool // without a final newline
	utf16     bool
	inserted  int      // where the last shared text begins in Text; -1 if another line followed it
	old, new  []string // the - and + lines of the current change
	bytes     []trueBytes
}

// trueBytes are the bytes of a part of a file that pages show in other words.
type trueBytes struct {
	shown  string
	pieces []piece
}

type piece struct {
	text  string
	times int
}

func (p *parser) parseLine(line string) error {
	if line == "" || strings.HasPrefix(line, "#") {
		return nil
	}
	if line != strings.TrimRight(line, " \t\r") {
		return errors.New("the line ends in white space, which editors remove")
	}
	word, rest, _ := strings.Cut(line, " ")
	if !strings.HasSuffix(word, ":") {
		return p.parseContent(word, rest)
	}
	if err := p.finishFile(); err != nil {
		return err
	}
	switch word {
	case "rule:":
		code, ok := figs.ParseCode(rest)
		if !ok || p.lessons[code] != nil {
			return fmt.Errorf("%q is not a rule, or already has a lesson", rest)
		}
		p.lesson = &Lesson{Code: code}
		p.lessons[code] = p.lesson
		return nil
	case "text:":
		if _, ok := p.shared[rest]; ok {
			return fmt.Errorf("there are two shared texts %q", rest)
		}
		p.name, p.file = rest, &file{inserted: -1}
		return nil
	}
	if p.lesson == nil {
		return fmt.Errorf("%q needs a line rule: above it", word)
	}
	switch word {
	case "title:":
		p.lesson.Title = rest
	case "section:":
		p.lesson.Section = rest
	case "why:":
		p.lesson.Why = rest
	case "citation:":
		p.lesson.Citation = rest
	case "bad:", "good:", "both:":
		p.file = &file{bad: word != "good:", good: word != "bad:", inserted: -1}
		return p.file.parseHeader(rest)
	default:
		return fmt.Errorf("%q is not a part of a lesson", word)
	}
	return nil
}

// parseHeader reads a file's name and the notes in brackets after it.
func (f *file) parseHeader(header string) error {
	name, notes, found := strings.Cut(strings.TrimSuffix(header, ")"), "(")
	f.File = strings.TrimSpace(name)
	if !found {
		return nil
	}
	for note := range strings.SplitSeq(notes, ", ") {
		switch note {
		case "no final newline":
			f.open = true
		case "absent":
			f.Absent, f.open = true, true
		case "host":
			f.Host, f.open = true, true
		case "UTF-16":
			f.utf16 = true
		default:
			var err error
			if f.Size, err = strconv.ParseInt(strings.TrimSuffix(note, " bytes"), 10, 64); err != nil {
				return fmt.Errorf("(%s) is not a note about a file", note)
			}
		}
	}
	return nil
}

// parseContent reads a line of a file.
func (p *parser) parseContent(word, rest string) (err error) {
	f := p.file
	if f == nil {
		return fmt.Errorf("%q needs a line bad:, good: or both: above it", word)
	}
	if word != "+" && (word != "-" || len(f.new) > 0) {
		if err := f.change(); err != nil {
			return err
		}
	}
	switch word {
	case "|":
		f.Text, f.inserted = f.Text+rest+"\n", -1
	case "<":
		text, ok := p.shared[rest]
		if !ok {
			return fmt.Errorf("there is no shared text %q", rest)
		}
		f.Text, f.inserted = f.Text+text, len(f.Text)
	case "-":
		f.old = append(f.old, rest)
	case "+":
		f.new = append(f.new, rest)
	case ">":
		var b trueBytes
		b, err = parseBytes(rest)
		if err == nil && !strings.Contains(f.Text, b.shown) {
			err = fmt.Errorf("the file does not contain %q", b.shown)
		}
		f.bytes = append(f.bytes, b)
	default:
		err = fmt.Errorf("a line cannot begin with %q", word)
	}
	return err
}

// change makes the change that the - and + lines describe.
func (f *file) change() error {
	if len(f.old)+len(f.new) == 0 {
		return nil
	}
	old, new := strings.Join(f.old, "\n"), strings.Join(f.new, "\n")
	remove := len(f.new) == 0
	f.old, f.new = nil, nil
	if old == "" || f.inserted < 0 || !strings.Contains(f.Text[f.inserted:], old) {
		return fmt.Errorf("no shared text above this change contains %q", old)
	}
	text := f.Text[f.inserted:]
	if remove {
		text = strings.ReplaceAll("\n"+text, "\n"+old+"\n", "\n")[1:]
	}
	f.Text = f.Text[:f.inserted] + strings.ReplaceAll(text, old, new)
	return nil
}

// parseBytes reads: "shown" = "bytes" "more bytes" * 3
func parseBytes(s string) (b trueBytes, err error) {
	if b.shown, s, err = cutString(s); err != nil {
		return b, err
	}
	s, found := strings.CutPrefix(s, " =")
	if !found {
		return b, errors.New("a line of bytes lacks its =")
	}
	for s != "" {
		one := piece{times: 1}
		if one.text, s, err = cutString(strings.TrimPrefix(s, " ")); err != nil {
			return b, err
		}
		if count, found := strings.CutPrefix(s, " * "); found {
			count, s, _ = strings.Cut(count, " ")
			if one.times, err = strconv.Atoi(count); err != nil || one.times < 1 {
				return b, fmt.Errorf("%q is not a number of times", count)
			}
		}
		b.pieces = append(b.pieces, one)
	}
	return b, nil
}

// cutString reads the Go string at the beginning of s.
func cutString(s string) (text, rest string, err error) {
	quoted, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", "", fmt.Errorf("%s does not begin with a Go string", s)
	}
	text, err = strconv.Unquote(quoted)
	return text, s[len(quoted):], err
}

// finishFile keeps the file that was read, if there is one.
func (p *parser) finishFile() error {
	f := p.file
	if f == nil {
		return nil
	}
	if err := f.change(); err != nil {
		return err
	}
	p.file = nil
	if p.name != "" {
		p.shared[p.name], p.name = f.Text, ""
		return nil
	}
	if f.open {
		f.Text = strings.TrimSuffix(f.Text, "\n")
	}
	if f.utf16 || f.bytes != nil {
		f.data = f.build
	}
	if f.bad {
		p.lesson.Bad = append(p.lesson.Bad, f.Example)
	}
	if f.good {
		p.lesson.Good = append(p.lesson.Good, f.Example)
	}
	return nil
}

// build returns the true bytes. They can be many megabytes, so nothing keeps them.
func (f *file) build() []byte {
	text := f.Text
	for _, b := range f.bytes {
		var bytes strings.Builder
		for _, one := range b.pieces {
			bytes.WriteString(strings.Repeat(one.text, one.times))
		}
		text = strings.ReplaceAll(text, b.shown, bytes.String())
	}
	if !f.utf16 {
		return []byte(text)
	}
	out := []byte{0xff, 0xfe} // the byte order mark
	for _, unit := range utf16.Encode([]rune(text)) {
		out = append(out, byte(unit), byte(unit>>8))
	}
	return out
}
