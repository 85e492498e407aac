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
)

// Locked says that somebody else holds the lock. Nobody's lock is ever broken: who reads this may.
type Locked struct {
	Holder Holder
	Path   string // of the lock, as a person would name it
	Dead   bool   // its process does not run on this machine any more
}

// Holder is what a lock tells of who took it; all may be missing in the lock of another program.
type Holder struct {
	PID     int    `json:"pid"`
	Host    string `json:"host"`
	Program string `json:"program"`
	At      string `json:"at"`
}

func (l *Locked) Error() string {
	who := "Somebody"
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
func (l *Locked) Hint() string {
	if l.Dead {
		return "Nothing was written. That process does not run on this machine any more: if it runs nowhere else, remove " + l.Path + " and try again."
	}
	return "Nothing was written. Try again when it has ended, or wait longer with --timeout. If nobody is writing, remove " + l.Path + "."
}

// lock is the lock that this process holds.
type lock struct {
	l    *Ledger
	info fs.FileInfo
}

// retry is how soon a lock that is held is tried again.
const retry = 10 * time.Millisecond

// lock makes the lock file, which must not be there, and waits for it as long as the options say. For a lock whose holder
// has died nobody need wait.
func (l *Ledger) lock(ctx context.Context) (*lock, error) {
	end := time.Now().Add(l.o.Wait)
	for {
		held, err := l.tryLock()
		if !errors.Is(err, fs.ErrExist) {
			return held, l.refusal(err)
		}
		said, there := l.locked()
		left := time.Until(end)
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

func (l *Ledger) tryLock() (*lock, error) {
	f, err := l.root.OpenFile(findings.LockFile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		if runtime.GOOS == "windows" && errors.Is(err, fs.ErrPermission) {
			if _, gone := l.root.Lstat(findings.LockFile); gone == nil { // it is being removed at this moment
				return nil, errors.Join(fs.ErrExist, err)
			}
		}
		return nil, err
	}
	host, _ := os.Hostname()
	text, _ := json.Marshal(Holder{os.Getpid(), host, l.o.Program, l.o.Now().UTC().Format(time.RFC3339)})
	_, err = f.Write(append(text, '\n'))
	if err = errors.Join(err, f.Close()); err == nil {
		var info fs.FileInfo
		if info, err = l.root.Lstat(findings.LockFile); err == nil {
			return &lock{l, info}, nil
		}
	}
	return nil, errors.Join(err, l.root.Remove(findings.LockFile))
}

// release removes the lock, unless somebody has removed it by hand and another one stands there now.
func (k *lock) release() error {
	info, err := k.l.root.Lstat(findings.LockFile)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !same(info, k.info) {
		return nil
	}
	if err := k.l.root.Remove(findings.LockFile); err != nil {
		return &Refused{Sentence: "The registry's lock could not be removed.", Hint: "Remove " + k.l.lockPath() + ": until then nobody can write.", Cause: err}
	}
	return nil
}

func (l *Ledger) lockPath() string {
	return filepath.Join(l.dir, filepath.FromSlash(findings.LockFile))
}

// locked reads who holds the lock; there is false when it is another lock by now, or none.
func (l *Ledger) locked() (said *Locked, there bool) {
	said = &Locked{Path: l.lockPath()}
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
