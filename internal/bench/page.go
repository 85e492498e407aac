package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

const about = `# Performance

Written by ` + "`make bench`" + ` on %s, on %s.

Figures with × are ratios: the other program's time divided by ours, measured alternately in the same run. They vary less between machines
than milliseconds do.

| term | meaning |
|---|---|
| peer | ` + "`internal/bench/js/peer.mjs`" + `: the same rules written in JavaScript, with the same findings. Used unless a row says otherwise |
| reference | the public client's functions for reading, folding and validating, which find about half. Measured with ` + "`make bench REFERENCE=path/to/figs.mjs`" + ` |
| floor, aim | what we want to hold, and what we hope for. **short** is below the floor |

`

// writePage writes the table with what it was measured on.
func (b *bench) writePage(path string) error {
	var out bytes.Buffer
	fmt.Fprintf(&out, about, time.Now().UTC().Format("2 January 2006"), machine())
	if err := b.table.Markdown(&out); err != nil {
		return err
	}
	return os.WriteFile(path, out.Bytes(), 0o644)
}

// machine describes what this runs on: "linux/amd64, 2 cores (Some CPU), 23 GB, Go 1.26, Node v20, Chromium 156".
func machine() string {
	parts := []string{runtime.GOOS + "/" + runtime.GOARCH, fmt.Sprintf("%d cores", runtime.NumCPU())}
	if name := procField("/proc/cpuinfo", "model name"); name != "" {
		parts[1] += " (" + name + ")"
	}
	var kilobytes int
	if _, err := fmt.Sscan(procField("/proc/meminfo", "MemTotal"), &kilobytes); err == nil {
		parts = append(parts, fmt.Sprintf("%d GB of memory", kilobytes>>20))
	}
	parts = append(parts, strings.Replace(runtime.Version(), "go", "Go ", 1))
	for _, name := range []string{"Node", "Chromium"} {
		path, err := find(name)
		if err != nil {
			continue
		}
		version, err := exec.Command(path, "--version").Output()
		if err != nil {
			continue
		}
		words, _, _ := strings.Cut(string(version), " built on")
		parts = append(parts, strings.TrimSpace(name+" "+strings.TrimPrefix(strings.TrimSpace(words), name+" ")))
	}
	return strings.Join(parts, ", ")
}

// procField is the first value of a "name : value" line; "" where there is none.
func procField(path, name string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
