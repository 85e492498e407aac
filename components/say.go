package components

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// say is one sentence of ours in the reader's language. Arguments are numbers, other words
// of ours, or plain(…); what an agent wrote belongs into sentence as a component.
func say(ctx context.Context, english string, args ...any) string {
	text := english
	if t := tongueOf(ctx); t.words != nil {
		if other, ok := t.words(english); ok {
			text = other
		}
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// Say is a whole sentence of ours in the reader's language, for what shows one outside of this
// package. It has no verbs.
func Say(ctx context.Context, english string) string { return say(ctx, english) }

// whole is say for a sentence that may be known without its full stop, as a title is.
func whole(ctx context.Context, english string) string {
	text := say(ctx, english)
	if title, ok := strings.CutSuffix(english, "."); ok && text == english {
		return say(ctx, title) + "."
	}
	return text
}

// count chooses between one and many: count(ctx, 2, "%d job", "%d jobs") = "2 jobs".
func count(ctx context.Context, n int, one, many string) string {
	form := many
	if n == 1 {
		form = one
	}
	if !strings.Contains(form, "%") {
		return say(ctx, form)
	}
	text := say(ctx, form)
	return strings.Replace(text, "%d", grouped(ctx, n), 1)
}

// spelled writes small numbers as words, for headlines.
func spelled(ctx context.Context, n int) string {
	words := [...]string{"No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"}
	if n < 0 || n >= len(words) {
		return grouped(ctx, n)
	}
	return say(ctx, words[n])
}

// countSpelled is count for headlines, with small numbers as words.
func countSpelled(ctx context.Context, n int, one, many string) string {
	if n == 1 {
		return say(ctx, one)
	}
	return say(ctx, many, spelled(ctx, n))
}

// sentence is a sentence of ours with components in it: {0}, {1}, … stand for them, so
// that another language can order them otherwise.
func sentence(english string, parts ...templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		text := say(ctx, english)
		for text != "" {
			before, rest, found := strings.Cut(text, "{")
			if _, err := io.WriteString(w, templ.EscapeString(before)); err != nil {
				return err
			}
			if !found {
				return nil
			}
			number, after, _ := strings.Cut(rest, "}")
			if n, err := strconv.Atoi(number); err == nil && n < len(parts) {
				if err := parts[n].Render(ctx, w); err != nil {
					return err
				}
			}
			text = after
		}
		return nil
	})
}
