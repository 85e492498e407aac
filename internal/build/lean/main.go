// Command lean writes what the reader is built with in the place of one of its libraries: the same files without the
// declarations that need a web server or Go's own templates. The reader calls none of them, but a program that links
// net/http carries a megabyte of it, and one that links html/template keeps every method of every type.
//
// It writes FOLDER/go.mod and go.sum for go build -modfile, and the library's files beside them. Nothing of them is kept
// anywhere else.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// library is the module that is made lean, and lost are the imports that it does without.
const library = "github.com/a-h/templ"

var lost = []string{"net/http", "html/template"}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: lean FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "lean:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	root, err := module()
	if err != nil {
		return err
	}
	packages, err := list(library, library+"/runtime", library+"/safehtml")
	if err != nil {
		return err
	}
	copied := filepath.Join(folder, filepath.Base(library))
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(copied, 0o755)); err != nil {
		return err
	}
	for _, p := range packages {
		if err := p.write(filepath.Join(copied, p.ImportPath[len(library):])); err != nil {
			return fmt.Errorf("%s: %w", p.ImportPath, err)
		}
	}
	for from, to := range map[string]string{
		filepath.Join(root, "go.mod"):            filepath.Join(folder, "go.mod"),
		filepath.Join(root, "go.sum"):            filepath.Join(folder, "go.sum"),
		filepath.Join(packages[0].Dir, "go.mod"): filepath.Join(copied, "go.mod"),
	} {
		text, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			return err
		}
	}
	edit := exec.Command("go", "mod", "edit", "-replace="+library+"="+copied, filepath.Join(folder, "go.mod"))
	edit.Stderr = os.Stderr
	return edit.Run()
}

// module is the folder of our own go.mod.
func module() (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("go list -m: %w", err)
	}
	return string(out[:len(out)-1]), nil
}

// pkg is a package as it is built for the browser.
type pkg struct {
	ImportPath, Dir string
	GoFiles         []string
	EmbedFiles      []string
}

// list asks Go for packages, in the order given.
func list(paths ...string) ([]pkg, error) {
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Dir,GoFiles,EmbedFiles"}, paths...)...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []pkg
	for in := json.NewDecoder(bytes.NewReader(out)); in.More(); {
		var p pkg
		if err := in.Decode(&p); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// write copies the package's files to a folder, without what it does not need.
func (p pkg) write(to string) error {
	files := map[string][]byte{}
	for _, name := range slices.Concat(p.GoFiles, p.EmbedFiles) {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return err
		}
		files[name] = text
	}
	source := map[string][]byte{}
	for _, name := range p.GoFiles {
		source[name] = bytes.ReplaceAll(files[name], []byte("http.Flusher"), []byte("interface{ Flush() }"))
	}
	lean, err := without(source, lost)
	if err != nil {
		return err
	}
	maps.Copy(files, source)
	maps.Copy(files, lean)
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(to, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
