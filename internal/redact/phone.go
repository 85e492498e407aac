package redact

import "bytes"

// phoneAt reads a number with its country's code at a +, or a North American one at a digit or a bracket.
func phoneAt(b []byte, i int) (end int) {
	if before := at(b, i-1); isAlnum(before) || before == '+' || before == '.' && digits.has(at(b, i-2)) {
		return 0
	}
	if b[i] == '+' {
		if first := at(b, i+1); first < '1' || first > '9' {
			return 0
		}
		return numbers(b, i+1, 8, 15)
	}
	return american(b, i)
}

// numbers reads least to most digits with single separators between groups of them.
func numbers(b []byte, i, least, most int) (end int) {
	n, between := 0, 0
	for j := i; j < len(b) && j < i+40; j++ {
		switch c := b[j]; {
		case digits.has(c):
			n, between, end = n+1, 0, j+1
		case (c == ' ' || c == '-' || c == '.' || c == '/' || c == '(' || c == ')') && between < 3 && (between < 2 || c == '(' || c == ')' || b[j-1] == ')'):
			between++
		default:
			j = len(b)
		}
	}
	if next := at(b, end); n < least || n > most || isAlnum(next) || next == ',' && digits.has(at(b, end+1)) || next == ':' && digits.has(at(b, end+1)) {
		return 0
	}
	return end
}

// american reads (212) 555-0123, 212-555-0123 and 212.555.0123.
func american(b []byte, i int) (end int) {
	shape := "ddd-ddd-dddd"
	switch {
	case b[i] == '(' && at(b, i+5) == ' ':
		shape = "(ddd) ddd-dddd"
	case b[i] == '(':
		shape = "(ddd)ddd-dddd"
	case at(b, i+3) == '.':
		shape = "ddd.ddd.dddd"
	}
	if i+len(shape) > len(b) {
		return 0
	}
	for k := range len(shape) {
		if c := b[i+k]; shape[k] == 'd' && !digits.has(c) || shape[k] != 'd' && shape[k] != c {
			return 0
		}
	}
	end = i + len(shape)
	area, exchange := b[bytes.IndexAny(b[i:], "23456789")+i], b[end-8]
	if next := at(b, end); area != b[i] && area != b[i+1] || exchange < '2' || isAlnum(next) || next == '-' {
		return 0
	}
	return end
}

// phoneWords are words behind which telephone numbers stand, in lower case.
var phoneWords = []string{"telephone", "telefone", "telefono", "telefoon", "téléphone", "teléfono", "telefon", "phone", "mobiltelefon", "mobile", "mobil", "cellphone", "cell phone", "handy", "tel", "fax", "whatsapp",
	"rufnummer", "durchwahl", "hotline", "msisdn", "gsm"}

// phoneWordsBy has them by the five bits that letters of both cases have in common.
var phoneWordsBy = func() (by [32][]string) {
	for _, w := range phoneWords {
		by[w[0]&31] = append(by[w[0]&31], w)
	}
	return by
}()

// phoneStart are the bytes that those words begin with, in either case.
var phoneStart = func() *set {
	s := new(set)
	for _, w := range phoneWords {
		s.add(w[0])
		s.add(w[0] - 'a' + 'A')
	}
	return s
}()

// numberWords may stand behind those.
var numberWords = []string{"nummern", "nummer", "numbers", "number", "nr", "no", "num"}

// phoneWordAt is where a word for telephones ends that begins at i, with what makes a number of it; 0 when there is none.
func phoneWordAt(b []byte, i int) (end int) {
	if before := at(b, i-1); isAlnum(before) && !(b[i] < 'a' && before >= 'a' && before <= 'z') {
		return 0
	}
	for _, w := range phoneWordsBy[b[i]&31] {
		j := i
		if at(b, i+1)|0x20 != w[1] && w[1] < 0x80 || !matches(b, &j, w) {
			continue
		}
		k := j
		for n := 0; n < 2 && (at(b, k) == '.' || at(b, k) == '-' || at(b, k) == ' ' || at(b, k) == '_'); n++ {
			k++
		}
		for _, more := range numberWords {
			if e := k; matches(b, &e, more) && !isAlnum(at(b, e)) {
				return e
			}
		}
		if !isAlnum(at(b, j)) {
			return j
		}
	}
	return 0
}

// dialedAt reads a number behind a word for telephones.
func dialedAt(b []byte, i int) (start, end int) {
	j := phoneWordAt(b, i)
	if j == 0 {
		return 0, 0
	}
	for from := j; j < len(b) && j < from+8 && bytes.IndexByte([]byte(".:= \t|\"'*>#,;"), b[j]) >= 0; j++ {
	}
	if at(b, j) == '(' && !digits.has(at(b, j+1)) && at(b, j+1) != '+' { // Telefon (mobil): 0171 …
		if close := bytes.IndexByte(b[j:min(len(b), j+24)], ')'); close > 0 {
			for j += close + 1; at(b, j) == ':' || at(b, j) == ' '; j++ {
			}
		}
	}
	if end = dial(b, j); end > 0 {
		return j, end
	}
	return 0, 0
}

// dial reads a telephone number of which its place says that it is one. A date is none.
func dial(b []byte, i int) (end int) {
	if c := at(b, i); c != '(' && c != '+' && !digits.has(c) {
		return 0
	}
	from := i
	if b[i] == '+' {
		from++
	}
	if end = numbers(b, from, 6, 15); end == 0 || dated(b[i:end]) {
		return 0
	}
	return end
}

// dated reports whether digits are a date: 2026-11-20, 20.11.2026, 11/20/2026, with or without a time behind.
func dated(v []byte) bool {
	var groups []int
	for i := 0; i < len(v); {
		end := digits.run(v, i, len(v))
		if end == i {
			i++
			continue
		}
		groups = append(groups, end-i)
		i = end
	}
	if len(groups) < 3 || v[0] == '+' || v[0] == '(' || bytes.IndexByte(v, ' ') >= 0 && bytes.IndexByte(v, ' ') < 8 {
		return false
	}
	a, m, z := groups[0], groups[1], groups[2]
	return a == 4 && m == 2 && z == 2 && (v[0] == '1' || v[0] == '2') || a <= 2 && m <= 2 && z == 4 && len(groups) == 3 && v[0] < '4'
}

// calledPhone reports whether a field of that name holds a telephone number.
func calledPhone(name []byte) bool {
	if len(name) > 200 {
		return false
	}
	for i, c := range name {
		if !phoneStart.has(c) {
			continue
		}
		end := phoneWordAt(name, i)
		if end == 0 { // homePhone, phoneNumber
			for _, w := range phoneWordsBy[c&31] {
				j := i
				if (i == 0 || !letters.has(name[i-1]) || c < 'a') && matches(name, &j, w) && at(name, j) >= 'A' && at(name, j) <= 'Z' {
					for _, more := range numberWords {
						if e := j; matches(name, &e, more) && e == len(name) {
							return true
						}
					}
				}
			}
			continue
		}
		if !describes(name[end:]) {
			return true
		}
	}
	return false
}

// dialed are the digits that are dialed, the same for +49 30 …, +49 (0)30 … and 0049 30 ….
func dialed(number string) string {
	var d []byte
	zero := bytes.ReplaceAll([]byte(number), []byte("(0)"), nil)
	for _, c := range zero {
		if digits.has(c) {
			d = append(d, c)
		}
	}
	switch {
	case number[0] == '+':
	case bytes.HasPrefix(d, []byte("00")):
		d = d[2:]
	case len(d) == 10 && d[0] >= '2': // North America, without its code
		d = append([]byte{'1'}, d...)
	}
	return string(d)
}
