// Command inspector writes static/wasm/inspector.html, the one file that is the inspector, and the
// same file compressed with brotli. Run it from the top of the module, after the WebAssembly
// modules and wasm_exec.js stand in static/wasm:
//
//	go run ./internal/build/inspector
//
// It also writes into reader.wasm the most memory that it may use.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/andybalholm/brotli"

	"github.com/figs-web/figs-web/components/words"
	"github.com/figs-web/figs-web/internal/build/sentences"
	"github.com/figs-web/figs-web/internal/inspector/artifact"
	"github.com/figs-web/figs-web/internal/version"
)

func main() {
	root := flag.String("C", ".", "the top of the module")
	flag.Parse()
	if err := run(*root); err != nil {
		fmt.Fprintln(os.Stderr, "inspector:", err)
		os.Exit(1)
	}
}

// run builds the file and writes it, with its compressed twin, unless both are there.
func run(root string) error {
	static := filepath.Join(root, "static")
	parts, err := gather(static)
	if err != nil {
		return err
	}
	file, err := artifact.Build(*parts)
	if err != nil {
		return err
	}
	out := filepath.Join(static, "wasm", "inspector.html")
	packed := len(file)
	if !written(out, file) {
		small, err := compress(file)
		if err != nil {
			return err
		}
		packed = len(small)
		if err := errors.Join(os.WriteFile(out, file, 0o644), os.WriteFile(out+".br", small, 0o644)); err != nil {
			return err
		}
	} else if info, err := os.Stat(out + ".br"); err == nil {
		packed = int(info.Size())
	}
	fmt.Printf("inspector.html: %d bytes, %d with brotli\n", len(file), packed)
	return nil
}

// gather reads and bundles what goes into the file.
func gather(static string) (*artifact.Parts, error) {
	engine, err := module(static, "engine.wasm")
	if err != nil {
		return nil, err
	}
	reader, err := module(static, "reader.wasm")
	if err != nil {
		return nil, err
	}
	if reader, err = limitMemory(reader, readerPages); err != nil {
		return nil, fmt.Errorf("static/wasm/reader.wasm: %w", err)
	}
	if err := os.WriteFile(filepath.Join(static, "wasm", "reader.wasm"), reader, 0o644); err != nil {
		return nil, err
	}
	script, err := bundleScript(filepath.Join(static, "js"), "inspector/main.js")
	if err != nil {
		return nil, err
	}
	worker, err := bundleScript(filepath.Join(static, "js"), "worker/worker.js")
	if err != nil {
		return nil, err
	}
	css, err := bundleStyles(filepath.Join(static, "css"))
	if err != nil {
		return nil, err
	}
	samples, err := samples(os.DirFS(filepath.Join(static, "samples")))
	if err != nil {
		return nil, err
	}
	words, err := translations(filepath.Dir(static))
	if err != nil {
		return nil, err
	}
	return &artifact.Parts{Version: version.Version, CSS: css, Script: script, Worker: worker, Words: words, Samples: samples, Engine: engine, Reader: reader}, nil
}

// translation is a language as the inspector's page has it. One without a name is not offered.
type translation struct {
	Name      string            `json:"name"`
	Sentences map[string]string `json:"sentences"`
}

// translations are what the page and its scripts say in other languages than English, as JSON: code → translation.
func translations(root string) (string, error) {
	scripts, err := sentences.Scripts(root)
	if err != nil {
		return "", err
	}
	said := append(slices.Collect(maps.Keys(scripts)), sentences.Page()...)
	all := map[string]translation{words.PseudoLanguage.Code: {Sentences: map[string]string{}}}
	for _, english := range said {
		all[words.PseudoLanguage.Code].Sentences[english] = words.Pseudo(english)
	}
	for _, l := range words.Languages()[1:] {
		t := translation{l.Name, map[string]string{}}
		for _, english := range said {
			if other, ok := words.For(l.Code).Say(english); ok {
				t.Sentences[english] = other
			}
		}
		all[l.Code] = t
	}
	text, err := json.Marshal(all)
	return string(text), err
}

// module reads a WebAssembly module.
func module(static, name string) ([]byte, error) {
	b, err := os.ReadFile(filepath.Join(static, "wasm", name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("static/wasm/%s is missing; run make wasm", name)
	}
	return b, err
}

// samples packs every folder of a file system into one JSON object: the folder's name, then
// the path inside it, then the bytes in base64. Keys come out sorted.
func samples(fsys fs.FS) (string, error) {
	all := map[string]map[string]string{}
	err := fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, rest, ok := strings.Cut(path, "/")
		if !ok {
			return nil
		}
		b, err := fs.ReadFile(fsys, path)
		if all[name] == nil {
			all[name] = map[string]string{}
		}
		all[name][rest] = base64.StdEncoding.EncodeToString(b)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("read samples: %w", err)
	}
	text, err := json.Marshal(all)
	return string(text), err
}

// written reports whether the file and its compressed twin already hold these bytes;
// compressing takes many times as long as looking.
func written(out string, file []byte) bool {
	old, err := os.ReadFile(out)
	if err != nil || !bytes.Equal(old, file) {
		return false
	}
	small, err := os.ReadFile(out + ".br")
	if err != nil {
		return false
	}
	plain, err := io.ReadAll(brotli.NewReader(bytes.NewReader(small)))
	return err == nil && bytes.Equal(plain, file)
}

// brotliQuality is low because most of the file is gzip in base64: the highest takes half a minute longer and saves half a percent.
const brotliQuality = 5

func compress(file []byte) ([]byte, error) {
	var out bytes.Buffer
	w := brotli.NewWriterLevel(&out, brotliQuality)
	if _, err := w.Write(file); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
