package ui

import (
	"context"
	"fmt"
	"time"

	"github.com/figs-web/figs-web/components/agenttext"
	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/internal/sentence"
)

// Message says a sentence of package sentence in the reader's language, with its arguments in their places. Strings are
// isolated, since other people or agents wrote them.
func Message(ctx context.Context, english string, args []any) string {
	return sentence.FillWith(i18n.Say(ctx, english), args, func(arg any) string {
		switch arg := arg.(type) {
		case int:
			return i18n.Number(ctx, arg)
		case time.Duration:
			n, one, many := sentence.Length(arg)
			return i18n.Count(ctx, n, one, many)
		}
		return agenttext.Plain(fmt.Sprint(arg))
	})
}
