package input

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/figs-web/figs-web/internal/cli/cmd"
	"github.com/figs-web/figs-web/internal/fswatch"
)

const (
	quiet    = 150 * time.Millisecond // without a change before a look, so that a burst is read once
	burst    = time.Second            // and how long a burst may put a look off
	lookPart = 4                      // a look waits this many times what the last one took
	relook   = 5 * time.Second        // between looks for what the system doesn't tell, such as new folders deep down
	poll     = time.Second            // the same where the system tells nothing
	mostSeen = 2000                   // attachments of an agent whose time is compared; of more, names and sizes
)

// Follower reads a folder repeatedly while an agent writes to it. It opens the folder by name each time, so that it notices
// a replaced folder or a changed link.
type Follower struct {
	app   cmd.App
	name  string
	kinds bool

	watcher  *fswatch.Watcher
	complete bool
	state    []fileState
	took     time.Duration
	looked   time.Time
}

type fileState struct {
	path     string
	size     int64
	modified time.Time
}

// Follow follows what name leads to: .figs folders, and with kinds the others that agents write, too.
func Follow(a *cmd.App, name string, kinds bool) *Follower {
	f := &Follower{app: *a, name: name, kinds: kinds, watcher: fswatch.New()}
	f.app.Bar = false // it would be drawn with every look
	return f
}

// Close ends the following.
func (f *Follower) Close() { f.watcher.Close() }

// Look opens the folder. changed reports whether anything in it differs from the last look. The caller closes the source.
func (f *Follower) Look() (s *Source, changed bool, err error) {
	begun := time.Now()
	defer func() { f.looked, f.took = time.Now(), time.Since(begun) }()
	open := Open
	if f.kinds {
		open = OpenAny
	}
	if s, err = open(&f.app, f.name); err != nil {
		f.watch(nil)
		changed, f.state = f.state != nil, nil
		return nil, changed, err
	}
	f.watch(s)
	state := s.state()
	changed, f.state = !slices.Equal(state, f.state), state
	return s, changed, nil
}

// Wait waits for a reason to look again: something changed, or due has passed, or some seconds have. 0 is no due time. The
// error is the context's.
func (f *Follower) Wait(due time.Duration) error {
	pause := max(relook, 50*f.took)
	if !f.complete {
		pause = max(poll, lookPart*f.took)
	}
	if due > 0 {
		pause = min(pause, due)
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	done := f.app.Ctx.Done()
	select {
	case <-done:
	case <-timer.C:
	case <-f.watcher.Changed:
		f.watcher.Settle(done, quiet, burst)
		select { // a folder that takes long to read is not read all the time
		case <-time.After(lookPart*f.took - time.Since(f.looked)):
		case <-done:
		}
	}
	return f.app.Ctx.Err()
}

// Pause waits a moment, to see whether what is missing comes back.
func (f *Follower) Pause() error {
	f.watcher.Settle(f.app.Ctx.Done(), 2*quiet, burst)
	return f.app.Ctx.Err()
}

// watch watches the folders of a source and those above it; without one, what the name would be in.
func (f *Follower) watch(s *Source) {
	absolute, err := filepath.Abs(f.name)
	if err != nil {
		f.complete = false
		return
	}
	folders := map[string]string{filepath.Dir(absolute): filepath.Base(absolute)}
	if s == nil {
		f.complete = f.watcher.Watch(folders)
		return
	}
	if len(s.Agents) > 0 && s.Agents[0].Alone {
		f.complete = f.watcher.Watch(folders)
		return
	}
	inside, err := filepath.EvalSymlinks(absolute) // a link that was named is followed, as when it is opened
	if err != nil {
		inside = absolute
	}
	add := func(dir string) {
		for ; dir != "."; dir = path.Dir(dir) {
			folders[filepath.Join(inside, filepath.FromSlash(dir))] = ""
		}
		folders[inside] = ""
	}
	for _, a := range s.Agents {
		add(a.Dir)
		add(path.Join(a.Dir, "artifacts"))
	}
	for _, p := range s.Places {
		add(p.Path)
		for _, name := range s.Files {
			if within(name, p.Path) {
				add(path.Dir(name))
			}
		}
	}
	f.complete = f.watcher.Watch(folders)
}

func within(name, dir string) bool { return dir == "." || strings.HasPrefix(name, dir+"/") }

// state is what tells from outside whether a source changed.
func (s *Source) state() (all []fileState) {
	dated := func(name string, size int64) {
		f := fileState{path: name, size: size}
		if info, err := fs.Stat(s.FS, name); err == nil {
			f.size, f.modified = info.Size(), info.ModTime()
		}
		all = append(all, f)
	}
	for _, a := range s.Agents {
		all = append(all, fileState{path: a.Dir})
		for _, f := range a.Files {
			dated(f.Path, f.Size)
		}
		for i, f := range a.Artifacts {
			name := path.Join(a.Dir, "artifacts", f.Name)
			if i < mostSeen {
				dated(name, f.Size)
			} else {
				all = append(all, fileState{path: name, size: f.Size})
			}
		}
	}
	for _, p := range s.Places {
		for i, name := range s.Files {
			if i < mostSeen && within(name, p.Path) {
				dated(name, 0)
			}
		}
	}
	return all
}
