package main

import (
	"fmt"
	"os"
	"runtime"
)

// noteLoad notes that other programs kept the machine busy: milliseconds are then too high, ratios hold better.
func (b *bench) noteLoad(when string) {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return // only Linux tells
	}
	var load float64
	if _, err := fmt.Sscan(string(text), &load); err == nil && load > 0.75*float64(runtime.NumCPU()) {
		b.table.Note("The machine was busy %s: load %.1f on %d cores. Times are too high then.", when, load, runtime.NumCPU())
	}
}
