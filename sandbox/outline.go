package sandbox

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/report"
)

// headingBytes bounds the text of a heading in the outline.
const headingBytes = 200

// headingID begins the ids of headings that have none of their own. The reader's page links to them.
const headingID = "u-figs-h"

// outline lists the headings of cleaned markup and gives each of them an id. Reading its output again changes nothing.
func outline(markup string) (string, []report.Heading, int) {
	var out strings.Builder
	var list []report.Heading
	var text strings.Builder // of the heading that is open
	out.Grow(len(markup) + 1024)
	seen := map[string]bool{} // ids: a link leads to the first element that has one
	level, more, ordinal := 0, 0, 0
	end := func() {
		if level == 0 {
			return
		}
		h := &list[len(list)-1]
		if h.Text = shorten(squeeze(text.String()), headingBytes); h.Text == "" {
			list = list[:len(list)-1]
		}
		level = 0
		text.Reset()
	}
	for z := html.NewTokenizer(strings.NewReader(markup)); ; {
		kind := z.Next()
		raw := string(z.Raw())
		switch kind {
		case html.ErrorToken:
			out.WriteString(raw)
			end()
			return out.String(), list, more
		case html.TextToken:
			if level > 0 && text.Len() < 4*headingBytes {
				text.WriteString(html.UnescapeString(raw))
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); headingLevel(name) > 0 {
				end()
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, hasAttr := z.TagName()
			at := headingLevel(name)
			id := ""
			for hasAttr {
				var key, value []byte
				if key, value, hasAttr = z.TagAttr(); string(key) == "id" {
					id = string(value)
				}
			}
			switch {
			case at > 0 && len(list) >= report.MaxItems:
				end()
				more++
			case at > 0:
				end()
				ordinal++
				level = at
				if id == "" && !seen[headingID+strconv.Itoa(ordinal)] {
					id = headingID + strconv.Itoa(ordinal)
					raw = withID(raw, id)
				}
				h := report.Heading{Level: at}
				if id != "" && !seen[id] {
					h.ID = id
				}
				list = append(list, h)
			case level > 0 && (at == 0 && string(name) == "br" || string(name) == "img"):
				text.WriteByte(' ')
			}
			if id != "" {
				seen[id] = true
			}
		}
		out.WriteString(raw)
	}
}

// headingLevel is the level of a heading element, from 1; 0 of any other.
func headingLevel(name []byte) int {
	if len(name) == 2 && name[0] == 'h' && '1' <= name[1] && name[1] <= '6' {
		return int(name[1] - '0')
	}
	return 0
}

// withID adds an id to a start tag that has none, where the cleaner writes it: attributes are sorted by name.
func withID(tag, id string) string {
	at := len("<h1")
	for at < len(tag) && tag[at] == ' ' && tag[at+1:] < "id=" {
		at += strings.Index(tag[at:], `="`) + 2
		at += strings.IndexByte(tag[at:], '"') + 1
	}
	return tag[:at] + ` id="` + id + `"` + tag[at:]
}
