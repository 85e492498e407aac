package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// standardLibrary is the name of the part that no module is.
const standardLibrary = "Go's standard library"

// part is a module that is linked, or Go's own library.
type part struct {
	name, version, licence string
	files                  []file
}

type file struct {
	name string
	text []byte
}

// targets are what is released: packages, and the systems that they are built for.
var targets = []struct {
	system   string
	packages []string
}{
	{"linux/amd64", []string{"./cmd/figs-web"}}, {"darwin/arm64", []string{"./cmd/figs-web"}}, {"windows/amd64", []string{"./cmd/figs-web"}},
	{"js/wasm", []string{"./wasm/engine", "./wasm/reader", "./wasm/library"}},
}

// parts finds everything that is linked, sorted by name, with its licence.
func parts(root string) ([]part, error) {
	library, err := goEnv("GOROOT")
	if err != nil {
		return nil, err
	}
	dirs := map[string]module{standardLibrary: {Version: "of the Go that builds it", Dir: library}}
	for _, t := range targets {
		if err := linked(root, t.system, t.packages, dirs); err != nil {
			return nil, err
		}
	}
	var all []part
	for _, name := range slices.SortedFunc(maps.Keys(dirs), func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }) {
		p, err := read(name, dirs[name])
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// module is one as go list tells of it.
type module struct {
	Path, Version, Dir string
	Main               bool
}

// linked notes the modules that packages for a system are linked with.
func linked(root, system string, packages []string, into map[string]module) error {
	goos, goarch, _ := strings.Cut(system, "/")
	cmd := exec.Command("go", append([]string{"list", "-deps", "-json=Module"}, packages...)...)
	cmd.Dir, cmd.Env, cmd.Stderr = root, append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list for %s: %w", system, err)
	}
	for in := json.NewDecoder(bytes.NewReader(out)); in.More(); {
		var p struct{ Module *module }
		if err := in.Decode(&p); err != nil {
			return err
		}
		if p.Module != nil && !p.Module.Main {
			into[p.Module.Path] = *p.Module
		}
	}
	return nil
}

func goEnv(name string) (string, error) {
	out, err := exec.Command("go", "env", name).Output()
	return strings.TrimSpace(string(out)), err
}

// names are those of files that hold a licence, and of those that go with one.
var (
	names  = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense)(\.(md|txt))?$`)
	beside = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)
)

// read finds a module's licence and recognises it.
func read(name string, m module) (part, error) {
	p := part{name: name, version: m.Version}
	entries, err := os.ReadDir(m.Dir)
	if err != nil {
		return p, err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !names.MatchString(e.Name()) && !beside.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(m.Dir, e.Name()))
		if err != nil {
			return p, err
		}
		p.files = append(p.files, file{e.Name(), text})
		if names.MatchString(e.Name()) && p.licence == "" {
			p.licence = recognise(text)
		} else if strong := copyleft(text); strong != "" {
			return p, fmt.Errorf("%s: %s speaks of the %s: read it, and decide", name, e.Name(), strong)
		}
	}
	if p.licence == "" {
		return p, fmt.Errorf("%s: its licence is not one that is known here (%d files): read it in %s, and decide", name, len(p.files), m.Dir)
	}
	return p, nil
}
