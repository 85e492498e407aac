// Command twice builds figs-web twice from the same sources and compares what came out, byte by byte: the program, both
// modules, the inspector. The second time everything is different that must not matter: the folder and its length, a
// repository around it, Go's caches and flags, where temporary files go, the language and the time zone.
//
//	go run ./internal/build/reproducible
//
// Run it from the top of the module. It takes as long as two builds with cold caches.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
)

// outputs are what a release consists of.
var outputs = []string{
	"bin/figs-web", "static/wasm/engine.wasm", "static/wasm/reader.wasm", "static/wasm/inspector.html", "static/wasm/inspector.html.br",
}

// A place is where the sources are built once.
type place struct {
	folder string
	env    []string // on top of the environment
	git    bool     // the folder is a repository with a commit
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, "."); err != nil {
		fmt.Fprintln(os.Stderr, "twice:", err)
		os.Exit(1)
	}
}

// run builds in both places and tells whether the bytes are the same.
func run(ctx context.Context, root string) error {
	dir, err := os.MkdirTemp("", "figs-twice-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	places := placesIn(dir)
	for _, p := range places {
		if err := p.build(ctx, root); err != nil {
			return fmt.Errorf("in %s: %w", p.folder, err)
		}
	}
	different := 0
	for _, name := range outputs {
		same, said, err := compare(filepath.Join(places[0].folder, name), filepath.Join(places[1].folder, name))
		if err != nil {
			return err
		}
		if !same {
			different++
		}
		fmt.Printf("%-30s %s\n", name, said)
	}
	if different > 0 {
		return fmt.Errorf("%d of %d files differ between two builds of the same sources", different, len(outputs))
	}
	return nil
}

// placesIn are two places that have nothing in common.
func placesIn(dir string) []place {
	settings := func(name string, more ...string) []string {
		return append(more, "GOCACHE="+filepath.Join(dir, name, "cache"), "TMPDIR="+filepath.Join(dir, name, "tmp"))
	}
	return []place{
		{folder: filepath.Join(dir, "a", "s"), env: settings("a", "GOFLAGS=", "TZ=UTC", "LANG=C")},
		{
			folder: filepath.Join(dir, "another", "a folder of another length", "figs-web"), git: true,
			env: settings("another", "GOFLAGS=-buildvcs=true -trimpath=false -ldflags=-X=main.name=other", "TZ=Asia/Kathmandu", "LANG=de_DE.UTF-8"),
		},
	}
}

// build copies the sources and makes the program from them.
func (p place) build(ctx context.Context, root string) error {
	for _, setting := range p.env {
		if dir, is := strings.CutPrefix(setting, "TMPDIR="); is {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
		}
	}
	if err := copySources(ctx, root, p.folder); err != nil {
		return err
	}
	steps := [][]string{{"make", "bin/figs-web"}}
	if p.git {
		steps = append([][]string{
			{"git", "init", "-q"}, {"git", "add", "-A"},
			{"git", "-c", "user.name=twice", "-c", "user.email=twice@example.org", "commit", "-q", "-m", "the sources"},
		}, steps...)
	}
	for _, step := range steps {
		cmd := exec.CommandContext(ctx, step[0], step[1:]...)
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.folder, append(os.Environ(), p.env...), os.Stderr, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(step, " "), err)
		}
	}
	return nil
}

// copySources copies what git keeps or would keep.
func copySources(ctx context.Context, from, to string) error {
	list := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = from
	out, err := list.Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	for _, name := range strings.Split(strings.Trim(string(out), "\x00"), "\x00") {
		err := copyFile(filepath.Join(from, name), filepath.Join(to, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // removed and not yet committed
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
