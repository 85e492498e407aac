package sandbox

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/report"
)

// rounds is how often the markup is read again until reading it changes nothing. Nearly every report
// needs two: one that cleans and one that proves.
const rounds = 6

// markup takes HTML, the author's or made of the author's markdown, through the pipeline, and shows
// the view that was asked for.
func (p *page) markup() {
	doc, notice := p.tree()
	if notice != nil {
		p.fallback(*notice)
		return
	}
	mode := doctype(doc)
	c := newCleaner(p)
	c.sheets(doc)
	first, ok := c.pass(doc)
	words := c.words
	c.conclude()
	p.tally.quiet = true
	switch {
	case p.result.View == report.Source:
		p.source()
	case p.result.View == report.Text && p.result.Kind == report.Markdown:
		p.plain()
	case p.result.View == report.Text:
		p.textDocument(words)
	case !ok:
		p.fallback(p.outputTooLarge())
	default:
		p.settle(c, mode, first)
	}
}

// doctype is how the document must begin so that it is read as the author's file is: with its tables
// inside of paragraphs or after them, and text in tables in its own size or the page's.
func doctype(doc *html.Node) string {
	for n := doc.FirstChild; n != nil; n = n.NextSibling {
		if n.Type == html.DoctypeNode {
			if old(n.Attr) {
				return ""
			}
			return standards
		}
	}
	return ""
}

// old reports whether the names in a doctype ask for the old ways: all public ones do, but for those
// of the last two versions.
func old(names []html.Attribute) bool {
	public, system := "", false
	for _, a := range names {
		switch a.Key {
		case "public":
			public = strings.ToLower(a.Val)
		case "system":
			system = true
		}
	}
	switch {
	case public == "", strings.HasPrefix(public, "-//w3c//dtd xhtml 1."), strings.HasPrefix(public, "-//w3c//dtd html 4.01//"):
		return false
	case strings.HasPrefix(public, "-//w3c//dtd html 4.01 "):
		return !system
	}
	return true
}

// settle passes the cleaned markup through the last gate and reads it again, until nothing changes
// any more: what the frame's parser makes of the document is then what was checked.
func (p *page) settle(c *cleaner, mode, markup string) {
	for range rounds {
		gated, ok := p.gated(markup)
		if !ok {
			p.fallback(p.outputTooLarge())
			return
		}
		doc, notice := p.parse(mode + gated)
		if notice != nil {
			p.fallback(*notice)
			return
		}
		if markup, ok = c.pass(doc); ok && markup == gated {
			p.settled(c, mode, gated)
			return
		}
	}
	p.fallback(report.Notice{Code: report.TooComplex, Text: "This report reads differently each time it is read. Its source is shown instead."})
}

func (p *page) settled(c *cleaner, mode, markup string) {
	ours := looks
	if c.styled() {
		ours = ""
	}
	if !p.document(mode, markup, ours, retarget(c.css)) {
		p.fallback(p.outputTooLarge())
	}
}

// gated passes markup through the last gate.
func (p *page) gated(markup string) (string, bool) {
	w := p.writer()
	if err := gate().SanitizeReaderToWriter(strings.NewReader(markup), w); err != nil || w.full {
		return "", false
	}
	return string(w.buf), true
}
