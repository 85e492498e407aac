package share

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/figs-web/figs-web/internal/redact"
)

// Remaining is something that is still in the finished copy.
type Remaining struct {
	Rule        *redact.Rule
	Text        string // what stands there
	Placeholder string // that stands for it elsewhere in the copy; "" where nothing of it was replaced
	File        string // as the copy calls it
}

// shortest is how many bytes a value has that is searched for; a shorter one stands in too many places that are not it.
const shortest = 4

// readback reads what was written as somebody would who gets it: decoded, in lower case and composed (NFC), it is searched
// for each value that was replaced, and all rules go over it once more. It shares no decoder with internal/redact, so that
// a mistake there does not hide itself.
type readback struct {
	again  *redact.Redaction          // what the rules find in the copy
	where  map[*redact.Match]string   // the file in which each of those was met first
	values map[string][]*redact.Match // by their first bytes, see shortest
	begins [1 << 16]bool              // the first two bytes of values
	folded map[*redact.Match]string
	left   []Remaining
	seen   map[string]bool
}

func newReadback(originals []*redact.Match) *readback {
	b := &readback{again: redact.New(), where: map[*redact.Match]string{}, values: map[string][]*redact.Match{}, folded: map[*redact.Match]string{}, seen: map[string]bool{}}
	for _, o := range originals {
		if text := folded(o.Text); !o.Off && o.Rule < len(redact.Rules) && len(text) >= shortest {
			b.values[text[:shortest]] = append(b.values[text[:shortest]], o)
			b.folded[o], b.begins[pair(text, 0)] = text, true
		}
	}
	return b
}

// read takes a file, or whole lines of a ledger, as it is in the copy. name is what it is called there.
func (b *readback) read(name string, content []byte) {
	before := len(b.again.Originals())
	b.again.Learn(name, content)
	for _, o := range b.again.Originals()[before:] {
		b.where[o] = name
	}
	b.search(name, string(content), 3)
}

// search looks for the values in a text, and in what base64 in it says, that many times over.
func (b *readback) search(name, text string, deep int) {
	plain := decoded(text)
	b.scan(name, folded(text))
	if plain != text {
		b.scan(name, folded(plain))
	}
	if deep == 0 {
		return
	}
	for _, run := range base64Runs.FindAllString(plain, -1) {
		if inner := unBase64(run); inner != "" {
			b.search(name, inner, deep-1)
		}
	}
}

func (b *readback) scan(name, text string) {
	for i := 0; i+shortest <= len(text); i++ {
		if !b.begins[pair(text, i)] {
			continue
		}
		for _, o := range b.values[text[i:i+shortest]] {
			if value := b.folded[o]; strings.HasPrefix(text[i:], value) && apart(text, i, i+len(value)) {
				b.add(Remaining{&redact.Rules[o.Rule], o.Text, o.By, name})
			}
		}
	}
}

func pair(s string, i int) uint16 { return uint16(s[i])<<8 | uint16(s[i+1]) }

// apart reports whether a value stands on its own. A long one needs not.
func apart(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	after, _ := utf8.DecodeRuneInString(text[end:])
	word := func(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	return end-start >= 12 || !word(before) && !word(after)
}

func (b *readback) add(l Remaining) {
	if key := l.Rule.ID + "\x00" + l.File + "\x00" + l.Text; !b.seen[key] {
		b.seen[key] = true
		b.left = append(b.left, l)
	}
}

var (
	placeholder = regexp.MustCompile(`\[[a-z]+(?:-[a-z]+)*-\d+\]`)
	base64Runs  = regexp.MustCompile(`(?:[A-Za-z0-9+/_-]{16,}\r?\n?)+[A-Za-z0-9+/_-]*={0,2}`)
	escapes     = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[nrt"/\\]`)
	percents    = regexp.MustCompile(`(?:%[0-9a-fA-F]{2})+`)
)

// found is what is left. stays tells of a text whether somebody wants it to stay.
func (b *readback) found(stays func(rule int, text string) bool) []Remaining {
	b.again.Settle()
	list := slices.Clone(b.left)
	for _, o := range b.again.Originals() {
		if o.Rule >= len(redact.Rules) || redact.Rules[o.Rule].Group == redact.Names || placeholder.MatchString(o.Text) || stays(o.Rule, o.Text) {
			continue
		}
		if l := (Remaining{&redact.Rules[o.Rule], o.Text, "", b.where[o]}); !slices.ContainsFunc(list, func(x Remaining) bool { return x.File == l.File && x.Text == l.Text }) {
			list = append(list, l)
		}
	}
	return list
}

// decoded undoes what a reader's programs undo: escapes of JSON, entities, percent signs, as often as there are any.
func decoded(text string) string {
	for range 3 {
		before := text
		if strings.IndexByte(text, '\\') >= 0 {
			text = escapes.ReplaceAllStringFunc(text, unescape)
		}
		text = html.UnescapeString(text)
		if strings.IndexByte(text, '%') >= 0 {
			text = percents.ReplaceAllStringFunc(text, func(run string) string {
				plain, _ := hex.DecodeString(strings.ReplaceAll(run, "%", ""))
				return string(plain)
			})
		}
		if text == before {
			break
		}
	}
	return text
}

// unescape undoes one escape of JSON, or a pair that is one character.
func unescape(s string) string {
	if s[1] != 'u' {
		if i := strings.IndexByte("nrt", s[1]); i >= 0 {
			return "\n\r\t"[i : i+1]
		}
		return s[1:]
	}
	var units []uint16
	for _, digits := range strings.Split(s, `\u`)[1:] {
		n, _ := strconv.ParseUint(digits, 16, 16)
		units = append(units, uint16(n))
	}
	return string(utf16.Decode(units))
}

// unBase64 is the text in a run of base64, in UTF-8 or UTF-16; "" when there is none.
func unBase64(run string) string {
	run = strings.TrimRight(strings.NewReplacer("\r", "", "\n", "", "-", "+", "_", "/").Replace(run), "=")
	if len(run)%4 == 1 { // one character too many: the run began or ended in other text
		run = run[:len(run)-1]
	}
	b, err := base64.RawStdEncoding.DecodeString(run)
	switch {
	case err != nil || len(b) == 0:
		return ""
	case len(b)%2 == 0 && zeroes(b)*3 > len(b):
		units := make([]uint16, len(b)/2)
		for i := range units {
			units[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
		}
		if b[0] == 0 {
			for i, u := range units {
				units[i] = u<<8 | u>>8
			}
		}
		return string(utf16.Decode(units))
	case !utf8.Valid(b):
		return ""
	}
	return string(b)
}

func zeroes(b []byte) (n int) {
	for _, c := range b {
		if c == 0 {
			n++
		}
	}
	return n
}

func folded(text string) string { return strings.ToLower(norm.NFC.String(text)) }
