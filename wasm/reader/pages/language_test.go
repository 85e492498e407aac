package pages_test

import (
	"testing"

	"github.com/figs-web/figs-web/components/pagetest"
)

// TestLanguage holds the pages to the language that the browser names, and to English for others.
func TestLanguage(t *testing.T) {
	c := folder(t, question, "")
	for language, want := range map[string]string{"": "en", "en": "en", "de": "de", "xx": "en"} {
		_, body := c.ask(map[string]any{"op": "page", "language": language})
		messages.Check(t, "language: "+want, pagetest.Lines(pagetest.All(pagetest.Parse(t, body), "p.standing")...))
	}
}
