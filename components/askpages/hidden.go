package askpages

import (
	"context"
	"errors"

	"github.com/a-h/templ"

	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/components/viewer"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/sandbox/report"
)

// HiddenTextView looks through attachments that are here.
func HiddenTextView(ctx context.Context, l *viewer.HiddenTextReport, site ui.Site, agent string, files []journal.File) {
	for i := range files {
		f := &files[i]
		if !f.Present() || ctx.Err() != nil {
			continue
		}
		v, err := site.Attached.View(ctx, agent, f, report.HiddenTextView)
		switch {
		case errors.Is(err, journal.ErrNotFound):
		case err != nil:
			l.Missed++
		default:
			l.Readings = append(l.Readings, viewer.FileReading{Key: f.Key, Reading: viewer.ReadingOf(v.Result)})
		}
	}
}

// lensShow is the address of an attachment of a page under the lens.
func lensShow(site ui.Site, path, key string) templ.SafeURL {
	return site.WithList(site.Links.To(path + "?show=" + key + "&view=" + string(report.HiddenTextView)))
}

// hiders are the readings in which something is hidden.
func hiders(l *viewer.HiddenTextReport) []viewer.FileReading {
	var list []viewer.FileReading
	for _, x := range l.Readings {
		if n, _ := x.Reading.Hidden(); n > 0 {
			list = append(list, x)
		}
	}
	return list
}

// askLensed looks through the attachments of an ask, where a server does.
func askLensed(ctx context.Context, site ui.Site, v *viewer.View) *viewer.HiddenTextReport {
	l := &viewer.HiddenTextReport{}
	if ui.Served && site.Attached != nil {
		HiddenTextView(ctx, l, site, v.Agent, v.Files[:min(len(v.Files), 20)])
	}
	return l
}
