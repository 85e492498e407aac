package reply

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/sentence"
)

// Names of the fields that quote a part of an attachment.
const (
	FieldQuoteFile    = "quote-file" // key of the attachment
	FieldQuoteFrom    = "quote-from" // its first line, from 1
	FieldQuoteTo      = "quote-to"   // its last line; the first when it is missing
	FieldQuotePassage = "quote-passage"
)

// MaxQuote is the longest quote, in bytes.
const MaxQuote = 4 << 10

// Source is an attachment that is quoted.
type Source struct {
	Name, SHA256 string
	Content      []byte // its very bytes
	Plain        string // what a person reads of it, where that is not its source; "" is none
}

// QuoteError says why nothing was quoted.
type QuoteError struct {
	Sentence, Hint string
	Args           []any // of both, as package sentence has them
}

func (u *QuoteError) Error() string { return sentence.Fill(u.Sentence, u.Args) }

// Lines quotes lines of the source, from 1, both ends included.
func (s *Source) Lines(from, to int) (string, error) {
	lines := s.lines()
	switch {
	case from < 1 || to < from:
		return "", &QuoteError{Sentence: "These line numbers can't be quoted.", Hint: "Enter the first and last line numbers, for example 12 and 14. Lines are numbered from 1."}
	case to > len(lines):
		return "", &QuoteError{Sentence: "The file has no line {0}.", Hint: "Its last line is {1}.", Args: []any{to, len(lines)}}
	}
	return s.quote(lineWord(from, to), bytes.Join(lines[from-1:to], []byte{'\n'}))
}

// lines are the lines of the source: the end of the last one begins no further.
func (s *Source) lines() [][]byte {
	if len(s.Content) == 0 {
		return nil
	}
	return bytes.Split(bytes.TrimSuffix(s.Content, []byte{'\n'}), []byte{'\n'})
}

func lineWord(from, to int) string {
	if from == to {
		return "line " + strconv.Itoa(from)
	}
	return "lines " + strconv.Itoa(from) + "–" + strconv.Itoa(to)
}

// Passage quotes what a person has copied: as the source has it, or else as the plain text has
// it. Spaces and line breaks may differ, because browsers change them in what they copy.
func (s *Source) Passage(passage string) (string, error) {
	wanted := bytes.TrimSpace(collapsed([]byte(passage)))
	switch {
	case len(wanted) == 0:
		return "", &QuoteError{Sentence: "There's no passage to quote.", Hint: "Paste a passage from the file, or enter line numbers."}
	case len(wanted) > MaxQuote:
		return "", tooMuch
	}
	if at, end, places := find(s.Content, wanted); places > 0 {
		first := 1 + bytes.Count(s.Content[:at], []byte{'\n'})
		return s.quote(lineWord(first, first+bytes.Count(s.Content[at:end], []byte{'\n'}))+placeWord(places), s.Content[at:end])
	}
	plain := []byte(s.Plain)
	if at, end, places := find(plain, wanted); places > 0 {
		return s.quote("plain text"+placeWord(places), plain[at:end])
	}
	return "", &QuoteError{Sentence: "This passage is not in the file.", Hint: "Copy it from the Source or Plain text view, without line numbers."}
}

func placeWord(places int) string {
	if places == 1 {
		return ""
	}
	return ", the first of " + strconv.Itoa(places) + " such places"
}

// find finds a collapsed passage in a text, and how many places hold it.
func find(text, wanted []byte) (at, end, places int) {
	all := collapsed(text)
	i := bytes.Index(all, wanted)
	if i < 0 {
		return 0, 0, 0
	}
	// A passage begins and ends with what is no space, which collapsing keeps.
	return position(text, i), position(text, i+len(wanted)-1) + 1, bytes.Count(all, wanted)
}

// collapsed makes one space of every run of spaces and line breaks.
func collapsed(text []byte) []byte {
	b := make([]byte, 0, len(text))
	for i, c := range text {
		switch {
		case !isSpace(c):
			b = append(b, c)
		case i == 0 || !isSpace(text[i-1]):
			b = append(b, ' ')
		}
	}
	return b
}

// position is where the n-th byte of the collapsed text stands in the text.
func position(text []byte, n int) int {
	for i, c := range text {
		if isSpace(c) && i > 0 && isSpace(text[i-1]) {
			continue
		}
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

var tooMuch = &QuoteError{Sentence: "The quote is too long: a quote can have up to 4,096 bytes.", Hint: "Quote fewer lines, or only the passage that matters."}

// quote writes where the text stands, and the text behind marks.
func (s *Source) quote(where string, text []byte) (string, error) {
	var b strings.Builder
	b.WriteString("> " + visible([]byte(s.Name)) + ", " + where + " (sha256 " + s.SHA256[:min(8, len(s.SHA256))] + "…):\n")
	for line := range bytes.SplitSeq(text, []byte{'\n'}) {
		b.WriteString("> " + visible(bytes.TrimSuffix(line, []byte{'\r'})) + "\n")
		if b.Len() > MaxQuote {
			return "", tooMuch
		}
	}
	return b.String(), nil
}

// visible writes characters that leave no mark, or that turn the order of others, as their code
// points, and bytes that are no UTF-8 as themselves.
func visible(line []byte) string {
	var b strings.Builder
	for len(line) > 0 {
		r, n := utf8.DecodeRune(line)
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString("⟨byte " + hexadecimal(uint32(line[0]), 2) + "⟩")
		case r != '\t' && marked(r):
			b.WriteString("⟨U+" + hexadecimal(uint32(r), 4) + "⟩")
		default:
			b.Write(line[:n])
		}
		line = line[n:]
	}
	return b.String()
}

func marked(r rune) bool {
	return figs.IsHidden(r) || r == 0x2800 || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

func hexadecimal(n uint32, width int) string {
	text := strings.ToUpper(strconv.FormatUint(uint64(n), 16))
	return strings.Repeat("0", max(0, width-len(text))) + text
}

// Append puts a quote behind what was typed so far, on lines of its own, with room to go on.
func Append(text, quote string) string {
	if text = strings.TrimRight(oneBreak(text), " \n"); text != "" {
		text += "\n\n"
	}
	return text + quote
}
