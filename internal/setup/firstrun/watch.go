package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// watch prints how long each step took, when the next one begins.
type watch struct {
	mu   sync.Mutex
	out  io.Writer
	name string
	last time.Time
}

// step ends the step that is under way and begins another.
func (w *watch) step(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end()
	w.name = name
}

// done ends the last step.
func (w *watch) done() { w.step("") }

func (w *watch) end() {
	now := time.Now()
	if w.name != "" {
		fmt.Fprintf(w.out, "  %-34s %6.1f s\n", w.name, now.Sub(w.last).Seconds())
	}
	w.last = now
}
