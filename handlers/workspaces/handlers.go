package workspaces

import "github.com/figs-web/figs-web/handlers/hosted"

// Handlers answers requests about settings of workspaces.
type Handlers struct{ *hosted.Host }

// New returns those of x.
func New(x *hosted.Host) Handlers { return Handlers{x} }
