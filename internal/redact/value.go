package redact

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"
)

// secretValue reports whether the value of a word for secrets looks chosen by chance, or by someone who was told to use
// several kinds of characters. Words, numbers, paths, dates and templates do not.
func secretValue(v []byte, password bool) bool {
	if len(v) < 8 || len(v) > long {
		return false
	}
	m := mixOf(v)
	switch {
	case m.distinct < 5, template(v), bytes.HasPrefix(v, []byte("http")) && bytes.Contains(v, []byte("://")):
		return false
	case v[0] == '/' || v[0] == '~' || v[0] == '.':
		if !password || wordPath.run(v, 0, len(v)) == len(v) && (v[0] == '/' || v[1] == '/' || v[1] == '.') {
			return false
		}
	case !password && (v[0] == '$' || v[0] == '%'):
		return false
	}
	if named(v) {
		return false
	}
	if password {
		if wordy(v) {
			return false
		}
		switch letters := m.lower + m.upper; {
		case letters == 0:
			return m.digit > 0 && m.other > 1 && !amount(v)
		case m.digit == 0 && m.other == 0:
			return m.lower > 0 && m.upper > 0
		case m.digit == 0:
			return m.entropy >= 2.7
		}
		return m.classes() >= 3 || m.digit >= 2 && m.entropy >= 2.7
	}
	if m.digit == 0 || m.lower+m.upper == 0 {
		return false
	}
	hex := m.upper+m.other == 0 && anyHex.run(v, 0, len(v)) == len(v)
	switch {
	case hex:
		return len(v) >= 16 && m.entropy >= 2.7
	case len(v) < 12:
		return m.classes() >= 3 && m.entropy >= 3
	}
	return m.digit >= 2 && m.entropy >= 3.2
}

var (
	wordPath = setOf("A-Za-z0-9/._~-")
	amounts  = setOf("0-9.,:+/ %-")
)

// amount reports whether a value is digits with the marks of numbers, dates and times.
func amount(v []byte) bool { return amounts.run(v, 0, len(v)) == len(v) }

// named reports whether a value is made as people name things: words and numbers with marks between them, like
// rotate-2026-11, v1.2.3 or reports/2026/q3.html.
func named(v []byte) bool {
	parts, mixed := 0, 0
	for _, c := range v {
		if c < 0x80 && !alnum.has(c) && !naming.has(c) {
			return false
		}
	}
	for part := range bytes.FieldsFuncSeq(v, func(r rune) bool { return r < 0x80 && !alnum.has(byte(r)) }) {
		parts++
		m := mixOf(part)
		if m.digit > 0 && m.lower+m.upper > 1 && (len(part) > 5 || m.lower > 0 && m.upper > 0) || m.lower > 0 && m.upper > 1 && !camel(part) {
			mixed++
		}
	}
	return parts > 1 && mixed == 0 && len(v) < 64
}

// naming are the marks with which people join words to names.
var naming = setOf("_.:/@-")

// wordy reports whether a value is words and numbers with marks between and around them: Required., not-set,
// os.environ["DB_PASSWORD"], get_secret("db/prod/1").
func wordy(v []byte) bool {
	words, odd := false, 0
	for part := range bytes.FieldsFuncSeq(v, func(r rune) bool { return r < 0x80 && !alnum.has(byte(r)) }) {
		stem := bytes.TrimRight(part, "0123456789")
		m := mixOf(stem)
		switch {
		case len(stem) == 0:
		case len(stem) < len(part) && (len(part)-len(stem) > 2 || bytes.IndexByte(v, '(') <= 0 || !camel(stem)):
			return false
		case len(stem) > 1 && camel(stem):
			words = words || len(stem) > 3
		case len(stem) == len(part) && len(part) < 4 && m.upper == 0 && m.digit == 0 && len(part) > 1: // fn, tc
			odd++
		default:
			return false
		}
	}
	return odd == 0 || words && odd < 3 && bytes.IndexByte(v, '.') > 0
}

// camel reports whether letters are words that may be joined like someWords, HTTPServer or SomeCmd: all but one of them
// have a vowel.
func camel(v []byte) bool {
	without, short, capitals, abbreviations, words := 0, 0, 0, 0, 0
	for i := 0; i < len(v); {
		end := i
		for end < len(v) && v[end] >= 'A' && v[end] <= 'Z' {
			end++
		}
		if end-i > 1 { // an abbreviation, of which the last may begin the next word
			if end < len(v) {
				end--
			}
			capitals += end - i
			abbreviations++
			if end == len(v) && i == 0 {
				return vowels(v)
			}
			i = end
			continue
		}
		for end < len(v) && (v[end] >= 'a' && v[end] <= 'z' || v[end] >= 0x80) {
			end++
		}
		if end == i {
			return false
		}
		words++
		if end-i < 3 {
			short++
		}
		switch {
		case cluster.longest(v[i:end]) > 4, end-i < 3 && !vowels(v[i:end]):
			return false
		case !vowels(v[i:end]):
			without++
		}
		i = end
	}
	return short <= words/3 && without <= words/2 && without < 2 && without+abbreviations < 2 && capitals*2 <= len(v) && (words > 1 || without == 0)
}

