package handlers

import (
	"net/http"
	"strings"
)

// pagePolicy is the policy of pages without scripts and frames: rules, errors.
const pagePolicy = "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// appPolicy is the policy of pages that show attachments: they frame the viewer and nothing
// else, because without frame-src a frame without rights could still lead itself elsewhere.
func appPolicy(viewer string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src " + viewer +
		"; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types figs"
}

// framePolicy is the policy of an attachment's document, whoever asks for it.
func framePolicy(ancestors string) string {
	return "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors " + ancestors + "; sandbox"
}

// measuringPolicy is that of the hidden frames in which a page measures what of a document is drawn: the page may look
// into them, and no script runs there either.
func measuringPolicy(ancestors string) string { return framePolicy(ancestors) + " allow-same-origin" }

// features are all that Chromium lets a document ask for; none of it is needed here.
var features = strings.Join(strings.Fields(`
	accelerometer aria-notify autoplay browsing-topics camera captured-surface-control clipboard-read
	clipboard-write compute-pressure cross-origin-isolated deferred-fetch deferred-fetch-minimal
	digital-credentials-create digital-credentials-get display-capture encrypted-media fullscreen
	gamepad geolocation gyroscope hid identity-credentials-get idle-detection interest-cohort
	keyboard-map language-detector language-model local-fonts local-network local-network-access
	loopback-network magnetometer media-playback-while-not-visible microphone midi
	on-device-speech-recognition otp-credentials payment picture-in-picture
	private-state-token-issuance private-state-token-redemption publickey-credentials-create
	publickey-credentials-get screen-wake-lock serial speaker-selection storage-access summarizer
	sync-xhr translator unload usb window-management xr-spatial-tracking
`), "=(), ") + "=()"

// appFeatures leaves the pages one thing: the buttons that copy.
var appFeatures = strings.Replace(features, "clipboard-write=()", "clipboard-write=(self)", 1)

// privately keeps an answer out of caches, other origins and the hands of other windows.
func privately(h http.Header) {
	h.Set("Cache-Control", "private, no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-DNS-Prefetch-Control", "off")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", features)
}
