package web

import (
	"regexp"

	"github.com/figs-web/figs-web/handlers/viewer"
	"github.com/figs-web/figs-web/sandbox/report"
)

var documentFile = regexp.MustCompile(`^([0-9a-f]{64})\.([a-z0-9]{1,16})$`)

// documentOf reads "{sha256}.{ext}" and the view.
func documentOf(file, view string) (viewer.Document, bool) {
	m := documentFile.FindStringSubmatch(file)
	if m == nil {
		return viewer.Document{}, false
	}
	d := viewer.Document{SHA256: m[1], Ext: m[2], View: report.View(view)}
	switch d.View {
	case "":
		d.View = report.Rendered
	case report.Rendered, report.Source, report.Text, report.HiddenTextView:
	default:
		return viewer.Document{}, false
	}
	return d, true
}
