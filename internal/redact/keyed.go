package redact

import (
	"bytes"
	"encoding/base64"
)

// keywords are words beside which secrets stand, in lower case; a space in them is any of space, _, - and nothing.
// Those of passwords come first: what stands behind them is shorter, and people choose it.
var keywords = []struct {
	text     string
	password bool
}{
	{"password", true}, {"passwd", true}, {"passphrase", true}, {"passwort", true}, {"kennwort", true}, {"pwd", true}, {"pass", true},
	{"secret", false}, {"token", false}, {"api key", false}, {"access key", false}, {"private key", false}, {"account key", false},
	{"encryption key", false}, {"signing key", false}, {"credential", false}, {"authorization", false}, {"bearer", false},
}

// keywordStart are the letters that keywords begin with.
var keywordStart = func() (s set) {
	for _, k := range keywords {
		for _, c := range [...]byte{k.text[0], k.text[0] - 'a' + 'A'} {
			s[c>>6] |= 1 << (c & 63)
		}
	}
	return s
}()

// keywordAt is where a keyword ends that begins at i; 0 when there is none.
func keywordAt(b []byte, i int) (end int, password bool) {
	for _, k := range keywords {
		if end = i; matches(b, &end, k.text) && (k.text != "pass" || !isAlnum(at(b, end)) && !isAlnum(at(b, i-1))) {
			return end, k.password
		}
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
		if c|0x20 != text[k] {
			return false
		}
		*i++
	}
	return true
}

// keyedAt reads the value behind a keyword at i.
func keyedAt(b []byte, i int) (start, end int) {
	from, password := keywordAt(b, i)
	if from == 0 {
		return 0, 0
	}
	bearer := b[i]|0x20 == 'b'
	from = word.run(b, from, 24) // DB_PASSWORD_PROD
	j, between := from, bearer
gap:
	for ; j < len(b) && j < from+16; j++ {
		switch c := b[j]; c {
		case ' ', '"', '\'', '`', '*', '\\':
		case ':', '=', '|', '\t':
			between = true
		case '>', ',', ';': // an element, or a row of values
			between = between || j == from && at(b, j+1) != ' '
		default:
			break gap
		}
	}
	for _, verb := range [...]string{"is ", "ist ", "lautet ", "was ", "value="} { // the last one is of an element
		if bytes.HasPrefix(b[j:], []byte(verb)) && at(b, j-1) == ' ' {
			j, between = j+len(verb), true
			if c := at(b, j); c == '"' || c == '\'' {
				j++
			}
		}
	}
	basic := false
	for _, scheme := range [...]string{"Bearer ", "bearer ", "Basic ", "basic "} {
		if bytes.HasPrefix(b[j:], []byte(scheme)) {
			j, basic = j+len(scheme), scheme[1] == 'a'
		}
	}
	if !between || j == from {
		return 0, 0
	}
	if basic {
		if end = base64s.run(b, j, long); userAndPassword(b[j:end]) {
			for at(b, end) == '=' {
				end++
			}
			return j, end
		}
	}
	end = valueEnd(b, j)
	end = j + sentenced(b[j:end], password)
	if end-j < long && !programmed(b[j:end]) && secretValue(b[j:end], password) {
		return j, end
	}
	return 0, 0
}

// valueEnd is where a value ends that begins at i: at the quote that it stands in, else at white space or the next tag.
func valueEnd(b []byte, i int) (end int) {
	line := b[i:min(len(b), i+long)]
	line = line[:lineEnd(line)]
	if quote := at(b, i-1); quote == '"' || quote == '\'' || quote == '`' {
		if close := bytes.IndexByte(line, quote); close >= 0 && (close+1 == len(line) || bytes.IndexByte([]byte(" \t\r,;.:)}]<>|\\"), line[close+1]) >= 0) {
			return i + close
		}
	}
	for k, c := range line {
		next := at(line, k+1)
		switch {
		case c <= ' ', (c == '"' || c == '|') && (next <= ' ' || next == '>'),
			c == '<' && (letters.has(next) || next == '/' || next == '!') && bytes.IndexByte(line[k:], '>') > 0:
			return i + k
		}
	}
	return i + len(line)
}

func lineEnd(b []byte) int {
	if n := bytes.IndexByte(b, '\n'); n >= 0 {
		return n
	}
	return len(b)
}

