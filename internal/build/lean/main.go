// Command lean writes what the reader is built with in the place of some of its libraries: the same files without the
// declarations that need what a page never calls. A program that links net/http carries a megabyte of it, one that links
// html/template keeps every method of every type, and hashing brings along a module of ciphers and random numbers.
//
// It writes FOLDER/go.mod and go.sum for go build -modfile, FOLDER/overlay.json for go build -overlay, and the files that
// they name beside them. Nothing of them is kept anywhere else.
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
	"strings"
)

// library is a module that is made lean.
type library struct {
	path     string
	packages []string          // below path
	lost     []string          // imports that it does without
	added    map[string]string // files of ours that stand in for what is missing
}

// libraries: templ without its web handler and its bridge to Go's templates, with what shortened templates call, and
// YAML as nodes alone.
var libraries = []library{
	{path: "github.com/a-h/templ", packages: []string{"", "/runtime", "/safehtml"}, lost: []string{"net/http", "html/template"}, added: map[string]string{"runtime/prelude.go": prelude}},
	{path: "go.yaml.in/yaml/v3", packages: []string{""}, lost: []string{"reflect"}, added: map[string]string{"nodes.go": nodes}},
}

// nodes reads a document into a node, which is all that is left of the decoder.
const nodes = `package yaml

import "io"

func (dec *Decoder) Decode(v interface{}) (err error) {
	defer handleErr(&err)
	node := dec.parser.parse()
	if node == nil {
		return io.EOF
	}
	*v.(*Node) = *node
	return nil
}
`

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
	if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o755), copyFile(root, folder, "go.mod"), copyFile(root, folder, "go.sum")); err != nil {
		return err
	}
	for _, l := range libraries {
		if err := l.write(root, folder); err != nil {
			return err
		}
	}
	return writeOverlay(folder)
}

// write copies the library to a folder below folder, and replaces it in the go.mod there: by a path from root where that
// is possible, since a program carries the path, and a reader that is built elsewhere is to be the same to the byte.
func (l library) write(root, folder string) error {
	var paths []string
	for _, p := range l.packages {
		paths = append(paths, l.path+p)
	}
	packages, err := list(paths...)
	if err != nil {
		return err
	}
	copied := filepath.Join(folder, strings.ReplaceAll(l.path, "/", "-"))
	for _, p := range packages {
		if err := p.write(filepath.Join(copied, p.ImportPath[len(l.path):]), l.lost); err != nil {
			return fmt.Errorf("%s: %w", p.ImportPath, err)
		}
	}
	for name, text := range l.added {
		if err := os.WriteFile(filepath.Join(copied, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	if err := copyFile(packages[0].Dir, copied, "go.mod"); err != nil {
		return err
	}
	if below, err := filepath.Rel(root, copied); err == nil && filepath.IsLocal(below) {
		copied = "./" + filepath.ToSlash(below)
	}
	edit := exec.Command("go", "mod", "edit", "-replace="+l.path+"="+copied, filepath.Join(folder, "go.mod"))
	edit.Stderr = os.Stderr
	return edit.Run()
}

func copyFile(from, to, name string) error {
	text, err := os.ReadFile(filepath.Join(from, name))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, name), text, 0o644)
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
func (p pkg) write(to string, lost []string) error {
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
