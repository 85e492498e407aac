package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/figs-web/figs-web/internal/inspector/artifact"
	"github.com/figs-web/figs-web/internal/version"
)

// top is a copy of what the builder reads, with small modules instead of the real ones.
func top(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, folder := range []string{"js", "css", "samples"} {
		if err := os.CopyFS(filepath.Join(root, "static", folder), os.DirFS("../../../static/"+folder)); err != nil {
			t.Fatal(err)
		}
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	glue, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib/wasm/wasm_exec.js"))
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"wasm_exec.js": glue, "engine.wasm": []byte(tiny), "reader.wasm": []byte(tiny)} {
		write(t, filepath.Join(root, "static/wasm", name), b)
	}
	return root
}

// tiny is a module with a memory and a byte of data.
const tiny = "\x00asm\x01\x00\x00\x00\x05\x03\x01\x00\x10\x0b\x07\x01\x00\x41\x00\x0b\x01a"

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestRunWritesTheSameFileEveryTime(t *testing.T) {
	first, second := top(t), top(t)
	for _, root := range []string{first, second} {
		if err := run(root); err != nil {
			t.Fatalf("run = %v", err)
		}
	}
	for _, name := range []string{"inspector.html", "inspector.html.br"} {
		a, errA := os.ReadFile(filepath.Join(first, "static/wasm", name))
		b, errB := os.ReadFile(filepath.Join(second, "static/wasm", name))
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("%s differs between two builds (%v, %v)", name, errA, errB)
		}
	}
	file, err := os.ReadFile(filepath.Join(first, "static/wasm/inspector.html"))
	if err != nil {
		t.Fatal(err)
	}
	if r, err := artifact.Check(file); err != nil || len(r.Problems) > 0 || r.Manifest.Version != version.Version {
		t.Errorf("Check of the built file = %+v, %v", r, err)
	}
}

func TestRunLeavesAFileAloneThatIsThere(t *testing.T) {
	root := top(t)
	if err := run(root); err != nil {
		t.Fatal(err)
	}
	small := filepath.Join(root, "static/wasm/inspector.html.br")
	before, err := os.Stat(small)
	if err != nil {
		t.Fatal(err)
	}
	if err := run(root); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(small); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("a second build wrote the compressed file again (%v)", err)
	}
	write(t, small, []byte("damaged"))
	if err := run(root); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(small); err != nil || string(b) == "damaged" {
		t.Errorf("a damaged compressed file was left as it is (%v)", err)
	}
}

func TestRunNamesAMissingModule(t *testing.T) {
	root := top(t)
	if err := os.Remove(filepath.Join(root, "static/wasm/reader.wasm")); err != nil {
		t.Fatal(err)
	}
	if err := run(root); err == nil || !strings.Contains(err.Error(), "make wasm") {
		t.Errorf("run without reader.wasm = %v, want a word on make wasm", err)
	}
}

// TestTranslations gives the page every sentence in German, and in the language that finds hard-wired ones.
func TestTranslations(t *testing.T) {
	text, err := translations("../../..")
	var got map[string]translation
	if err = errors.Join(err, json.Unmarshal([]byte(text), &got)); err != nil {
		t.Fatal(err)
	}
	german, pseudo := got["de"], got["en-XA"]
	if german.Name != "Deutsch" || pseudo.Name != "" {
		t.Errorf("the languages are called %q and %q", german.Name, pseudo.Name)
	}
	for english := range pseudo.Sentences {
		if german.Sentences[english] == "" {
			t.Errorf("no German for %q", english)
		}
	}
	if len(pseudo.Sentences) < 200 || strings.Contains(text, "<") {
		t.Errorf("%d sentences, with markup: %v", len(pseudo.Sentences), strings.Contains(text, "<"))
	}
}
