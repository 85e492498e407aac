package lock

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

const heldName = "FIGS_LOCK_NAME"

func TestCreate(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	first, err := Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Create(name); !errors.Is(err, ErrHeld) {
		t.Errorf("a second time: %v, want ErrHeld", err)
	}
	first.Close()
	second, err := Create(name)
	if err != nil {
		t.Fatalf("after it was closed: %v", err)
	}
	second.Close()
	if _, err := Create(filepath.Join(name, "x")); err == nil || errors.Is(err, ErrHeld) {
		t.Errorf("below a file: %v, want another error", err)
	}
}

// The lock is another process's until that is killed; reading and writing need no lock.
func TestWait(t *testing.T) {
	if name := os.Getenv(heldName); name != "" {
		hold(name)
	}
	name := filepath.Join(t.TempDir(), "asks.jsonl")
	if err := os.WriteFile(name, []byte("one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := exec.Command(os.Args[0], "-test.run", "^TestWait$")
	other.Env = append(os.Environ(), heldName+"="+name)
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := other.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	if said := bufio.NewScanner(out); !said.Scan() || said.Text() != "held" {
		t.Fatalf("the other process says %q", said.Text())
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	soon, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := Wait(soon, f); !errors.Is(err, ErrHeld) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("while it is held: %v, want ErrHeld and why the waiting ended", err)
	}
	if b, err := os.ReadFile(name); err != nil || string(b) != "one\n" {
		t.Errorf("reading meanwhile = %q, %v", b, err)
	}
	if err := os.WriteFile(name, []byte("two\n"), 0o600); err != nil {
		t.Errorf("writing meanwhile: %v", err)
	}
	other.Process.Kill()
	other.Wait()
	later, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := Wait(later, f); err != nil {
		t.Errorf("after its holder was killed: %v", err)
	}
}

// hold is the other process. It holds the lock until it is killed, or its stdin ends with this process.
func hold(name string) {
	f, err := os.Open(name)
	if err == nil {
		err = Wait(context.Background(), f)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("held")
	io.Copy(io.Discard, os.Stdin)
	f.Close()
	os.Exit(0)
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	name, file := filepath.Join(dir, "folder"), filepath.Join(dir, "file")
	if _, err := Folder(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that there is not: %v, want ErrNotExist", err)
	}
	for _, err := range []error{os.Mkdir(name, 0o700), os.WriteFile(file, nil, 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Folder(file); !errors.Is(err, ErrShared) {
		t.Errorf("a file: %v, want ErrShared", err)
	}
	first, err := Folder(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Folder(name); !errors.Is(err, ErrHeld) {
		t.Errorf("a second time: %v, want ErrHeld", err)
	}
	first.Close()
	if runtime.GOOS == "windows" {
		return // where rights are no part of a mode, and not everybody may make a link
	}
	second, err := Folder(name)
	if err != nil {
		t.Fatalf("after it was closed: %v", err)
	}
	second.Close()
	link := filepath.Join(dir, "link")
	for _, err := range []error{os.Symlink(name, link), os.Chmod(name, 0o720)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, shared := range []string{link, name} {
		if _, err := Folder(shared); !errors.Is(err, ErrShared) {
			t.Errorf("%s: %v, want ErrShared", filepath.Base(shared), err)
		}
	}
}
