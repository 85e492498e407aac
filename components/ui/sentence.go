package ui

import (
	"context"
	"io"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/i18n"
)

// InWords are some of ours as a component.
func InWords(text string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, templ.EscapeString(text))
		return err
	})
}

// SentenceText is a sentence of ours as a component.
func SentenceText(text string) templ.Component {
	return i18n.Sentence("{0}", templ.Raw(templ.EscapeString(text)))
}
