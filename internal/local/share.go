package local

import (
	"io/fs"

	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/journal"
)

// FolderOf is the folder of the agent with that key, listed anew, and the file system that it lies in; or
// journal.ErrNotFound.
func (l *Folders) FolderOf(agent string) (fs.FS, *folder.Contents, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	n := numberOf(agent)
	if n < 0 || n >= len(l.agents) {
		return nil, nil, journal.ErrNotFound
	}
	c := l.agents[n].Contents
	if c.Alone {
		return l.fsys, c, nil
	}
	return l.fsys, folder.List(l.fsys, c.Dir), nil
}
