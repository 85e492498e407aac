package main

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// makeZip is the script command "makezip FILE DIR [NAME=TEXT ...]": DIR with all below it, then
// entries by any name, also one that no honest tool would write.
func makeZip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: makezip FILE DIR [NAME=TEXT ...]")
	}
	file, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	defer file.Close()
	w := zip.NewWriter(file)
	ts.Check(addTree(w, ts.MkAbs(args[1])))
	for _, arg := range args[2:] {
		name, text, _ := strings.Cut(arg, "=")
		if text == "BOMB" {
			text = strings.Repeat("0", 32<<20)
		}
		entry, err := w.Create(name)
		ts.Check(err)
		_, err = entry.Write([]byte(text))
		ts.Check(err)
	}
	ts.Check(w.Close())
}

// addTree adds dir under its own name, so that a zipped .figs stays one.
func addTree(w *zip.Writer, dir string) error {
	return filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(filepath.Dir(dir), name)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		entry, err := w.Create(filepath.ToSlash(rel))
		if err != nil {
			return err
		}
		_, err = entry.Write(text)
		return err
	})
}
