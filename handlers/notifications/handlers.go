package notifications

import "github.com/figs-web/figs-web/handlers/hosted"

// Handlers answers requests about notifications.
type Handlers struct{ *hosted.Host }

// New returns the handlers of a host.
func New(host *hosted.Host) Handlers { return Handlers{host} }
