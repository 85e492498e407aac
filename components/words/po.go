package words

import (
	"fmt"
	"strconv"
	"strings"
)

// entry is a sentence of a PO file with its translations.
type entry struct {
	id, plural string
	forms      map[int]string // what is not a pair has one, 0
	line       int
	fuzzy      bool   // to be checked by a translator
	broken     string // why it can't be read
}

// read takes a PO file apart: entries of lines such as
//
//	msgid "%d job"
//	msgid_plural "%d jobs"
//	msgstr[0] "%d Auftrag"
//
// with comments between them. A text can continue on the next lines. Contexts are for gettext's
// tools only: an entry is found by its msgid and msgid_plural.
func read(text string) (entries []entry) {
	e := entry{forms: map[int]string{}}
	nowhere := func(string) {}
	add := nowhere // where a text goes on
	end := func() {
		if e.line > 0 {
			entries = append(entries, e)
		}
		e, add = entry{forms: map[int]string{}}, nowhere
	}
	before, fuzzy, no := "", false, 0
	for line := range strings.Lines(text) {
		no++
		line = strings.TrimSpace(line)
		if flags, ok := strings.CutPrefix(line, "#,"); ok {
			fuzzy = strings.Contains(flags, "fuzzy")
		}
		if line == "" || line[0] == '#' {
			continue
		}
		keyword, quoted, ok := strings.Cut(line, " ")
		if line[0] == '"' {
			keyword, quoted, ok = "", line, e.line > 0
		}
		if keyword == "msgctxt" || keyword == "msgid" && before != "msgctxt" {
			end()
			e.fuzzy, fuzzy = fuzzy, false
		}
		if e.line == 0 {
			e.line = no
		}
		var to func(string)
		switch {
		case keyword == "":
			to = add
		case keyword == "msgctxt":
			to = nowhere
		case keyword == "msgid":
			to = func(s string) { e.id += s }
		case keyword == "msgid_plural":
			to = func(s string) { e.plural += s }
		case strings.HasPrefix(keyword, "msgstr"):
			i, known := formNumber(keyword)
			ok = ok && known
			to = func(s string) { e.forms[i] += s }
		default:
			ok, to = false, add
		}
		s, err := strconv.Unquote(strings.TrimSpace(quoted))
		if !ok || err != nil {
			e.broken = fmt.Sprintf("line %d can't be read: %s", no, line)
			continue
		}
		if to(s); keyword != "" {
			add, before = to, keyword
		}
	}
	end()
	return entries
}

// formNumber is 1 of msgstr[1], and 0 of msgstr.
func formNumber(keyword string) (int, bool) {
	number, ok := strings.CutPrefix(keyword, "msgstr[")
	if !ok {
		return 0, keyword == "msgstr"
	}
	i, err := strconv.Atoi(strings.TrimSuffix(number, "]"))
	return i, err == nil && i >= 0
}

// headers reads the fields of the entry that a PO file begins with.
func headers(entries []entry) map[string]string {
	fields := map[string]string{}
	if len(entries) > 0 && entries[0].id == "" && entries[0].broken == "" {
		for line := range strings.Lines(entries[0].forms[0]) {
			name, value, _ := strings.Cut(line, ":")
			fields[name] = strings.TrimSpace(value)
		}
	}
	return fields
}
