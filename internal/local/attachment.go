package local

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/figs-web/figs-web/figs/folder"
	"github.com/figs-web/figs-web/internal/journal"
)

// hashes remembers what files held, for as long as they look unchanged.
type hashes struct {
	mutex sync.Mutex
	known map[place]hashed
}

// place is an attachment: the agent's number from 0, and the file's name.
type place struct {
	agent int
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

// Digest is the SHA-256 of an agent's attachment, in lower-case hex, as the file is now. From
// then on Attachment finds it.
func (l *Folders) Digest(ctx context.Context, agent, name string) (string, error) {
	number, err := strconv.Atoi(agent)
	if err != nil {
		return "", journal.ErrNotFound
	}
	return l.digest(ctx, place{number - 1, name})
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
		return nil, &journal.Missing{Sentence: "This file has changed since the page was made.", Hint: "Load the page again to see what it holds now."}
	}
	return found, nil
}

// open opens an attachment: a plain file right in artifacts/, by a name that the folder listed.
// A link is not followed, because it may lead to any file of the folder that was given.
func (l *Folders) open(p place) (fs.File, fs.FileInfo, error) {
	dir, ok := l.listed(p)
	if !ok {
		return nil, nil, journal.ErrNotFound
	}
	if info, err := fs.Lstat(l.fsys, dir); err != nil || !info.IsDir() {
		return nil, nil, refused("The folder artifacts is a link, so nothing in it is opened.", "Keep attachments in a folder of the agent itself.")
	}
	name := dir + "/" + p.name
	before, err := fs.Lstat(l.fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, refused("This file is not there any more.", "Load the page again.")
	case err != nil:
		return nil, nil, unreadable
	case !before.Mode().IsRegular():
		return nil, nil, refused("This file is a link, or something else that is no plain file, so it is not opened.", "Attachments are plain files in artifacts.")
	}
	f, err := l.fsys.Open(name)
	if err != nil {
		return nil, nil, unreadable
	}
	info, err := f.Stat()
	if _, links := l.fsys.(fs.ReadLinkFS); err != nil || links && !os.SameFile(before, info) {
		f.Close()
		return nil, nil, refused("This file was exchanged while it was opened.", "Load the page again.")
	}
	return f, info, nil
}

func refused(sentence, hint string) error { return &journal.Missing{Sentence: sentence, Hint: hint} }

var unreadable = refused("This file cannot be read.", "Look at its rights, and load the page again.")

// listed is the folder of an attachment, when that folder lists it.
func (l *Folders) listed(p place) (string, bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if p.agent < 0 || p.agent >= len(l.agents) {
		return "", false
	}
	a := &l.agents[p.agent]
	_, ok := slices.BinarySearchFunc(a.Contents.Artifacts, p.name, func(f folder.Artifact, name string) int { return strings.Compare(f.Name, name) })
	return a.artifacts(), ok
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
