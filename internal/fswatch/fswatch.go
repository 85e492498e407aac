// Package fswatch reports that something in the watched folders may have changed, without saying what: callers read the
// folders again. If the system can't watch all of them, the watcher reports that, and callers poll.
package fswatch

import (
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Watcher watches some folders, not what is below them. Changed has a value when something happened in one of them
// since the last one was taken.
type Watcher struct {
	Changed chan struct{}

	fs      *fsnotify.Watcher // nil: the system has none to give
	folders map[string]bool
	names   chan map[string]string
}

// New returns a watcher of no folder yet.
func New() *Watcher {
	w := &Watcher{Changed: make(chan struct{}, 1), folders: map[string]bool{}, names: make(chan map[string]string, 1)}
	fs, err := fsnotify.NewWatcher()
	if err != nil {
		return w
	}
	w.fs = fs
	go w.listen()
	return w
}

// Watch watches these folders, and no longer any others; in those with a name, only what has that name. A symbolic link is
// not followed. It reports whether the system tells of all of them.
func (w *Watcher) Watch(folders map[string]string) (complete bool) {
	if w.fs == nil {
		return false
	}
	select {
	case <-w.names: // of a call that listen has not seen
	default:
	}
	w.names <- folders
	for name := range w.folders {
		if _, wanted := folders[name]; !wanted {
			w.fs.Remove(name) // it may be gone already
			delete(w.folders, name)
		}
	}
	complete = true
	for name := range folders {
		// Added again each time: a folder that was replaced by another of its name is no longer watched.
		info, err := os.Lstat(name)
		switch {
		case err != nil: // it is gone, which the folder above tells
		case !info.IsDir() || w.fs.Add(name) != nil:
			complete = false
		default:
			w.folders[name] = true
		}
	}
	return complete
}

// Close ends the watching.
func (w *Watcher) Close() {
	if w.fs != nil {
		w.fs.Close()
	}
}

// listen passes events on, as one for all that have not been taken.
func (w *Watcher) listen() {
	names := map[string]string{}
	for {
		select {
		case names = <-w.names:
		case e, open := <-w.fs.Events:
			if !open {
				return
			}
			if only := names[filepath.Dir(e.Name)]; only != "" && only != filepath.Base(e.Name) {
				continue
			}
			w.tell()
		case _, open := <-w.fs.Errors: // events were lost
			if !open {
				return
			}
			w.tell()
		}
	}
}

func (w *Watcher) tell() {
	select {
	case w.Changed <- struct{}{}:
	default:
	}
}

// Settle waits until nothing has changed for quiet, at most for longest. done ends it early.
func (w *Watcher) Settle(done <-chan struct{}, quiet, longest time.Duration) {
	end := time.NewTimer(longest)
	defer end.Stop()
	for {
		select {
		case <-w.Changed:
		case <-time.After(quiet):
			return
		case <-end.C:
			return
		case <-done:
			return
		}
	}
}
