package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/figs-web/figs-web/internal/findings"
	filelock "github.com/figs-web/figs-web/internal/lock"
	"github.com/figs-web/figs-web/internal/wholefile"
)

// LockedError says that another program holds the lock. Only the lock of a figs-web that was killed on this machine is ever
// broken; of any other lock a person is told.
type LockedError struct {
	Holder LockHolder
	Path   string // of the lock, as a person would name it
	Dead   bool   // its process no longer runs on this machine

	info fs.FileInfo
}

// LockHolder is what a lock tells of who took it; all may be missing in the lock of another program.
type LockHolder struct {
	PID     int    `json:"pid"`
	Host    string `json:"host"`
	Program string `json:"program"`
	At      string `json:"at"`
}

func (l *LockedError) Error() string {
	who := "Another process"
	if l.Holder.PID > 0 {
		who = fmt.Sprintf("Process %d", l.Holder.PID)
		if l.Holder.Host != "" {
			who += " on " + l.Holder.Host
		}
		if l.Holder.Program != "" {
			who += " (" + l.Holder.Program + ")"
		}
	}
	if l.Holder.At != "" {
		return who + " has held the registry's lock since " + l.Holder.At + "."
	}
	return who + " holds the registry's lock."
}

// Hint says what to do about it.
func (l *LockedError) Hint() string {
	if l.Dead {
		return "Nothing was written. That process no longer runs on this machine. If it runs nowhere else, remove " + l.Path + " and try again."
	}
	return "Nothing was written. Try again when it has ended, or wait longer with --timeout. If no program is writing, remove " + l.Path + "."
}

// lock is the lock that this process holds.
type lock struct {
	l    *Ledger
	file *os.File
	info fs.FileInfo
}

// retry is how soon a lock that is held is tried again.
const retry = 10 * time.Millisecond

// lock makes the lock file, which must not be there, and waits for it as long as the options say. For a lock whose holder
// has died it does not wait.
func (l *Ledger) lock(ctx context.Context) (*lock, error) {
	end := time.Now().Add(l.o.Wait)
	for {
		held, err := l.tryLock()
		if !errors.Is(err, fs.ErrExist) {
			return held, l.refusal(err)
		}
		said, there := l.locked()
		left := time.Until(end)
		if there && l.breakDead(said) {
			continue
		}
		if said.Dead && there || left <= 0 {
			return nil, said
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(min(retry, left)):
		}
	}
}

// tryLock makes the lock file, whole with who holds it. Its own lock, of package lock, is held until release: so another
// figs-web can tell that a holder is gone.
func (l *Ledger) tryLock() (*lock, error) {
	host, _ := os.Hostname()
	text, _ := json.Marshal(LockHolder{os.Getpid(), host, l.o.Program, l.o.Now().UTC().Format(time.RFC3339)})
	f, err := wholefile.Create(l.root, findings.LockFile, wholefile.Options{}, wholefile.Bytes(append(text, '\n')))
	if err != nil {
		if runtime.GOOS == "windows" && errors.Is(err, fs.ErrPermission) {
			if _, gone := l.root.Lstat(findings.LockFile); gone == nil { // it is being removed at this moment
				return nil, errors.Join(fs.ErrExist, err)
			}
		}
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close(), l.root.Remove(findings.LockFile))
	}
	return &lock{l, f, info}, nil
}

// breakDead removes the lock of a figs-web that was killed on this machine. It reports false when the lock may be held:
// another program's, one whose process runs, or one whose file another figs-web has locked.
func (l *Ledger) breakDead(said *LockedError) bool {
	if !said.Dead || !strings.HasPrefix(said.Holder.Program, "figs-web") || runtime.GOOS == "windows" {
		return false
	}
	f, err := l.root.OpenFile(findings.LockFile, os.O_RDWR, 0)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer f.Close()
	if filelock.Try(f) != nil {
		return false
	}
	is, one := f.Stat()
	named, two := l.root.Lstat(findings.LockFile)
	if one != nil || two != nil || !os.SameFile(is, named) || !os.SameFile(is, said.info) {
		return true // it is another lock by now: look again
	}
	return l.root.Remove(findings.LockFile) == nil
}

// release removes the lock, unless somebody has removed it by hand and another one stands there now.
func (k *lock) release() error {
	defer k.file.Close()
	info, err := k.l.root.Lstat(findings.LockFile)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !same(info, k.info) {
		return nil
	}
	if err := k.l.root.Remove(findings.LockFile); err != nil {
		return &RefusedError{Sentence: "The registry's lock could not be removed.", Hint: "Remove " + k.l.lockPath() + ". Until then, no program can write.", Cause: err}
	}
	return nil
}

func (l *Ledger) lockPath() string {
	return filepath.Join(l.dir, filepath.FromSlash(findings.LockFile))
}

// locked reads who holds the lock; there is false when it is another lock by now, or none.
func (l *Ledger) locked() (said *LockedError, there bool) {
	said = &LockedError{Path: l.lockPath()}
	before, err := l.root.Lstat(findings.LockFile)
	if err != nil || !before.Mode().IsRegular() {
		return said, err == nil
	}
	if f, err := l.root.Open(findings.LockFile); err == nil {
		text, _ := io.ReadAll(io.LimitReader(f, 4096))
		f.Close()
		json.Unmarshal(text, &said.Holder)
	}
	said.Holder.Host, said.Holder.Program, said.Holder.At = visible(said.Holder.Host), visible(said.Holder.Program), visible(said.Holder.At)
	host, _ := os.Hostname()
	said.Dead = said.Holder.PID > 0 && said.Holder.Host == host && !runs(said.Holder.PID)
	said.info = before
	after, err := l.root.Lstat(findings.LockFile)
	return said, err == nil && same(before, after)
}

// visible keeps what another program wrote to one short line that can be seen.
func visible(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
	return s[:min(len(s), 100)]
}

// runs reports whether a process runs, as far as can be told.
func runs(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	err = p.Signal(syscall.Signal(0))
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}
