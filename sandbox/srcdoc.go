package sandbox

import (
	"bytes"

	"golang.org/x/net/html"
)

// Srcdoc returns a finished document as it belongs into the srcdoc attribute of a frame, for pages without a server. There
// a link to "#id" resolves against the page around the frame, so each one gets the frame's own URL, about:srcdoc. A frame
// with a blob: URL does not need that, but in Firefox its links to "#id" lead nowhere once it is sandboxed.
func Srcdoc(document []byte) []byte {
	out := make([]byte, 0, len(document)+1024)
	for z := html.NewTokenizer(bytes.NewReader(document)); ; {
		kind := z.Next()
		raw := z.Raw()
		if kind == html.ErrorToken {
			return append(out, raw...)
		}
		if kind == html.StartTagToken && bytes.HasPrefix(raw, []byte("<a ")) {
			// Render escapes the quotes inside a value, so this is the attribute itself.
			raw = bytes.Replace(raw, []byte(` href="#`), []byte(` href="about:srcdoc#`), 1)
		}
		out = append(out, raw...)
	}
}
