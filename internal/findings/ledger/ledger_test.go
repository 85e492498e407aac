package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/findings"
)

// desk is a repository on disk.
type desk struct {
	*testing.T
	dir string
}

func newDesk(t *testing.T, registry string) *desk {
	t.Helper()
	d := &desk{t, t.TempDir()}
	if registry != "" {
		d.put(findings.File, registry)
	}
	return d
}

func (d *desk) path(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

func (d *desk) put(name, text string) {
	d.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(d.path(name)), 0o755), os.WriteFile(d.path(name), []byte(text), 0o644)); err != nil {
		d.Fatal(err)
	}
}

// names lists the registry's folder.
func (d *desk) names() string {
	entries, _ := os.ReadDir(filepath.Dir(d.path(findings.File)))
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func (d *desk) open(o Options) *Ledger {
	d.Helper()
	l, err := Open(d.dir, o)
	if err != nil {
		d.Fatal(err)
	}
	d.Cleanup(func() { l.Close() })
	return l
}

func retire(id string) func(*Book) error {
	return func(b *Book) error { _, err := b.Retire(id); return err }
}

func TestChange(t *testing.T) {
	d := newDesk(t, sound()+"\n")
	if err := os.Chmod(d.path(findings.File), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := d.open(Options{}).Change(t.Context(), retire("f-1")); err != nil {
		t.Fatal(err)
	}
	registry, report := d.open(Options{}).Read("")
	if len(registry.Entries) != 1 || registry.Entries[0].Status != findings.Retired || len(report.Findings) > 0 {
		t.Errorf("the registry has %+v, %+v", registry.Entries, report.Findings)
	}
	if got := d.names(); got != "registry.jsonl" {
		t.Errorf("the folder has %s, want the registry alone", got)
	}
	if info, err := os.Stat(d.path(findings.File)); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o640) {
		t.Errorf("the rights are %v, %v, want those from before", info.Mode(), err)
	}
}

// Nothing is made where there is nothing to write: no folder, no lock, no file.
func TestNothingToWrite(t *testing.T) {
	d := newDesk(t, "")
	var refused *RefusedError
	if err := d.open(Options{}).Change(t.Context(), retire("f-1")); !errors.As(err, &refused) || refused.Reason != ReasonUnknown {
		t.Errorf("Change = %v, want that the finding is unknown", err)
	}
	if err := d.open(Options{}).Change(t.Context(), func(*Book) error { return nil }); err != nil {
		t.Errorf("Change without any = %v", err)
	}
	if _, err := os.Lstat(d.path(".agents")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder was made: %v", err)
	}
	if registry, report := d.open(Options{}).Read(""); !registry.Absent || len(report.Findings) > 0 {
		t.Errorf("Read without a registry = %+v", report.Findings)
	}
}

func TestLockIsHeld(t *testing.T) {
	d := newDesk(t, sound()+"\n")
	l := d.open(Options{Program: "figs-web v9", Now: func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }})
	host, _ := os.Hostname()
	err := l.Change(t.Context(), func(*Book) error {
		var holder LockHolder
		text, err := os.ReadFile(d.path(findings.LockFile))
		if err := errors.Join(err, json.Unmarshal(text, &holder)); err != nil || holder != (LockHolder{os.Getpid(), host, "figs-web v9", "2026-11-20T12:00:00Z"}) {
			t.Errorf("the lock says %q, %v", text, err)
		}
		var locked *LockedError
		if err := l.Change(t.Context(), retire("f-1")); !errors.As(err, &locked) || locked.Dead || !strings.Contains(locked.Error(), "figs-web v9") || !strings.Contains(locked.Hint(), locked.Path) {
			t.Errorf("Change meanwhile = %v, want who holds the lock", err)
		}
		if registry, report := l.Read(""); !registry.Locked || report.Infos != 1 {
			t.Errorf("Read meanwhile: locked %v, %+v", registry.Locked, report.Findings)
		}
		return errors.New("edit failed")
	})
	if err == nil || err.Error() != "write .agents/findings/registry.jsonl: edit failed" {
		t.Errorf("Change = %v, want what edit said", err)
	}
	if got := d.names(); got != "registry.jsonl" {
		t.Errorf("after a failure the folder has %s", got)
	}
}

