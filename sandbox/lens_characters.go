package sandbox

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/figs-web/figs-web/sandbox/internal/hints"
	"github.com/figs-web/figs-web/sandbox/report"
	"github.com/figs-web/figs-web/sandbox/visible"
)

// around is how much of the visible text beside a hidden character is shown with it, in characters.
const around = 24

// unseenRune is a hidden character, as it is or written as a reference.
type unseenRune struct {
	at, end int
	char    rune
}

// longestReference is how many bytes a character takes at most that is written as a reference.
const longestReference = 40

// characters finds the characters that leave no mark, in runs.
func (f *finds) characters(kind report.Kind) {
	var all []unseenRune
	visible.Each(f.text, func(at int, _ string, r rune, run int) bool {
		if run > 0 && r != visible.BadByte && !usual(f.text, at, r) {
			all = append(all, unseenRune{at, at + utf8.RuneLen(r), r})
		}
		return len(all) < 100_000
	})
	written := func(at int, r rune) {
		if r < 0xa0 || len(all) >= 100_000 {
			return
		}
		end := at + 6
		if kind != report.JSON {
			end = min(len(f.text), at+longestReference)
			if n := strings.IndexAny(f.text[at+1:end], "; <\n"); n >= 0 {
				end = at + n + 2
			}
		}
		all = append(all, unseenRune{at, end, r})
	}
	switch kind {
	case report.HTML, report.Markdown, report.SVG:
		references(f.text, written)
	case report.JSON:
		escapes(f.text, written)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].at < all[j].at })
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].at <= all[n-1].end+around && sameLine(f.text[all[n-1].end:max(all[n].at, all[n-1].end)]) {
			n++
		}
		f.run(all[:n])
		all = all[n:]
	}
}

func sameLine(s string) bool { return strings.IndexByte(s, '\n') < 0 }

// usual reports whether a character is where honest texts have it: a page break, the tags of a flag, joiners
// between letters of scripts that need them, marks of direction beside letters that run from right to left.
func usual(s string, at int, r rune) bool {
	switch {
	case r == '\r' || r == '\f':
		return true
	case r == 0xfeff && at == 0:
		return true
	case r >= 0xe0020 && r <= 0xe007f:
		return flag(s[:at])
	case r == 0x200c || r == 0x200d:
		last, _ := utf8.DecodeLastRuneInString(s[:at])
		return last >= 0x0600 && last < 0x1100 || last >= 0x1780 && last < 0x1800
	case r == 0x200e || r == 0x200f || r == 0x061c:
		last, _ := utf8.DecodeLastRuneInString(s[:at])
		next, _ := utf8.DecodeRuneInString(s[at+utf8.RuneLen(r):])
		return toLeft(last) || toLeft(next)
	case r >= 0xfe00 && r <= 0xfe0f:
		last, _ := utf8.DecodeLastRuneInString(s[:at])
		return last > 0x2000 && (unicode.IsSymbol(last) || unicode.IsPunct(last) || unicode.Is(unicode.Han, last))
	}
	return false
}

// flag reports whether the tags before the end of s belong to a black flag, as those of Scotland do.
func flag(s string) bool {
	for range 7 {
		r, n := utf8.DecodeLastRuneInString(s)
		switch {
		case r == 0x1f3f4:
			return true
		case r < 0xe0020 || r > 0xe007f:
			return false
		}
		s = s[:len(s)-n]
	}
	return false
}

func toLeft(r rune) bool {
	return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana)
}

// run notes hidden characters that stand near to each other, with the words around them.
func (f *finds) run(run []unseenRune) {
	first, last := run[0], run[len(run)-1]
	from, to := first.at, last.end
	for range around {
		r, n := utf8.DecodeLastRuneInString(f.text[:from])
		if from == 0 || r == '\n' {
			break
		}
		from -= n
	}
	for range around {
		r, n := utf8.DecodeRuneInString(f.text[to:])
		if to == len(f.text) || r == '\n' {
			break
		}
		to += n
	}
	sight := report.Aside
	for _, u := range run {
		if s := sightOf(u.char); s == report.Never {
			sight = s
		}
	}
	f.add(report.Passage{Way: report.Characters, Sight: sight, Why: visible.CodePoint(first.char), Text: f.text[from:to], Plain: decoded(run),
		At: int64(first.at), End: int64(last.end)})
}

