package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/figs-web/figs-web/internal/testenv"
)

// A request is what js/measure.mjs answers.
type request struct {
	Op   string `json:"op"`
	Name string `json:"name,omitempty"`
	Keep bool   `json:"keep"`
}

// An answer is one measurement, or nothing but an error.
type answer struct {
	MS      float64        `json:"ms"`
	Memory  int64          `json:"memory"`
	Records int            `json:"records"`
	Counts  map[string]int `json:"counts"`
	Error   string         `json:"error"`
}

// A desk is a JavaScript process that measures on request.
type desk interface {
	ask(request) (answer, error)
}

// node is a Node process; closing its input ends it.
type node struct {
	in  io.WriteCloser
	out *bufio.Scanner
	cmd *exec.Cmd
}

// startNode starts Node on the prepared folder, with the folders named loaded and the engine ready.
func startNode(ctx context.Context, b *bench, folders ...string) (*node, error) {
	program, err := find("Node")
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, "--expose-gc", filepath.Join(b.dir, "node.mjs"))
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
	n := &node{in: in, out: bufio.NewScanner(out), cmd: cmd}
	if err := load(n, folders...); err != nil {
		n.close()
		return nil, err
	}
	return n, nil
}

func (n *node) ask(r request) (answer, error) {
	line, err := json.Marshal(r)
	if err != nil {
		return answer{}, err
	}
	if _, err := n.in.Write(append(line, '\n')); err != nil {
		return answer{}, fmt.Errorf("node stopped: %w", err)
	}
	if !n.out.Scan() {
		return answer{}, errors.New("node stopped without an answer")
	}
	return decode(n.out.Bytes())
}

func (n *node) close() {
	n.in.Close()
	n.cmd.Wait()
}

func decode(text []byte) (answer, error) {
	var a answer
	if err := json.Unmarshal(text, &a); err != nil {
		return answer{}, fmt.Errorf("no JSON from a JavaScript side: %w", err)
	}
	if a.Error != "" {
		return answer{}, errors.New(a.Error)
	}
	return a, nil
}

// load has a desk load folders and start an engine.
func load(d desk, folders ...string) error {
	for _, name := range folders {
		if _, err := d.ask(request{Op: "folder", Name: name}); err != nil {
			return err
		}
	}
	_, err := d.ask(request{Op: "engine"})
	return err
}

// find returns the path of a program that the tests use too, or says how to get it.
func find(name string) (string, error) {
	for _, p := range testenv.Parts() {
		if p.Name == name {
			path, err := p.Find()
			if err != nil {
				return "", fmt.Errorf("%w: %s", err, p.Get)
			}
			return path, nil
		}
	}
	return "", fmt.Errorf("nobody knows where %s is", name)
}

// A contest is several ways to read one folder, run in turns so that a slow moment of the machine meets them all.
type contest struct {
	warm, rounds int
	runs         []func() (answer, error)
}

// A timing is how long one way took, in milliseconds.
type timing struct{ median, least, most float64 }

func timingOf(ms []float64) timing { return timing{median(ms), slices.Min(ms), slices.Max(ms)} }

// String is "12.3 ms (12.1–14.0)".
func (t timing) String() string { return sprint("%.1f ms (%.1f–%.1f)", t.median, t.least, t.most) }

// run runs the contest and returns how long each way took, and its last answer.
func (c contest) run(ctx context.Context) ([]timing, []answer, error) {
	times := make([][]float64, len(c.runs))
	last := make([]answer, len(c.runs))
	for round := range c.warm + c.rounds {
		for i, run := range c.runs {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			a, err := run()
			if err != nil {
				return nil, nil, err
			}
			last[i] = a
			if round >= c.warm {
				times[i] = append(times[i], a.MS)
			}
		}
	}
	var out []timing
	for _, t := range times {
		out = append(out, timingOf(t))
	}
	return out, last, nil
}

func median(values []float64) float64 { return rank(values, 0.5) }

// rank is the value that so great a part of the values do not pass.
func rank(values []float64, part float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(part*float64(len(sorted))), len(sorted)-1)]
}
