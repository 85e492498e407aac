package cmd

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Progress shows after progressDelay, so that quick work stays quiet.
const (
	progressDelay = 500 * time.Millisecond
	progressStep  = 100 * time.Millisecond
)

// Progress is one line on stderr, redrawn while something lasts. Ctrl+C stops the work.
type Progress struct {
	done, total atomic.Int64
	rows        atomic.Bool            // they count rows, not bytes
	label       atomic.Pointer[string] // in place of the first one; may be nil
	quit        chan struct{}
	once        sync.Once
	wait        sync.WaitGroup
}

// Progress begins a line; it stays empty when stderr is no terminal, and in machine mode.
func (a *App) Progress(label string) *Progress {
	p := &Progress{quit: make(chan struct{})}
	if a.Bar && !a.Quiet {
		p.wait.Go(func() { p.draw(a, label) })
	}
	return p
}

// Set tells how much is done; total is 0 where that is not known.
func (p *Progress) Set(done, total int64) {
	p.done.Store(done)
	p.total.Store(total)
}

// Turn begins something else on the same line.
func (p *Progress) Turn(label string, rows bool) {
	if was := p.label.Load(); was != nil && *was == label {
		return
	}
	p.Set(0, 0)
	p.rows.Store(rows)
	p.label.Store(&label)
}

// Stop wipes the line.
func (p *Progress) Stop() {
	p.once.Do(func() { close(p.quit) })
	p.wait.Wait()
}

func (p *Progress) draw(a *App, label string) {
	next := time.NewTimer(progressDelay)
	defer next.Stop()
	for drawn := false; ; drawn = true {
		select {
		case <-p.quit:
			if drawn {
				fmt.Fprint(a.Stderr, "\r\x1b[K")
			}
			return
		case <-next.C:
			if now := p.label.Load(); now != nil {
				label = *now
			}
			fmt.Fprint(a.Stderr, "\r\x1b[K"+p.line(label))
			next.Reset(progressStep)
		}
	}
}

// line is "Reading x  [#####     ]  52 %  104 of 200 MB  (Ctrl+C to stop)".
func (p *Progress) line(label string) string {
	done, total := p.done.Load(), p.total.Load()
	if total <= 0 {
		return label + " …  (Ctrl+C to stop)"
	}
	part := min(float64(done)/float64(total), 1)
	bar := strings.Repeat("#", int(part*20)) + strings.Repeat(" ", 20-int(part*20))
	unit := "MB"
	if p.rows.Load() {
		unit = "rows"
	} else {
		done, total = done>>20, total>>20
	}
	return fmt.Sprintf("%s  [%s] %3.0f %%  %d of %d %s  (Ctrl+C to stop)", label, bar, part*100, done, total, unit)
}
