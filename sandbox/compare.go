package sandbox

import (
	"bytes"

	"github.com/figs-web/figs-web/sandbox/internal/compare"
	"github.com/figs-web/figs-web/sandbox/internal/jsonview"
	"github.com/figs-web/figs-web/sandbox/report"
)

// Compare says what changed between two attachments, or two versions of one: by lines, JSON by its
// values, html by its plain text. Pictures stand beside each other in the page; of download-only
// types only facts are compared. Like Render it never fails.
func Compare(before, after Attachment, limits report.Limits) *report.Comparison {
	b, a := aside(before, limits), aside(after, limits)
	c := &report.Comparison{
		Sanitizer: Version, Limits: limits, Before: side(b), After: side(a),
		Same: bytes.Equal(before.Content, after.Content), Way: way(b.result.Kind, a.result.Kind),
	}
	if (c.Way == report.DiffStructure || c.Way == report.DiffLines) && (b.binary || a.binary) {
		c.Way = report.DiffFacts
		c.Notices = append(c.Notices, report.Notice{Code: report.Binary, Text: "At least one of these files is not text, so only their facts are compared."})
	}
	switch c.Way {
	case report.DiffStructure:
		byValues(c, b, a)
	case report.DiffLines:
		byLines(c, b, a, nil)
	}
	return c
}

// aside reads an attachment that is compared.
func aside(x Attachment, limits report.Limits) *page {
	p := newPage(x.Name, x.Content, report.Text, limits)
	p.facts()
	if kind := p.result.Kind; kind != report.Download && kind != report.Image && len(x.Content) <= limits.Input {
		p.decode()
	}
	return p
}

func side(p *page) report.Side {
	r := p.result
	return report.Side{Name: r.Name, Size: r.Size, SHA256: r.SHA256, Kind: r.Kind, Facts: r.Facts}
}

// way returns how two kinds are compared.
func way(before, after report.Kind) report.DiffMode {
	shown := func(k report.Kind) bool { return k == report.Image || k == report.SVG }
	switch {
	case before == report.Download || after == report.Download:
		return report.DiffFacts
	case shown(before) && shown(after):
		return report.DiffPictures
	case shown(before) || shown(after):
		return report.DiffFacts
	case before == report.JSON && after == report.JSON:
		return report.DiffStructure
	}
	return report.DiffLines
}

// byValues compares two JSON texts by what they say, or by their lines when one of them is broken.
func byValues(c *report.Comparison, before, after *page) {
	d, ok := compare.Values([]byte(before.text), []byte(after.text), c.Limits)
	if !ok {
		c.Way = report.DiffLines
		byLines(c, before, after, d.Notices)
		return
	}
	finish(c, before, d, jsonview.CSS+compare.CSS)
}

// byLines compares two texts; of html what a machine reads of it, hidden words too.
func byLines(c *report.Comparison, before, after *page, notices []report.Notice) {
	d := compare.Lines(before.reading(), after.reading(), c.Limits)
	d.Notices = append(notices, d.Notices...)
	finish(c, before, d, compare.CSS)
}

// reading returns the text that is compared: of html its words, of everything else its bytes.
func (p *page) reading() []byte {
	if p.result.Kind != report.HTML {
		return []byte(p.text)
	}
	p.readMarkup()
	doc, notice := p.tree()
	if notice != nil {
		return []byte(p.text)
	}
	c := newCleaner(p)
	c.sheets(doc)
	c.out, c.words.raw = &writer{}, true
	walk(doc, c.enter, c.leave)
	return c.words.marked
}

// finish puts a difference into its document.
func finish(c *report.Comparison, p *page, d compare.Diff, css string) {
	c.Added, c.Deleted, c.Changed, c.Notices = d.Added, d.Deleted, d.Changed, append(c.Notices, d.Notices...)
	if d.HTML == nil {
		return
	}
	p.result.Document = nil
	if !p.own("f-own f-compare", string(d.HTML), css) {
		c.Notices = append(c.Notices, report.Notice{Code: report.OutputTooLarge, Text: "The differences between these files are too large to show."})
		return
	}
	c.Document = p.result.Document
}
