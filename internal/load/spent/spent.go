//go:build unix

// Package spent tells the processor time of processes, as Linux tells it: the clock on the wall measures the neighbours.
package spent

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// tick is the unit in which Linux tells processor time to programs, on every architecture.
const tick = 10 * time.Millisecond

// By is the processor time of processes up to now.
func By(pids ...int) (total time.Duration, err error) {
	for _, pid := range pids {
		own, _, err := stat(pid)
		if err != nil {
			return 0, err
		}
		total += own
	}
	return total, nil
}

// stat is what a process has spent, and its parent.
func stat(pid int) (own time.Duration, parent int, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, err
	}
	// The name stands in parentheses and may hold anything; behind it are a letter and numbers.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 13 {
		return 0, 0, fmt.Errorf("process %d tells nothing of its time", pid)
	}
	parent, _ = strconv.Atoi(fields[1])
	for _, field := range fields[11:13] {
		n, err := strconv.Atoi(field)
		if err != nil {
			return 0, 0, err
		}
		own += time.Duration(n) * tick
	}
	return own, parent, nil
}

// ByFamily is that of a process and of those of its children that have not ended.
func ByFamily(pid int) (time.Duration, error) {
	entries, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return 0, err
	}
	total, err := By(pid)
	if err != nil {
		return 0, err
	}
	for _, entry := range entries {
		child, err := strconv.Atoi(filepath.Base(entry))
		if err != nil {
			continue
		}
		if own, parent, err := stat(child); err == nil && parent == pid {
			total += own
		}
	}
	return total, nil
}
