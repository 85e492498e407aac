package wire

import (
	"html"
	"io"
	"path"
	"strings"
)

// mostWords is how much of a file search looks at, in bytes.
const mostWords = 1 << 20

// words is what search finds in a file: the text of those that are text.
func words(name string, content *spool) (string, error) {
	ext := strings.ToLower(path.Ext(name))
	switch ext {
	case ".md", ".txt", ".json", ".csv", ".html":
	default:
		return "", nil
	}
	b, err := io.ReadAll(io.LimitReader(content.Reader(), mostWords))
	if err != nil {
		return "", err
	}
	text := strings.ToValidUTF8(string(b), " ")
	if ext == ".html" {
		text = withoutTags(text)
	}
	return text, nil
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
