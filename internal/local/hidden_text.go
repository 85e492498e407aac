package local

import (
	"context"
	"io"
	"io/fs"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// Open opens one of an agent's own files, as it is now. The error is fs.ErrNotExist when the agent has none of
// that name, and journal.ErrNotFound when there is no such agent.
func (l *Folders) Open(_ context.Context, agent string, file figs.File) (io.ReadCloser, error) {
	no := numberOf(agent)
	l.mutex.Lock()
	if no < 0 || no >= len(l.agents) {
		l.mutex.Unlock()
		return nil, journal.ErrNotFound
	}
	name := ""
	for _, f := range l.agents[no].Contents.Files {
		if f.Kind == file {
			name = f.Path
		}
	}
	l.mutex.Unlock()
	if name == "" {
		return nil, fs.ErrNotExist
	}
	return l.fsys.Open(name)
}
