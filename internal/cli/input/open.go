package input

import (
	"os"

	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/local"
)

// Local opens the folders of a source for pages.
func Local(a *cmd.App, s *Source) (*local.Folders, error) {
	agents := make([]local.Agent, len(s.Agents))
	for i, c := range s.Agents {
		agents[i] = local.Agent{Path: s.Path(c), Contents: c}
	}
	p := a.Progress("Reading " + cmd.Clean(s.Base))
	defer p.Stop()
	o := local.Options{Now: a.Now, Keep: KeepBytes, Progress: func(_ string, done, total int64) { p.Set(done, total) }}
	if s.holdsKinds() {
		o.Name = s.Base
	}
	if root, ok := s.Closer.(*os.Root); ok {
		o.Root = root
		if len(s.Agents) == 0 || !s.Agents[0].Alone {
			o.Find = s.again
		}
	}
	return local.Open(a.Ctx, s.FS, agents, o)
}

// again lists the agents that are there now.
func (s *Source) again() (agents []local.Agent) {
	found, _ := folder.Find(s.FS)
	for _, f := range found {
		c := folder.List(s.FS, f.Dir)
		agents = append(agents, local.Agent{Path: s.Path(c), Contents: c})
	}
	return agents
}
