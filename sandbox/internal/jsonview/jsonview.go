// Package jsonview shows JSON as its author wrote it: numbers, escapes and the order of keys
// stay, nothing is repaired, and what readers would disagree on (a key named twice) is marked.
//
// The view is a tree that folds without scripts; its text is the JSON. A text with too many
// values for a tree is shown indented, and one that would grow too much is not shown this way.
// A decoder of the standard library would take the last of two equal keys, replace half
// surrogates and round numbers, all in silence: a reviewer must see them.
package jsonview

import (
	_ "embed"
	"strconv"

	"github.com/figs-web/figs-web/sandbox/report"
)

// CSS is the style of the view, and of the values in a comparison.
//
//go:embed jsonview.css
var CSS string

// smallest is what a pretty view may have in bytes, however small the text is.
const smallest = 64 << 10

// Body returns the view of a JSON text as trusted HTML, or nil and why there is none.
func Body(src []byte, l report.Limits) ([]byte, []report.Notice) {
	doc, fault := Parse(src, l.JSONDepth, l.Elements)
	if fault != nil {
		fault.Text += " It is shown as plain text."
		return nil, []report.Notice{*fault}
	}
	var notices []report.Notice
	if doc.Twice > 0 {
		notices = append(notices, twice(doc))
	}
	if doc.Pretty > max(smallest, l.JSONGrowth*len(src)) {
		return nil, append(notices, report.Notice{Code: report.OutputTooLarge,
			Text: "Indented, this JSON would be more than " + strconv.Itoa(l.JSONGrowth) + " times as large. It is shown as plain text."})
	}
	room := l.Output - l.Output/8 // the rest is for the document around it
	if doc.Whole {
		if html, ok := Tree(nil, doc, room); ok {
			return html, notices
		}
	}
	html, ok := pretty(src, l.JSONDepth, room)
	if !ok {
		return nil, append(notices, report.Notice{Code: report.OutputTooLarge, Text: "This JSON is too large to show as a tree. It is shown as plain text."})
	}
	return html, append(notices, report.Notice{Code: report.TooManyElements,
		Text: "This JSON has too many values for a collapsible tree. It is shown as indented text."})
}

func twice(doc *Doc) report.Notice {
	n := report.Notice{Code: report.DuplicateKey, At: int64(doc.Again), Text: "An object has the same key twice: some parsers use the first value, others the last. The second is marked."}
	if doc.Twice > 1 {
		n.Text = "Objects repeat a key in " + strconv.Itoa(doc.Twice) + " places: some parsers use the first value, others the last. The later ones are marked."
	}
	return n
}
