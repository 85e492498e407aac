package attachtext

import (
	"html"
	"regexp"
	"strings"
)

var anyMarkup = regexp.MustCompile(`<[^>]*>`)

// OfDocument returns the text of a document of the sandbox that shows nothing else: a document of ours, in which every
// < of the attachment is written as &lt;.
func OfDocument(document []byte) string {
	_, text, _ := strings.Cut(string(document), "<pre")
	text, _, _ = strings.Cut("<pre"+text, "</pre>")
	return html.UnescapeString(anyMarkup.ReplaceAllString(text, ""))
}