// cluster are the letters of which words have no five in a row.
var cluster = setOf("B-DF-HJ-NP-TV-XZb-df-hj-np-tv-xz")

func vowels(v []byte) bool {
	for _, c := range v {
		if c >= 0x80 || bytes.IndexByte([]byte("aeiouy"), c|0x20) >= 0 {
			return true
		}
	}
	return false
}

// template reports whether a value only says where one goes: ****, xxxx, ${NAME}, {{password}}, <password>, and what
// holds one of our own placeholders.
func template(v []byte) bool {
	if len(v) == 0 || mixOf(v).distinct < 3 || identifies(v) {
		return true
	}
	last := v[len(v)-1]
	switch v[0] {
	case '$':
		if at(v, 1) == '{' || at(v, 1) == '(' {
			return bytes.IndexByte(v, '}') > 0 || last == ')' || at(v, 1) == '('
		}
		m := mixOf(v[1:])
		return word.run(v, 1, len(v)) == len(v) && (m.upper == 0 || m.lower == 0) && m.digit <= 2
	case '{':
		return last == '}' && (at(v, 1) == '{' || named(v[1:len(v)-1]) || worded(string(v[1:len(v)-1])))
	case '<':
		return last == '>' && bytes.IndexByte(v[1:len(v)-1], '<') < 0
	case '%':
		return last == '%' && word.run(v, 1, len(v)) == len(v)-1
	}
	for i := bytes.IndexByte(v, '['); i >= 0; {
		if placeholder(v, i) > 0 {
			return true
		}
		next := bytes.IndexByte(v[i+1:], '[')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return v[0] == '[' && last == ']' && (named(v[1:len(v)-1]) || worded(string(v[1:len(v)-1])))
}

// placeholder is where a placeholder ends that begins at i; 0 when there is none.
func placeholder(b []byte, i int) (end int) {
	n := bytes.IndexByte(b[i:min(len(b), i+40)], ']')
	if n < 4 {
		return 0
	}
	if !identifies(b[i+1 : i+n]) {
		return 0
	}
	return i + n + 1
}

// identifies reports whether a text is a placeholder without its brackets, as Markdown may show it.
func identifies(id []byte) bool {
	dash := bytes.LastIndexByte(id, '-')
	return dash > 0 && dash+1 < len(id) && digits.run(id, dash+1, 9) == len(id) && RuleByID(string(id[:dash])) >= 0
}

// chosen reports whether the whole value of a field for a password may be one that a person chose.
func chosen(v []byte) bool {
	m := mixOf(v)
	return len(v) >= 8 && m.classes() >= 2 && m.distinct >= 5 && !camel(v) && !amount(v) && !template(v) && !prose(string(v)) && !(m.lower == 0 && bytes.IndexByte(v, '_') > 0)
}

// functionWords stand in sentences, and in no passphrase that was drawn from a list.
var functionWords = wordSet("a an and are as at be by can do for from has have if in is it least must no none not of on or our see set should than that the this " +
	"to use was were when will with you your das dem den der des die ein eine fehlt für im ist kein keine mit muss nicht noch oder siehe " +
	"und vom von war wird wurde zu zum")

// prose reports whether a text has a word that sentences are made with.
func prose(s string) bool {
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if functionWords[w] {
			return true
		}
	}
	return false
}

// passphrase reports whether a text is a passphrase as generators make them: four or more words, joined by one mark,
// none of which sentences are made with.
func passphrase(v []byte) bool {
	if len(v) < 16 || len(v) > 200 || !utf8.Valid(v) {
		return false
	}
	joint, words := rune(0), 0
	for _, r := range string(v) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			if joint != 0 && r != joint || r > 0x7f {
				return false
			}
			joint = r
		}
	}
	if joint == 0 || strings.ContainsRune("/\\@:", joint) {
		return false
	}
	for w := range strings.SplitSeq(string(v), string(joint)) {
		stem := strings.Trim(w, "0123456789")
		if n := utf8.RuneCountInString(stem); n > 12 || n < 3 && w != "" && stem != "" || w == "" || !worded(stem) {
			return false
		}
		if stem != "" {
			words++
		}
	}
	return words >= 4 && mixOf(v).lower > 0 && !prose(string(v))
}

// credentials are the user and the password that base64 after the word Basic stands for; ok is false when it is
// something else.
func credentials(v []byte) (password string, ok bool) {
	v = bytes.TrimRight(v, "=")
	if len(v) < 6 || len(v) > long {
		return "", false
	}
	out, err := base64.RawStdEncoding.DecodeString(string(v))
	if err != nil {
		if out, err = base64.RawURLEncoding.DecodeString(string(v)); err != nil {
			return "", false
		}
	}
	for _, c := range out {
		if c < ' ' || c == 0x7f {
			return "", false
		}
	}
	_, password, ok = strings.Cut(string(out), ":")
	return password, ok && utf8.Valid(out) && password != ""
}
