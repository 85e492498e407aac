// Package local is the journal and the attachments of folders on this machine, and what lies beside
// them of other kinds. It reads them as doctor does, answers a page as the inspector does, and reads
// them again once they changed.
package local

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/journal/selected"
	"github.com/figs-web/figs-web/wasm/bridge"
)

// Workspace is the name under which addresses know what is open.
const Workspace = "local"

// Agent is one .figs folder of a file system.
type Agent struct {
	Path     string // as pages name it, "repository/.figs"
	Contents *folder.Contents
}

// Options say how folders are read.
type Options struct {
	Now func() time.Time
	// Keep is up to which size, in bytes, ledgers stay in memory. Of larger ones only positions
	// are kept, and their lines are read again where the file system allows it.
	Keep int64
	// Progress is told how many bytes of how many are read, of one agent at a time; it may be nil.
	Progress func(path string, done, total int64)
	// Root is the folder of the file system given, where replies can be appended; nil of a zip.
	Root *os.Root
	// Find lists the agents again, those that have come since among them; nil looks for none, and for
	// no other kinds that have come.
	Find func() []Agent
	// Name is what people call the file system. Folders of other kinds are looked for in it, unless
	// it is "".
	Name string
}

// Folders are .figs folders that are open. All methods may be called from several goroutines.
type Folders struct {
	fsys    fs.FS
	options Options
	hashes  hashes
	write   func(*os.File, []byte) (int, error) // what tests write with; nil: the system's own

	replying sync.Mutex // one reply of this process at a time
	mutex    sync.Mutex // of everything below; the engine is one goroutine's at a time
	agents   []Agent
	engine   *bridge.Engine
	folders  []*figs.Folder // as the engine has them
	kinds    kinds
	state    state
	checked  time.Time
	found    time.Time // when agents were last looked for
	seq      int64     // rises with every change that a look finds
	changed  bool      // since the folders were read
}

// Open reads the folders, of which there may be none, and those of other kinds. The error is ctx's
// own: what is wrong with a folder is in its findings.
func Open(ctx context.Context, fsys fs.FS, agents []Agent, o Options) (*Folders, error) {
	l := &Folders{fsys: fsys, agents: agents, options: o, seq: 1, found: o.Now()}
	if err := l.read(ctx); err != nil {
		return nil, err
	}
	if _, err := l.Project(ctx); err != nil {
		return nil, err
	}
	l.options.Progress = nil // it belongs to the first reading
	return l, nil
}

// read reads everything. The state is noted before, so that what is written meanwhile is read
// the next time.
func (l *Folders) read(ctx context.Context) error {
	before := l.look()
	var size int64
	again := true
	for _, a := range l.agents {
		size += a.Contents.Bytes
		again = again && a.Contents.RandomAccess()
	}
	keep := size <= l.options.Keep || !again
	folders, read := make([]bridge.ReadFolder, len(l.agents)), make([]*figs.Folder, len(l.agents))
	for i, a := range l.agents {
		o := figs.Options{Keep: keep, Now: l.now()}
		f, report, err := a.Contents.Read(ctx, o, l.progress(a.Path))
		if err != nil {
			return err
		}
		folders[i], read[i] = bridge.ReadFolder{Path: a.Path, Folder: f, Report: report}, f
	}
	if !slices.Equal(before, l.state) && l.engine != nil {
		l.seq++
	}
	l.engine, l.folders, l.state, l.checked, l.changed = bridge.NewWithFolders(keep, folders...), read, before, l.options.Now(), false
	var key [16]byte // of prints: whoever knew it could write a line that compares like another
	if _, err := rand.Read(key[:]); err != nil {
		return err
	}
	l.engine.Call([]byte(`{"op":"key","key":"` + hex.EncodeToString(key[:]) + `"}`))
	return nil
}

func (l *Folders) progress(path string) func(done, total int64) {
	if l.options.Progress == nil {
		return nil
	}
	return func(done, total int64) { l.options.Progress(path, done, total) }
}

func (l *Folders) now() string { return l.options.Now().UTC().Format(time.RFC3339) }

// Journal answers the questions of the page with that path, "/1/jobs?state=ok", and of no other.
func (l *Folders) Journal(ctx context.Context, page string) (journal.Journal, error) {
	if err := l.readTexts(ctx, page); err != nil {
		return nil, err
	}
	if err := l.readAlike(ctx, page); err != nil {
		return nil, err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if err := l.refresh(ctx); err != nil {
		return nil, err
	}
	selection, err := l.selection(page)
	if errors.Is(err, errChanged) { // a ledger was cut short between the look and the reading
		if err = l.read(ctx); err == nil {
			selection, err = l.selection(page)
		}
	}
	if err != nil {
		return nil, err
	}
	return selected.New(selection, l.now()), nil
}

var errChanged = errors.New("local: a ledger changed while it was read")

func (l *Folders) selection(page string) (*bridge.Selection, error) {
	if len(l.agents) == 0 { // folders of other kinds alone
		return &bridge.Selection{Agent: -1}, nil
	}
	b := l.engine.Call(selected.Request(page))
	b = append([]byte(nil), b...) // valid until the next call
	var parts [][4]int64          // agent, file, offset, length
	if err := json.Unmarshal(l.engine.Call([]byte(`{"op":"slices"}`)), &parts); err != nil {
		return nil, fmt.Errorf("local: %w", err)
	}
	for _, s := range parts {
		part := make([]byte, s[3])
		if err := l.readAt(int(s[0]), figs.File(s[1]), part, s[2]); err != nil {
			return nil, errors.Join(errChanged, err)
		}
		b = append(b, part...)
	}
	selection, ok := bridge.Decode(b)
	if !ok {
		return nil, fmt.Errorf("local: the selection for %q cannot be read", page)
	}
	return selection, nil
}

// readAt fills b from a ledger of an agent.
func (l *Folders) readAt(agent int, kind figs.File, b []byte, offset int64) error {
	f, err := l.fsys.Open(l.agents[agent].Contents.PathOf(kind.String()))
	if err != nil {
		return err
	}
	defer f.Close()
	r, ok := f.(io.ReaderAt)
	if !ok {
		return fmt.Errorf("%s cannot be read in any place", kind)
	}
	_, err = r.ReadAt(b, offset)
	return err
}

// artifacts is the folder of an agent's attachments.
func (a *Agent) artifacts() string { return path.Join(a.Contents.Dir, "artifacts") }
