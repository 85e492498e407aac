// Package attachtext extracts the text of attachments for search. Every search uses it. Its result is never shown as markup.
package attachtext

import (
	"html"
	"strings"

	"github.com/figs-web/figs-web/figs/find"
)

// MaxBytes is how much of a file is read, in bytes.
const MaxBytes = 1 << 20

// Extract returns what a file says to whoever searches: of a page what stands between its tags, of
// other text all of it, and nothing of a file whose name says that it is no text. content is the
// file's beginning, of which MaxBytes bytes are read.
func Extract(name string, content []byte) string {
	if !find.HasText(name) {
		return ""
	}
	text := strings.ToValidUTF8(string(content[:min(len(content), MaxBytes)]), " ")
	if end := strings.LastIndexByte(name, '.'); strings.EqualFold(name[end:], ".html") {
		text = withoutTags(text)
	}
	return text
}

// withoutTags takes the tags, scripts and styles from a page, and undoes its entities. It is
// for finding words, never for showing.
func withoutTags(s string) string {
	var out strings.Builder
	for s != "" {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			out.WriteString(s)
			break
		}
		out.WriteString(s[:i])
		out.WriteByte(' ')
		s = s[i:]
		closing := ">"
		for tag, end := range map[string]string{"<!--": "-->", "<script": "</script", "<style": "</style"} {
			if len(s) >= len(tag) && strings.EqualFold(s[:len(tag)], tag) {
				closing = end
			}
		}
		end := indexFold(s, closing)
		if end < 0 {
			break
		}
		s = s[end+len(closing):]
	}
	return html.UnescapeString(out.String())
}

// indexFold finds ASCII text whatever the case of its letters.
func indexFold(s, text string) int {
	for at := 0; ; {
		i := strings.IndexByte(s[at:], text[0])
		if i < 0 || len(s)-at-i < len(text) {
			return -1
		}
		if at += i; strings.EqualFold(s[at:at+len(text)], text) {
			return at
		}
		at++
	}
}
