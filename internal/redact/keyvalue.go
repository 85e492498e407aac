package redact

import (
	"bytes"
	"unicode/utf8"
)

// span is a value behind a word for secrets.
type span struct {
	start, end int
	quoted     bool // it stands in quotes
	line       bool // it is all of a line "name: value", or of a cell
	short      int  // how long it is up to where another "name=value" may begin; 0 where none does
}

const longestPassword = 256

// valueAt reads the value that a link from the keyword at i leads to: up to the closing quote, or to white space. end
// is 0 when there is none.
func valueAt(b []byte, i int, l link) (v span) {
	j := l.end
	if v, ok := quotedAt(b, j); ok {
		return v
	}
	if c := at(b, j); c == '"' || c == '\'' || c == '`' { // which nothing closes
		j++
	}
	before := leadOf(b, i, l.name)
	v.start = j
	e := j
scan:
	for ; e < len(b) && e-j <= longestPassword; e++ {
		switch c := b[e]; {
		case c >= 0x80 || c <= ' ':
			if spaceAt(b, e) > 0 {
				break scan
			}
		case c == before.quote && c != 0:
			break scan
		case c == '<':
			if knownTag(b, e) {
				break scan
			}
		case c == '|':
			if l.mark == '|' && b[e-1] != '\\' || before.in == '|' {
				break scan
			}
		case c == '\\':
			if next := at(b, e+1); before.quote != 0 && (next == 'n' || next == 'r' || next == 't') {
				break scan
			}
		case c == '#':
			if before.in == '&' {
				break scan
			}
		case c == '&':
			if before.in == '&' {
				break scan
			}
			if out, n := entity(b, e); n > 0 && spaceAt(out, 0) > 0 {
				break scan
			}
		}
		if v.short == 0 && e > j && another(b, e) {
			if v.short = e - j; before.in == b[e] {
				v.short = 0
				break
			}
		}
	}
	if e-j > longestPassword {
		return span{}
	}
	v.end = e
	if s := b[j:e]; len(s) > 4 && s[0] == '*' && s[1] == '*' { // in bold
		if close := bytes.Index(s[2:], []byte("**")); close > 0 {
			v.start, v.end, v.short = j+2, j+2+close, 0
		}
	}
	ends := e
	for ends < len(b) && (b[ends] == ' ' || b[ends] == '\t' || b[ends] == '\r') {
		ends++
	}
	ended := ends >= len(b) || b[ends] == '\n'
	v.line = ended && before.line && l.mark != 'w' || l.mark == '|' || l.mark == '\t'
	if l.lines && !ended || v.end == v.start {
		return span{}
	}
	return v
}

// quotedAt reads what stands in quotes at j. A quote in the middle of a word closes nothing.
func quotedAt(b []byte, j int) (v span, ok bool) {
	open := ""
	for _, q := range [...]string{`\"`, `\'`, `""`, `"`, `'`, "`", "“", "„", "«", "‘", "‚"} {
		if bytes.HasPrefix(b[j:], []byte(q)) {
			open = q
			break
		}
	}
	if open == "" {
		return v, false
	}
	from := j + len(open)
	rest := b[from:min(len(b), from+longestPassword+8)]
	if line := bytes.IndexByte(rest, '\n'); line >= 0 {
		rest = rest[:line]
	}
	for k := 0; k < len(rest); k++ {
		n := 0
		switch open {
		case "“", "„", "«", "‘", "‚":
			for _, q := range [...]string{"”", "“", "»", "’", "‘"} {
				if bytes.HasPrefix(rest[k:], []byte(q)) {
					n = len(q)
				}
			}
		default:
			if bytes.HasPrefix(rest[k:], []byte(open)) {
				n = len(open)
			} else if rest[k] == '\\' {
				k++
			}
		}
		if n == 0 {
			continue
		}
		if c := at(rest, k+n); c > ' ' && c < 0x80 && bytes.IndexByte([]byte(",;)}]<.:>&|#+\\\"'/`*"), c) < 0 {
			continue
		}
		return span{start: from, end: from + k, quoted: true}, k > 0
	}
	return v, false
}

