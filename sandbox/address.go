package sandbox

import (
	"strings"

	"github.com/figs-web/figs-web/sandbox/internal/style"
	"github.com/figs-web/figs-web/sandbox/report"
)

// hostOf returns the host that an address leads to, in punycode, or "" when it names none.
func hostOf(address string) string {
	if style.Scheme(address) == "mailto" {
		_, domain, _ := strings.Cut(until(address[:min(len(address), 4096)], "?,"), "@")
		return style.Host("https://" + domain)
	}
	return style.Host(address)
}

// until returns s up to the first of some bytes.
func until(s, stops string) string {
	if i := strings.IndexAny(s, stops); i >= 0 {
		return s[:i]
	}
	return s
}

// linkTo describes a link for the list beside the document.
func linkTo(text, address string) report.Link {
	text, host := squeeze(text), hostOf(address)
	return report.Link{Text: text, Address: strings.TrimSpace(address), Host: host, Lies: lies(text, host)}
}

// lies reports whether text names a host, and none of those that it names holds the address's host.
// A link to docs.example.com may call itself example.com: the same people answer there.
func lies(text, host string) bool {
	for _, word := range strings.Fields(text) {
		named := namedHost(word)
		if named == "" {
			continue
		}
		if named = strings.TrimPrefix(named, "www."); host != named && !strings.HasSuffix(host, "."+named) {
			return true
		}
	}
	return false
}

// fileEndings look like the last part of a host name, and are more often the end of a file's name.
var fileEndings = map[string]bool{
	"html": true, "md": true, "txt": true, "json": true, "png": true, "jpg": true, "jpeg": true, "gif": true, "webp": true,
	"svg": true, "csv": true, "pdf": true, "xlsx": true, "xls": true, "docx": true, "zip": true, "py": true, "js": true,
	"sh": true, "go": true, "rs": true, "yaml": true, "yml": true, "toml": true, "xml": true, "log": true, "sql": true,
}

// namedHost returns the host that a word of a link's text names, or "".
func namedHost(word string) string {
	word = strings.Trim(word, "\"'“”‘’()[]<>{},;!?…")
	if i := strings.Index(word, "://"); i >= 0 {
		return style.Host("https" + word[i:])
	}
	if i := strings.LastIndexByte(word, '@'); i >= 0 {
		word = word[i+1:]
	}
	host := style.Host("https://" + word)
	i := strings.LastIndexByte(host, '.')
	if i <= 0 || len(host)-i < 3 || fileEndings[host[i+1:]] {
		return ""
	}
	for j := 0; j < len(host); j++ {
		c := host[j]
		letter := 'a' <= c && c <= 'z'
		if !letter && (c < '0' || c > '9') && c != '-' && c != '.' || j > i && !letter && c != '-' && host[i+1:i+3] != "xn" {
			return ""
		}
	}
	return host
}
