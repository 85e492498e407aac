package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// anySaid is a sentence of a script: tr('…'), in single quotes and on one line.
var anySaid = regexp.MustCompile(`\btr\('((?:[^'\\]|\\.)*)'`)

// scripts adds what the scripts below a root say.
func scripts(root string, at map[string][]string) error {
	folder := os.DirFS(filepath.Join(root, "static", "js"))
	return fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".js" {
			return err
		}
		source, err := fs.ReadFile(folder, name)
		if err != nil {
			return err
		}
		for no, line := range strings.Split(string(source), "\n") {
			for _, m := range anySaid.FindAllStringSubmatch(line, -1) {
				english := strings.ReplaceAll(m[1], `\'`, `'`)
				at[english] = append(at[english], fmt.Sprintf("static/js/%s:%d", name, no+1))
			}
		}
		return nil
	})
}
