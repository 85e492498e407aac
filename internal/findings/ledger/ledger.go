// Package ledger writes finding registries: it locks, merges in memory, writes the whole file beside the old one and
// puts it in its place, so that a reader meets the old registry or the new one and never half of either.
package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path"
	"syscall"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/findings"
	"github.com/figs-web/figs-web/internal/kind"
	"github.com/figs-web/figs-web/internal/wholefile"
)

// RefusedError says why nothing was written, as a person is told it.
type RefusedError struct {
	Sentence, Hint string
	Reason         Reason
	Finding        *figs.Finding // the rule that would have been broken; of ReasonInvalid
	Cause          error
}

// Reason sorts refusals.
type Reason uint8

const (
	ReasonDisk          Reason = iota // the disk, the rights, other programs
	ReasonUnreadable                  // the registry as a whole cannot be read
	ReasonUnknown                     // there is no finding with that id
	ReasonIDInUse                     // another finding has that id
	ReasonInvalid                     // the finding breaks a rule of the contract
	ReasonNotApplicable               // what was asked for would make no sense
)

func (r *RefusedError) Error() string { return r.Sentence }

func (r *RefusedError) Unwrap() error { return r.Cause }

// Ledger is the registry of one repository.
type Ledger struct {
	root *os.Root
	dir  string
	o    Options
}

// Options are what a writer knows of the world around it.
type Options struct {
	Program string           // written into the lock: "figs-web v1.2.3"
	Now     func() time.Time // nil: time.Now
	Wait    time.Duration    // how long to wait for a lock that somebody holds; 0 looks once
}

// Open opens the registry of a repository, which need not have one yet. Nothing that is read or written through it
// leads out of the repository.
func Open(dir string, o Options) (*Ledger, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Ledger{root, dir, o}, nil
}

// Close ends the use.
func (l *Ledger) Close() error { return l.root.Close() }

// Read reads and judges the registry as it stands, without any lock: a missing one is empty, and one that cannot be
// read is a warning of the report.
func (l *Ledger) Read(now string) (*findings.Registry, *figs.Report) {
	r := findings.New()
	content, info, err := l.load()
	if info != nil || err != nil {
		r.See(findings.File)
	}
	switch {
	case errors.Is(err, errTooLarge):
		r.Problem(findings.File, figs.ProjectFileTooLarge, "")
	case err != nil:
		r.Problem(findings.File, figs.ProjectFileUnreadable, reason(err))
	case info != nil:
		r.Give(findings.File, content)
	}
	if _, err := l.root.Lstat(findings.LockFile); err == nil {
		r.See(findings.LockFile)
	}
	report := r.Finish(now)
	return r.State(), report
}

// ReadFile reads and judges a registry that stands anywhere. A file that cannot be opened is an error; one whose content
// cannot be read is a warning of the report.
func ReadFile(name, now string) (*findings.Registry, *figs.Report, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, kind.MaxRegistry+1))
	if err != nil {
		return nil, nil, err
	}
	r := findings.New()
	r.See(findings.File)
	if len(content) > kind.MaxRegistry {
		r.Problem(findings.File, figs.ProjectFileTooLarge, "")
	} else {
		r.Give(findings.File, content)
	}
	report := r.Finish(now)
	return r.State(), report, nil
}

// reason is the system's word without the path, which would be quoted twice.
func reason(err error) string {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err.Error()
	}
	return err.Error()
}

var errTooLarge = errors.New("it is larger than 256 MiB")

// load reads the file; info is nil when there is none.
func (l *Ledger) load() (content []byte, info fs.FileInfo, err error) {
	info, err = l.root.Stat(findings.File)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := l.root.Lstat(findings.File); err == nil {
			return nil, nil, errors.New("it is a link to nothing")
		}
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait for ever
		return nil, info, errors.New("it is not a file")
	}
	f, err := l.root.Open(findings.File)
	if err != nil {
		return nil, info, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, nil, err
	}
	if info.Size() > kind.MaxRegistry {
		return nil, info, errTooLarge
	}
	content, err = io.ReadAll(io.LimitReader(f, kind.MaxRegistry+1))
	if len(content) > kind.MaxRegistry {
		err = errTooLarge
	}
	return content, info, err
}

// mostTries is how often a change is begun anew because a program that takes no lock has written in between.
const mostTries = 10

