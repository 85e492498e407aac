// Package agenttext writes what an agent wrote: isolated from our own words, with hidden characters made visible, cut where
// it is long. Every such string that a page shows goes through it.
package agenttext

import (
	"context"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/sandbox/visible"
)

// Bounds of what a page shows of one text at once. Nothing is dropped in silence: what is
// folded stays on the page, what is cut says how much is missing.
const (
	TitleBytes  = 300      // a title or an option above this is folded
	FoldBytes   = 1500     // a text above this is folded
	DetailBytes = 4 << 10  // a detail above this is folded
	BlockBytes  = 64 << 10 // what stands open is cut above this
	WholeBytes  = 1 << 20  // a fold is cut above this, the most that a record may have (§4)
	MostItems   = 200      // a list of one record above this is cut
)

// Text is a string that an agent wrote, isolated from the text around it, with hidden
// characters made visible. Line breaks are kept by the style of its surface. A text past
// all measure is cut, and says so.
func Text(s string) templ.Component { return UpTo(s, BlockBytes) }

// Whole is Text inside a fold, which may hold as much as a record.
func Whole(s string) templ.Component { return UpTo(s, WholeBytes) }

func UpTo(s string, limit int) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if err := writeIsolated(ctx, w, CutBytes(s, limit)); err != nil {
			return err
		}
		return CutNote(len(s), limit).Render(ctx, w)
	})
}

// Bytes is Text of bytes that may be very many: only what is shown is copied.
func Bytes(b []byte) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if err := writeIsolated(ctx, w, CutBytes(string(b[:min(len(b), BlockBytes+utf8.UTFMax)]), BlockBytes)); err != nil {
			return err
		}
		return CutNote(len(b), BlockBytes).Render(ctx, w)
	})
}

// Line is Text on one line, cut when it is very long: where it is the record's own
// title, RestOf stands near it.
func Line(s string) templ.Component {
	short := CutBytes(s, TitleBytes)
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if err := writeIsolated(ctx, w, short); err != nil || len(short) == len(s) {
			return err
		}
		_, err := io.WriteString(w, "…")
		return err
	})
}

// CutBytes cuts s at a rune near n bytes.
func CutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Plain is a string that an agent wrote for places that hold no elements, like a title
// attribute: isolated by characters, hidden ones named.
func Plain(s string) string { return "\u2068" + Title(s) + "\u2069" }

// Title is a string that an agent wrote for the title of a page: hidden characters are named, and none are added, since
// a browser shows a title in places where they would be visible.
func Title(s string) string {
	short := CutBytes(s, TitleBytes)
	if len(short) == len(s) && isPrintable(s) {
		return s
	}
	var b strings.Builder
	visible.Each(short, func(_ int, text string, hidden rune, _ int) bool {
		if text != "" {
			b.WriteString(text)
		} else {
			b.WriteString("[" + visible.CodePoint(hidden) + "]")
		}
		return true
	})
	if len(short) < len(s) {
		b.WriteString("…")
	}
	return b.String()
}

// AsData is a name that an agent wrote where only the page's script reads it, to ask for the
// file of that very name.
func AsData(name string) string { return name }

func writeIsolated(ctx context.Context, w io.Writer, s string) error {
	if isPrintable(s) {
		return writeStrings(w, "<bdi>", templ.EscapeString(s), "</bdi>")
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString("<bdi>")
	writeMarked(ctx, &b, s)
	b.WriteString("</bdi>")
	return writeStrings(w, b.String())
}

func writeStrings(w io.Writer, parts ...string) error {
	for _, part := range parts {
		if _, err := io.WriteString(w, part); err != nil {
			return err
		}
	}
	return nil
}

// isPrintable reports whether s is printable ASCII on one line, as most texts are: it has no hidden characters.
func isPrintable(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// writeMarked escapes s and makes its hidden characters visible.
func writeMarked(ctx context.Context, b *strings.Builder, s string) {
	visible.Each(s, func(_ int, text string, hidden rune, run int) bool {
		switch {
		case text != "":
			b.WriteString(templ.EscapeString(text))
		case run <= visible.RunLimit:
			b.WriteString(`<span class="hidden-char" title="` + visible.CodePoint(hidden) + " " + templ.EscapeString(i18n.Say(ctx, visible.Name(hidden))) + `">` + visible.CodePoint(hidden) + `</span>`)
		case run == visible.RunLimit+1:
			b.WriteString(`<span class="hidden-char" title="` + templ.EscapeString(i18n.Say(ctx, "more hidden characters follow")) + `">…</span>`)
		}
		return true
	})
}

// JoinFacts joins facts with dots. When the line wraps, the dot moves to the next line with the fact that follows it.
func JoinFacts(facts ...string) string { return strings.Join(facts, " ·\u00a0") }