// lead is what stands before a keyword on its line.
type lead struct {
	line  bool // nothing but the name, and the mark of a list
	in    byte // the keyword is one name of several, which this separates: & in a query, ; in a connection string
	quote byte // that was opened and not closed
}

func leadOf(b []byte, i, end int) (l lead) {
	from := max(0, i-256)
	if line := bytes.LastIndexByte(b[from:i], '\n'); line >= 0 {
		from += line + 1
	}
	name := i
	for name > from && (wordDot.has(b[name-1])) {
		name--
	}
	for k, c := range b[from:i] {
		switch {
		case l.quote == 0 && (c == '"' || c == '`' || c == '\'' && !isAlnum(at(b, from+k-1))):
			l.quote = c
		case c == l.quote:
			l.quote = 0
		}
	}
	if name > from && b[name-1] == l.quote && at(b, end) == l.quote { // of the name alone
		l.quote = 0
		name--
	}
	head := bytes.TrimLeft(b[from:name], " \t-*>#+.0123456789\"'_")
	for _, word := range [...]string{"export ", "set ", "SET ", "ENV ", "env ", "ARG "} {
		head = bytes.TrimPrefix(head, []byte(word))
	}
	l.line = len(bytes.TrimSpace(head)) == 0 && (from == 0 || b[from-1] == '\n')
	for name > from && b[name-1] == ' ' {
		name--
	}
	switch c := at(b, name-1); c {
	case '?', '&':
		l.in = '&'
	case ';', ',', '|':
		l.in = c
	}
	if l.in != 0 && name <= from {
		l.in = 0
	}
	return l
}

// another reports whether another name with its value begins behind a separator at i.
func another(b []byte, i int) bool {
	switch b[i] {
	case ';', ',', '&', '|':
	default:
		return false
	}
	j := i + 1
	if !letters.has(at(b, j)) {
		return false
	}
	for n := 0; n < 32 && (wordDot.has(at(b, j)) || at(b, j) == ' '); n++ {
		j++
	}
	return at(b, j) == '=' && at(b, j+1) > ' '
}

// inlineElements are those that stand in a text beside those that end a word.
var inlineElements = wordSet("a abbr b big button cite code del dfn em font i img input ins kbd label mark q s samp small span strong sub sup time tspan tt u var " +
	"wbr")

// knownTag reports whether a tag of HTML begins at i, or one that closes any element.
func knownTag(b []byte, i int) bool {
	j := i + 1
	close := at(b, j) == '/'
	if close {
		j++
	}
	end := wordDot.run(b, j, 32)
	if end < len(b) && close && b[end] == ':' {
		end = wordDot.run(b, end+1, 32)
	}
	if end == j || !letters.has(b[j]) {
		return bytes.HasPrefix(b[i:], []byte("<!--"))
	}
	next := at(b, end)
	if close {
		return next == '>'
	}
	name := string(bytes.ToLower(b[j:end]))
	switch {
	case next != '>' && next != ' ' && next != '/':
		return false
	case blocks[name] || name == "img" || name == "input" || name == "wbr":
		return true
	}
	return inlineElements[name] && bytes.Contains(b[end:min(len(b), end+512)], []byte("</"+string(b[j:end])))
}

// field is what a field, a column or an element of that name holds, when it is a secret or a telephone number. m.end is
// 0 when it is neither. A field of JSON holds nothing but its value, so that a password may be words there.
func field(name, text []byte, words bool) (m match) {
	start := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	text = bytes.TrimSpace(text)
	if len(text) < 6 || !utf8.Valid(text) {
		return m
	}
	end := start + len(text)
	if is, password := called(name); is {
		for _, scheme := range [...]string{"Basic ", "basic ", "Bearer ", "bearer ", "Token ", "token "} {
			if bytes.HasPrefix(text, []byte(scheme)) {
				text, start, password = text[len(scheme):], start+len(scheme), false
			}
		}
		_, basic := credentials(text)
		switch {
		case template(text):
		case password && passphrase(text), !password && basic:
			return match{rule: keyed, start: start, end: end}
		case bytes.ContainsAny(text, " \t\r\n"):
		case secretValue(text, password), password && words && chosen(text):
			return match{rule: keyed, start: start, end: end}
		}
	}
	if calledPhone(name) {
		if n := dial(text, 0); n == len(text) {
			return match{rule: phone, start: start, end: end}
		}
	}
	return m
}

