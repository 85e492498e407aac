package style

import (
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// clean drops what a browser drops from an address before reading it.
func clean(address string) string {
	address = strings.TrimFunc(address, func(r rune) bool { return r <= ' ' })
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, address)
}

// Scheme returns the scheme of an address in lower case, or "" when it has none.
func Scheme(address string) string {
	address = clean(address[:min(len(address), 4096)])
	i := strings.IndexByte(address, ':')
	if i <= 0 {
		return ""
	}
	for j := 0; j < i; j++ {
		c := address[j]
		if !('a' <= c|0x20 && c|0x20 <= 'z') && (j == 0 || !isDigit(c) && c != '+' && c != '-' && c != '.') {
			return ""
		}
	}
	return strings.ToLower(address[:i])
}

// PercentDecode decodes each %xx of an address; a % that begins no escape stays.
func PercentDecode(s string) []byte {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			v, _ := strconv.ParseUint(s[i+1:i+3], 16, 8)
			b = append(b, byte(v))
			i += 2
			continue
		}
		b = append(b, s[i])
	}
	return b
}

// Host returns the host of an address as a browser would reach it: punycode, lower case, without
// user and port; "" when it has none.
func Host(address string) string {
	s := clean(address[:min(len(address), 4096)])
	special := true
	if scheme := Scheme(s); scheme != "" {
		s = s[len(scheme)+1:]
		special = scheme == "http" || scheme == "https" || scheme == "ws" || scheme == "wss" || scheme == "ftp"
	}
	rest := strings.TrimLeft(s, "/\\")
	slashes := len(s) - len(rest)
	if slashes < 2 && !(special && slashes == 0 && len(s) < len(clean(address))) {
		return ""
	}
	if !special && slashes != 2 {
		return ""
	}
	if i := strings.IndexAny(rest, "/\\?#"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	return punycode(withoutPort(rest))
}

func withoutPort(s string) string {
	if strings.HasPrefix(s, "[") {
		if i := strings.IndexByte(s, ']'); i >= 0 {
			return s[:i+1]
		}
		return s
	}
	if i := strings.LastIndexByte(s, ':'); i >= 0 {
		return s[:i]
	}
	return s
}

// punycode writes a host in ASCII. A host that no browser would accept is written with its odd
// bytes percent-encoded: it is shown, never reached.
func punycode(host string) string {
	if host == "" || len(host) > 1000 {
		return Shorten(host, 253)
	}
	if a, err := idna.Lookup.ToASCII(host); err == nil {
		return a
	}
	var b strings.Builder
	for _, c := range []byte(strings.ToLower(host)) {
		if c > ' ' && c < 0x7f && !strings.ContainsRune("<>\"'&\\^`{|}", rune(c)) {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hexDigits[c>>4])
		b.WriteByte(hexDigits[c&15])
	}
	return Shorten(b.String(), 253)
}
