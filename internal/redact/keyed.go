package redact

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"
)

// keyword is a word beside which secrets stand, in lower case; a space in it is any of space, _, - and nothing.
type keyword struct {
	text     string
	password bool // what stands beside it is shorter, and people choose it
	whole    bool // letters before or behind it make another word of it
}

var keywords = []keyword{
	{"password", true, false}, {"passwd", true, false}, {"passphrase", true, false}, {"passcode", true, false}, {"passwort", true, false},
	{"passwörter", true, false}, {"kennwort", true, false}, {"pwd", true, false}, {"pass", true, true}, {"pw", true, true}, {"psw", true, true},
	{"mot de passe", true, false}, {"contraseña", true, false}, {"contrasena", true, false}, {"wachtwoord", true, false}, {"senha", true, true},
	{"secret", false, false}, {"token", false, false}, {"api key", false, false}, {"access key", false, false}, {"private key", false, false},
	{"account key", false, false}, {"encryption key", false, false}, {"signing key", false, false}, {"credential", false, false},
	{"authorization", false, false}, {"bearer", false, false}, {"geheimnis", false, false}, {"zugangsschlüssel", false, false},
}

// keywordsBy has them by the five bits that letters of both cases have in common.
var keywordsBy = func() (by [32][]keyword) {
	for _, k := range keywords {
		by[k.text[0]&31] = append(by[k.text[0]&31], k)
	}
	return by
}()

// keywordStart are the letters that keywords begin with.
var keywordStart = func() (s set) {
	for _, k := range keywords {
		for _, c := range [...]byte{k.text[0], k.text[0] - 'a' + 'A'} {
			s.add(c)
		}
	}
	return s
}()

// keywordAt is where a keyword ends that begins at i; 0 when there is none.
func keywordAt(b []byte, i int) (end int, password bool) {
	for _, k := range keywordsBy[b[i]&31] {
		if end = i; at(b, i+1)|0x20 != k.text[1]|0x20 || !matches(b, &end, k.text) {
			continue
		}
		if k.whole && at(b, end) == ':' && b[i+1] < 'a' { // PASS: TestName
			continue
		}
		if before := at(b, i-1); k.whole && (isAlnum(at(b, end)) || isAlnum(before) && !(b[i] < 'a' && before >= 'a' && before <= 'z')) {
			continue
		}
		return end, k.password
	}
	return 0, false
}

func matches(b []byte, i *int, text string) bool {
	for k := range len(text) {
		c := at(b, *i)
		if text[k] == ' ' {
			if c == ' ' || c == '_' || c == '-' {
				*i++
			}
			continue
		}
		if c|0x20 != text[k] && c != text[k] {
			return false
		}
		*i++
	}
	return true
}

// keyedAt reads the value behind a keyword at i.
func keyedAt(b []byte, i int) (m match) {
	from, password := keywordAt(b, i)
	if from == 0 {
		return m
	}
	name := word.run(b, from, 24) // DB_PASSWORD_PROD
	l, ok := linkAt(b, i, name)
	if !ok || describes(b[from:name]) {
		return m
	}
	if !password {
		m = tokenValue(b, l.end)
		if mix := mixOf(b[m.start:m.end]); l.far && (mix.upper == 0 || mix.lower == 0 || mix.digit == 0) { // a hash, an id
			return match{}
		}
		return m
	}
	v := valueAt(b, i, l)
	if v.end == 0 {
		return m
	}
	whole := b[v.start:v.end]
	cut := len(trimmed(whole))
	accepted := func(text []byte) bool {
		if passphrase(text) {
			return !l.far || bytes.IndexByte(text, ' ') < 0
		}
		mix := mixOf(text)
		if l.far && mix.classes() < 3 && mix.digit > 0 && mix.other < 3 || bytes.IndexByte(text, ' ') >= 0 { // an id
			return false
		}
		return !callee(text) && secretValue(text, true)
	}
	m = match{rule: keyed, start: v.start, end: v.end}
	if v.line && len(whole)-cut == 1 && bytes.IndexByte([]byte(".,;"), whole[cut]) >= 0 { // of the line
		v.line = false
	}
	if v.quoted || v.line || cut == len(whole) {
		if !accepted(whole) || cut < len(whole) && template(whole[:cut]) {
			return match{}
		}
		m.also(string(unescaped(whole)))
	} else if m.end = v.start + cut; !accepted(whole[:cut]) {
		return match{}
	}
	if v.short > 0 && accepted(whole[:v.short]) {
		m.also(string(whole[:v.short]))
	}
	for n := cut; !v.quoted && n >= short && n > len(whole)-4; n-- { // a mark may be of the sentence, or of the password
		m.also(string(whole[:n]))
		if isAlnum(whole[n-1]) {
			break
		}
	}
	return m
}

