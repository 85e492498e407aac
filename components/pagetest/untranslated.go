package pagetest

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// untranslatable are texts of ours that are the same in every language.
var untranslatable = []*regexp.Regexp{
	regexp.MustCompile(`\b([KMGT]?B|UTC|ms)\b`),                               // units
	regexp.MustCompile(`\bU\+[0-9A-F]{4,6}\b`),                                // characters
	regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z`),                            // times as programs read them
	regexp.MustCompile(`[\w.]+\.(jsonl|json|md)(:\d+)?|\b[a-z0-9]+_\w+`),      // files and rules of the protocol
	regexp.MustCompile(`\bfigs-web\b|^(English|Deutsch|Français)$|^/readyz$`), // names
	regexp.MustCompile(`^[ᴀ-ᴢʙ]+$`),                                           // initials of people, in the picture
	regexp.MustCompile(`^\[[a-z]+-\d+\]$`),                                    // what takes the place of redacted words
	regexp.MustCompile(`\b(type|status|is|in|has):[a-z-]+`),                   // what one types into a search
}

// Untranslated are the texts and labels of ours on a page in pseudo-English that no translation
// reaches: letters outside of ⟦…⟧ that are neither code nor typed nor what agents and people wrote.
func Untranslated(root *html.Node) (texts []string) {
	depth := 0 // a sentence with components in it is several texts
	for n := range root.Descendants() {
		switch {
		case n.Type == html.TextNode && !Inside(n, "bdi", "code", "pre", "textarea", "script", "style", "template", "title"):
			if outside(n.Data, &depth) {
				texts = append(texts, strings.TrimSpace(n.Data))
			}
		case n.Type == html.ElementNode:
			for _, a := range n.Attr {
				alone := 0
				if slices.Contains([]string{"title", "aria-label", "placeholder", "alt"}, a.Key) && (outside(a.Val, &alone) || alone != 0) {
					texts = append(texts, a.Val)
				}
			}
		}
	}
	if depth != 0 {
		texts = append(texts, "brackets that do not match")
	}
	return texts
}

// outside reports whether a text has letters outside of brackets, of which depth are open, and
// outside of the characters that isolate what others wrote.
func outside(text string, depth *int) (found bool) {
	for _, same := range untranslatable {
		text = same.ReplaceAllString(text, "")
	}
	isolated := 0
	for _, r := range text {
		switch {
		case r == '\u2068':
			isolated++
		case r == '\u2069':
			isolated--
		case isolated > 0: // may be cut
		case r == '⟦':
			*depth++
		case r == '⟧':
			*depth--
		case *depth == 0 && unicode.IsLetter(r):
			found = true
		}
	}
	return found
}
