package redact

import (
	"bytes"
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Each of these looks at a byte that may stand in such a thing, and gives where it begins and ends; end is 0 when
// there is none. floor is where the last one ended: nothing reaches back over it.

// endings are of files, and nobody's mail goes there.
var endings = wordSet("html htm md txt json jsonl png jpg jpeg gif webp svg csv pdf xlsx xls docx js css log yaml yml")

// emailAt reads an address around the @ at i.
func emailAt(b []byte, i, floor int) (start, end int) {
	for start = i; start > max(floor, i-64); {
		r, n := utf8.DecodeLastRune(b[floor:start])
		if !(n == 1 && mailUser.has(b[start-1])) && !(n > 1 && unicode.IsLetter(r)) {
			break
		}
		start -= n
	}
	for start < i && !isAlnum(b[start]) { // quotes and the like before it
		start++
	}
	for end = i + 1; end < len(b) && end < i+254; {
		r, n := utf8.DecodeRune(b[end:])
		if !(n == 1 && host.has(b[end])) && !(n > 1 && unicode.IsLetter(r)) {
			break
		}
		end += n
	}
	for end > i+1 && !isAlnum(b[end-1]) {
		end--
	}
	for {
		domain := string(b[min(i+1, end):end])
		dot := strings.LastIndexByte(domain, '.')
		if start == i || dot < 1 || versioned(domain) || strings.Contains(domain, "..") || domain[0] == '-' || b[i-1] == '.' {
			return 0, 0
		}
		last := domain[dot+1:]
		if endings[strings.ToLower(last)] { // the name of a file, which goes on behind the address
			end -= len(last) + 1
			continue
		}
		if strings.HasPrefix(last, "xn--") || len(last) > 1 && worded(last) {
			break
		}
		n := 0
		for n < len(last) && (letters.has(last[n]) || last[n] >= 0x80) {
			n++
		}
		if n > 1 && (last[n] == '-' || digits.has(last[n])) { // a date, or a number, goes on behind the address
			end -= len(last) - n
			break
		}
		end -= len(last) + 1
	}
	if string(b[start:i]) == "git" && at(b, end) == ':' || identifies(b[start:i]) { // of a repository; a placeholder
		return 0, 0
	}
	return start, end
}

// versioned reports whether what stands behind an @ is a version: v0.1.2-rc.linux, 4.17.21-beta.
func versioned(s string) bool {
	s = strings.TrimPrefix(s, "v")
	first, rest, _ := strings.Cut(s, ".")
	return first != "" && digits.run([]byte(first), 0, len(first)) == len(first) && rest != "" && rest[0] >= '0' && rest[0] <= '9'
}

// countries are the lengths of IBANs.
const countries = "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27GB22GE22GI23" +
	"GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MN20MR27MT31MU30NI28NL18NO15" +
	"OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28TL23TN24TR26UA29VA22VG24XK20YE30"

// ibanAt reads an IBAN, in one piece or in groups of four.
func ibanAt(b []byte, i int) (end int) {
	if i+15 > len(b) || isAlnum(at(b, i-1)) || !digits.has(b[i+2]) || !digits.has(b[i+3]) {
		return 0
	}
	place := -1
	for k := 0; k < len(countries); k += 4 {
		if countries[k] == b[i] && countries[k+1] == b[i+1] {
			place = k
		}
	}
	if place < 0 {
		return 0
	}
	length := int(countries[place+2]-'0')*10 + int(countries[place+3]-'0')
	whole := make([]byte, 0, 34)
	for end = i; end < len(b) && len(whole) < length; end++ {
		c := b[end]
		switch {
		case c >= '0' && c <= '9' || c >= 'A' && c <= 'Z':
			whole = append(whole, c)
		case (c == ' ' || c == '-') && len(whole)%4 == 0 && b[end-1] != c:
		default:
			return 0
		}
	}
	if len(whole) < length || isAlnum(at(b, end)) || !mod97(whole) {
		return 0
	}
	return end
}

// mod97 is the checksum of ISO 7064.
func mod97(whole []byte) bool {
	rest := 0
	for k := range whole {
		c := whole[(k+4)%len(whole)]
		if digits.has(c) {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest == 1
}

// cardAt reads a number in one piece, or in groups as it is printed on a card.
func cardAt(b []byte, i int) (end int) {
	if before := at(b, i-1); isAlnum(before) || (before == '.' || before == '-' || before == '+') && digits.has(at(b, i-2)) {
		return 0
	}
	var number [19]byte
	n := 0
	for end = i; end < len(b) && end < i+24; end++ {
		c := b[end]
		if digits.has(c) {
			if n == len(number) {
				return 0
			}
			number[n] = c
			n++
		} else if (c != ' ' && c != '-') || !digits.has(at(b, end+1)) || n != 4 && n != 8 && n != 12 && n != 10 {
			break
		}
	}
	if next := at(b, end); isAlnum(next) || (next == '.' || next == ',') && digits.has(at(b, end+1)) || !issued(number[:n]) || !luhn(number[:n]) {
		return 0
	}
	return end
}

// issued reports whether cards begin so and are so long.
func issued(number []byte) bool {
	n := len(number)
	if n < 13 {
		return false
	}
	two := int(number[0]-'0')*10 + int(number[1]-'0')
	four := two*100 + int(number[2]-'0')*10 + int(number[3]-'0')
	switch {
	case number[0] == '4':
		return n == 13 || n == 16 || n == 19
	case two >= 51 && two <= 55, four >= 2221 && four <= 2720, two == 65, four == 6011, four >= 6440 && four <= 6599, two == 35:
		return n == 16
	case two == 34 || two == 37:
		return n == 15
	case two == 30 || two == 36 || two == 38:
		return n == 14
	}
	return false
}

func luhn(number []byte) bool {
	sum := 0
	for k, c := range number {
		d := int(c - '0')
		if (len(number)-k)%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// ipAt reads an address that begins at i.
func ipAt(b []byte, i int) (end int) {
	if before := at(b, i-1); isAlnum(before) || before == '.' || before == ':' || before == '-' || before == '_' {
		return 0
	}
	end = ipSix.run(b, i, 46)
	for end > i && (b[end-1] == '.' || b[end-1] == ':' && at(b, end-2) != ':') {
		end--
	}
	if next := at(b, end); isAlnum(next) || next == '_' || next == '-' && digits.has(at(b, end+1)) || end-i < 7 {
		return 0
	}
	text := b[i:end]
	if four := bytes.IndexByte(text, ':'); four > 0 && bytes.IndexByte(text, '.') > 0 && bytes.Count(text, []byte{':'}) == 1 { // a port behind it
		text, end = text[:four], i+four
	}
	dots, colons := bytes.Count(text, []byte{'.'}), bytes.Count(text, []byte{':'})
	if dots != 3 && colons < 3 {
		return 0
	}
	a, err := netip.ParseAddr(string(text))
	if err != nil || a.IsLoopback() || a.IsUnspecified() || a.IsMulticast() || a == netip.AddrFrom4([4]byte{255, 255, 255, 255}) {
		return 0
	}
	if a.Is4() && a.As4()[0] == 0 { // numbers of versions and sections
		return 0
	}
	return end
}

// worded reports whether a text is letters alone.
func worded(s string) bool {
	for i := range len(s) {
		if !letters.has(s[i]) && s[i] < 0x80 {
			return false
		}
	}
	return true
}
