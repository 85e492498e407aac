package tree

import "github.com/figs-web/figs-web/internal/cli/cmd"

func (c TailCommand) openRemote(a *cmd.App, p *Place) (feeder, error) { return nil, errNoFollow }
