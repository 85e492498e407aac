package decide

import "github.com/figs-web/figs-web/handlers/hosted"

// Handlers answers requests about replies to asks.
type Handlers struct{ *hosted.Host }

// New returns the handlers of a host.
func New(host *hosted.Host) Handlers { return Handlers{host} }
