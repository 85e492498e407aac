package redact

// match is something that a rule found in a text.
type match struct {
	rule, start, end int
	proven           bool     // a checksum or its structure says so
	forms            []string // in which the same value may stand elsewhere: the lines of a key, a value without the mark behind it
	apart            bool     // it is replaced by its forms alone
	inside           string   // a secret of its own that it holds, encoded
}

// what may begin, or stand, at a byte.
const (
	tokenByte = 1 << iota
	keywordByte
	digitByte
	upperByte
	hexByte
	phoneByte
	markByte
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
		kinds[w[0]] |= phoneByte
		kinds[w[0]-'a'+'A'] |= phoneByte
	}
	for _, c := range []byte("@+(:-<") {
		kinds[c] |= markByte
	}
	kinds[':'] |= hexByte
}

// find calls found for what the rules know of in a text, from its beginning to its end; nothing overlaps but what
// an element holds.
func find(b []byte, found func(m match)) {
	floor := 0
	for i := 0; i < len(b); i++ {
		k := kinds[b[i]]
		if k == 0 {
			continue
		}
		if b[i] == '<' {
			elementAt(b, i, found)
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
	if k&tokenByte != 0 && (fresh || b[i] == 'h' || b[i] == 'd') {
		for _, t := range byFirst[b[i]] {
			if end, proven := t.find(b, i); end > 0 && (before != '_' || len(t.prefix) > 3) {
				return match{rule: t.rule, start: i, end: end, proven: proven}
			}
		}
	}
	switch b[i] {
	case 'Q':
		if start, end := azureAt(b, i); end > 0 && start >= floor {
			return match{rule: serviceToken, start: start, end: end, proven: true}
		}
	case '@':
		if start, end := dsnAt(b, i); end > 0 && start >= floor {
			return match{rule: urlPassword, start: start, end: end}
		}
		if start, end := emailAt(b, i, floor); end > 0 {
			return match{rule: email, start: start, end: end}
		}
		return m
	case '-':
		return pemAt(b, i)
	case '+', '(':
		if end := phoneAt(b, i); end > 0 {
			return match{rule: phone, start: i, end: end}
		}
		return m
	case ':':
		if start, end := passwordAt(b, i); end > 0 {
			return match{rule: urlPassword, start: start, end: end}
		}
	}
	if k&keywordByte != 0 {
		if m := keyedAt(b, i); m.end > 0 && m.start >= floor {
			return m
		}
	}
	if b[i]|0x20 == 'b' {
		if m := basicAt(b, i); m.end > 0 {
			return m
		}
	}
	if k&phoneByte != 0 {
		if start, end := dialedAt(b, i); end > 0 {
			return match{rule: phone, start: start, end: end}
		}
	}
	if !fresh {
		return m
	}
	if k&upperByte != 0 {
		if end := ibanAt(b, i); end > 0 {
			return match{rule: iban, start: i, end: end, proven: true}
		}
	}
	if k&digitByte != 0 {
		if end := cardAt(b, i); end > 0 {
			return match{rule: card, start: i, end: end, proven: true}
		}
		if end := phoneAt(b, i); end > 0 {
			return match{rule: phone, start: i, end: end}
		}
	}
	if k&hexByte != 0 {
		if end := ipAt(b, i); end > 0 {
			return match{rule: address, start: i, end: end}
		}
	}
	return m
}