// Somebody's lock stays, whatever is in it, also when its process has died or the waiting is given up.
func TestLockOfOthersStays(t *testing.T) {
	host, _ := os.Hostname()
	for _, c := range []struct{ about, lock, want string }{
		{"of another program", "", "Another process holds the registry's lock."},
		{"of another machine", `{"pid": 4711, "host": "elsewhere.example", "at": "2026-11-20T09:00:00Z"}`, "Process 4711 on elsewhere.example has held the registry's lock since 2026-11-20T09:00:00Z."},
		{"hostile", `{"pid": 1, "host": "a\u001b[2Jb\n` + strings.Repeat("c", 500) + `"}`, "Process 1 on a[2Jb" + strings.Repeat("c", 95) + " holds the registry's lock."},
		{"of a process that is gone", `{"pid": 2147483646, "host": "` + host + `"}`, "Process 2147483646 on " + host + " holds the registry's lock."},
	} {
		d := newDesk(t, sound()+"\n")
		d.put(findings.LockFile, c.lock)
		var locked *LockedError
		wait := 20 * time.Millisecond
		if strings.Contains(c.lock, "2147483646") {
			wait = time.Hour // in vain, so nobody does
		}
		err := d.open(Options{Wait: wait}).Change(t.Context(), retire("f-1"))
		if !errors.As(err, &locked) || locked.Error() != c.want {
			t.Errorf("%s: Change = %v, want %s", c.about, err, c.want)
		} else if locked.Dead != strings.Contains(c.lock, "2147483646") {
			t.Errorf("%s: dead is %v", c.about, locked.Dead)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := d.open(Options{Wait: time.Hour}).Change(ctx, retire("f-1")); !errors.Is(err, context.Canceled) && (locked == nil || !locked.Dead) {
			t.Errorf("%s: given up = %v", c.about, err)
		}
		if text, err := os.ReadFile(d.path(findings.LockFile)); err != nil || string(text) != c.lock {
			t.Errorf("%s: the lock is %q, %v", c.about, text, err)
		}
	}
}

// A lock that another one has put in the place of ours is not ours to remove.
func TestReleaseLeavesAnother(t *testing.T) {
	d := newDesk(t, sound()+"\n")
	err := d.open(Options{}).Change(t.Context(), func(*Book) error {
		os.Remove(d.path(findings.LockFile))
		d.put(findings.LockFile, "theirs")
		return nil
	})
	if text, _ := os.ReadFile(d.path(findings.LockFile)); err != nil || string(text) != "theirs" {
		t.Errorf("Change = %v, the lock is %q", err, text)
	}
}

// What a program that takes no lock has written in between is not lost.
func TestOthersWriteInBetween(t *testing.T) {
	d := newDesk(t, sound()+"\n")
	theirs := sound("id", `"f-2"`, "pattern", `"Two"`, "dedup_key", `"c|two|test-gap"`) + "\n"
	tries := 0
	err := d.open(Options{}).Change(t.Context(), func(b *Book) error {
		if tries++; tries == 1 {
			d.put(findings.File, sound()+"\n"+theirs)
		}
		_, err := b.Retire("f-1")
		return err
	})
	registry, _ := d.open(Options{}).Read("")
	if err != nil || tries != 2 || len(registry.Entries) != 2 || registry.Entries[0].Status != findings.Retired {
		t.Errorf("Change = %v after %d tries, entries %+v", err, tries, registry.Entries)
	}
	err = d.open(Options{}).Change(t.Context(), func(b *Book) error {
		d.put(findings.File, strings.Repeat(theirs, tries))
		tries++
		_, err := b.Add(draft(t, sound("id", "", "pattern", `"New"`, "dedup_key", "")))
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "keep writing") || d.names() != "registry.jsonl" {
		t.Errorf("against a program that never stops: %v, the folder has %s", err, d.names())
	}
}

// What a killed writer left beside the registry goes with the next one.
func TestSweep(t *testing.T) {
	d := newDesk(t, sound()+"\n")
	d.put(".agents/findings/.figs-web-ABCDEFGHIJKLMNOPQRSTUVWXYZ.part", "half")
	d.put(".agents/findings/f-1.md", "promoted")
	if err := d.open(Options{}).Change(t.Context(), retire("f-1")); err != nil {
		t.Fatal(err)
	}
	if got := d.names(); got != "f-1.md registry.jsonl" {
		t.Errorf("the folder has %s", got)
	}
}

func TestLinksAndFolders(t *testing.T) {
	outside := newDesk(t, sound()+"\n")
	for _, c := range []struct {
		about, link, target string
		readable            bool
	}{
		{"the registry is a link out of the repository", findings.File, outside.path(findings.File), false},
		{"the registry is a link inside of it", findings.File, "../../kept.jsonl", true},
		{"the registry is a link to nothing", findings.File, "nothing.jsonl", false},
		{"its folder is a link out of the repository", ".agents/findings", filepath.Dir(outside.path(findings.File)), false},
		{"the lock is a link", findings.LockFile, outside.path("x"), true},
	} {
		d := newDesk(t, "")
		d.put("kept.jsonl", sound()+"\n")
		if c.link == findings.LockFile {
			d.put(findings.File, sound()+"\n")
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(d.path(c.link)), 0o755), os.Symlink(c.target, d.path(c.link))); err != nil {
			t.Skip(err)
		}
		registry, report := d.open(Options{}).Read("")
		if len(registry.Entries) != map[bool]int{true: 1}[c.readable] || !c.readable && (len(report.Findings) != 1 || report.Findings[0].Code != figs.RegistryUnreadable) {
			t.Errorf("%s: Read gives %d entries, %+v", c.about, len(registry.Entries), report.Findings)
		}
		err := d.open(Options{}).Change(t.Context(), func(b *Book) error { _, err := b.Add(draft(t, sound("id", ""))); return err })
		if err == nil {
			t.Errorf("%s: it was written through", c.about)
		}
		if text, _ := os.ReadFile(outside.path(findings.File)); string(text) != sound()+"\n" || outside.names() != "registry.jsonl" {
			t.Errorf("%s: outside there is %s with %q", c.about, outside.names(), text)
		}
	}
	d := newDesk(t, "")
	if err := os.MkdirAll(d.path(findings.File), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, report := d.open(Options{}).Read(""); len(report.Findings) != 1 || report.Findings[0].Message != "The registry could not be read: it is not a file." {
		t.Errorf("a folder in its place: %+v", report.Findings)
	}
}
