package handlers

import (
	"encoding/base64"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/sandbox/report"
)

// plainSegment is what an address carries as it is. Everything else travels as "~" and base64:
// browsers fold "..", and routers disagree about what is decoded when.
var plainSegment = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// segment is the part of an address that stands for a name.
func segment(name string) string {
	if plainSegment.MatchString(name) {
		return name
	}
	return "~" + base64.RawURLEncoding.EncodeToString([]byte(name))
}

// named is the inverse of segment. Every name has one segment: others are not understood.
func named(s string) (string, bool) {
	if plainSegment.MatchString(s) {
		return s, true
	}
	coded, ok := strings.CutPrefix(s, "~")
	name, err := base64.RawURLEncoding.Strict().DecodeString(coded)
	return string(name), ok && err == nil && segment(string(name)) == s
}

// document is what an address below /v names: the bytes, the extension under which they are
// read, and how they are looked at.
type document struct {
	sha256, ext string
	view        report.View
}

var documentFile = regexp.MustCompile(`^([0-9a-f]{64})\.([a-z0-9]{1,16})$`)

// documentOf reads "{sha256}.{ext}" and the view.
func documentOf(file, view string) (document, bool) {
	m := documentFile.FindStringSubmatch(file)
	if m == nil {
		return document{}, false
	}
	d := document{m[1], m[2], report.View(view)}
	switch d.view {
	case "":
		d.view = report.Rendered
	case report.Rendered, report.Source, report.Text:
	default:
		return document{}, false
	}
	return d, true
}

func (d document) file() string { return d.sha256 + "." + d.ext }

var extensionOnly = regexp.MustCompile(`^[a-z0-9]{1,16}$`)

// extension is what a name says about its type: lower case, without the dot; "" when it is
// nothing that an address can carry.
func extension(name string) string {
	at := strings.LastIndexByte(name, '.')
	if at < 0 || !utf8.ValidString(name) {
		return ""
	}
	if ext := strings.ToLower(name[at+1:]); extensionOnly.MatchString(ext) {
		return ext
	}
	return ""
}
