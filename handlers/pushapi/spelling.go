package pushapi

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
)

// attachNamed tells the folder that every file is there that is named: files come after the
// records, and that one is not here yet is no finding. Of names that are spellings of one it
// tells one only, so that the rules speak of the others.
func attachNamed(f *figs.Folder) {
	list := f.Attachments()
	var seen map[string][]string
	if slices.ContainsFunc(list, func(a figs.Attachment) bool { return skeleton(a.Name) != a.Name }) {
		seen = make(map[string][]string, len(list))
	}
	for _, a := range list {
		if seen != nil {
			key := skeleton(a.Name)
			if slices.ContainsFunc(seen[key], func(other string) bool { return spellsAlike(a.Name, other) }) {
				continue
			}
			if len(seen[key]) < 8 {
				seen[key] = append(seen[key], a.Name)
			}
		}
		f.Attach(a.Name, 0)
	}
}

// skeleton is what all spellings of a name have in common, and some other names too: its small
// letters of ASCII, without those that carry an accent.
func skeleton(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf || r >= 'A' && r <= 'Z' }) {
		return name
	}
	var b []byte
	for _, r := range name {
		switch {
		case r < utf8.RuneSelf:
			b = append(b, byte(unicode.ToLower(r)))
		case accent(r) && len(b) > 0:
			b = b[:len(b)-1]
		}
	}
	return string(b)
}

// spellsAlike compares two names of one skeleton: they differ in case, or only one has its
// accents stored behind their letters.
func spellsAlike(a, b string) bool {
	return strings.EqualFold(a, b) || strings.ContainsFunc(a, accent) != strings.ContainsFunc(b, accent)
}

// accent reports whether r stands behind the letter that it belongs to.
func accent(r rune) bool { return r >= 0x300 && r <= 0x36F }
