package components

import (
	"context"
	"strings"

	proof "github.com/figs-web/figs-web/internal/receipt"
)

// hiddenWordsOf is what a receipt says of hidden text, as it was reported when the person approved.
func hiddenWordsOf(ctx context.Context, h *proof.HiddenText) (words []string) {
	if h.Texts > 0 {
		words = append(words, count(ctx, h.Texts, "one hidden text reported", "%d hidden texts reported"))
	}
	if len(h.Widths) > 0 {
		widths := make([]string, len(h.Widths))
		for i, n := range h.Widths {
			widths[i] = grouped(ctx, n)
		}
		at := strings.Join(widths, ", ")
		if h.Undrawn == 0 {
			words = append(words, say(ctx, "all text visible in the browser at %s px", at))
		} else {
			words = append(words, count(ctx, h.Undrawn, "one text not visible in the browser", "%d texts not visible in the browser")+" "+say(ctx, "(at %s px)", at))
		}
	}
	if h.Read {
		words = append(words, say(ctx, "hidden text read, says the person"))
	}
	return words
}
