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

// mostDated is of how many attachments of an agent a look asks when they were written; of more it
// compares names and sizes alone.
const mostDated = 2000

// look notes every file of the protocol and every attachment, and lists the folders again.
func (l *Folders) look() state {
	var now state
	for i := range l.agents {
		a := &l.agents[i]
		if !a.Contents.Alone {
			a.Contents = folder.List(l.fsys, a.Contents.Dir)
		}
		for _, f := range a.Contents.Files {
			now = append(now, l.dated(f.Path, f.Size))
		}
		for n, f := range a.Contents.Artifacts {
			s := fileState{path: a.artifacts() + "/" + f.Name, size: f.Size}
			if n < mostDated {
				s = l.dated(s.path, f.Size)
			}
			now = append(now, s)
		}
	}
	return now
}

func (l *Folders) dated(name string, size int64) fileState {
	s := fileState{path: name, size: size}
	if info, err := fs.Lstat(l.fsys, name); err == nil && info.Mode().IsRegular() {
		s.size, s.modified = info.Size(), info.ModTime()
	} else if info, err := fs.Stat(l.fsys, name); err == nil {
		s.size, s.modified = info.Size(), info.ModTime()
	}
	return s
}

const (
	lookAgain = time.Second     // how long a look at the folders is good for
	findAgain = 5 * time.Second // and one for agents that are new, where it is quick
	cheap     = 50 * time.Millisecond
	dear      = 500 // a slow one is made again after so many times what it took
)

// notice looks at the folders, unless that was done a moment ago, and counts what changed.
func (l *Folders) notice() {
	begun := l.options.Now()
	if passed := begun.Sub(l.checked); passed >= 0 && passed < lookAgain {
		return
	}
	came := l.come(begun)
	now := l.look()
	l.noticeKinds(begun)
	l.checked = begun
	if came || !slices.Equal(now, l.state) {
		l.state, l.changed = now, true
		l.seq++
	}
}

// come adds agents whose folders have come since, behind those that are there: the numbers in
// addresses stay.
func (l *Folders) come(now time.Time) (came bool) {
	if l.options.Find == nil || now.Before(l.found) {
		return false
	}
	begun := time.Now()
	known := map[string]bool{}
	for i := range l.agents {
		known[l.agents[i].Contents.Dir] = true
	}
	for _, a := range l.options.Find() {
		if !known[a.Contents.Dir] {
			l.agents, came = append(l.agents, a), true
		}
	}
	l.kindsCome()
	l.found = now.Add(findAgain)
	if took := time.Since(begun); took > cheap {
		l.found = now.Add(took * dear)
	}
	return came
}

// refresh reads the folders again when they changed since.
func (l *Folders) refresh(ctx context.Context) error {
	l.notice()
	if !l.changed {
		return nil
	}
	return l.read(ctx)
}

// Seq is a number that rises when anything in the folders changes. It looks at them at most once a
// second, however often it is asked.
func (l *Folders) Seq(context.Context, string) (int64, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.notice()
	return l.seq, nil
}
