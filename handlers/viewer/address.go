package viewer

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/sandbox/report"
)

// Segment is the part of an address that stands for a name, named its inverse.
func Segment(name string) string { return journal.Segment(name) }

// Document is what an address below /v names: the bytes, the extension under which they are
// read, and how they are looked at.
type Document struct {
	SHA256, Ext string
	View        report.View
}

func (d Document) file() string { return d.SHA256 + "." + d.Ext }

var extensionOnly = regexp.MustCompile(`^[a-z0-9]{1,16}$`)

// Extension is what a name says about its type: lower case, without the dot; "" when it is
// nothing that an address can carry.
func Extension(name string) string {
	at := strings.LastIndexByte(name, '.')
	if at < 0 || !utf8.ValidString(name) {
		return ""
	}
	if ext := strings.ToLower(name[at+1:]); extensionOnly.MatchString(ext) {
		return ext
	}
	return ""
}
