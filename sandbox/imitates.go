package sandbox

import (
	"strings"

	"github.com/figs-web/figs-web/sandbox/report"
)

// imitations are words of the pages around an attachment, in lower case. A file that uses them may be taken for one of them.
var imitations = []string{
	"approved by", "verified by", "signed off by", "you approved", "has approved this", "can approve now", "receipt verified",
	"● verified", "✓ verified", "✔ verified", "✅ verified", "● approved", "✓ approved", "✔ approved", "✅ approved",
	"nothing had to be taken out", "nothing was taken out", "nothing was removed", "no hidden text", "all text is visible",
	"attachments viewed", "figs inspector", "figs-web", "request changes",
}

// imitates notes that a file speaks like the page around it.
func (p *page) imitates() {
	text := p.text
	if k := p.result.Kind; k == report.HTML || k == report.SVG {
		text = withoutTags(text)
	}
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	for _, words := range imitations {
		if strings.Contains(text, words) {
			p.notice(report.TalksOfApproval, "This file talks about approvals. Only the page around it can approve.")
			return
		}
	}
}

// withoutTags is the text of markup, roughly: it serves to look for words.
func withoutTags(s string) string {
	var b strings.Builder
	for s != "" {
		at := strings.IndexByte(s, '<')
		if at < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:at])
		end := strings.IndexByte(s[at:], '>')
		if end < 0 {
			break
		}
		if tag := s[at : at+end]; !strings.HasPrefix(tag, "<b") && !strings.HasPrefix(tag, "</") && !strings.HasPrefix(tag, "<span") {
			b.WriteByte(' ')
		}
		s = s[at+end+1:]
	}
	return b.String()
}
