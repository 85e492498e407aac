package sandbox

import (
	_ "embed"
	"strings"

	"github.com/figs-web/figs-web/sandbox/report"
)

// The sheets: base for every document, looks for a report that brings none of its own, ownSheet for
// the bodies that this package writes.
var (
	//go:embed base.css
	base string
	//go:embed looks.css
	looks string
	//go:embed own.css
	ownSheet string
)

// Policy is the Content-Security-Policy of every document, in it and with it: it shows itself and nothing else, wherever it is opened.
const Policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'"

// head is what every document begins with after its html tag, up to its own style sheets.
const head = `<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="` + Policy + `">` +
	`<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="only light">` +
	`<meta name="referrer" content="no-referrer"><title>Attachment</title>`

// standards begins every document: browsers read and draw it as the standard says.
const standards = "<!doctype html>"

// document wraps markup that begins with a html tag and ends with its end tag. The sheets come in order: ours first, the
// author's, filtered, last.
// It reports whether the document is within its limit.
func (p *page) document(markup string, sheets ...string) bool {
	tag := strings.IndexByte(markup, '>') + 1
	w := p.writer()
	w.add(standards, "\n", markup[:tag], head, "<style>", base, "</style>")
	for _, sheet := range sheets {
		if sheet != "" {
			w.add("<style>", sheet, "</style>")
		}
	}
	w.add("</head>", markup[tag:], "\n")
	if w.full {
		return false
	}
	p.result.Document = w.buf
	return true
}

// own wraps a body of our own, whose class names the look of it.
func (p *page) own(class, body, sheet string) bool {
	return p.document(`<html lang="en"><body class="`+class+`">`+body+`</body></html>`, ownSheet, sheet)
}

// sentence shows one sentence of ours in place of the content.
func (p *page) sentence(text string) {
	p.own("f-own f-sentence", "<p>"+text+"</p>", "")
}

func (p *page) writer() *writer { return &writer{limit: p.limits.Output} }

// room is how many bytes a body may have beside everything else in its document.
func (p *page) room() int {
	return max(0, p.limits.Output-len(base)-len(ownSheet)-len(head)-4096)
}

// outputTooLarge is the notice for a document beyond its limit.
func (p *page) outputTooLarge() report.Notice {
	return report.Notice{Code: report.OutputTooLarge, Text: "After sanitizing, this file would be larger than the display limit (" + size(p.limits.Output) + "). Its source is shown instead."}
}