// also adds a form of what was found.
func (m *match) also(text string) {
	if len(text) >= short && !slices.Contains(m.forms, text) {
		m.forms = append(m.forms, text)
	}
}

// unescaped is a quoted text without its backslashes.
func unescaped(v []byte) []byte {
	if bytes.IndexByte(v, '\\') < 0 {
		return v
	}
	if w := (&view{text: v}).through(backslash, escape); w != nil {
		return w.text
	}
	return v
}

// trimmed is a value without the marks behind it that may be of a sentence, and the brackets that were opened before it.
func trimmed(v []byte) []byte {
	for n := 0; len(v) > 0 && n < 3; n++ {
		switch c := v[len(v)-1]; c {
		case '.', ',', ';', ':', '?', '!', '"', '\'', '`', '*', '>', '|', '\\':
		case ')', ']', '}':
			if bytes.IndexByte(v, map[byte]byte{')': '(', ']': '[', '}': '{'}[c]) >= 0 {
				return v
			}
		default:
			return v
		}
		v = v[:len(v)-1]
	}
	return v
}

// callee reports whether a value is code that gets one: getpass.getpass(), get_secret("db"), os.environ["DB_PASSWORD"].
func callee(v []byte) bool {
	open := bytes.IndexAny(v, "([")
	if open < 2 || !letters.has(v[0]) || callName.run(v, 0, open) < open {
		return false
	}
	if v[open] == '[' && bytes.IndexAny(v[open+1:], `"'`) != 0 && bytes.IndexByte(v[open:], '\\') < 0 {
		return false
	}
	for part := range bytes.FieldsFuncSeq(v[open:], func(r rune) bool { return r < 0x80 && !alnum.has(byte(r)) }) {
		if m := mixOf(part); m.lower < len(part) && m.digit < len(part) && !camel(part) && (m.upper < len(part) || v[open] != '[') {
			return false
		}
	}
	name := v[:open]
	return open > 2 && camel(name) || named(name)
}

// callName are the characters of what is called in programs.
var callName = setOf("A-Za-z0-9_.")

// link is what stands between a word for secrets and its value.
type link struct {
	name  int  // where the name with the keyword ends
	end   int  // of it, where the value begins
	mark  byte // the separator: one of : = | a tab, a space of an option, or w for a word
	far   bool // other words stand between, so that the value must look more like one
	lines bool // the value stands on the next line
}

const linkReach = 72 // bytes between a word for secrets and its value

// linkAt reads what stands behind a keyword that begins at i and whose name ends at from.
func linkAt(b []byte, i, from int) (l link, ok bool) {
	l.name = from
	j, stop := from, min(len(b), from+linkReach)
	for n := 0; j < stop && n < 4 && bytes.IndexByte([]byte("\"'`*])\\"), b[j]) >= 0; n++ { // what closes the name
		j++
	}
	tab := false
	for j < stop && (b[j] == ' ' || b[j] == '\t') {
		tab = tab || b[j] == '\t'
		j++
	}
	spaced := j > from && b[j-1] == ' '
	switch c := at(b, j); {
	case c == ':' && at(b, j+1) == ':': // of a name in a program
		return l, false
	case c == ':' || c == '=' || c == '|':
		l.mark = c
		for j++; j < stop && (b[j] == '=' || b[j] == '>'); j++ { // := == =>
			if b[j] == '>' && c == '|' {
				break
			}
		}
		if c == '=' && at(b, j-1) == '>' && j-from > 4 {
			j--
		}
	case tab:
		l.mark = '\t'
	case spaced && b[i]|0x20 == 'b' && bytes.EqualFold(b[i:from], []byte("bearer")):
		l.mark = ' '
	case spaced && option(b, i):
		l.mark = ' '
	default:
		if j, l.far = linkWord(b, j, stop, spaced); j == 0 {
			return l, false
		}
		l.mark = 'w'
	}
	for j < stop && (b[j] == '*' && at(b, j+1) == '*' || b[j] == '_' && at(b, j+1) == '_') && l.mark != 'w' && (at(b, j+2) <= ' ' || b[j] == '*' && bytes.HasSuffix(b[:from], []byte("**"))) {
		j += 2
	}
	for j < stop && (b[j] == ' ' || b[j] == '\t') {
		j++
	}
	if c := at(b, j); l.mark == ':' && (c == '\n' || c == '\r' || (c == '|' || c == '>') && (at(b, j+1) == '\n' || at(b, j+1) == '\r')) {
		l.lines = true
		for j < stop && (b[j] <= ' ' || b[j] == '|' || b[j] == '>') {
			j++
		}
	}
	for _, scheme := range [...]string{"Bearer ", "bearer ", "Basic ", "basic ", "Token ", "token "} {
		if bytes.HasPrefix(b[j:], []byte(scheme)) {
			j += len(scheme)
		}
	}
	l.end = j
	return l, j < len(b) && j > from
}

