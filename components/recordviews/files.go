package recordviews

import (
	"context"

	"github.com/figs-web/figs-web/components/i18n"
	"github.com/figs-web/figs-web/components/ui"
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// WhyAbsent says why a file cannot be shown.
func WhyAbsent(ctx context.Context, site ui.Site, f *journal.File) string {
	if ui.Served && f.Erased != nil {
		return i18n.Say(ctx, "erased")
	}
	if ui.Served && site.Shell != nil {
		return i18n.Say(ctx, "not uploaded yet")
	}
	return i18n.Say(ctx, "not in this copy")
}

func ClassWord(ctx context.Context, class figs.AttachmentClass) string {
	switch class {
	case figs.Rendered:
		return i18n.Say(ctx, "can be shown")
	case figs.DownloadOnly:
		return i18n.Say(ctx, "download only")
	}
	return i18n.Say(ctx, "unsupported type, download only")
}
