package artifacts

import "strings"

// token is how secrets of one issuer look.
type token struct {
	prefix, what string
	least        int    // characters behind the prefix, at least
	also         string // what may stand among them beside letters and digits
}

var tokens = [...]token{
	{"ghp_", "a GitHub token", 20, ""}, {"gho_", "a GitHub token", 20, ""}, {"ghu_", "a GitHub token", 20, ""},
	{"ghs_", "a GitHub token", 20, ""}, {"ghr_", "a GitHub token", 20, ""}, {"github_pat_", "a GitHub token", 20, "_"},
	{"glpat-", "a GitLab token", 16, "-_"}, {"sk-", "an API key", 20, "-_"}, {"sk_live_", "an API key", 16, "_"},
	{"AKIA", "an AWS access key", 16, ""}, {"ASIA", "an AWS access key", 16, ""}, {"AIza", "a Google API key", 30, "-_"},
	{"xoxa-", "a Slack token", 10, "-"}, {"xoxb-", "a Slack token", 10, "-"}, {"xoxp-", "a Slack token", 10, "-"},
	{"xoxr-", "a Slack token", 10, "-"}, {"xoxs-", "a Slack token", 10, "-"}, {"npm_", "an npm token", 30, ""},
}

// assigned are the words before an equals sign or a colon behind which secrets stand.
var assigned = [...]string{"password", "passwd", "pwd", "secret", "token", "api_key", "api-key", "apikey", "access_key", "secret_key", "private_key"}

// FindSecret says what a text seems to give away, such as "a GitHub token"; "" is nothing. It knows the beginnings of
// well-known tokens, JSON Web Tokens, private keys, and assignments to words like password.
func FindSecret(s string) string {
	const head = "-----BEGIN "
	for i := 0; i < len(s); i++ {
		if strings.HasPrefix(s[i:], head) {
			rest := s[i+len(head):]
			if name, _, _ := strings.Cut(rest[:min(len(rest), 64)], "--"); strings.Contains(name, "PRIVATE KEY") {
				return "a private key"
			}
		}
		if i > 0 && alphanumeric(s[i-1]) {
			continue
		}
		for _, t := range tokens {
			if strings.HasPrefix(s[i:], t.prefix) && run(s[i+len(t.prefix):], t.also) >= t.least {
				return t.what
			}
		}
		if isJWT(s[i:]) {
			return "a JSON Web Token"
		}
	}
	if assigns(s) {
		return "a password or a key"
	}
	return ""
}

// run counts the letters and digits, and what else is allowed, at the beginning of s; a hundred are enough.
func run(s, also string) int {
	n := 0
	for n < len(s) && n < 100 && (alphanumeric(s[n]) || strings.IndexByte(also, s[n]) >= 0) {
		n++
	}
	return n
}

// isJWT reports whether s begins with three parts of Base64, of which the first is a JSON object.
func isJWT(s string) bool {
	if !strings.HasPrefix(s, "eyJ") {
		return false
	}
	for part := range 3 {
		n := 0
		for n < len(s) && (alphanumeric(s[n]) || s[n] == '-' || s[n] == '_') {
			n++
		}
		if n < 8 || part < 2 && (n == len(s) || s[n] != '.') {
			return false
		}
		s = s[min(n+1, len(s)):]
	}
	return true
}

// assigns reports whether a word like password is given a value. Behind a colon, which is a sentence's too, only what
// mixes letters and digits is one; what stands for a value, such as $NAME, <…> or ***, is none.
func assigns(s string) bool {
	for i := 1; i < len(s); i++ {
		if s[i] != '=' && s[i] != ':' {
			continue
		}
		before := strings.TrimRight(s[max(0, i-20):i], " \t\"'`")
		if !endsInWord(before) {
			continue
		}
		value := strings.TrimLeft(s[i+1:min(len(s), i+200)], " \t\"'`")
		if end := strings.IndexAny(value, " \t\r\n\"'`,;)"); end >= 0 {
			value = value[:end]
		}
		if len(value) < 6 || strings.IndexByte("$<{*=[(%", value[0]) >= 0 {
			continue
		}
		if s[i] == '=' || strings.ContainsAny(value, "0123456789") && strings.TrimLeft(value, "0123456789.-") != "" {
			return true
		}
	}
	return false
}

func endsInWord(before string) bool {
	for _, word := range assigned {
		if len(before) >= len(word) && strings.EqualFold(before[len(before)-len(word):], word) {
			return true
		}
	}
	return false
}

func alphanumeric(c byte) bool { return c-'0' < 10 || c|0x20-'a' < 26 }
