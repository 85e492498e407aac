package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"

	"github.com/figs-web/figs-web/sandbox"
	"github.com/figs-web/figs-web/sandbox/report"
)

// figure is what one native rendering took.
type figure struct {
	took   time.Duration
	memory int64 // bytes: the most that the process held
	output int64 // bytes of the document
	shown  string
	peer   string // the parser alone, for html
}

// answer is what the process that renders says.
type answer struct {
	Took, Peer time.Duration
	Output     int64
	Memory     int64
	Shown      string
}

// measure renders a file in a process of its own.
func measure(ctx context.Context, path string, view report.View) (figure, error) {
	self, err := os.Executable()
	if err != nil {
		return figure{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "-one", path, "-view", string(view))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return figure{}, err
	}
	var a answer
	if err := json.Unmarshal(out, &a); err != nil {
		return figure{}, err
	}
	f := figure{took: a.Took, memory: a.Memory, output: a.Output, shown: a.Shown, peer: "–"}
	if a.Peer > 0 {
		f.peer = fmt.Sprintf("%.1f×", float64(a.Took)/float64(a.Peer))
	}
	return f, nil
}

// renderOne renders one file, first of all: what comes later does not count towards the time or the memory that matter.
func renderOne(path string, view report.View) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	start := time.Now()
	r := sandbox.Render(filepath.Base(path), content, view, report.Hosted())
	a := answer{Took: time.Since(start), Output: int64(len(r.Document)), Memory: peak(), Shown: shown(r)}
	if view == report.Rendered && strings.HasSuffix(path, ".html") && r.View == report.Rendered {
		start = time.Now()
		if doc, err := html.Parse(bytes.NewReader(content)); err == nil {
			html.Render(new(bytes.Buffer), doc)
			a.Peer = time.Since(start)
		}
	}
	return json.NewEncoder(os.Stdout).Encode(a)
}

// shown says which view came out, and why when it is another.
func shown(r *report.Result) string {
	if r.Kind == report.Download {
		return "download"
	}
	if r.View == r.Asked {
		return string(r.View)
	}
	for _, n := range r.Notices {
		return string(r.View) + ": " + string(n.Code)
	}
	return string(r.View) + ": no reason given"
}

// peak is the most memory that this process has held, in bytes: what the system says, or where it says nothing, what Go
// has taken from it.
func peak() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err == nil {
		for line := range strings.Lines(string(status)) {
			if kb, found := strings.CutPrefix(line, "VmHWM:"); found {
				n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(kb), " kB"), 10, 64)
				return n << 10
			}
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}
