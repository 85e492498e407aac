package sandbox

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/internal/hidden"
	"github.com/figs-web/figs-web/sandbox/report"
)

// imitations are words of the pages around an attachment, in lower case. A file that uses them may be taken for one of them.
var imitations = []string{
	"approved by", "verified by", "signed off by", "signed and verified", "you approved", "you already approved", "you approve this",
	"has approved this", "can approve now", "receipt verified", "reply is confirmed", "reported as approved",
	"● verified", "✓ verified", "✔ verified", "✅ verified", "● approved", "✓ approved", "✔ approved", "✅ approved",
	"shown unchanged.", "no hidden text", "all text is visible", "all its text can be seen", "nothing in this file is hidden", "nothing is hidden",
	"nothing had to be taken out", "nothing was taken out", "nothing was removed",
	"attachments viewed", "counts toward your approval", "counts as viewing it", "i have read it to the end",
	"decision waits for you", "nothing needs you", "sign-off is closed", "has to carry it out and close the ask",
	"unverändert gezeigt.", "kein verborgener text", "keinen verborgenen text", "zählt für ihre freigabe", "sie haben dies freigegeben", "bis zum ende gelesen",
	"figs inspector", "figs-web", "request changes",
}

// imitates notes that a file speaks like the page around it, or has parts that look like the page's.
func (p *page) imitates() {
	text := p.text
	if k := p.result.Kind; k == report.HTML || k == report.SVG {
		text = withoutTags(text)
	}
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	found := p.imitated
	for _, words := range imitations {
		found = found || strings.Contains(text, words)
	}
	if found {
		p.notice(report.TalksOfApproval, "This file talks about approvals. Only the page around it can approve.")
	}
}

// labels are the words of the page's buttons and badges, and what a person takes for them, in English and German. A number
// of steps, "now" or "all" may follow a verb.
var labels = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:confirm: |bestätigen: )?(?:approve|sign|sign off|confirm|accept|freigeben|genehmigen|bestätigen|unterschreiben)` +
		`(?: (?:now|all|it|this|jetzt|alle|(?:all )?\d+ (?:steps?|schritte?)))?` +
		`|(?:jetzt|alle|\d+ schritte?) (?:freigeben|genehmigen|bestätigen|unterschreiben)` +
		`|decline|reject|request changes|undo|ablehnen|änderungen (?:anfordern|verlangen|erbitten)|rückgängig(?: machen)?` +
		`|verified|approved|signed|signed off|confirmed|verifiziert|geprüft|bestätigt|freigegeben|genehmigt|unterschrieben)$`)
})

// longestLabel is how many bytes the text of a button or a badge takes at most, white space included.
const longestLabel = 120

// looksLikeOurs reports whether an element looks like a button or a badge of the pages around: a box of its own with round
// corners and one of their labels in it. Links and buttons need no box.
func looksLikeOurs(n *html.Node, looks hidden.Looks) bool {
	switch {
	case n.Data == "button" || n.Data == "a" && hasAttr(n, "href"):
	case len(looks) == 0 || !looks[0].Boxed || !looks[0].Rounded:
		return false
	}
	var text strings.Builder
	if !gatherLabel(n, &text) {
		return false
	}
	label := strings.TrimFunc(strings.Join(strings.Fields(text.String()), " "), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return labels().MatchString(strings.ToLower(label))
}

// gatherLabel writes the text inside an element, unless it is longer than any label.
func gatherLabel(n *html.Node, to *strings.Builder) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			to.WriteString(c.Data[:min(len(c.Data), longestLabel+1)])
		}
		if to.Len() > longestLabel || c.Type == html.ElementNode && !gatherLabel(c, to) {
			return false
		}
	}
	return true
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
