package sandbox

import (
	"strings"

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
		p.settle(c, first)
	}
}

// settle passes the cleaned markup through the last gate and reads it again, until nothing changes
// any more: what the frame's parser makes of the document is then what was checked. Frames without a server are always in
// standards mode (see Srcdoc), so every document is: one verdict on the same bytes.
func (p *page) settle(c *cleaner, markup string) {
	for range rounds {
		gated, ok := p.gated(markup)
		if !ok {
			p.fallback(p.outputTooLarge())
			return
		}
		doc, notice := p.parse(standards + gated)
		if notice != nil {
			p.fallback(*notice)
			return
		}
		if markup, ok = c.pass(doc); ok && markup == gated {
			p.settled(c, gated)
			return
		}
	}
	p.fallback(report.Notice{Code: report.TooComplex, Text: "This report changes each time it is parsed. Its source is shown instead."})
}

func (p *page) settled(c *cleaner, markup string) {
	ours := looks
	if c.styled() {
		ours = ""
	}
	markup, headings, more := outline(markup)
	if !p.document(markup, ours, retarget(c.css)) {
		p.fallback(p.outputTooLarge())
		return
	}
	p.result.Headings, p.result.More.Headings = headings, more
}

// gated passes markup through the last gate.
func (p *page) gated(markup string) (string, bool) {
	w := p.writer()
	if err := gate().SanitizeReaderToWriter(strings.NewReader(markup), w); err != nil || w.full {
		return "", false
	}
	return string(w.buf), true
}
