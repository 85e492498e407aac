package facts

import (
	"bytes"
	"strings"

	"github.com/figs-web/figs-web/sandbox/report"
)

const ole = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// office lists what an xlsx or docx file holds, by the names in its zip listing.
func office(ext string, b []byte) ([]report.Fact, *report.Notice) {
	var l list
	switch {
	case bytes.HasPrefix(b, []byte(ole)):
		if bytes.Contains(b, utf16("EncryptedPackage")) {
			l.add("starts as", "an older Office container, which Office uses for password-protected files")
			l.add("encrypted", "yes: its contents can't be listed")
			return l, nil
		}
		l.add("starts as", "an older Office file")
		return l, wrongType("This is named ." + ext + " but its first bytes are those of an older Office file.")
	case !bytes.HasPrefix(b, []byte("PK")):
		return nil, wrongType("This is named ." + ext + " but its first bytes are not those of such a file.")
	}
	l.add("starts as", "a zip archive, as every ."+ext+" file")
	entries, whole, more := listing(b)
	if !whole {
		return l, truncated("The listing at the end of this file is missing or broken: it may be cut off.")
	}
	p := parts{seen: map[string]bool{}}
	for _, e := range entries {
		p.take(e)
	}
	p.facts(&l, ext, len(entries), more)
	if p.main[ext] == 0 {
		return l, wrongType("This is named ." + ext + " but its listing names none of the parts that such a file has.")
	}
	return l, nil
}

// parts counts what the names of entries tell.
type parts struct {
	seen      map[string]bool
	main      map[string]int // by extension
	macros    int
	links     int
	embedded  int
	activeX   int
	sheets    int
	unusual   int
	twice     int
	encrypted int
	packed    uint64
	unpacked  uint64
}

func (p *parts) take(e entry) {
	name := strings.ToLower(e.name)
	p.packed += e.packed
	p.unpacked += e.unpacked
	if e.encrypted {
		p.encrypted++
	}
	if p.seen[name] {
		p.twice++
	}
	p.seen[name] = true
	if strings.Contains(name, "..") || strings.HasPrefix(name, "/") || strings.ContainsAny(name, "\\:\x00") {
		p.unusual++
	}
	p.kind(name)
}

func (p *parts) kind(name string) {
	if p.main == nil {
		p.main = map[string]int{}
	}
	switch {
	case name == "xl/workbook.xml", name == "xl/workbook.bin":
		p.main["xlsx"]++
	case name == "word/document.xml":
		p.main["docx"]++
	case strings.HasSuffix(name, "vbaproject.bin"), strings.Contains(name, "/macrosheets/"):
		p.macros++
	case strings.HasPrefix(name, "xl/externallinks/") && !strings.Contains(name, "_rels"), name == "xl/connections.xml":
		p.links++
	case strings.Contains(name, "/embeddings/"):
		p.embedded++
	case strings.Contains(name, "/activex/") && !strings.Contains(name, "_rels"):
		p.activeX++
	case strings.HasPrefix(name, "xl/worksheets/") && strings.HasSuffix(name, ".xml"):
		p.sheets++
	}
}

func (p *parts) facts(l *list, ext string, n, more int) {
	entries := grouped(n)
	if more > 0 {
		entries += " read, " + grouped(more) + " more"
	}
	l.add("entries", entries)
	l.add("unpacked size", grouped(int(p.unpacked))+" bytes, according to its listing")
	if ext == "xlsx" {
		l.add("sheets", grouped(p.sheets))
	}
	macros := "none listed"
	if p.macros > 0 {
		macros = "yes: it names " + grouped(p.macros) + " of them"
	}
	l.add("macros", macros)
	some := func(name string, count int, value string) {
		if count > 0 {
			l.add(name, grouped(count)+value)
		}
	}
	some("links to other files or databases", p.links, " listed; there may be others that are visible only when it is opened")
	some("embedded files", p.embedded, "")
	some("ActiveX controls", p.activeX, " parts")
	some("encrypted entries", p.encrypted, "")
	some("names listed twice", p.twice, ": programs may open different ones")
	some("unusual names", p.unusual, ": with .. or a path of a machine")
	if p.packed > 0 && p.unpacked/p.packed > 100 {
		l.add("packed", "more than 100 to 1: opening it may need a lot of memory")
	}
}

// xls tells what the first bytes and the names in an older Office file say.
func xls(b []byte) ([]report.Fact, *report.Notice) {
	var l list
	if !bytes.HasPrefix(b, []byte(ole)) {
		if bytes.HasPrefix(b, []byte("PK")) {
			l.add("starts as", "a zip archive, as newer Office files")
		}
		return l, wrongType("This is named .xls but its first bytes are not those of an older Office file.")
	}
	l.add("starts as", "an older Office file")
	if len(b) < 512 {
		return l, truncated("This file ends inside its header.")
	}
	if !bytes.Contains(b, utf16("Workbook")) && !bytes.Contains(b, utf16("Book")) {
		return l, wrongType("This is named .xls but nothing in it is named as a workbook.")
	}
	macros := "no name of a macro project is in its bytes"
	if bytes.Contains(b, utf16("_VBA_PROJECT")) {
		macros = "yes: a macro project is named in its bytes"
	}
	l.add("macros", macros)
	if bytes.Contains(b, utf16("EncryptedPackage")) {
		l.add("encrypted", "yes")
	}
	return l, nil
}

// utf16 writes an ASCII name as Office's containers do.
func utf16(s string) []byte {
	out := make([]byte, 0, 2*len(s))
	for i := range len(s) {
		out = append(out, s[i], 0)
	}
	return out
}
