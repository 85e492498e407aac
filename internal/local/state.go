package local

import (
	"context"
	"io/fs"
	"slices"
	"time"

	"github.com/figs-web/figs-web/figs/folder"
)

// state is what tells from outside whether folders changed.
type state []fileState

type fileState struct {
	path     string
	size     int64
	modified time.Time
}

// look notes every file of the protocol and every attachment, and lists the folders again.
func (l *Folders) look() state {
	var now state
	for i := range l.agents {
		a := &l.agents[i]
		if !a.Contents.Alone {
			a.Contents = folder.Look(l.fsys, a.Contents.Dir)
		}
		for _, f := range a.Contents.Files {
			s := fileState{path: f.Path, size: f.Size}
			if info, err := fs.Stat(l.fsys, f.Path); err == nil {
				s.size, s.modified = info.Size(), info.ModTime()
			}
			now = append(now, s)
		}
		for _, f := range a.Contents.Artifacts {
			now = append(now, fileState{path: a.artifacts() + "/" + f.Name, size: f.Size})
		}
	}
	return now
}

// lookAgain is how long a look at the folders is good for.
const lookAgain = time.Second

// refresh reads the folders again when they changed since.
func (l *Folders) refresh(ctx context.Context) error {
	begun := l.options.Now()
	if begun.Sub(l.checked) < lookAgain {
		return nil
	}
	now := l.look()
	l.checked = begun
	if slices.Equal(now, l.state) {
		return nil
	}
	return l.read(ctx)
}
