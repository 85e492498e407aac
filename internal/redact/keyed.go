package redact

import "bytes"

// keywords are words beside which secrets stand, in lower case; a space in them is any of space, _, - and nothing.
// Those of passwords come first: what stands behind them is shorter, and people choose it.
var keywords = []struct {
	text     string
	password bool
}{
	{"password", true}, {"passwd", true}, {"passphrase", true}, {"passwort", true}, {"kennwort", true}, {"pwd", true},
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
		if end = i; matches(b, &end, k.text) {
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
	for ; j < len(b) && j < from+12; j++ {
		switch c := b[j]; c {
		case ' ', '"', '\'', '`', '>', '*', '\\':
			continue
		case ':', '=', '|', '\t':
			between = true
			continue
		}
		break
	}
	if bytes.HasPrefix(b[j:], []byte("is ")) && at(b, j-1) == ' ' {
		j, between = j+3, true
	}
	for _, scheme := range [...]string{"Bearer ", "bearer ", "Basic ", "basic "} {
		if bytes.HasPrefix(b[j:], []byte(scheme)) {
			j += len(scheme)
		}
	}
	if !between || j == from {
		return 0, 0
	}
	end = value.run(b, j, long)
	for end > j && (b[end-1] == '.' || b[end-1] == ':' || b[end-1] == '?' || b[end-1] == '*') { // of the sentence
		end--
	}
	if end == len(b) || end-j < long {
		if secretValue(b[j:end], password) {
			return j, end
		}
	}
	return 0, 0
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
	case m.digit == 0 || m.lower+m.upper == 0:
		return false
	case bytes.HasPrefix(v, []byte("$")) && !password, bytes.HasPrefix(v, []byte("%")), bytes.HasPrefix(v, []byte("http")) && bytes.Contains(v, []byte("://")):
		return false
	case named(v), v[0] == '/' || v[0] == '~' || v[0] == '.':
		return false
	case password:
		return m.classes() >= 3 || m.digit >= 2 && m.entropy >= 2.7
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
