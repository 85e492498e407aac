package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/figs-web/figs-web/internal/attack/corpus"
	"github.com/figs-web/figs-web/internal/testenv"
	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

//go:embed module.mjs
var script []byte

// module is Node with the reader's module: one line of JSON in for each file, one out.
type module struct {
	dir string
	in  io.WriteCloser
	out *bufio.Scanner
	cmd *exec.Cmd
	run func() (*module, error) // starts another one, after this one was killed
}

// rendered is what the module made of a file.
type rendered struct {
	took     time.Duration
	document []byte
	result   json.RawMessage
}

func startModule(ctx context.Context, root, dir string) (*module, error) {
	node := ""
	for _, part := range testenv.Parts() {
		if part.Name == "Node" {
			path, err := part.Find()
			if err != nil {
				return nil, fmt.Errorf("%w: %s", err, part.Get)
			}
			node = path
		}
	}
	wasm := filepath.Join(root, "static", "wasm")
	for _, name := range []string{"reader.wasm", "wasm_exec.js"} {
		if _, err := os.Stat(filepath.Join(wasm, name)); err != nil {
			return nil, errors.New("static/wasm is not built: run make wasm")
		}
	}
	path := filepath.Join(dir, "module.mjs")
	if err := os.WriteFile(path, script, 0o600); err != nil {
		return nil, err
	}
	var start func() (*module, error)
	start = func() (*module, error) {
		cmd := exec.CommandContext(ctx, node, path, wasm)
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			return nil, err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return nil, err
		}
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 64<<20)
		return &module{dir, in, lines, cmd, start}, nil
	}
	return start()
}

func (m *module) stop() {
	m.in.Close()
	m.cmd.Process.Kill()
	m.cmd.Wait()
}

// render asks the module for one view under the limits of the browser, and kills it after ten seconds, as the page does.
func (m *module) render(f attachment, view report.View) (rendered, error) {
	path := filepath.Join(m.dir, "in") // the corpus has names that no file may bear
	if err := os.WriteFile(path, f.content, 0o600); err != nil {
		return rendered{}, err
	}
	defer os.Remove(path)
	line, err := json.Marshal(map[string]string{"path": path, "name": f.name, "view": string(view), "out": filepath.Join(m.dir, "out")})
	if err != nil {
		return rendered{}, err
	}
	timer := time.AfterFunc(offlineLimit, func() { m.cmd.Process.Kill() })
	defer timer.Stop()
	var a struct {
		MS     float64
		Memory int64
		Report json.RawMessage
		Error  string
	}
	_, err = m.in.Write(append(line, '\n'))
	if err != nil || !m.out.Scan() {
		return rendered{}, errors.Join(fmt.Errorf("no answer within %v, or its memory ended", offlineLimit), m.renew())
	}
	if err := json.Unmarshal(m.out.Bytes(), &a); err != nil { // its last words: its memory ended
		return rendered{}, errors.Join(errors.New(m.out.Text()), m.renew())
	}
	if a.Memory > worn {
		defer m.renew()
	}
	if a.Error != "" {
		return rendered{}, errors.New(a.Error)
	}
	document, err := os.ReadFile(filepath.Join(m.dir, "out"))
	return rendered{time.Duration(a.MS * float64(time.Millisecond)), document, a.Report}, err
}

// worn is how large a module's memory may become before the page takes a fresh one, in bytes.
const worn = 128 << 20

// renew takes a fresh module.
func (m *module) renew() error {
	m.stop()
	fresh, err := m.run()
	if err == nil {
		*m = *fresh
	}
	return err
}

// sameBytes renders every hostile attachment of the corpus both ways, in every view, and counts the pairs that are equal to
// the last byte: documents and reports.
func (m *module) sameBytes() (same, all int, err error) {
	vectors, err := corpus.All()
	if err != nil {
		return 0, 0, err
	}
	for _, v := range vectors {
		content, err := v.Fill(4711)
		if err != nil {
			return 0, 0, err
		}
		for _, view := range []report.View{report.Rendered, report.Source, report.Text} {
			all++
			native := sandbox.Render(v.File, content, view, report.Offline())
			want, err := json.Marshal(native)
			if err != nil {
				return 0, 0, err
			}
			got, err := m.render(attachment{name: v.File, content: content}, view)
			if err == nil && bytes.Equal(got.document, sandbox.Srcdoc(native.Document)) && bytes.Equal(got.result, want) {
				same++
				continue
			}
			if all-same <= 20 {
				fmt.Printf("%s/%s, %s: the module differs: %v\n", v.Family, v.Name, view, err)
			}
		}
	}
	return same, all, nil
}