// sightOf says whether a hidden character stands for words, or parts them, or is a matter of typesetting.
func sightOf(r rune) report.Visibility {
	switch r {
	case 0xfffc, 0xad, 0x200e, 0x200f, 0x2060, 0xfe0e, 0xfe0f, 0x2028, 0x2029, 0x034f, 0x200d, 0x200c:
		return report.Aside
	}
	if r >= 0xe000 && r <= 0xf8ff || r >= 0xf0000 { // a sign of a font that is not loaded
		return report.Aside
	}
	return report.Never
}

// decoded is what a run of characters spells that were made to carry text: tags, and selectors that stand for
// bytes. It is "" where it spells nothing.
func decoded(run []unseenRune) string {
	var b []byte
	for _, u := range run {
		switch r := u.char; {
		case r >= 0xe0020 && r <= 0xe007e:
			b = append(b, byte(r-0xe0000))
		case r >= 0xe0100 && r <= 0xe01ef:
			b = append(b, byte(r-0xe0100+16))
		case r >= 0xfe00 && r <= 0xfe0f:
			b = append(b, byte(r-0xfe00))
		}
	}
	if len(b) < 3 || !utf8.Valid(b) {
		return bits(run)
	}
	return string(b)
}

// bits is what zero-width characters of two kinds spell when they stand for the bits of letters.
func bits(run []unseenRune) string {
	var out []byte
	var acc, n byte
	for _, u := range run {
		switch u.char {
		case 0x200b, 0x200c:
			acc <<= 1
			if u.char == 0x200c {
				acc |= 1
			}
			if n++; n == 8 {
				out, acc, n = append(out, acc), 0, 0
			}
		}
	}
	for _, c := range out {
		if c < ' ' || c > '~' {
			return ""
		}
	}
	if len(out) < 2 {
		return ""
	}
	return string(out)
}

// lookAlikes finds words that read as Latin ones and are spelled with other characters: some letters of another script, all
// of them, or forms of letters and figures that stand for plain ones.
func (f *finds) lookAlikes(s string) {
	f.names(s)
	start, foreign := -1, false
	other := scriptsOf(s)
	end := func(i int) {
		if start >= 0 && foreign && i-start < 200 {
			word := s[start:i]
			reads, mixed := hints.Mixed(word)
			if !mixed && !other.letters {
				reads, mixed = hints.CommonWord(word)
			}
			if !mixed && !other.wide {
				reads, mixed = hints.Styled(word)
			}
			if mixed {
				f.add(report.Passage{Way: report.LookAlike, Sight: report.Likely, Why: reads, Text: word, Plain: reads, At: int64(start), End: int64(i)})
			}
		}
		start, foreign = -1, false
	}
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if 'a' <= c|0x20 && c|0x20 <= 'z' {
				if start < 0 {
					start = i
				}
			} else {
				end(i)
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsLetter(r) || r >= 0xff10 && r <= 0xff19 || r >= 0x1d400 && r <= 0x1d7ff:
			if start < 0 {
				start = i
			}
			foreign = foreign || r >= 0x370 || r == 0x261 || r == 0x251
		case !visible.Hidden(r, 'a'):
			end(i)
		}
		i += n
	}
	end(len(s))
}

// names finds words that look like the name of a well-known firm and are spelled otherwise.
func (f *finds) names(s string) {
	start := -1
	end := func(i int) {
		if start >= 0 {
			if name, ok := hints.Name(s[start:i]); ok {
				f.add(report.Passage{Way: report.LookAlike, Sight: report.Likely, Why: name, Text: s[start:i], Plain: name, At: int64(start), End: int64(i)})
			}
		}
		start = -1
	}
	for i, r := range s {
		switch {
		case r < utf8.RuneSelf && ('a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9'), r >= utf8.RuneSelf && unicode.IsLetter(r):
			if start < 0 {
				start = i
			}
		default:
			end(i)
		}
	}
	end(len(s))
}

// scripts says what a text is written in beside Latin: a word that looks like a Latin one is an ordinary word there.
type scripts struct {
	letters bool // Cyrillic, Greek, Armenian and the like
	wide    bool // Chinese, Japanese, Korean, where wide forms are usual
}

// strange is how many letters that look like no Latin one make a text one of their script.
const strange = 12

func scriptsOf(s string) (is scripts) {
	letters := 0
	for _, r := range s {
		switch {
		case r < 0x370:
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			is.wide = true
		case unicode.IsLetter(r) && r < 0x2000:
			if _, like := hints.Latin(r); !like {
				letters++
			}
		}
	}
	is.letters = letters >= strange
	return is
}
