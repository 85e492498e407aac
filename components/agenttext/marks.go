package agenttext

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// Marked is Text with marked parts, from one byte to another, in order and apart from each other.
func Marked(s string, marks [][2]int) templ.Component { return markedTo(s, marks, BlockBytes) }

// MarkedLine is Line with marked parts.
func MarkedLine(s string, marks [][2]int) templ.Component { return markedTo(s, marks, TitleBytes) }

func markedTo(s string, marks [][2]int, limit int) templ.Component {
	short := CutBytes(s, limit)
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var b strings.Builder
		b.WriteString("<bdi>")
		done := 0
		for _, m := range marks {
			if m[0] < done || m[1] > len(short) {
				break
			}
			writeMarked(ctx, &b, short[done:m[0]])
			b.WriteString("<mark>")
			writeMarked(ctx, &b, short[m[0]:m[1]])
			b.WriteString("</mark>")
			done = m[1]
		}
		writeMarked(ctx, &b, short[done:])
		b.WriteString("</bdi>")
		if len(short) < len(s) {
			b.WriteString("…")
		}
		_, err := io.WriteString(w, b.String())
		return err
	})
}
