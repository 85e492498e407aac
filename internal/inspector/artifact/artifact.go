// Package artifact writes and reads the one HTML file that is the inspector: its page, its
// scripts, both WebAssembly modules and the samples, under a policy that forbids every
// connection. It knows the shape of the file and nothing else, so that the program which
// builds the file and the command which verifies one share a single description of it.
package artifact

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

//go:embed shell.html
var shell string

// Shell is the page, with a mark where each part goes.
func Shell() string { return shell }

// Parts are what goes into the file. Every text must be free of carriage returns and of
// anything that would end its element early; Build refuses those that are not.
type Parts struct {
	Version string
	CSS     string
	Script  string // the page's script, one classic script
	Worker  string // the workers' script, carried as data
	Words   string // JSON: the languages beside English, with their translations of the page
	Samples string // one JSON object: sample name → path → base64
	Engine  []byte // engine.wasm
	Reader  []byte // reader.wasm
}

// Manifest is what the file says about itself.
type Manifest struct {
	Version string `json:"version"`
	Engine  Module `json:"engine"`
	Reader  Module `json:"reader"`
}

// Module names one WebAssembly module by the bytes that run.
type Module struct {
	SHA256 string `json:"sha256"` // lower-case hex of the uncompressed module
	Bytes  int    `json:"bytes"`  // uncompressed
}

// Policy is the Content-Security-Policy of a file whose script is the given text. The page
// carries it itself; a server sends the same as a header.
func Policy(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "default-src 'none'; script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "' 'wasm-unsafe-eval'; " +
		"worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; frame-src 'none'; connect-src 'none'; " +
		"base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types figs"
}

// Build assembles the file. The same parts give the same bytes.
func Build(p Parts) ([]byte, error) {
	manifest, err := json.Marshal(Manifest{p.Version, moduleOf(p.Engine), moduleOf(p.Reader)})
	if err != nil {
		return nil, fmt.Errorf("artifact: write manifest: %w", err)
	}
	engine, err := pack(p.Engine)
	if err != nil {
		return nil, err
	}
	reader, err := pack(p.Reader)
	if err != nil {
		return nil, err
	}
	slots := map[string]string{
		"policy":   Policy(p.Script),
		"css":      p.CSS,
		"manifest": string(manifest),
		"shell":    base64.StdEncoding.EncodeToString([]byte(shell)),
		"worker":   p.Worker,
		"samples":  p.Samples,
		"engine":   engine,
		"reader":   reader,
		"share":    "",
		"words":    p.Words,
		"script":   p.Script,
		"seal":     "",
	}
	for name, text := range slots {
		if err := carriable(text); err != nil {
			return nil, fmt.Errorf("artifact: %s: %w", name, err)
		}
	}
	slots["seal"] = sealOf(fill(slots))
	return fill(slots), nil
}

// slotMark is a place in the shell that Build fills.
var slotMark = regexp.MustCompile(`\[\[([a-z]+)\]\]`)

// fill returns the shell with every slot replaced.
func fill(slots map[string]string) []byte {
	return []byte(slotMark.ReplaceAllStringFunc(shell, func(mark string) string {
		return slots[mark[2:len(mark)-2]]
	}))
}

// sealOf returns the hash of a file whose own seal is empty: a page cannot hold its own
// hash, but it can hold that of everything else in it.
func sealOf(unsealed []byte) string { return hexSum(unsealed) }

// carriable reports why a text cannot stand inside a script or style element as it is.
func carriable(text string) error {
	lower := strings.ToLower(text)
	for _, bad := range []string{"\r", "\x00", "</script", "<script", "</style", "<!--"} {
		if strings.Contains(lower, bad) {
			return fmt.Errorf("the text holds %q, which HTML would not carry unchanged", bad)
		}
	}
	return nil
}

// maxModule bounds what unpack writes, so that a file which is not ours cannot fill memory.
const maxModule = 256 << 20

// pack writes a module as the file carries it: gzip, which browsers unpack themselves, in base64.
func pack(module []byte) (string, error) {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(module); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(packed.Bytes()), nil
}

// unpack reads a module that pack wrote.
func unpack(text string) ([]byte, error) {
	r, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(text)))
	if err != nil {
		return nil, err
	}
	module, err := io.ReadAll(io.LimitReader(r, maxModule+1))
	if err == nil && len(module) > maxModule {
		err = errors.New("artifact: a module is larger than any that was ever built")
	}
	return module, err
}

func moduleOf(b []byte) Module { return Module{SHA256: hexSum(b), Bytes: len(b)} }

func hexSum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
