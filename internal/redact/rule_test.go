package redact

import (
	"encoding/base64"
	"hash/crc32"
	"strings"
	"testing"
)

// first is what the rules find first in a text, as "rule:text".
func first(text string) string {
	got := ""
	find([]byte(text), func(m match) {
		if got == "" && !(Rules[m.rule].Group == Secrets && template([]byte(text)[m.start:m.end])) {
			got = Rules[m.rule].ID + ":" + text[m.start:m.end]
		}
	})
	return got
}

// crc is a token with the checksum that belongs to it.
func crc(prefix, body string) string {
	sum := crc32.ChecksumIEEE([]byte(body))
	var tail [6]byte
	for i := 5; i >= 0; i-- {
		tail[i] = base62[sum%62]
		sum /= 62
	}
	return prefix + body + string(tail[:])
}

func part64(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

const (
	mixed = "aB3dE5fG7hJ9kL1mN3pQ5rS7tV9wX1yZ3bC5dF7gH9jK1lM3nP5qR7sT9vW1xY3zA5cE7gI9"
	hexes = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0"
)

var token36 = crc("ghp_", mixed[:30])

// TestRules has, for every rule, what it finds and what looks like it and is nothing.
func TestRules(t *testing.T) {
	jwtText := part64(`{"alg":"HS256","typ":"JWT"}`) + "." + part64(`{"sub":"1234567890"}`) + "." + part64("0123456789abcdef0123456789abcdef")
	pemText := "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA0\nabc+/=\n-----END RSA PRIVATE KEY-----"
	for _, rule := range []struct {
		id        string
		yes, no   []string
		surrounds bool // what is found is only a part of the text
	}{
		{"private-key", []string{pemText, "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA", "AGE-SECRET-KEY-1" + strings.ToUpper(mixed[:58])},
			[]string{"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----", "--- PRIVATE KEY ---"}, false},
		{"aws-key", []string{"AKIAIOSFODNN7EXAMPLE", "ASIA2ZQW5TJ7KLMNOPQR"}, []string{"AKIAIOSFODNN7EXAMPLEX", "AKIA is a prefix", "xAKIAIOSFODNN7EXAMPLE", "AKIAAAAAAAAAAAAAAAAA"}, false},
		{"github-token", []string{token36, crc("ghs_", mixed[5:35]), "github_pat_" + mixed[:22] + "_" + mixed[:59]}, []string{"ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "ghp_short", token36 + "0"}, false},
		{"gitlab-token", []string{"glpat-aB3dE5fG7hJ9kL1mN3pQ", "glrt-aB3dE5fG7hJ9kL1mN3pQ"}, []string{"glpat-xxxxxxxxxxxxxxxxxxxx", "glpat-x"}, false},
		{"slack-token", []string{"xoxb-123456789012-1234567890123-aB3dE5fG7hJ9kL1mN3pQ5rS7", "hooks.slack.com/services/T01ABCDEF/B02GHIJKL/aB3dE5fG7hJ9kL1mN3pQ5rS7"}, []string{"xoxb-your-token", "hooks.slack.com/services/"}, false},
		{"stripe-key", []string{"sk_live_aB3dE5fG7hJ9kL1m", "rk_test_aB3dE5fG7hJ9kL1mN3"}, []string{"sk_live_", "task_live_aB3dE5fG7hJ9kL1m", "pk_live_aB3dE5fG7hJ9kL1m"}, false},
		{"google-key", []string{"AIza" + mixed[:35], "GOCSPX-" + mixed[:28], "ya29." + mixed[:40]}, []string{"AIza" + mixed[:20], "AIzabella"}, false},
		{"model-key", []string{"sk-ant-api03-" + mixed[:60], "sk-proj-" + mixed[:40], "sk-" + mixed[:48], "hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH", "gsk_" + mixed[:52]}, []string{"sk-learn", "risk-assessment-of-the-quarterly-numbers-2026", "sk-your-key-goes-right-here-please-now"}, false},
		{"registry-token", []string{crc("npm_", mixed[:30]), "pypi-AgEIcHlwaS5vcmc" + mixed[:50], "rubygems_" + hexes[:48]}, []string{"npm_install", "pypi-server", "ciothis"}, false},
		{"service-token", []string{"SG." + mixed[:22] + "." + mixed[:43], "shpat_" + hexes[:32], "hvs." + mixed[:40], "dop_v1_" + hexes[:64]}, []string{"SG.1", "SKU-1234", "dapifying", "key-value"}, false},
		{"figs-token", []string{"figs_" + "abcdefghij234567abcdefghij"}, []string{"figs_web", "figs_abcdefghijklmnopqrstuvwxyz", "figs-web"}, false},
		{"jwt", []string{jwtText}, []string{"eyJhbGciOiJub25lIn0", "eyJ.eyJ.eyJ", "eyJub3QiOiJhIGp3dCJ9.eyJzdWIiOiIxIn0.aaaaaaaaaa"}, false},
		{"url-password", []string{"Tr0ub4dor"}, []string{"https://example.com/a:b@c", "http://user@host", "postgres://user:${PASSWORD}@host", "postgres://user:****@host", "12:30:45 @anna"}, true},
		{"secret", []string{"x7Gq92LmPw4tRz8K", "hunter2Extra", "0f1e2d3c4b5a6978"}, []string{
			"password: required", "token: refresh", "The secret of 2026 is patience", "api key: see vault/2026/keys.md", "tokens: 12345678", "token: rotate-2026-11",
			"secret: ${SECRET_2026}", "password=<your password>", "Password policy: 12 characters", "access key: Q3-2026", "pwd: /var/lib/agent2", "token: 2026-11-20T10:00:00Z", "secretary: Anna1990"}, true},
		{"email", []string{"anna.berger@example.com", "o'neil+tag@mail.example.co.uk", "jörg@bücher.example"}, []string{"@anna", "a@b", "user@localhost", "anna@berger@", "fig@2x.png", "x@y..com"}, false},
		{"phone", []string{"+43 664 1234567", "+1 (212) 555-0123", "(212) 555-0123", "212-555-0123", "+49-30-123456"}, []string{"+12 %", "+2026", "10:00:00+02:00", "1,234,567", "2026-11-20", "+1.234.567,00", "in 2026 1234567 lines"}, false},
		{"iban", []string{"DE89370400440532013000", "GB82 WEST 1234 5698 7654 32", "AT611904300234573201"}, []string{"DE89370400440532013001", "DE12", "XX89370400440532013000", "DE893704004405320130001"}, false},
		{"card", []string{"4111111111111111", "5500 0000 0000 0004", "3782-822463-10005"}, []string{"4111111111111112", "1234567890123452", "2026112010000000", "41111111111111111", "0.4111111111111111"}, false},
		{"ip", []string{"10.1.2.3", "203.0.113.77", "2001:db8:85a3::8a2e:370:7334"}, []string{"127.0.0.1", "1.2.3", "v1.2.3.4", "1.2.3.4.5", "10:00:00", "0.1.2.3", "::1", "256.1.1.1", "std::vector::begin"}, false},
	} {
		for _, text := range rule.yes {
			want, in := rule.id+":"+text, text
			switch rule.id {
			case "url-password":
				in = "postgres://app:" + text + "@db.internal:5432/app"
			case "secret":
				in = "The API key: " + text + "."
				if text == "hunter2Extra" {
					in = "DB_PASSWORD=" + text
				}
			}
			for _, around := range []string{"%s", "see %s now", "(%s)", "x=\"%s\"", "%s."} {
				whole := strings.Replace(around, "%s", in, 1)
				if got := first(whole); got != want {
					t.Errorf("%s: the rules find %q in %q, want %q", rule.id, got, whole, want)
				}
			}
		}
		for _, text := range rule.no {
			if got := first(text); strings.HasPrefix(got, rule.id+":") {
				t.Errorf("%s: the rules find %q in %q, want nothing of the kind", rule.id, got, text)
			}
		}
	}
}

// TestChecksumProves holds a token to its own checksum.
func TestChecksumProves(t *testing.T) {
	for text, want := range map[string]bool{token36: true, token36[:39] + "0": token36[39] == '0', "AKIAIOSFODNN7EXAMPLE": false, "DE89370400440532013000": true} {
		find([]byte(text), func(m match) {
			if m.proven != want {
				t.Errorf("%q is proven: %t, want %t", text, m.proven, want)
			}
		})
	}
}

func TestRulesHaveWords(t *testing.T) {
	seen := map[string]bool{}
	for i, r := range Rules {
		if r.ID == "" || r.Title == "" || r.How == "" || seen[r.ID] || RuleByID(r.ID) != i {
			t.Errorf("rule %d (%q) has no words, or its id twice", i, r.ID)
		}
		seen[r.ID] = true
	}
}
