package pages_test

import (
	"strings"
	"testing"
)

// TestLanguage holds the pages to the language that the browser names, and to English for others.
func TestLanguage(t *testing.T) {
	c := folder(t, question, "")
	for language, want := range map[string]string{"": "It waits for an answer.", "en": "It waits for an answer.", "de": "Sie wartet auf eine Antwort.", "xx": "It waits for an answer."} {
		if _, body := c.ask(map[string]any{"op": "page", "language": language}); !strings.Contains(body, want) {
			t.Errorf("in %q the page does not say %q", language, want)
		}
	}
}
