package local

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/journal"
	"github.com/figs-web/figs-web/internal/project"
)

// hashes remembers what files held, for as long as they look unchanged.
type hashes struct {
	mutex sync.Mutex
	known map[place]hashed
}

// place is an attachment: the agent's number from 0, and the file's name; or a file of a root of
// another kind, named by its path below that.
type place struct {
	agent int
	root  project.Location // where other is set
	other bool
	name  string
}

type hashed struct {
	sha256   string
	size     int64
	modified time.Time
}

func (h *hashes) get(p place) (hashed, bool) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	known, ok := h.known[p]
	return known, ok
}

func (h *hashes) put(p place, known hashed) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.known == nil {
		h.known = map[place]hashed{}
	}
	h.known[p] = known
}

// with lists the places whose file held these bytes when it was last read.
func (h *hashes) with(sha256 string) (places []place) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for p, known := range h.known {
		if known.sha256 == sha256 {
			places = append(places, p)
		}
	}
	return places
}

// Digest is the SHA-256 of an agent's attachment, or of a file of a root of another kind, whose key
// stands for the agent's then: in lower-case hex, as the file is now. From then on Attachment finds it.
func (l *Folders) Digest(ctx context.Context, agent, name string) (string, error) {
	p := place{agent: numberOf(agent), name: name}
	if key, ok := strings.CutPrefix(agent, "p"); ok {
		root := l.root(numberOf(key) + 1)
		if root == nil {
			return "", journal.ErrNotFound
		}
		p.other, p.root = true, project.Location{Kind: root.Kind, Path: root.Path}
	}
	return l.digest(ctx, p)
}

func (l *Folders) digest(ctx context.Context, p place) (string, error) {
	f, info, err := l.open(p)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if known, ok := l.hashes.get(p); ok && known.size == info.Size() && known.modified.Equal(info.ModTime()) {
		return known.sha256, nil
	}
	return l.hash(ctx, p, f, info)
}

// sum reads a file whatever is known of it: its time of change proves nothing.
func (l *Folders) sum(ctx context.Context, p place) (string, error) {
	f, info, err := l.open(p)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return l.hash(ctx, p, f, info)
}

func (l *Folders) hash(ctx context.Context, p place, f fs.File, info fs.FileInfo) (string, error) {
	sum := sha256.New()
	n, err := io.Copy(sum, &limited{ctx, f})
	if err != nil {
		return "", err
	}
	known := hashed{hex.EncodeToString(sum.Sum(nil)), n, info.ModTime()}
	l.hashes.put(p, known)
	return known.sha256, nil
}

// Attachment finds what Digest has named, as long as the file still holds those bytes.
func (l *Folders) Attachment(ctx context.Context, workspace, sha256 string) (*journal.Attachment, error) {
	if workspace != Workspace {
		return nil, journal.ErrNotFound
	}
	places := l.hashes.with(sha256)
	if len(places) == 0 {
		return nil, journal.ErrNotFound
	}
	var found *journal.Attachment
	for _, p := range places {
		now, err := l.digest(ctx, p)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || now != sha256 {
			continue // it was removed, or holds something else by now
		}
		if found == nil {
			known, _ := l.hashes.get(p)
			found = &journal.Attachment{Size: known.size, Open: func(context.Context) (io.ReadCloser, error) {
				f, _, err := l.open(p)
				return f, err
			}}
		}
		found.Names = append(found.Names, p.name)
	}
	if found == nil {
		return nil, &journal.Missing{Sentence: "This file has changed since you opened the page.", Hint: "Reload the page to see the current version."}
	}
	return found, nil
}

// open opens an attachment: a plain file by a name that the folder listed. No link is followed on
// the way to it, because it may lead to any file of the folder that was given.
func (l *Folders) open(p place) (fs.File, fs.FileInfo, error) {
	dir, below, ok := l.listed(p)
	if !ok {
		return nil, nil, journal.ErrNotFound
	}
	name := path.Join(dir, below)
	for at := path.Dir(below); at != "."; at = path.Dir(at) {
		if info, err := fs.Lstat(l.fsys, path.Join(dir, at)); err != nil || !info.IsDir() {
			return nil, nil, refused("A folder in this file's path is a link or no longer exists, so the file isn't opened.", "Keep files in regular folders inside the agent's folder.")
		}
	}
	before, err := fs.Lstat(l.fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, refused("This file no longer exists.", "Reload the page.")
	case err != nil:
		return nil, nil, unreadable
	case !before.Mode().IsRegular():
		return nil, nil, refused("This file is a link or another kind of special file, so it isn't opened.", "Only regular files are shown.")
	}
	f, err := l.fsys.Open(name)
	if err != nil {
		return nil, nil, unreadable
	}
	info, err := f.Stat()
	if _, links := l.fsys.(fs.ReadLinkFS); err != nil || links && !os.SameFile(before, info) {
		f.Close()
		return nil, nil, refused("This file was replaced while it was being opened.", "Reload the page.")
	}
	return f, info, nil
}

func refused(sentence, hint string) error { return &journal.Missing{Sentence: sentence, Hint: hint} }

var unreadable = refused("This file can't be read.", "Check its permissions, then reload the page.")

// listed is the folder that an attachment belongs to, and its path below that, when it is listed there.
func (l *Folders) listed(p place) (dir, below string, ok bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if p.other {
		return p.root.Path, p.name, l.lists(p)
	}
	if p.agent < 0 || p.agent >= len(l.agents) {
		return "", "", false
	}
	c := l.agents[p.agent].Contents
	_, ok = slices.BinarySearchFunc(c.Artifacts, p.name, func(f folder.Artifact, name string) int { return strings.Compare(f.Name, name) })
	return c.Dir, "artifacts/" + p.name, ok
}

// lists reports whether the root of a file lists it.
func (l *Folders) lists(p place) bool {
	if l.kinds.project == nil {
		return false
	}
	for _, r := range l.kinds.project.Roots {
		if r.Kind == p.root.Kind && r.Path == p.root.Path {
			_, ok := slices.BinarySearchFunc(r.Files, p.name, func(f journal.File, name string) int { return strings.Compare(f.Name, name) })
			return ok
		}
	}
	return false
}

// root is the root of another kind with that key.
func (l *Folders) root(no int) *project.Root {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.kinds.project.Root(no)
}

// limited reads until the context ends.
type limited struct {
	ctx context.Context
	r   io.Reader
}

func (l *limited) Read(b []byte) (int, error) {
	if err := l.ctx.Err(); err != nil {
		return 0, err
	}
	return l.r.Read(b)
}
