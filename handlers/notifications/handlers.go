package notifications

import "github.com/figs-web/figs-web/handlers/hosted"

// Handlers answers requests about notifications.
type Handlers struct{ *hosted.Host }

// New returns those of x.
func New(x *hosted.Host) Handlers { return Handlers{x} }
