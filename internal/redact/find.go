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
	if whole := enclosed(b, end); whole > 0 {
		return whole
	}
	for next := end; next < len(b) && next < i+64<<10; { // one that is cut off
		eol := next
		for eol < len(b) && eol < next+256 && b[eol] != '\n' {
			eol++
		}
		if start, stop := codedIn(b[next:eol]); stop > 0 {
			end = next + stop
		} else if next > end && start == 0 && len(bytes.TrimSpace(b[next:eol])) > 0 {
			return end // prose
		}
		if next = eol; at(b, eol) == '\n' || eol == len(b) {
			next++
		}
	}
	return end
}

// codedIn is the line of a private key in a line of text: base64, with less before and behind it than it is long.
func codedIn(line []byte) (start, end int) {
	for k := 0; k < len(line); k++ {
		run := base64s.run(line, k, len(line))
		if run-k > end-start {
			start, end = k, run
		}
		k = max(k, run)
	}
	if end-start < 16 || 2*(end-start) < len(line) {
		return 0, 0
	}
	for end < len(line) && line[end] == '=' {
		end++
	}
	return start, end
}

// enclosed is where a private key ends of which the lines begin behind from, whatever stands before each of them: marks of a
// mail, a comment or a log, quotes, numbers of rows. Most of it must be base64, or prose that only speaks of keys would go.
func enclosed(b []byte, from int) (end int) {
	rest := b[from:min(len(b), from+64<<10)]
	if next := bytes.Index(rest, []byte("-----BEGIN ")); next >= 0 { // another one
		rest = rest[:next]
	}
	last := bytes.Index(rest, []byte("-----END "))
	if last < 0 {
		return 0
	}
	close := bytes.Index(rest[last+9:min(len(rest), last+80)], []byte("-----"))
	if close < 0 {
		return 0
	}
	coded := 0
	for k := 0; k < last; k++ {
		if run := base64s.run(rest, k, last-k); run > k {
			if run-k >= 16 {
				coded += run - k
			}
			k = run
		}
	}
	if 2*coded < last {
		return 0
	}
	return from + last + 9 + close + 5
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
	slash, port := 0, digits.run(b, start, 6)
	for k := start; k < len(b) && k < start+256; k++ { // the last @ before the path, as the URL standard has it
		c := b[k]
		if c <= ' ' || c == '"' || c == '<' || c == '>' || c == '\\' {
			break
		}
		if c == '/' || c == '?' || c == '#' {
			if slash++; end > 0 || port == k { // of the path; one that is written into a password as it is comes before any @
				break
			}
		}
		if c == '@' {
			end = k
		}
	}
	if end == 0 || end-start < 3 || template(b[start:end]) || !isAlnum(at(b, end+1)) && at(b, end+1) != '[' {
		return 0, 0
	}
	return start, end
}

// template reports whether a value only says where one goes: ****, xxxx, ${NAME}, {password}, … and our own.
func template(v []byte) bool {
	if mixOf(v).distinct < 3 {
		return true
	}
	inner := bytes.TrimPrefix(v, []byte("$"))
	for _, pair := range [...]string{"{}", "[]", "()"} {
		if len(inner) > 2 && inner[0] == pair[0] && inner[len(inner)-1] == pair[1] {
			inner = bytes.Trim(inner, pair)
			return wordDot.run(inner, 0, len(inner)) == len(inner)
		}
	}
	return false
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
		for from := j; j < len(b) && j < from+6 && bytes.IndexByte([]byte(".: -\t|;,\"'"), b[j]) >= 0; j++ {
		}
		for _, more := range [...]string{"number", "nummer", "nr", "no"} {
			if k := j; matches(b, &k, more) && !letters.has(at(b, k)) {
				j = k
				for from := j; j < len(b) && j < from+6 && bytes.IndexByte([]byte(".: \t|;,\"'"), b[j]) >= 0; j++ {
				}
				break
			}
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
