package listview

import (
	"context"
	"io"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/internal/listquery"
)

// Text is a column with a text.
func Text[T any](name, title string, text func(*T) string) Column[T] {
	return Column[T]{Column: listquery.Column[T]{Name: name, Text: text}, Title: title}
}

// Name is a column with names, of which those on the page are suggested as filters.
func Name[T any](name, title string, text func(*T) string) Column[T] {
	c := Text(name, title, text)
	c.Suggested = true
	return c
}

// Word is a column with a word of ours, which say translates; filters and files have it as it is.
func Word[T any](name, title string, word func(*T) string, say func(ctx context.Context, word string) string) Column[T] {
	return Column[T]{
		Column: listquery.Column[T]{Name: name, Kind: listquery.Word, Text: word}, Title: title,
		Cell: func(row *T) templ.Component {
			return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
				_, err := io.WriteString(w, templ.EscapeString(say(ctx, word(row))))
				return err
			})
		},
	}
}

// Time is a column with a time in microseconds since 1970; 0 is none.
func Time[T any](name, title string, at func(*T) int64) Column[T] {
	return Column[T]{Column: listquery.Column[T]{Name: name, Kind: listquery.Time, Number: at}, Title: title}
}

// Number is a column with a number.
func Number[T any](name, title string, n func(*T) int64) Column[T] {
	return Column[T]{Column: listquery.Column[T]{Name: name, Kind: listquery.Number, Number: n}, Title: title}
}

// Hidden is the column, shown only if it is chosen.
func (c Column[T]) Hidden() Column[T] {
	c.Extra = true
	return c
}
