package findings

import (
	"unicode"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/jsonl"
)

// DedupKey is what the dedup_key of an entry should be: category, slug of the pattern and primary applicable_when,
// joined by bars. It is "" when one of them is missing.
func DedupKey(category, pattern string, when []string) string {
	return string(appendKey(nil, category, pattern, when))
}

// Primary is the first word of applicable_when that the vocabulary has; "" when there is none.
func Primary(when []string) string {
	for _, w := range when {
		if IsApplicable(w) {
			return w
		}
	}
	return ""
}

func appendKey(dst []byte, category, pattern string, when []string) []byte {
	primary := Primary(when)
	if isBlank(category) || primary == "" {
		return dst[:0]
	}
	dst = append(append(dst, category...), '|')
	before := len(dst)
	if dst = appendSlug(dst, pattern); len(dst) == before {
		return dst[:0]
	}
	return append(append(dst, '|'), primary...)
}

// Slug is the pattern as it stands in a dedup_key: in lower case, without punctuation, its words joined by hyphens.
//
// Letters, marks and numbers of any script (Unicode's categories L, M and N) are kept, each letter in its simple lower
// case. White space (Unicode's White_Space) and the hyphen-minus, which is what joins, part words. Everything else is
// punctuation in the sense of this rule and is dropped without parting words: categories P and S, controls, invisible
// characters, private ones and bytes that are not UTF-8. So “It's a pre-mortem_check” is “its-a-pre-mortemcheck”. Text is
// not normalised: a letter with an accent and the same letter with a combining one differ. The slug of a slug is itself.
func Slug(pattern string) string { return string(appendSlug(nil, pattern)) }

func appendSlug(dst []byte, s string) []byte {
	begin, parted := len(dst), false
	for _, r := range s {
		if r < utf8.RuneSelf {
			switch c := byte(r); {
			case c >= 'A' && c <= 'Z':
				r += 'a' - 'A'
			case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			case c == '-' || c == ' ' || c >= '\t' && c <= '\r':
				parted = true
				continue
			default:
				continue
			}
		} else if r = slugRune(r); r < 0 {
			continue
		} else if r == ' ' {
			parted = true
			continue
		}
		if parted && len(dst) > begin {
			dst = append(dst, '-')
		}
		parted = false
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// slugRune is what becomes of a character outside ASCII: itself in lower case, a space, or -1.
func slugRune(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.In(r, unicode.L, unicode.M, unicode.N):
		return unicode.ToLower(r)
	}
	return -1
}

// identity holds id and dedup_key against the other entries.
func (r *Reader) identity(l *line, e *Entry, p *parts) {
	e.DedupKey, _ = r.words(l, p, fieldDedupKey)
	r.scratch = appendKey(r.scratch[:0], e.Category, e.Pattern, e.When)
	if string(r.scratch) == e.DedupKey {
		e.ExpectedKey = e.DedupKey
	} else {
		e.ExpectedKey = string(r.scratch)
	}
	if m := p[fieldDedupKey]; m != nil && e.DedupKey != "" && e.ExpectedKey != "" && e.DedupKey != e.ExpectedKey {
		f := l.on(figs.EntryDedupKeyDiffers, "/dedup_key", m)
		f.Suggestion = e.ExpectedKey
		r.log.Add(f, e.DedupKey, e.ExpectedKey)
	}
	r.first(l, r.ids, e.ID, p[fieldID], figs.EntryIDReused, "/id", e.No)
	r.first(l, r.keys, e.DedupKey, p[fieldDedupKey], figs.EntryDedupKeyReused, "/dedup_key", e.No)
}

// first remembers the first entry with a value, and reports later ones.
func (r *Reader) first(l *line, of map[string]int, value string, m *jsonl.Member, code figs.Code, pointer string, no int) {
	if m == nil || value == "" {
		return
	}
	before, twice := of[value]
	if !twice {
		of[value] = no
		return
	}
	f := l.on(code, pointer, m)
	f.Related = []figs.Position{{File: File, Line: r.state.Entries[before-1].Line}}
	r.log.Add(f, value, string(figs.AppendInt(nil, r.state.Entries[before-1].Line)))
}
