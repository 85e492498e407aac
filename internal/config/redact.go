package config

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Masked stands for a secret that is set.
const Masked = "********"

// plain are the parameters of addresses that hold no secret. Any other is masked.
var plain = []string{
	"host", "hostaddr", "port", "user", "dbname", "database", "sslmode", "sslrootcert", "sslcert", "sslnegotiation", "sslsni", "passfile", "service",
	"application_name", "connect_timeout", "target_session_attrs", "search_path", "channel_binding", "require_auth", "timezone",
	"endpoint", "region", "path-style",
}

// Redact is an address as anybody may see it: without a password, and with only those parameters that are
// known to hold no secret. What is no address is masked as a whole.
func Redact(address string) string {
	u, err := url.Parse(address)
	if address == "" {
		return ""
	}
	if err != nil || u.Opaque != "" || u.Scheme == "" && (u.RawQuery != "" || strings.ContainsAny(address, "@= ")) {
		return Masked
	}
	if u.User != nil && u.Scheme == "s3" {
		u.User = url.User("xxxxx") // a key's id is half of a secret
	}
	if u.RawQuery != "" {
		pairs := strings.Split(u.RawQuery, "&")
		for i, pair := range pairs {
			if name, _, has := strings.Cut(pair, "="); has && !slices.Contains(plain, strings.ToLower(name)) {
				pairs[i] = name + "=xxxxx"
			}
		}
		u.RawQuery = strings.Join(pairs, "&")
	}
	u.RawFragment, u.Fragment = "", "" // part of a password that was not escaped
	return u.Redacted()
}

var userinfo = regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*://)([^\s:/@"']*):[^\s"']*@`)

// Hush masks passwords in addresses that stand somewhere in a text.
func Hush(text string) string {
	if !strings.Contains(text, "://") {
		return text
	}
	return userinfo.ReplaceAllString(text, "${1}${2}:xxxxx@")
}
