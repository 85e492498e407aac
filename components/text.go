package components

import (
	"context"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"
)

// Bounds of what a page shows of one text at once. Nothing is dropped in silence: what is
// folded stays on the page, what is cut says how much is missing.
const (
	titleBytes  = 300      // a title or an option above this is folded
	foldBytes   = 1500     // a text above this is folded
	detailBytes = 4 << 10  // a detail above this is folded
	blockBytes  = 64 << 10 // what stands open is cut above this
	wholeBytes  = 1 << 20  // a fold is cut above this, the most that a record may have (§4)
	mostItems   = 200      // a list of one record above this is cut
)

// agentText is a string that an agent wrote, isolated from the text around it, with hidden
// characters made visible. Line breaks are kept by the style of its surface. A text past
// all measure is cut, and says so.
func agentText(s string) templ.Component { return agentUpTo(s, blockBytes) }

// agentWhole is agentText inside a fold, which may hold as much as a record.
func agentWhole(s string) templ.Component { return agentUpTo(s, wholeBytes) }

func agentUpTo(s string, limit int) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if err := writeIsolated(ctx, w, cutBytes(s, limit)); err != nil {
			return err
		}
		return cutNote(len(s), limit).Render(ctx, w)
	})
}

// agentBytes is agentText of bytes that may be very many: only what is shown is copied.
func agentBytes(b []byte) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if err := writeIsolated(ctx, w, cutBytes(string(b[:min(len(b), blockBytes+utf8.UTFMax)]), blockBytes)); err != nil {
			return err
		}
		return cutNote(len(b), blockBytes).Render(ctx, w)
	})
}

// agentLine is agentText on one line, cut when it is very long: where it is the record's own
// title, restOf stands near it.
func agentLine(s string) templ.Component {
	short := cutBytes(s, titleBytes)
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if err := writeIsolated(ctx, w, short); err != nil || len(short) == len(s) {
			return err
		}
		_, err := io.WriteString(w, "…")
		return err
	})
}

// cutBytes cuts s at a rune near n bytes.
func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// plain is a string that an agent wrote for places that hold no elements, like a title
// attribute: isolated by characters, hidden ones named.
func plain(s string) string {
	short := cutBytes(s, titleBytes)
	var b strings.Builder
	b.WriteString("\u2068")
	walkText(short, func(text string, hidden rune, _ int) {
		if text != "" {
			b.WriteString(text)
			return
		}
		b.WriteString("[" + codePoint(hidden) + "]")
	})
	if len(short) < len(s) {
		b.WriteString("…")
	}
	b.WriteString("\u2069")
	return b.String()
}

// asData is a name that an agent wrote where only the page's script reads it, to ask for the
// file of that very name.
func asData(name string) string { return name }

func writeIsolated(ctx context.Context, w io.Writer, s string) error {
	var b strings.Builder
	b.Grow(len(s) + 16)
	b.WriteString("<bdi>")
	writeMarked(ctx, &b, s)
	b.WriteString("</bdi>")
	_, err := io.WriteString(w, b.String())
	return err
}

// runLimit is how many hidden characters in a row are named one by one.
const runLimit = 4

// writeMarked escapes s and makes its hidden characters visible.
func writeMarked(ctx context.Context, b *strings.Builder, s string) {
	walkText(s, func(text string, hidden rune, run int) {
		switch {
		case text != "":
			b.WriteString(templ.EscapeString(text))
		case run <= runLimit:
			b.WriteString(`<span class="hidden-char" title="` + codePoint(hidden) + " " + templ.EscapeString(say(ctx, hiddenName(hidden))) + `">` + codePoint(hidden) + `</span>`)
		case run == runLimit+1:
			b.WriteString(`<span class="hidden-char" title="` + templ.EscapeString(say(ctx, "more hidden characters follow")) + `">…</span>`)
		}
	})
}

// walkText calls part for each stretch of visible text and for each hidden character;
// run counts hidden characters in a row, from 1.
func walkText(s string, part func(text string, hidden rune, run int)) {
	start, run := 0, 0
	var last rune
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			r = badByte
		}
		if r == '\r' && strings.HasPrefix(s[i+size:], "\n") {
			r = ' '
		}
		if hidden(r, last) {
			if start < i {
				part(s[start:i], 0, 0)
				run = 0
			}
			run++
			part("", r, run)
			start = i + size
		}
		last = r
		i += size
	}
	if start < len(s) {
		part(s[start:], 0, 0)
	}
}

func codePoint(r rune) string {
	if r == badByte {
		return "bad byte"
	}
	hex := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	return "U+" + strings.Repeat("0", max(0, 4-len(hex))) + hex
}

// joinFacts joins facts with dots. When the line wraps, the dot moves to the next line with the fact that follows it.
func joinFacts(facts ...string) string { return strings.Join(facts, " ·\u00a0") }