// sentenced is how long a value is without the marks of the sentence that it ends. A password may end in one itself.
func sentenced(v []byte, password bool) int {
	end := len(v)
	for end > 0 && bytes.IndexByte([]byte(".,;:?*)"), v[end-1]) >= 0 && (v[end-1] != ')' || bytes.IndexByte(v, '(') < 0) {
		end--
	}
	if password && alnum.run(v, 0, end) < end && end > 0 { // it has marks inside, too
		for end = len(v); v[end-1] == ',' || v[end-1] == ';'; end-- {
		}
	}
	return end
}

// programmed reports whether a value is a call or an index of a program, as getpass("…") and os.environ["…"] are.
func programmed(v []byte) bool {
	n := 0
	for n < len(v) && (v[n] >= 'a' && v[n] <= 'z' || v[n] == '_' || v[n] == '.') {
		n++
	}
	c := at(v, n)
	return n >= 4 && (c == '(' || c == '[' || c == '"' && bytes.IndexByte(v[:n], '.') > 0)
}

// userAndPassword reports whether a value is base64 of a name, a colon and a password (RFC 7617).
func userAndPassword(coded []byte) bool {
	plain, err := base64.RawStdEncoding.DecodeString(string(coded))
	colon := bytes.IndexByte(plain, ':')
	if err != nil || colon < 0 || colon == len(plain)-1 {
		return false
	}
	for _, c := range plain {
		if c < ' ' || c == 0x7f {
			return false
		}
	}
	return true
}

// called reports whether a field of that name holds a secret, and whether a password.
func called(name []byte) (secret, password bool) {
	for i, c := range name {
		if keywordStart.has(c) && (i == 0 || !letters.has(name[i-1]) || letters.has(c) && c < 'a') {
			if end, is := keywordAt(name, i); end > 0 {
				return true, is
			}
		}
	}
	return false, false
}

// secretValue reports whether a value looks chosen by chance, or by somebody who was told to use three kinds of
// characters. Words, numbers, paths, dates and templates do not.
func secretValue(v []byte, password bool) bool {
	m := mixOf(v)
	switch {
	case len(v) < 8 || len(v) > long || m.distinct < 5:
		return false
	case password && (m.digit == 0 && m.classes() >= 3 && !(named(v) && names.run(v, 0, len(v)) == len(v)) || phrase(v)):
		return true
	case password && m.upper*10 >= len(v)*3 && m.lower*5 >= len(v) && m.digit+m.other == 0 && len(v) >= 12: // letters by chance
		return true
	case m.digit == 0 || m.lower+m.upper == 0:
		return false
	case bytes.HasPrefix(v, []byte("$")) && !password, bytes.HasPrefix(v, []byte("%")) && !password, bytes.HasPrefix(v, []byte("http")) && bytes.Contains(v, []byte("://")):
		return false
	case named(v) && (!password || names.run(v, 0, len(v)) == len(v)), (v[0] == '/' || v[0] == '~' || v[0] == '.') && (!password || names.run(v, 0, len(v)) == len(v)):
		return false
	case password:
		return m.classes() >= 3 || m.digit >= 1 && m.entropy >= 2.7
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

// phrase reports whether a value is four words or more with one mark between them, as generators of passphrases make them.
func phrase(v []byte) bool {
	words, mark := 1, byte(0)
	for _, c := range v {
		switch {
		case letters.has(c):
		case mark == 0 && (c == '-' || c == '_' || c == '.'):
			mark = c
			words++
		case c == mark:
			words++
		default:
			return false
		}
	}
	return words >= 4 && len(v) >= 16
}

// named reports whether a value is made as people name things: words and numbers with marks between them, like
// rotate-2026-11, v1.2.3 or reports/2026/q3.html.
func named(v []byte) bool {
	parts, mixed := 0, 0
	for part := range bytes.FieldsFuncSeq(v, func(r rune) bool { return r < 0x80 && !alnum.has(byte(r)) }) {
		parts++
		m := mixOf(part)
		if m.digit > 0 && m.lower+m.upper > 1 && (len(part) > 5 || m.lower > 0 && m.upper > 0) || m.lower > 0 && m.upper > 1 {
			mixed++
		}
	}
	return parts > 1 && mixed == 0 && len(v) < 64
}
