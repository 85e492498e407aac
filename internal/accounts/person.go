// Package accounts has the rules for people: passwords, email addresses, names, workspace slugs, secrets, codes, roles and
// rate limits. Pages, the API and the command line share them. It stores nothing; a store does.
package accounts

import (
	"net/netip"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/figs-web/figs-web/internal/sentence"
)

// ValidationError says what is wrong with something that a person typed.
type ValidationError struct {
	Field    string // "email", "password", "name", "slug", "workspace", "role"
	Sentence string // whole sentences: what is wrong, and what would be right
	Args     []any  // of the sentence, as package sentence has them
}

func (w *ValidationError) Error() string { return sentence.Fill(w.Sentence, w.Args) }

// NormaliseEmail is an e-mail address as it is compared and kept.
func NormaliseEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// emailForm is loose on purpose: whether mail arrives there only mail can tell.
var emailForm = regexp.MustCompile(`^[^\s@<>()\[\]\\,;:"\x00-\x1f\x7f]+@[^\s@<>()\[\]\\,;:"\x00-\x1f\x7f]+$`)

// CheckEmail returns the address as it is kept.
func CheckEmail(email string) (string, error) {
	email = NormaliseEmail(email)
	local, domain, _ := strings.Cut(email, "@")
	switch {
	case email == "":
		return "", &ValidationError{Field: "email", Sentence: "The email address is missing. Enter one such as ada@example.org."}
	case !emailForm.MatchString(email), utf8.RuneCountInString(local) > 64, utf8.RuneCountInString(domain) > 189, !utf8.ValidString(email), strings.ContainsFunc(email, odd):
		return "", &ValidationError{Field: "email", Sentence: "This isn't an email address. Enter one such as ada@example.org."}
	}
	return email, nil
}

const longestName = 100 // characters

// CheckName returns a person's or a workspace's name as it is kept. field says whose it is.
func CheckName(field, name string) (string, error) {
	name = strings.Join(strings.Fields(name), " ")
	switch {
	case name == "":
		return "", &ValidationError{Field: field, Sentence: "The name is missing. Enter one that others recognise."}
	case utf8.RuneCountInString(name) > longestName:
		return "", &ValidationError{Field: field, Sentence: "The name is too long: use at most 100 characters."}
	case !utf8.ValidString(name), strings.ContainsFunc(name, odd):
		return "", &ValidationError{Field: field, Sentence: "The name contains invisible characters. Type it instead of pasting it."}
	}
	return name, nil
}

// odd reports characters that no name needs and that could make one look like another: controls,
// marks that turn the direction of text, and what is no character at all.
func odd(r rune) bool {
	switch {
	case unicode.IsControl(r), r == utf8.RuneError, r == '\ufeff', r == '\u200b', r >= '\u2028' && r <= '\u202e', r >= '\u2060' && r <= '\u206f':
		return true
	}
	return r >= 0xe0000 && r <= 0xe0fff || unicode.Is(unicode.Noncharacter_Code_Point, r)
}

// ClientNetwork is what limits count as one address: an IPv6 network is as easy to have as one address, and this machine has one
// loopback address of each kind.
func ClientNetwork(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	ip = ip.Unmap().WithZone("")
	if ip == netip.IPv6Loopback() {
		return "127.0.0.1"
	}
	if ip.Is4() {
		return ip.String()
	}
	network, err := ip.Prefix(64)
	if err != nil {
		return ip.String()
	}
	return network.String()
}
