// Package publish writes artifact records into a workspace on this machine, and reads them there. A record is written
// beside its place, flushed, and then linked to its name, which fails where that name is taken: whoever lists records
// sees a whole one or none, whenever the writer is killed, and publishers need no lock because each writes a file of
// its own.
package publish

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/artifacts"
	"github.com/figs-web/figs-web/internal/kind"
	"github.com/figs-web/figs-web/internal/wholefile"
)

// Workspace is a folder in which agents share files. Nothing of it is followed out of it.
type Workspace struct {
	root *os.Root
	dir  string // absolute
}

// Open opens a workspace. The error is of package os.
func Open(dir string) (*Workspace, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(absolute)
	if err != nil {
		return nil, err
	}
	return &Workspace{root, absolute}, nil
}

// Close ends the use of the workspace.
func (w *Workspace) Close() error { return w.root.Close() }

// Artifact is what is to be published.
type Artifact struct {
	File           string // as this process names it: from its folder on, or absolute
	Channel, Kind  string // Kind "" is "directory" of a folder, else "file"
	Title, Summary string
	MediaType      string
	Status         string // "" is "active"
	Replaces       string
	Parents, Tags  []string
	Producer       artifacts.Producer // Work is required; Kind "" is "shell"
	Now            time.Time

	path                string // in the workspace, with slashes
	size                int64
	digest              string
	isDirectory, isLink bool
	written             func(id string) error // what tests do when the text is written and has no name yet
}

// Result is an artifact as it was recorded.
type Result struct {
	ID, Path, RecordPath string // paths from the workspace on, with slashes
	Size                 int64  // bytes; -1 of a folder
	SHA256               string // "" of a folder
	Record               []byte
	Remarks              []figs.Finding // what is odd about the record, and no reason to refuse it
}

// Reason says in which way a publication was refused.
type Reason uint8

const (
	ReasonFailed    Reason = iota // the disk, or a file that changed meanwhile
	ReasonNotFound                // the file, or a record that was named, is not there
	ReasonDenied                  // it may not be read or written
	ReasonMalformed               // it is nothing that can be published, or the record would break a rule
)

// RefusedError is why nothing was published. No record was written.
type RefusedError struct {
	Reason         Reason
	Sentence, Hint string
	Rule           string // of the catalogue, when the record would break it
	Cause          error
}

func (r *RefusedError) Error() string { return r.Sentence }
func (r *RefusedError) Unwrap() error { return r.Cause }

// Publish records an artifact. The file comes first: what is not there, or cannot be read, is an error of type *RefusedError
// before anything is written.
func (w *Workspace) Publish(ctx context.Context, a Artifact) (*Result, error) {
	if err := w.examine(ctx, &a); err != nil {
		return nil, err
	}
	for range 8 {
		p := &Result{ID: newID(a.Now), Path: a.path, Size: a.size, SHA256: a.digest}
		p.RecordPath = artifacts.Dir + "/" + p.ID + ".json"
		p.Record = record(p, &a)
		if err := w.judge(p, &a); err != nil {
			return nil, err
		}
		err := w.write(p, &a)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if wholefile.IsFull(err) {
			return nil, &RefusedError{Reason: ReasonFailed, Sentence: "The disk is full.", Hint: "Nothing was published. Make room, then publish again.", Cause: err}
		}
		if err != nil {
			return nil, refusal(err, "The record could not be written", "Nothing was published. Check that "+artifacts.Dir+" is a folder that you may write to, and that the disk has room.")
		}
		return p, nil
	}
	return nil, &RefusedError{Reason: ReasonFailed, Sentence: "No id was found that is free.", Hint: "This machine's random numbers do not seem to be random."}
}

// refusal tells apart what the system said.
func refusal(err error, sentence, hint string) error {
	r := &RefusedError{Reason: ReasonFailed, Sentence: sentence + ": " + reason(err) + ".", Hint: hint, Cause: err}
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, fs.ErrNotExist):
		r.Reason = ReasonNotFound
	case errors.Is(err, fs.ErrPermission):
		r.Reason = ReasonDenied
	case leadsOut(err):
		r.Reason = ReasonMalformed
	}
	return r
}

// leadsOut reports whether the workspace's root refused a path because a link on it leads out. The standard library
// has no error to compare with.
func leadsOut(err error) bool { return strings.Contains(err.Error(), "escapes from parent") }

// reason is the system's word without the path.
func reason(err error) string {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err.Error()
	case errors.As(err, &l):
		return l.Err.Error()
	}
	return err.Error()
}

