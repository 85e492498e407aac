package cmd

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/figs-web/figs-web/internal/lock"
)

// ScratchName begins the names of folders in which servers that have none for themselves keep what they are
// reading.
const ScratchName = "figs-web-reading-"

// ScratchFolder is where one server keeps what it is reading. Whoever tidies temporary folders may remove it:
// it is made again then.
type ScratchFolder struct {
	Name   string
	parent string // made again with it; "" where that is not the server's own
	shared bool   // among folders of other servers, so that a lock says whose it is

	mutex sync.Mutex
	held  *os.File    // the lock; nil where there is none
	is    fs.FileInfo // the folder that was locked
}

// Scratch makes a folder of this process's own in dir; "" is the system's folder for such. What servers left
// there that were killed is removed first: no living one holds its lock.
func Scratch(dir string) (*ScratchFolder, error) {
	s := &ScratchFolder{parent: dir, shared: true}
	if dir == "" {
		dir = os.TempDir()
	} else if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ScratchName) {
			forget(filepath.Join(dir, e.Name()))
		}
	}
	err := s.take(func() (err error) {
		s.Name, err = os.MkdirTemp(dir, ScratchName)
		return err
	})
	return s, err
}

// take makes the folder and locks it. Another start may take a new folder for one that was left, before it is
// locked: then it is made once more.
func (s *ScratchFolder) take(make func() error) (err error) {
	for range 10 {
		if err = make(); err != nil {
			return err
		}
		var held *os.File
		held, err = lock.Folder(s.Name)
		if errors.Is(err, lock.ErrUnable) { // then nobody else can lock it either, and it stays
			err = nil
		}
		if err == nil {
			if s.held != nil {
				s.held.Close()
			}
			s.held = held
			s.is, err = os.Lstat(s.Name)
			return err
		}
		os.Remove(s.Name)
		if !errors.Is(err, lock.ErrHeld) && !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return err
}

// mend makes the folder again where it is missing.
func (s *ScratchFolder) mend() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	switch now, err := os.Lstat(s.Name); {
	case err == nil && (!s.shared || os.SameFile(now, s.is)):
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if s.parent != "" {
		if err := os.Mkdir(s.parent, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	again := func() error { return os.Mkdir(s.Name, 0o700) } // which follows no link that somebody laid there
	if !s.shared {
		return again()
	}
	return s.take(again)
}

// Keep has the folder there until ctx ends, and looking used: what has not changed for days is what is tidied
// away.
func (s *ScratchFolder) Keep(ctx context.Context) {
	minute := time.NewTicker(time.Minute)
	defer minute.Stop()
	for {
		select {
		case now := <-minute.C:
			if s.mend() == nil {
				os.Chtimes(s.Name, now, now)
			}
		case <-ctx.Done():
			return
		}
	}
}

// Writable checks whether the disk of the folder takes bytes.
func (s *ScratchFolder) Writable(context.Context) error {
	if err := s.mend(); err != nil {
		return err
	}
	file, err := os.CreateTemp(s.Name, "probe-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.WriteString("ready?")
	return errors.Join(err, file.Close())
}

// Remove ends the use of the folder, and the folder where it is this process's own.
func (s *ScratchFolder) Remove() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.shared {
		removeHeld(s.Name, s.held)
	}
}

// forget removes a folder whose server is gone. What is another user's, or only a link, cannot be locked and
// stays.
func forget(name string) {
	if held, err := lock.Folder(name); err == nil {
		removeHeld(name, held)
	}
}

// removeHeld removes a folder before its lock ends; what cannot be removed while it is open, after that.
func removeHeld(name string, held *os.File) {
	err := os.RemoveAll(name)
	if held != nil {
		held.Close()
	}
	if err != nil {
		os.RemoveAll(name)
	}
}

// Empty removes from a server's own folder the bodies that the one before it was reading when it ended, but not
// the folders in it of servers that run.
func Empty(dir string) error {
	if info, err := os.Lstat(dir); err == nil && !info.IsDir() { // what a link leads to is not emptied
		if err := os.Remove(dir); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if e.IsDir() && strings.HasPrefix(e.Name(), ScratchName) {
			forget(name)
		} else if err := os.RemoveAll(name); err != nil {
			return err
		}
	}
	return err
}
