package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// anySaid is a sentence of a script: tr('…'), in single quotes and on one line.
var anySaid = regexp.MustCompile(`\btr\('((?:[^'\\]|\\.)*)'`)

// scripts adds what the scripts below a root say.
func scripts(root string, at map[string][]string) error {
	files, err := filepath.Glob(filepath.Join(root, "static", "js", "*.js"))
	if err != nil {
		return err
	}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for no, line := range strings.Split(string(source), "\n") {
			for _, m := range anySaid.FindAllStringSubmatch(line, -1) {
				english := strings.ReplaceAll(m[1], `\'`, `'`)
				at[english] = append(at[english], fmt.Sprintf("static/js/%s:%d", filepath.Base(name), no+1))
			}
		}
	}
	return nil
}
