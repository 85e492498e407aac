// Package sandbox turns an attachment, which an agent wrote and nobody checked, into a document that
// a person can look at: no script, nothing loaded, nothing that leads away or imitates the page
// around it, and a report of everything that was taken out or cannot be seen.
//
// It is pure: no clock, no file, no network. The same bytes, name, view and limits give the same
// document natively and as WebAssembly. The document belongs in a frame with an empty sandbox
// attribute; it carries its own policy as well, for when it is opened elsewhere.
package sandbox

import (
	"crypto/sha256"
	"encoding/hex"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox/internal/markdown"
	"github.com/figs-web/figs-web/sandbox/internal/style"
	"github.com/figs-web/figs-web/sandbox/report"
)

// Version names the pipeline. It changes whenever the same bytes would give another document.
const Version = "6"

// Attachment is a file that an agent attached, under the name that it gave.
type Attachment struct {
	Name    string
	Content []byte
}

// Render makes one view of an attachment (§7). It never fails: what cannot be shown as asked is
// shown as its source, with a notice that says why. It keeps no reference to content.
func Render(name string, content []byte, view report.View, limits report.Limits) *report.Result {
	p := newPage(name, content, view, limits)
	p.look()
	p.finish()
	return p.result
}

// page is one rendering under way.
type page struct {
	result  *report.Result
	limits  report.Limits
	content []byte // the attachment's bytes, as they are
	text    string // the same as UTF-8 without byte order mark and NUL; empty for binary content
	binary  bool
	tally   tally
	finds   finds // what a person and a machine do not both read
	marks   map[*html.Node]mark

	imitated bool // an element looks like a button or a badge of the pages around it

	parsed struct { // once
		doc      *html.Node
		notice   *report.Notice
		markdown *markdown.Result
	}
	inlined  map[string]style.Result // style attributes
	filtered struct {
		doc   *html.Node
		sheet style.Result
	}
}

func newPage(name string, content []byte, view report.View, limits report.Limits) *page {
	sum := sha256.Sum256(content)
	switch view {
	case report.Rendered, report.Source, report.Text, report.HiddenTextView:
	default:
		view = report.Rendered
	}
	return &page{
		limits:  limits,
		content: content,
		result: &report.Result{
			Sanitizer: Version, Limits: limits, Name: name, Ext: extOf(name), Size: int64(len(content)),
			SHA256: hex.EncodeToString(sum[:]), Kind: KindOf(name, content), Asked: view, View: view,
		},
	}
}

// look chooses how the attachment is shown and shows it.
func (p *page) look() {
	r := p.result
	p.facts()
	switch {
	case r.Kind == report.Download:
		p.downloadOnly()
		if len(p.content) > 0 && len(p.content) <= p.limits.Input {
			p.judge()
		}
	case len(p.content) == 0:
		p.notice(report.Empty, "This file is empty.")
		p.sentence("This file is empty.")
	case len(p.content) > p.limits.Input:
		p.notice(report.TooLarge, "This file is larger than the display limit ("+size(p.limits.Input)+"). You can download it.")
		p.sentence("This file is too large to show. You can download it.")
	case r.Kind == report.Image:
		p.judge()
		if r.View == report.HiddenTextView {
			p.lens()
		} else {
			p.picture()
		}
	default:
		p.readable()
	}
}

// readable shows what ought to be text.
func (p *page) readable() {
	p.decode()
	p.judge()
	r := p.result
	switch {
	case r.View == report.HiddenTextView:
		p.lens()
	case p.binary:
		p.source()
	default:
		p.byKind()
	}
}

// byKind shows text as its kind asks. Also for its source what the rendered view would lose is
// counted: the page says the same above every view.
func (p *page) byKind() {
	switch p.result.Kind {
	case report.HTML:
		p.markup()
	case report.Markdown:
		p.markdown()
	case report.JSON:
		p.json()
	case report.SVG:
		p.svg()
	default:
		p.plain()
	}
}

// fallback shows the source instead of what was asked for, and says why.
func (p *page) fallback(n report.Notice) {
	if p.result.View != report.Source {
		p.result.Notices = append(p.result.Notices, n)
	}
	p.source()
}

func (p *page) notice(code report.Code, text string) {
	p.result.Notices = append(p.result.Notices, report.Notice{Code: code, Text: text})
}