// option reports whether the name that begins at i is an option of a command, --password.
func option(b []byte, i int) bool {
	for n := 0; n < 24 && word.has(at(b, i-1)); n++ {
		i--
	}
	return at(b, i) == '-' && at(b, i+1) == '-' && at(b, i-1) <= ' '
}

// linkWords lead to a value.
var linkWords = []string{"is ", "ist ", "lautet ", "was ", "war ", "to ", "auf ", "as ", "est ", "es "}

// linkWord is where the value behind words begins, such as "Passwort für db01 lautet" and "password for db01:"; 0 when
// they lead to none.
func linkWord(b []byte, j, stop int, spaced bool) (end int, far bool) {
	if !spaced {
		return 0, false
	}
	for words := 0; words < 6 && j < stop; words++ {
		for _, w := range linkWords {
			if bytes.HasPrefix(b[j:], []byte(w)) {
				j += len(w)
				if at(b, j) == ':' {
					j++
				}
				for _, more := range linkWords { // has been set to
					if bytes.HasPrefix(b[j:], []byte(more)) {
						j += len(more)
					}
				}
				return j, words > 0
			}
		}
		for j < stop && b[j] > ' ' {
			switch b[j] {
			case ':', '=':
				if words > 0 && (b[j] == '=' || at(b, j+1) == ' ') {
					return j + 1, true
				}
				return 0, false
			case '.', ',', ';', '!', '?', '<', '>', '|', '"':
				return 0, false
			}
			j++
		}
		if at(b, j) != ' ' {
			return 0, false
		}
		for j < stop && b[j] == ' ' {
			j++
		}
	}
	return 0, false
}

// tokenValue reads a value that is no password: those have few marks in them.
func tokenValue(b []byte, j int) (m match) {
	for n := 0; n < 3 && bytes.IndexByte([]byte("\"'`\\>*"), at(b, j)) >= 0; n++ {
		j++
	}
	end := value.run(b, j, long+1)
	for end > j && bytes.IndexByte([]byte(".:?*"), b[end-1]) >= 0 { // of the sentence
		end--
	}
	if end-j > long {
		return m
	}
	if _, ok := credentials(b[j:end]); ok || secretValue(b[j:end], false) {
		return match{rule: keyed, start: j, end: end}
	}
	return m
}

// basicAt reads user and password in base64 behind the word Basic, at its first letter.
func basicAt(b []byte, i int) (m match) {
	j := i
	if !matches(b, &j, "basic") || at(b, j) != ' ' || isAlnum(at(b, i-1)) {
		return m
	}
	end := base64s.run(b, j+1, long)
	password, ok := credentials(b[j+1 : end])
	if !ok {
		return m
	}
	for at(b, end) == '=' {
		end++
	}
	m = match{rule: keyed, start: j + 1, end: end}
	if chosen([]byte(password)) {
		m.inside = password
	}
	return m
}

// spaceAt is how long the white space at i is, in bytes.
func spaceAt(b []byte, i int) int {
	if b[i] < 0x80 {
		if b[i] <= ' ' {
			return 1
		}
		return 0
	}
	if r, n := utf8.DecodeRune(b[i:]); unicode.IsSpace(r) || n > 1 && r == 0x2028 {
		return n
	}
	return 0
}
