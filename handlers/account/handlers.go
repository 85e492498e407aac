package account

import "github.com/figs-web/figs-web/handlers/hosted"

// Handlers answers requests about people's accounts.
type Handlers struct{ *hosted.Host }

// New returns the handlers of a host.
func New(host *hosted.Host) Handlers { return Handlers{host} }