// examine finds the file in the workspace and reads it.
func (w *Workspace) examine(ctx context.Context, a *Artifact) error {
	name, err := w.inside(a.File)
	if err != nil {
		return err
	}
	a.path, a.size = filepath.ToSlash(name), -1
	if runtime.GOOS != "windows" && strings.Contains(name, `\`) || !utf8.ValidString(name) {
		return &RefusedError{Reason: ReasonMalformed, Sentence: "The file's name cannot stand in a record.", Hint: "Name it without backslashes, in UTF-8: other systems read a backslash as a separator."}
	}
	cannot := func(err error) error {
		return refusal(err, "The file cannot be published", "Nothing was recorded. Write the file first, below the workspace, where you may read it.")
	}
	if link, err := w.root.Lstat(name); err == nil {
		a.isLink = link.Mode()&fs.ModeSymlink != 0
	}
	info, err := w.root.Stat(name)
	if err != nil {
		return cannot(err)
	}
	if !info.IsDir() && !info.Mode().IsRegular() { // opening some of these would never return
		return &RefusedError{Reason: ReasonMalformed, Sentence: "The file is neither a plain file nor a folder.", Hint: "Write what it gives into a file, and publish that."}
	}
	f, err := w.root.Open(name)
	if err != nil {
		return cannot(err)
	}
	defer f.Close()
	if a.isDirectory = info.IsDir(); a.isDirectory {
		if _, err := f.Readdirnames(1); err != nil && !errors.Is(err, io.EOF) {
			return cannot(err)
		}
		return nil
	}
	if err := a.hash(ctx, f); err != nil {
		return cannot(err)
	}
	return nil
}

// inside is a file's path in the workspace.
func (w *Workspace) inside(file string) (string, error) {
	absolute, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	name, err := filepath.Rel(w.dir, absolute)
	if err != nil || !filepath.IsLocal(name) {
		// One of the two may be named through a link to the other, as temporary folders often are.
		dir, one := filepath.EvalSymlinks(w.dir)
		parent, two := filepath.EvalSymlinks(filepath.Dir(absolute))
		if err = errors.Join(one, two); err == nil {
			name, err = filepath.Rel(dir, filepath.Join(parent, filepath.Base(absolute)))
		}
		if errors.Is(err, fs.ErrNotExist) {
			return "", refusal(err, "The file cannot be published", "Nothing was recorded. Write the file first, below the workspace.")
		}
	}
	if err != nil || !filepath.IsLocal(name) {
		return "", &RefusedError{Reason: ReasonMalformed, Sentence: "The file lies outside of the workspace.", Hint: "Publish files below the workspace, which is the folder here or that of --root; agents that share it can read them."}
	}
	return name, nil
}

// errChanged says that a file was written while it was read.
var errChanged = errors.New("it changes while it is read")

// hash reads a file to its end.
func (a *Artifact) hash(ctx context.Context, f *os.File) error {
	before, err := f.Stat()
	if err != nil {
		return err
	}
	sum := sha256.New()
	n, buffer := int64(0), make([]byte, 1<<20)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		k, err := f.Read(buffer)
		sum.Write(buffer[:k])
		n += int64(k)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	after, err := f.Stat()
	if err != nil {
		return err
	}
	if n != before.Size() || n != after.Size() || !before.ModTime().Equal(after.ModTime()) {
		return errChanged
	}
	a.size, a.digest = n, hex.EncodeToString(sum.Sum(nil))
	return nil
}

// judge reads the record as every reader will, beside those that it names.
func (w *Workspace) judge(p *Result, a *Artifact) error {
	r := artifacts.New()
	named := a.Parents
	if a.Replaces != "" {
		named = append([]string{a.Replaces}, named...)
	}
	for _, id := range named {
		file := artifacts.Dir + "/" + id + ".json"
		content, err := w.content(id)
		if err != nil {
			return refusal(err, "The record of the artifact "+quote(id)+" cannot be read", "Nothing was recorded. figs-web artifact list --all shows the ids that there are.")
		}
		if r.See(file) {
			r.Give(file, content)
		}
	}
	r.See(p.RecordPath)
	r.Give(p.RecordPath, p.Record)
	r.Look(p.Path, kind.Target{State: kind.TargetAvailable, Dir: a.isDirectory, Size: a.size, SHA256: a.digest})
	for _, f := range r.Finish("").Findings {
		if f.File != p.RecordPath {
			continue
		}
		switch f.Code {
		case figs.RecordChannelMalformed, figs.RecordTitleTooLong, figs.RecordSummaryTooLong, figs.RecordSummarySecret:
			f.Severity = figs.Error // readers bear it, and nobody has to write it
		}
		if f.Severity == figs.Error {
			return &RefusedError{Reason: ReasonMalformed, Sentence: f.Message, Hint: "Nothing was recorded. " + f.Hint, Rule: f.Code.String()}
		}
		p.Remarks = append(p.Remarks, f)
	}
	return nil
}

func quote(s string) string { return "“" + s + "”" }
