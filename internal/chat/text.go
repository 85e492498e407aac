package chat

import (
	"html"
	"net/url"
	"strings"
	"unicode"
)

// breaker is a zero width space. It is not shown, and no service continues a mention, a link or a command across it.
const breaker = '\u200b'

// inert is text on one line that no service reads as a mention, a link, a command or an emoji: each character with which
// one could begin or go on is kept from what follows by a breaker. Control and format characters are left out.
func inert(s string) string {
	var b strings.Builder
	space, broken := false, false // whether a space, or else a breaker, goes before the next character
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case unicode.IsSpace(r):
			space = true
			continue
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			continue
		case space && b.Len() > 0:
			b.WriteByte(' ')
		case broken:
			b.WriteRune(breaker)
		}
		b.WriteRune(r)
		space, broken = false, strings.ContainsRune("@#!~$/:.<]+&\uff20\u3002\uff0e\uff61\u2024\ufe52", r)
	}
	return b.String()
}

// cut shortens s to n characters.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

var (
	slackText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	// markdown escapes what Discord and Mattermost read as formatting.
	markdown = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "{", `\{`, "}", `\}`, "[", `\[`, "]", `\]`, "(", `\(`, ")", `\)`,
		"#", `\#`, "+", `\+`, "-", `\-`, "!", `\!`, ">", `\>`, "~", `\~`, "|", `\|`)
)

// markdownText is inert text for Discord and Mattermost.
func markdownText(s string) string { return markdown.Replace(inert(s)) }

// htmlText is inert text for Telegram, Matrix and Google Chat.
func htmlText(s string) string { return html.EscapeString(inert(s)) }

// plainLines is a message as inert lines, with the link last.
func plainLines(m *Message) []string {
	lines := []string{inert(m.Headline)}
	if m.Title != "" {
		lines = append(lines, inert(m.Title))
	}
	for _, x := range m.Items {
		lines = append(lines, "• "+inert(x.Text)+" "+x.Link)
	}
	for _, s := range append(moreLines(m), factLines(m)...) {
		lines = append(lines, inert(s))
	}
	return append(lines, m.Link)
}

// moreLines is how many other asks there are, as a line.
func moreLines(m *Message) []string {
	if m.More == "" {
		return nil
	}
	return []string{m.More}
}

// factLines are the facts and the workspace, each as one line.
func factLines(m *Message) []string {
	var lines []string
	for _, f := range m.Facts {
		lines = append(lines, f.Name+": "+f.Value)
	}
	if m.Workspace != "" {
		lines = append(lines, m.Workspace)
	}
	return lines
}

// withQuery sets a parameter of a URL that Check has accepted.
func withQuery(target, name, value string) string {
	u, err := url.Parse(target)
	if err != nil {
		return target
	}
	q := u.Query()
	q.Set(name, value)
	u.RawQuery = q.Encode()
	return u.String()
}
