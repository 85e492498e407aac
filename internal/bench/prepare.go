package main

import (
	"embed"
	"encoding/json"
	"os"
	"path/filepath"
)

//go:embed js
var scripts embed.FS

// prepare generates the folders and puts everything that a JavaScript side loads into one folder.
func (b *bench) prepare() error {
	b.small, b.large = generate(10_000_000), generate(100_000_000)
	b.smallMarked, b.largeMarked = generateMarked(10_000_000), generateMarked(100_000_000)
	for name, f := range map[string]*folder{
		smallName: b.small, largeName: b.large, smallMarkedName: b.smallMarked, largeMarkedName: b.largeMarked,
	} {
		if err := f.write(filepath.Join(b.dir, name)); err != nil {
			return err
		}
	}
	entries, err := scripts.ReadDir("js")
	if err != nil {
		return err
	}
	for _, e := range entries {
		text, err := scripts.ReadFile("js/" + e.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(b.dir, e.Name()), text, 0o644); err != nil {
			return err
		}
	}
	for _, name := range []string{"engine.wasm", "reader.wasm", "wasm_exec.js"} {
		data, err := os.ReadFile(filepath.Join(b.wasm, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(b.dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// artifactSize is the size of every generated attachment.
const artifactSize = 64

// write puts dir/.figs on disk; dir/folder.json tells the JavaScript sides what is beside the files.
func (f *folder) write(dir string) error {
	type artifact struct {
		Name string `json:"name"`
		Size int64  `json:"size"`
	}
	facts := struct {
		Now       string     `json:"now"`
		Artifacts []artifact `json:"artifacts"`
	}{Now: f.Now}
	files := map[string][]byte{
		".figs/agent.json": f.Agent, ".figs/config.json": f.Config, ".figs/runs.jsonl": f.Runs, ".figs/asks.jsonl": f.Asks,
	}
	for _, name := range f.Artifacts {
		facts.Artifacts = append(facts.Artifacts, artifact{name, artifactSize})
		files[".figs/artifacts/"+name] = make([]byte, artifactSize)
	}
	text, err := json.Marshal(facts)
	if err != nil {
		return err
	}
	files["folder.json"] = text
	if err := os.MkdirAll(filepath.Join(dir, ".figs", "artifacts"), 0o755); err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
