package local

import (
	"context"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
)

// kinds are the folders of other kinds than .figs, as they were read last.
type kinds struct {
	reading sync.Mutex // one reading at a time; taken before the mutex of Folders, which guards all below

	project *project.Project // nil before the first reading
	places  []project.Location
	watched []string // files and folders that tell a change
	state   state    // of them
	stale   bool     // something has changed since
	due     time.Time
}

const (
	// mostWatched is how many files and folders of other kinds a look asks about: folders and records first.
	mostWatched = 2000
	// rest is how many times what a reading took passes before the next one, where it took long.
	rest = 20
)

// Project is everything of the other kinds in the folder; nil when there is none, or none was to be looked for. It
// is read again when its files have changed. The error is ctx's own.
func (l *Folders) Project(ctx context.Context) (*project.Project, error) {
	if l.options.Name == "" {
		return nil, nil
	}
	l.mutex.Lock()
	l.notice()
	l.mutex.Unlock()
	l.kinds.reading.Lock()
	defer l.kinds.reading.Unlock()
	l.mutex.Lock()
	p, stale := l.kinds.project, l.kinds.stale
	l.mutex.Unlock()
	if p == nil || stale {
		var err error
		if p, err = l.readKinds(ctx); err != nil {
			return nil, err
		}
	}
	if len(p.Roots) == 0 {
		return nil, nil
	}
	return p, nil
}

// readKinds reads them. What is known of the files from before wins over what is known after, so that what is
// written meanwhile is read the next time.
func (l *Folders) readKinds(ctx context.Context) (*project.Project, error) {
	begun := time.Now()
	paths, notes, err := project.Files(ctx, l.fsys)
	if err != nil {
		return nil, err
	}
	wanted := project.NewReader(l.options.Name, paths).Wanted()
	before := map[string]fileState{}
	for _, s := range l.stated(watch(nil, wanted)) {
		before[s.path] = s
	}
	p, err := project.ReadFiles(ctx, l.fsys, l.options.Name, paths, l.now(), l.reads)
	if err != nil {
		return nil, err
	}
	p.Notes = append(p.Notes, notes...)
	watched := watch(p, wanted)
	now := l.stated(watched)
	for i := range now {
		if known, ok := before[now[i].path]; ok {
			now[i] = known
		}
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	k := &l.kinds
	k.project, k.places, k.watched, k.state, k.stale, k.due = p, project.Detect(paths), watched, now, false, l.options.Now()
	if took := time.Since(begun); took > cheap {
		k.due = k.due.Add(took * rest)
	}
	return p, nil
}

// reads tells of a file that is read, the first time.
func (l *Folders) reads(name string) {
	if l.options.Progress != nil {
		l.options.Progress(name, 0, 0)
	}
}

// watch lists what tells a change from outside: the folders, then the records, then what these point at.
func watch(p *project.Project, wanted []string) []string {
	var list []string
	seen := map[string]bool{}
	add := func(name string) (more bool) {
		if seen[name] {
			return false
		}
		seen[name] = true
		list = append(list, name)
		return true
	}
	above := func(name string) {
		for name != "." && add(path.Dir(name)) {
			name = path.Dir(name)
		}
	}
	for _, name := range wanted {
		above(name)
	}
	if p != nil {
		for _, r := range p.Roots {
			if r.Kind == project.Workflows {
				for i := range r.Files {
					above(path.Join(r.Path, r.Files[i].Name))
				}
			}
		}
	}
	for _, name := range wanted {
		add(name)
	}
	if p != nil {
		for _, name := range pointedAt(p) {
			add(name)
		}
	}
	return list[:min(len(list), mostWatched)]
}

// pointedAt lists the files that records and manifests speak of.
func pointedAt(p *project.Project) (names []string) {
	for _, r := range p.Roots {
		for i := range r.Files {
			names = append(names, path.Join(r.Path, r.Files[i].Name))
		}
		if r.Kind != project.Channels {
			continue
		}
		for i := range r.Channels.Records {
			if target := r.Channels.Records[i].Target.Path; target != "" {
				names = append(names, path.Join(r.Path, target))
			}
		}
	}
	return names
}

// stated is how files and folders look from outside.
func (l *Folders) stated(names []string) state {
	now := make(state, len(names))
	for i, name := range names {
		now[i] = l.dated(name, -1)
	}
	return now
}

// noticeKinds looks at the files of other kinds, unless they were read a moment ago and that took long.
func (l *Folders) noticeKinds(begun time.Time) {
	k := &l.kinds
	if k.project == nil || k.stale || begun.Before(k.due) {
		return
	}
	if now := l.stated(k.watched); !slices.Equal(now, k.state) {
		k.state, k.stale = now, true
		l.seq++
	}
}

// kindsCome looks for folders of other kinds that have come since, or gone.
func (l *Folders) kindsCome() {
	k := &l.kinds
	if k.project == nil || k.stale {
		return
	}
	paths, _, err := project.Files(context.Background(), l.fsys)
	if err == nil && !slices.Equal(project.Detect(paths), k.places) {
		k.stale = true
		l.seq++
	}
}

// Key is the key of an agent's record in addresses, by its id.
func (l *Folders) Key(ctx context.Context, agent string, ledger figs.File, id string) (string, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if err := l.refresh(ctx); err != nil {
		return "", err
	}
	n := numberOf(agent)
	if n < 0 || n >= len(l.folders) || ledger >= figs.Ledgers {
		return "", journal.ErrNotFound
	}
	record := l.folders[n].Find(ledger, id)
	if record < 0 {
		return "", journal.ErrNotFound
	}
	return journal.RecordSegment(id, record+1), nil
}
