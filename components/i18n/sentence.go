// Package i18n says our sentences in the reader's language: sentences, numbers, sizes, dates. The English sentence is the
// key; components/words has the others.
package i18n

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// Say is one sentence of ours in the reader's language. Arguments are numbers, other words
// of ours, or agenttext.Plain(…); what an agent wrote belongs into Sentence as a component.
func Say(ctx context.Context, english string, args ...any) string {
	text := english
	if t := languageOf(ctx); t.words != nil {
		if other, ok := t.words(english); ok {
			text = other
		}
	}
	if len(args) == 0 {
		return text
	}
	return fmt.Sprintf(text, args...)
}

// Rule is a sentence of a package that knows no language, such as a finding's, with its values in it. What an agent
// wrote in it stays as it is, and is shown by agenttext.
func Rule(ctx context.Context, english string) string {
	if t := languageOf(ctx); t.rule != nil {
		if text, ok := t.rule(english); ok {
			return text
		}
	}
	return english
}

// Count chooses between one and many, and the form that the number takes in the reader's language:
// Count(ctx, 2, "%d job", "%d jobs") = "2 jobs".
func Count(ctx context.Context, n int, one, many string) string {
	return strings.Replace(counted(ctx, n, one, many), "%d", Number(ctx, n), 1)
}

// counted is the form of a sentence that goes with a number.
func counted(ctx context.Context, n int, one, many string) string {
	if t := languageOf(ctx); t.count != nil {
		if form, ok := t.count(n, one, many); ok {
			return form
		}
	}
	return englishForm(n, one, many)
}

func englishForm(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// NumberWord writes small numbers as words, for headlines.
func NumberWord(ctx context.Context, n int) string {
	words := [...]string{"No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"}
	if n < 0 || n >= len(words) {
		return Number(ctx, n)
	}
	return Say(ctx, words[n])
}

// CountWords is Count for headlines, with small numbers as words in place of %s.
func CountWords(ctx context.Context, n int, one, many string) string {
	form := counted(ctx, n, one, many)
	if !strings.Contains(form, "%s") {
		return form
	}
	return strings.Replace(form, "%s", NumberWord(ctx, n), 1)
}

// Sentence is a sentence of ours with components in it: {0}, {1}, … stand for them, so
// that another language can order them otherwise.
func Sentence(english string, parts ...templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		text := Say(ctx, english)
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
