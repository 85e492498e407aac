package handlers

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/sandbox/report"
)

// segment is the part of an address that stands for a name, named its inverse.
func segment(name string) string { return journal.Segment(name) }

func named(s string) (string, bool) { return journal.Named(s) }

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
	case report.Rendered, report.Source, report.Text, report.Lens:
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
