package accounts

import (
	"crypto/rand"
	"strings"
	"unicode"
)

// NewSecret mints what only its holder knows, with at least 128 bits of chance: a session's
// cookie, a device code, the key of a set-up link. It is kept by its hash (store.Hash).
func NewSecret() string { return rand.Text() }

// tokenPrefix lets people and scanners of repositories recognise what leaked.
const tokenPrefix = "figs_"

// NewToken mints what a client sends.
func NewToken() string { return tokenPrefix + strings.ToLower(rand.Text()) }

// codeLetters are the letters of user codes: no two look or sound alike when somebody reads them
// out, and without vowels they make no words.
const codeLetters = "BCDFGHJKLMNPQRSTVWXZ"

const codeLength = 8

// NewUserCode mints the short code of a device login, "BCDF-GHJK". There are 25 thousand million
// of them; one is good for ten minutes, and tries are counted.
func NewUserCode() string {
	code := make([]byte, 0, codeLength)
	var b [1]byte
	for len(code) < codeLength {
		rand.Read(b[:]) // never fails: it ends the program instead
		if n := len(codeLetters); int(b[0]) < 256/n*n {
			code = append(code, codeLetters[int(b[0])%n])
		}
	}
	return string(code[:4]) + "-" + string(code[4:])
}

// ParseUserCode reads a code as people type it: small letters, no hyphen or another one, blanks.
func ParseUserCode(typed string) (code string, ok bool) {
	var b strings.Builder
	for _, r := range typed {
		switch {
		case unicode.IsSpace(r), unicode.Is(unicode.Pd, r), r == '.', r == '_', r == '−':
			continue
		}
		r = unicode.ToUpper(r)
		if !strings.ContainsRune(codeLetters, r) || b.Len() == codeLength {
			return "", false
		}
		b.WriteRune(r)
	}
	if b.Len() != codeLength {
		return "", false
	}
	code = b.String()
	return code[:4] + "-" + code[4:], true
}
