package handlers

import (
	"bytes"

	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

// compareFacts compares two attachments by their hashes, sizes and facts.
func compareFacts(before, after sandbox.Attachment, limits report.Limits) *report.Comparison {
	side := func(a sandbox.Attachment) report.Side {
		r := sandbox.Render(a.Name, a.Content, report.Source, limits)
		return report.Side{Name: a.Name, Size: r.Size, SHA256: r.SHA256, Kind: r.Kind, Facts: r.Facts}
	}
	return &report.Comparison{Sanitizer: sandbox.Version, Limits: limits, Before: side(before), After: side(after), Same: bytes.Equal(before.Content, after.Content), Way: report.Facts}
}
