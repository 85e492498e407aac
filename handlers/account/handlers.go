package account

import "github.com/figs-web/figs-web/handlers/hosted"

// Handlers answers requests about accounts.
type Handlers struct{ *hosted.Host }

// New returns those of x.
func New(x *hosted.Host) Handlers { return Handlers{x} }
