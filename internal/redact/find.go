package redact

import "bytes"

// match is something that a rule found in a text.
type match struct {
	rule, start, end int
	proven           bool // a checksum or its structure says so
}

// what may begin, or stand, at a byte.
const (
	tokenByte = 1 << iota
	keywordByte
	digitByte
	upperByte
	hexByte
)

var (
	kinds   [256]uint8
	byFirst [256][]*token
)

func init() {
	for i := range tokens {
		c := tokens[i].prefix[0]
		kinds[c] |= tokenByte
		byFirst[c] = append(byFirst[c], &tokens[i])
	}
	for c := range 256 {
		b := byte(c)
		if keywordStart.has(b) {
			kinds[c] |= keywordByte
		}
		if digits.has(b) {
			kinds[c] |= digitByte | hexByte
		}
		if anyHex.has(b) {
			kinds[c] |= hexByte
		}
		if b >= 'A' && b <= 'Z' {
			kinds[c] |= upperByte
		}
	}
	for _, w := range phoneWords {
		kinds[w[0]] |= keywordByte
		kinds[w[0]-'a'+'A'] |= keywordByte
	}
	kinds['@'], kinds['+'], kinds['('], kinds[':'], kinds['-'] = 0x80, 0x80, 0x80, 0x80|hexByte, 0x80
}

// find calls found for what the rules know of in a text, from its beginning to its end; nothing overlaps.
func find(b []byte, found func(m match)) {
	floor := 0
	for i := 0; i < len(b); i++ {
		k := kinds[b[i]]
		if k == 0 {
			continue
		}
		m := lookAt(b, i, floor, k)
		if m.end == 0 {
			continue
		}
		found(m)
		floor = m.end
		i = max(i, m.end-1)
	}
}

// lookAt is what stands at i. A secret behind a keyword may begin later.
func lookAt(b []byte, i, floor int, k uint8) (m match) {
	before := at(b, i-1)
	fresh := !isAlnum(before)
	if k&tokenByte != 0 && (fresh && before != '_' || b[i] == 'h' || b[i] == 'd') {
		for _, t := range byFirst[b[i]] {
			if end, proven := t.find(b, i); end > 0 {
				return match{t.rule, i, end, proven}
			}
		}
	}
	switch b[i] {
	case '@':
		if start, end := emailAt(b, i, floor); end > 0 {
			return match{email, start, end, false}
		}
		return m
	case '-':
		if end := pemAt(b, i); end > 0 {
			return match{privateKey, i, end, true}
		}
		return m
	case '+', '(':
		if end := phoneAt(b, i); end > 0 {
			return match{phone, i, end, false}
		}
		return m
	case ':':
		if start, end := passwordAt(b, i); end > 0 {
			return match{urlPassword, start, end, false}
		}
	}
	if k&keywordByte != 0 {
		if start, end := keyedAt(b, i); end > 0 && start >= floor {
			return match{keyed, start, end, false}
		}
		if start, end := calledAt(b, i, fresh); end > 0 {
			return match{phone, start, end, false}
		}
	}
	if !fresh {
		return m
	}
	if k&upperByte != 0 {
		if end := ibanAt(b, i); end > 0 {
			return match{iban, i, end, true}
		}
	}
	if k&digitByte != 0 {
		if end := cardAt(b, i); end > 0 {
			return match{card, i, end, true}
		}
		if end := phoneAt(b, i); end > 0 {
			return match{phone, i, end, false}
		}
	}
	if k&hexByte != 0 {
		if end := ipAt(b, i); end > 0 {
			return match{address, i, end, false}
		}
	}
	return m
}

// pemAt reads a private key with its lines; one that is cut off ends where its lines do.
func pemAt(b []byte, i int) (end int) {
	if !bytes.HasPrefix(b[i:], []byte("-----BEGIN ")) {
		return 0
	}
	head := bytes.Index(b[i+5:min(len(b), i+80)], []byte("-----"))
	if head < 0 || !bytes.Contains(b[i:i+5+head], []byte("PRIVATE KEY")) {
		return 0
	}
	end = i + 5 + head + 5
	most := 64 << 10
	if next := bytes.Index(b[end:min(len(b), end+most)], []byte("-----BEGIN ")); next >= 0 {
		most = next // another one
	}
	body := pem.run(b, end, most)
	if last := bytes.Index(b[end:body], []byte("-----END ")); last >= 0 {
		if close := bytes.Index(b[end+last+9:min(len(b), end+last+80)], []byte("-----")); close >= 0 {
			return end + last + 9 + close + 5
		}
	}
	for next := end; ; {
		for next < len(b) && (b[next] <= ' ' || b[next] == '\\' || b[next] == 'n' && b[next-1] == '\\') {
			next++
		}
		line := base64s.run(b, next, 80)
		if line-next < 16 { // prose
			return end
		}
		next, end = line, line
	}
}

// passwordAt reads what stands between the second colon and the @ of an address, at the colon of ://.
func passwordAt(b []byte, i int) (start, end int) {
	if at(b, i+1) != '/' || at(b, i+2) != '/' || !letters.has(at(b, i-1)) && !digits.has(at(b, i-1)) {
		return 0, 0
	}
	user := urlWord.run(b, i+3, 128)
	if at(b, user) != ':' {
		return 0, 0
	}
	start = user + 1
	for end = start; end < len(b) && end < start+256 && b[end] != '@'; end++ {
		if c := b[end]; c <= ' ' || c == '"' || c == '<' || c == '>' || c == '/' || c == '\\' {
			return 0, 0
		}
	}
	if at(b, end) != '@' || end-start < 3 || template(b[start:end]) || !isAlnum(at(b, end+1)) && at(b, end+1) != '[' {
		return 0, 0
	}
	return start, end
}

// template reports whether a value only says where one goes: ****, xxxx, ${NAME}, {password}, … and our own.
func template(v []byte) bool {
	m := mixOf(v)
	return m.distinct < 3 || v[0] == '$' && at(v, 1) == '{' || v[0] == '{' || v[0] == '[' && v[len(v)-1] == ']'
}

var phoneWords = []string{"telephone", "telefon", "phone", "mobile", "mobil", "handy", "tel", "fax"}

// calledAt reads a number behind a word for telephones.
func calledAt(b []byte, i int, fresh bool) (start, end int) {
	if !fresh {
		return 0, 0
	}
	for _, w := range phoneWords {
		j := i
		if !matches(b, &j, w) || letters.has(at(b, j)) {
			continue
		}
		for from := j; j < len(b) && j < from+6 && (b[j] == '.' || b[j] == ':' || b[j] == ' ' || b[j] == '\t' || b[j] == '|'); j++ {
		}
		if c := at(b, j); c == '(' || c == '+' || digits.has(c) {
			if end = numbers(b, j, 6, 15); end > 0 {
				return j, end
			}
		}
		return 0, 0
	}
	return 0, 0
}
