package viewer

import (
	"net/http"
	"strings"

	"github.com/figs-web/figs-web/sandbox"
)

// FramePolicy is the policy of an attachment's document, whoever asks for it.
func FramePolicy(ancestors string) string {
	return sandbox.Policy + "; frame-ancestors " + ancestors + "; sandbox"
}

// Features are all that Chromium lets a document ask for; none of it is needed here.
var Features = strings.Join(strings.Fields(`
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

// Privately keeps an answer out of caches, other origins and the hands of other windows.
func Privately(h http.Header) {
	h.Set("Cache-Control", "private, no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-DNS-Prefetch-Control", "off")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", Features)
}