// Change makes a change: it takes the lock, reads the registry, lets edit change the book, and puts the file in its
// place when the book has changed. The folder is made when it is not there. edit may be called again, with a new book,
// when another program has written meanwhile. The lock is gone when Change returns, whatever happened.
func (l *Ledger) Change(ctx context.Context, edit func(*Book) error) (err error) {
	ctx, stop := signal.NotifyContext(ctx, endings()...) // a signal ends the work and not the program, which still holds the lock
	defer stop()
	switch err := l.folder(edit); {
	case errors.Is(err, errNothing):
		return nil
	case err != nil:
		return l.refusal(err)
	}
	lock, err := l.lock(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.release()) }()
	wholefile.Sweep(l.root, path.Dir(findings.File))
	for range mostTries {
		again, err := l.change(ctx, edit)
		if !again {
			return l.refusal(err)
		}
	}
	return &RefusedError{Sentence: "Other programs keep writing to the registry.", Hint: "Nothing was written. Try again when they have ended."}
}

// errNothing says that there is nothing to write, and no folder to write it to.
var errNothing = errors.New("nothing to write")

// folder makes the registry's folder, unless edit would leave an empty registry empty.
func (l *Ledger) folder(edit func(*Book) error) error {
	dir := path.Dir(findings.File)
	if _, err := l.root.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	book, err := ReadBook(nil)
	if err == nil {
		err = edit(book)
	}
	if err == nil && !book.Changed() {
		err = errNothing
	}
	if err != nil {
		return err
	}
	return l.root.MkdirAll(dir, 0o777)
}

// endings are the signals after which a program ends, but for those that somebody has chosen to ignore.
func endings() (all []os.Signal) {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			all = append(all, s)
		}
	}
	return all
}

// change tries once; again is true when the file was not the same any more at the end.
func (l *Ledger) change(ctx context.Context, edit func(*Book) error) (again bool, err error) {
	before, err := l.plain()
	if err != nil {
		return false, err
	}
	content, info, err := l.load()
	if err != nil {
		return false, &RefusedError{Reason: ReasonUnreadable, Sentence: "The registry could not be read: " + reason(err) + ".", Hint: "Nothing was written.", Cause: err}
	}
	if !same(before, info) {
		return true, nil
	}
	book, err := ReadBook(content)
	if err != nil {
		return false, err
	}
	if err := edit(book); err != nil || !book.Changed() {
		return false, err
	}
	text := book.Bytes()
	if len(text) > kind.MaxRegistry {
		return false, &RefusedError{Sentence: "The registry would be larger than 256 MiB.", Hint: "Nothing was written. Move retired findings into a file of their own."}
	}
	err = wholefile.Write(l.root, findings.File, wholefile.Options{Replace: true, Check: func() error {
		after, err := l.plain()
		if err == nil && !same(before, after) {
			err = errChanged
		}
		return errors.Join(err, ctx.Err())
	}}, wholefile.Bytes(text))
	return errors.Is(err, errChanged), err
}

// errChanged says that a program that takes no lock has written meanwhile.
var errChanged = errors.New("the registry has changed")

// plain looks at the registry itself, which must be a file of this folder, since renaming would put one in the place of
// a link. It is nil when there is none.
func (l *Ledger) plain() (fs.FileInfo, error) {
	info, err := l.root.Lstat(findings.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &RefusedError{Sentence: "registry.jsonl is a link or a folder, and figs-web writes to plain files only.", Hint: "Nothing was written. Put a plain file in its place."}
	}
	return info, nil
}

// same reports whether a file is still the one that was seen.
func same(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// refusal puts what the system said into words.
func (l *Ledger) refusal(err error) error {
	var known *RefusedError
	switch {
	case err == nil || errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, fs.ErrPermission):
		return &RefusedError{Sentence: "You may not write to " + path.Dir(findings.File) + ".", Hint: "Nothing was written. Look at the rights of the folder; figs-web writes as the user that started it.", Cause: err}
	case errors.Is(err, syscall.EROFS):
		return &RefusedError{Sentence: "The folder is on a read-only disk.", Hint: "Nothing was written.", Cause: err}
	case wholefile.IsFull(err):
		return &RefusedError{Sentence: "The disk is full.", Hint: "The registry is as it was. Make room, then try again.", Cause: err}
	}
	return fmt.Errorf("write %s: %w", findings.File, err)
}
