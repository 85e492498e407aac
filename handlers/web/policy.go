package web

import (
	"strings"

	"github.com/figs-web/figs-web/handlers/viewer"
)

// PagePolicy is the policy of pages without scripts and frames: rules, errors.
const PagePolicy = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// AppPolicy is the policy of pages that show attachments: they frame the viewer and nothing
// else, because without frame-src a frame without rights could still lead itself elsewhere.
func AppPolicy(viewer string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src " + viewer +
		"; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types figs"
}

// measuringPolicy is that of the hidden frames in which a page measures what of a document is drawn: the page may look
// into them, and no script runs there either.
func measuringPolicy(ancestors string) string {
	return viewer.FramePolicy(ancestors) + " allow-same-origin"
}

// AppFeatures leaves the pages one thing: the buttons that copy.
var AppFeatures = strings.Replace(viewer.Features, "clipboard-write=()", "clipboard-write=(self)", 1)
