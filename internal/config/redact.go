package config

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Mask stands for a secret that is set.
const Mask = "********"

// plain are the parameters of addresses that hold no secret. Any other is masked.
var plain = []string{
	"host", "hostaddr", "port", "user", "dbname", "database", "sslmode", "sslrootcert", "sslcert", "sslnegotiation", "sslsni", "passfile", "service",
	"application_name", "connect_timeout", "target_session_attrs", "search_path", "channel_binding", "require_auth", "timezone",
	"endpoint", "region", "path-style",
}

// Redact is an address as anybody may see it: without a password, and with only those parameters that are
// known to hold no secret. What is no address is masked as a whole, and so is an address of which a
// password that was not escaped may have become the port, the path or a parameter.
func Redact(address string) string {
	u, err := url.Parse(address)
	if address == "" {
		return ""
	}
	if err != nil || u.Opaque != "" || u.Scheme == "" && (u.RawQuery != "" || strings.ContainsAny(address, "@= ")) || torn(address, u) {
		return Mask
	}
	if u.User != nil && u.Scheme == "s3" {
		u.User = url.User("xxxxx") // a key's id is half of a secret
	}
	if u.RawQuery != "" {
		pairs := strings.Split(u.RawQuery, "&")
		for i, pair := range pairs {
			var ok bool
			if pairs[i], ok = redactPair(pair); !ok {
				return Mask
			}
		}
		u.RawQuery = strings.Join(pairs, "&")
	}
	u.RawFragment, u.Fragment = "", "" // part of a password that was not escaped
	return u.Redacted()
}

// separators stand between parameters. Anywhere else they show that an address was not understood.
const separators = ";=&"

// torn reports whether parts of an address may be those of a password: an @ behind the host, or what
// separates parameters where there are none.
func torn(address string, u *url.URL) bool {
	if u.Scheme == "" {
		return false
	}
	behind := address[len(u.Scheme)+1:] // the host, where there is one
	if authority, has := strings.CutPrefix(behind, "//"); has {
		behind = strings.TrimLeftFunc(authority, func(r rune) bool { return !strings.ContainsRune("/?#", r) })
	}
	return strings.Contains(behind, "@") || strings.Contains(u.RawQuery, ";") || strings.ContainsAny(u.Host, "@"+separators) ||
		strings.ContainsAny(u.User.Username(), ":/?#"+separators) || u.Scheme != "sqlite" && strings.ContainsAny(u.Path, separators)
}

// parameter is how parameters are called. Anything else may be part of a password.
var parameter = regexp.MustCompile(`^[a-zA-Z0-9_.-]+$`)

// redactPair is one parameter of an address; false when it is none.
func redactPair(pair string) (string, bool) {
	name, value, has := strings.Cut(pair, "=")
	known := slices.Contains(plain, strings.ToLower(name))
	switch {
	case pair == "" || known && !has:
		return pair, true
	case !has || !parameter.MatchString(name):
		return "", false
	}
	// A plain parameter may hold an address itself, as endpoint does.
	if said, err := url.QueryUnescape(value); known && err == nil && (!strings.ContainsAny(said, "@=;") && !strings.Contains(said, "://") || Redact(said) == said) {
		return pair, true
	}
	return name + "=xxxxx", true
}

var (
	// within is an address in a text, up to a space or the quote that closes it.
	within = regexp.MustCompile(`[a-zA-Z][a-zA-Z0-9+.-]*://(?:[^\s"']|["'][^\s"',:;.)\]}])*`)
	// port is what stands behind the colon of a host; cut is a port, or a password that begins like one, behind
	// which a space stands.
	port = regexp.MustCompile(`^[0-9]*(?:[],/?#.):;}]|$)`)
	cut  = regexp.MustCompile(`^[0-9]*\s`)
	// escaped is an address that is itself a parameter, as an endpoint may be.
	escaped = regexp.MustCompile(`(?i)(%3A%2F%2F)[^&\s]*(%40)`)
	// secret is a parameter that holds one, of an address or of what PostgreSQL calls a connection string.
	secret = regexp.MustCompile(`(?i)((?:^|[?&;\s"'` + "`" + `])(?:password|sslpassword|secret)=)(?:'(?:[^'\\]|\\.)+'|(?:[^&\s"'.]|\.+[^&\s"'.]|\.*["'][^&\s"',:;.)\]}])+)`)
)

// MaskSecrets masks passwords in addresses that stand somewhere in a text. Where an address ends is a guess: digits, then
// a space, then an @ on the same line are taken for a password, digits and a slash or a comma for a port.
func MaskSecrets(text string) string {
	if strings.Contains(text, "://") {
		text = escaped.ReplaceAllString(hushAddresses(text), "${1}xxxxx${2}")
	}
	if !strings.Contains(text, "=") {
		return text
	}
	return secret.ReplaceAllString(text, "${1}xxxxx")
}

// hushAddresses masks everything between the first colon of an address and its last @.
func hushAddresses(text string) string {
	var b strings.Builder
	for {
		at := within.FindStringIndex(text)
		if at == nil {
			return b.String() + text
		}
		begin := at[0] + strings.Index(text[at[0]:], "://") + len("://")
		word := text[begin:at[1]]
		colon := strings.Index(word, ":")
		end := strings.LastIndex(word, "@")
		if end < 0 && colon >= 0 && word[0] != '[' && !strings.Contains(word[:colon], "/") &&
			(!port.MatchString(word[colon+1:]) || cut.MatchString(text[begin+colon+1:])) {
			end = lastAt(text[begin:]) // the password has a space or a quote in it
		}
		if colon < 0 || end < colon {
			b.WriteString(text[:at[1]])
			text = text[at[1]:]
			continue
		}
		if secret.MatchString(text[begin+colon : begin+end+1]) {
			end = max(end, len(word)) // the @ may be that of a parameter
		}
		b.WriteString(text[:begin+colon] + ":xxxxx")
		rest := max(at[1], begin+end)
		b.WriteString(text[begin+end : rest])
		text = text[rest:]
	}
}

// lastAt is where the last @ of a text stands, before the next address and the end of the line.
func lastAt(text string) int {
	text, _, _ = strings.Cut(text, "\n")
	if next := within.FindStringIndex(text); next != nil {
		text = text[:next[0]]
	}
	return strings.LastIndex(text, "@")
}

// hushWord masks what is secret in a text that is an address or none.
func hushWord(word string) string {
	if strings.Contains(word, "://") {
		return Redact(word)
	}
	return MaskSecrets(word)
}