// called reports whether a field of that name holds a secret, and whether a password.
func called(name []byte) (secret, password bool) {
	if len(name) > 200 {
		return false, false
	}
	for i, c := range name {
		if keywordStart.has(c) && (i == 0 || !letters.has(name[i-1]) || letters.has(c) && c < 'a') {
			if end, is := keywordAt(name, i); end > 0 && !describes(name[end:]) {
				return true, is
			}
		}
	}
	return false, false
}

// describes reports whether the words behind a keyword make it one of something else than the secret itself.
func describes(rest []byte) bool {
	for w := range bytes.FieldsFuncSeq(rest, func(r rune) bool { return r < 0x80 && !letters.has(byte(r)) }) {
		switch string(bytes.ToLower(w)) {
		case "policy", "hint", "expires", "expiry", "updated", "changed", "rotated", "created", "at", "by", "on", "count", "length", "min", "max", "type", "path", "file", "field", "strength",
			"rotation", "reset", "required", "status", "age", "date", "url", "uri", "ref", "name", "owner", "manager", "usage", "budget", "limit", "rules", "format":
			return true
		}
	}
	word := bytes.ToLower(rest)
	for _, suffix := range [...]string{"policy", "hint", "expiry", "expires", "count", "length", "type", "path", "file", "status", "name", "url", "updatedat", "changedat", "createdat", "expiresat"} {
		if string(word) == suffix {
			return true
		}
	}
	return false
}

// elementAt reads what an element holds that is called like a secret or a telephone: its text, or the attribute value.
func elementAt(b []byte, i int, found func(m match)) {
	if !letters.has(at(b, i+1)) {
		return
	}
	rest := b[i:min(len(b), i+1<<10)]
	close := tagEnd(rest, 1)
	if close < 0 {
		return
	}
	inside := rest[1:close]
	name := inside[:wordDot.run(inside, 0, 64)]
	if at(inside, len(name)) == ':' {
		name = inside[len(name)+1 : wordDot.run(inside, len(name)+1, 64)]
	}
	label := name
	if !callable(name) {
		label = nil
	}
	from, to := 0, 0
	for j := len(name); j < len(inside); {
		eq := bytes.IndexByte(inside[j:], '=')
		if eq < 0 {
			break
		}
		key := j + eq
		start := key
		for start > j && word.has(inside[start-1]) {
			start--
		}
		open := key + 1
		for at(inside, open) == '\\' { // in a text of a program
			open++
		}
		q := at(inside, open)
		if q != '"' && q != '\'' {
			j = key + 1
			continue
		}
		open++
		end := bytes.IndexByte(inside[open:], q)
		if end < 0 {
			break
		}
		text := bytes.TrimRight(inside[open:open+end], "\\")
		switch string(bytes.ToLower(inside[start:key])) {
		case "name", "key", "id", "property", "label", "field", "k", "type", "autocomplete", "for":
			if label == nil && callable(text) {
				label = text
			}
		case "value", "val", "v", "content":
			from, to = i+1+open, i+1+open+len(text)
		}
		j = open + end + 1
	}
	if label == nil {
		return
	}
	if to == 0 {
		from = i + close + 1
		n := bytes.IndexByte(b[from:min(len(b), from+longestPassword+64)], '<')
		if n < 0 || at(inside, len(inside)-1) == '/' {
			return
		}
		if to = from + n; bytes.HasPrefix(b[to:], []byte("<![CDATA[")) {
			from = to + 9
			if n = bytes.Index(b[from:min(len(b), from+longestPassword+64)], []byte("]]>")); n < 0 {
				return
			}
			to = from + n
		}
	}
	if m := field(label, b[from:to], false); m.end > 0 {
		m.start, m.end = m.start+from, m.end+from
		found(withEntities(m, b))
	}
}

func callable(name []byte) bool {
	is, _ := called(name)
	return is || calledPhone(name)
}

// withEntities adds the form that a value of markup has without its entities.
func withEntities(m match, b []byte) match {
	v := &view{text: b[m.start:m.end]}
	if w := v.through(ampersand, entity); w != nil {
		m.also(string(w.text))
	}
	return m
}
