package artifacts

import (
	"strings"
	"testing"
)

func TestSecret(t *testing.T) {
	long := strings.Repeat("aB3", 20)
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"ghp_" + long, "a GitHub token"},
		{"see github_pat_11AA_" + long + ".", "a GitHub token"},
		{"(glpat-" + long, "a GitLab token"},
		{"sk-ant-api03-" + long, "an API key"},
		{"risk-" + long, ""},
		{"sk-learn", ""},
		{"AKIA" + strings.ToUpper(long[:18]), "an AWS access key"},
		{"key AIza" + long, "a Google API key"},
		{"xoxp-12345678901-x", "a Slack token"},
		{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "a JSON Web Token"},
		{"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0", ""},
		{"eyJhbGciOiJIUzI1NiJ9 is a header", ""},
		{"-----BEGIN PRIVATE KEY-----", "a private key"},
		{"-----BEGIN CERTIFICATE----- and a PRIVATE KEY that stands far behind, in another block of text", ""},
		{"password=hunter22", "a password or a key"},
		{"DB_PASSWORD = 'hunter-two'", "a password or a key"},
		{`{"api_key": "a1b2c3d4"}`, "a password or a key"},
		{"password: hunter22", "a password or a key"},
		{"password: required by the server", ""},
		{"password: 2026-11-20", ""},
		{"password=$PASSWORD", ""},
		{"password=<yours>", ""},
		{"password=", ""},
		{"pass=hunter22", ""},
		{"tokens: 1200 in, 300 out", ""},
	} {
		if got := FindSecret(c.text); got != c.want {
			t.Errorf("Secret(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestClean(t *testing.T) {
	for _, c := range []struct {
		path, want string
		absolute   bool
	}{
		{"a", "a", false},
		{"./a//b/", "a/b", false},
		{"a/../..", "..", false},
		{"../a/../..", "../..", false},
		{"...", "...", false},
		{"", ".", false},
		{"a/..", ".", false},
		{"/", "/", true},
		{"/a/../../b", "/../b", true},
		{`C:\a\b`, "/c:/a/b", true},
		{`c:/a`, "/c:/a", true},
		{`\\server\share\a`, "/server/share/a", true},
		{`a\..\..\b`, "../b", false},
		{"1:a", "1:a", false},
	} {
		if got, absolute := clean(c.path); got != c.want || absolute != c.absolute {
			t.Errorf("clean(%q) = %q, %v, want %q, %v", c.path, got, absolute, c.want, c.absolute)
		}
	}
	for _, c := range []struct {
		path, folder, want string
		ok                 bool
	}{
		{"/w/a", "/w", "a", true}, {"/w", "/w", ".", true}, {"/wa", "/w", "", false}, {"/a", "/", "a", true}, {"/../a", "/", "", false}, {"/..a", "/", "..a", true},
	} {
		if got, ok := within(c.path, c.folder); ok != c.ok || ok && got != c.want {
			t.Errorf("within(%q, %q) = %q, %v, want %q, %v", c.path, c.folder, got, ok, c.want, c.ok)
		}
	}
}
