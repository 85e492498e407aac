package config

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// most is the largest file that is read, in bytes.
const most = 1 << 20

// entry is one setting of a file.
type entry struct {
	name, value string
	quoted      bool // value was in quotes: it is one value, whatever it holds
	line        int  // from 1
	column      int  // of the name, in characters from 1
	at          int  // column of the value
}

// parse reads the lines "name = value" of a file. What it cannot read it says, and goes on.
func parse(file string, text []byte) (entries []entry, wrong []*Problem) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	n := 0
	for line := range bytes.Lines(text) {
		n++
		e, p := parseLine(strings.TrimRight(string(line), "\r\n"))
		switch {
		case p != nil:
			p.File, p.Line = file, n
			wrong = append(wrong, p)
		case e != nil:
			e.line = n
			entries = append(entries, *e)
		}
	}
	return entries, wrong
}

// parseLine reads one line; nil is a blank one or a comment.
func parseLine(line string) (*entry, *Problem) {
	if !utf8.ValidString(line) || strings.ContainsRune(line, 0) {
		return nil, &Problem{Column: 1, Sentence: "This line isn't valid UTF-8.", Hint: "Save the file as UTF-8."}
	}
	rest := strings.TrimLeft(line, " \t")
	if rest == "" || rest[0] == '#' {
		return nil, nil
	}
	e := &entry{column: column(line, rest)}
	name, value, ok := strings.Cut(rest, "=")
	if e.name = strings.TrimRight(name, " \t"); !ok || e.name == "" {
		return nil, &Problem{Column: e.column, Sentence: shown(called(rest)) + " is no setting.",
			Hint: "Write name = value, as in public-url = https://figs.example.com. Lines that begin with # are comments."}
	}
	value = strings.TrimLeft(value, " \t")
	e.at = column(line, value)
	if strings.HasPrefix(value, `"`) {
		return e, e.unquote(value)
	}
	e.value = strings.TrimRight(uncommented(value), " \t")
	if e.value == "" {
		return nil, &Problem{Column: e.column, Name: called(e.name), Sentence: shown(called(e.name)) + " has no value.", Hint: "To use the default, remove the line or put # in front of it."}
	}
	return e, nil
}

// unquote reads a value in double quotes, behind which only a comment may stand.
func (e *entry) unquote(value string) *Problem {
	quoted, err := strconv.QuotedPrefix(value)
	if err != nil {
		return &Problem{Column: e.at, Name: called(e.name), Sentence: "The closing quote is missing.", Hint: `End it with " on the same line; a quote inside is written \".`}
	}
	if after := strings.TrimLeft(value[len(quoted):], " \t"); after != "" && after[0] != '#' {
		return &Problem{Column: e.at + utf8.RuneCountInString(quoted), Name: called(e.name), Sentence: "There is text after the closing quote.", Hint: "Put the whole value in one pair of quotes. For a list, write one value per line."}
	}
	e.value, err = strconv.Unquote(quoted)
	e.quoted = true
	if err != nil || !utf8.ValidString(e.value) {
		return &Problem{Column: e.at, Name: called(e.name), Sentence: "The quoted value isn't valid.", Hint: `Write \\ for a backslash and \" for a quote.`}
	}
	return nil
}

// uncommented takes a comment off a value: # begins one behind a space.
func uncommented(value string) string {
	for i := range len(value) {
		if value[i] == '#' && (i == 0 || value[i-1] == ' ' || value[i-1] == '\t') {
			return value[:i]
		}
	}
	return value
}

// column is where rest, the end of line, begins, in characters from 1.
func column(line, rest string) int {
	return utf8.RuneCountInString(line[:len(line)-len(rest)]) + 1
}

// called is what a problem calls a setting by the name that a file gives it. Names have no spaces and none
// of the marks of an address: behind those a forgotten = may have let a secret in.
func called(name string) string {
	if end := strings.IndexAny(name, " \t:@/?&;="); end >= 0 {
		return name[:end] + "…"
	}
	return name
}

// shown quotes a word of a file, shortened, without what a terminal would obey and without passwords.
func shown(word string) string {
	const longest = 60
	word = hushWord(word)
	if utf8.RuneCountInString(word) > longest {
		word = string([]rune(word)[:longest]) + "…"
	}
	return strconv.Quote(word)
}
