package reply

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
)

const sum = "9f1c42ab9f1c42ab9f1c42ab9f1c42ab9f1c42ab9f1c42ab9f1c42ab9f1c42ab"

func TestQuoteLines(t *testing.T) {
	longest := MaxQuote - len("> brief.md, line 1 (sha256 9f1c42ab…):\n> \n") // bytes of one line
	for name, c := range map[string]struct {
		content  string
		from, to int
		want     string // lines of the quote, or what the refusal says
	}{
		"one":           {"a\nb\nc\n", 2, 2, "line 2|b"},
		"several":       {"a\nb\nc\n", 1, 3, "lines 1–3|a|b|c"},
		"no last break": {"a\nb", 2, 2, "line 2|b"},
		"two-byte ends": {"a\r\nb\r\n", 1, 2, "lines 1–2|a|b"},
		"an empty line": {"a\n\nb", 1, 3, "lines 1–3|a||b"},
		"marks of ours": {"> a\n", 1, 1, "line 1|> a"},
		"turned order":  {"pay \u202eevil\u200b\x00", 1, 1, "line 1|pay ⟨U+202E⟩evil⟨U+200B⟩⟨U+0000⟩"},
		"no UTF-8":      {"a\xffb\xc3\n", 1, 1, "line 1|a⟨byte FF⟩b⟨byte C3⟩"},
		"line breakers": {"a\rb\u2028c", 1, 1, "line 1|a⟨U+000D⟩b⟨U+2028⟩c"},
		"a tab":         {"a\tb", 1, 1, "line 1|a\tb"},
		"braille blank": {"a\u2800b", 1, 1, "line 1|a⟨U+2800⟩b"},
		"just enough":   {strings.Repeat("a", longest), 1, 1, "line 1|" + strings.Repeat("a", longest)},
		"a byte more":   {strings.Repeat("a", longest+1), 1, 1, "4,096 bytes"},
		"beyond":        {"a\nb\n", 2, 3, "no line 3"},
		"from nothing":  {"a\n", 0, 1, "can't be quoted"},
		"backwards":     {"a\nb\n", 2, 1, "can't be quoted"},
		"an empty file": {"", 1, 1, "no line 1"},
		"too much":      {strings.Repeat("é", MaxQuote/2), 1, 1, "4,096 bytes"},
	} {
		s := Source{Name: "brief.md", SHA256: sum, Content: []byte(c.content)}
		got, err := s.Lines(c.from, c.to)
		check(t, name, got, err, c.want)
	}
}

func TestQuotePassage(t *testing.T) {
	s := Source{Name: "brief.md", SHA256: sum, Content: []byte("<p>Pay  1,200 €\r\n  to <b>Acme</b>\nand again: to <b>Acme</b>"), Plain: "Pay 1,200 €\nto Acme\nand again: to Acme"}
	for passage, want := range map[string]string{
		"1,200 €":                       "line 1|1,200 €",
		" 1,200 €\nto <b>":              "lines 1–2|1,200 €|  to <b>",
		"Pay 1,200":                     "line 1|Pay  1,200",
		"and again":                     "line 3|and again",
		"to <b>Acme</b>":                "line 2, the first of 2 such places|to <b>Acme</b>",
		"1,200 € to Acme":               "plain text|1,200 €|to Acme",
		"to Acme":                       "plain text, the first of 2 such places|to Acme",
		"to\u00a0Acme":                  "not in the file",
		" \n":                           "no passage",
		"not there":                     "not in the file",
		"<p>Pay 1,200":                  "line 1|<p>Pay  1,200",
		strings.Repeat("a", MaxQuote):   "not in the file",
		strings.Repeat("a", MaxQuote+1): "4,096 bytes",
	} {
		got, err := s.Passage(passage)
		check(t, passage, got, err, want)
	}
}

// Spaces before the passage, and tabs in it, are spaces.
func TestQuotePassageAfterSpaces(t *testing.T) {
	s := Source{Name: "brief.md", SHA256: sum, Content: []byte(" \n  pay\tAcme")}
	got, err := s.Passage("pay Acme")
	check(t, "pay Acme", got, err, "line 2|pay\tAcme")
}

// check holds a quote to its place and lines, or a refusal to its words.
func check(t *testing.T, name, got string, err error, want string) {
	t.Helper()
	if err != nil {
		var u *QuoteError
		if !errors.As(err, &u) || !strings.Contains(u.Error(), want) || u.Hint == "" || got != "" {
			t.Errorf("%s: refused %v, want %q", name, err, want)
		}
		return
	}
	place, lines, _ := strings.Cut(want, "|")
	whole := "> brief.md, " + place + " (sha256 9f1c42ab…):\n> " + strings.ReplaceAll(lines, "|", "\n> ") + "\n"
	if got != whole {
		t.Errorf("%s = %q, want %q", name, got, whole)
	}
}

// A name is an agent's text too.
func TestQuoteName(t *testing.T) {
	s := Source{Name: "a\n> b\u202e.md", SHA256: "12", Content: []byte("x")}
	if got, err := s.Lines(1, 1); err != nil || got != "> a⟨U+000A⟩> b⟨U+202E⟩.md, line 1 (sha256 12…):\n> x\n" {
		t.Errorf("Lines = %q, %v", got, err)
	}
}

func TestAppend(t *testing.T) {
	for text, want := range map[string]string{"": "> q\n", "a\r\nb \n\n": "a\nb\n\n> q\n"} {
		if got := Append(text, "> q\n"); got != want {
			t.Errorf("Append(%q) = %q, want %q", text, got, want)
		}
	}
}

// Whatever a file holds, its quote can be sent: it is UTF-8, short, and hides nothing.
func FuzzQuote(f *testing.F) {
	f.Add([]byte("a\nb\u202e"), "b", 1, 2)
	f.Add([]byte("a \r\n\xff\u200d\ufe0f"), "a \xff", 1, 1)
	f.Fuzz(func(t *testing.T, content []byte, passage string, from, to int) {
		s := Source{Name: passage, SHA256: sum, Content: content, Plain: passage}
		lines, _ := s.Lines(from, to)
		found, err := s.Passage(passage)
		if len(found) == 0 && err == nil {
			t.Error("nothing was quoted, and nobody is told")
		}
		for _, q := range []string{lines, found} {
			if !utf8.ValidString(q) || len(q) > MaxQuote || figs.HiddenCharacter([]byte(q)) >= 0 {
				t.Errorf("quote %q", q)
			}
		}
	})
}
