package sandbox

import (
	"github.com/figs-web/figs-web/sandbox/internal/jsonview"
	"github.com/figs-web/figs-web/sandbox/report"
)

// markdown shows a markdown text: rendered by its own rules, then through the pipeline of HTML.
func (p *page) markdown() {
	if r := p.markdowned(); r.Notice != nil {
		p.fallback(*r.Notice)
		return
	}
	p.markup()
}

// quoted is the element in which package markdown puts the raw HTML of a text, as text.
const quoted = "figs-raw"

// raw tallies what the raw HTML of a markdown text would have done. It is shown as text, so that
// nothing of it is unseen.
func (p *page) raw(src string) {
	if src == "" {
		return
	}
	if doc, notice := p.parse(src); notice == nil {
		c := newCleaner(p)
		c.words, c.out = nil, p.writer()
		walk(doc, c.enter, c.leave)
	}
}

// json shows JSON as a tree of its own bytes.
func (p *page) json() {
	body, notices := jsonview.Body([]byte(p.text), p.limits)
	switch {
	case p.result.View == report.Source:
		p.source()
	case body == nil:
		p.result.Notices = append(p.result.Notices, notices...)
		p.source()
	case p.result.View == report.Text:
		p.plain()
	default:
		p.result.Notices = append(p.result.Notices, notices...)
		if !p.own("f-own f-tree", string(body), jsonview.CSS) {
			p.fallback(p.outputTooLarge())
		}
	}
}
