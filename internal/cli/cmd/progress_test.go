package cmd

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// lockedBuffer may be read while a progress line is drawn.
type lockedBuffer struct {
	mutex sync.Mutex
	b     bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.b.String()
}

func TestProgressLine(t *testing.T) {
	var p Progress
	if got, want := p.line("Reading x"), "Reading x …  (Ctrl+C to stop)"; got != want {
		t.Errorf("line() = %q, want %q", got, want)
	}
	p.Set(50<<20, 200<<20)
	if got, want := p.line("Reading x"), "Reading x  [#####               ]  25 %  50 of 200 MB  (Ctrl+C to stop)"; got != want {
		t.Errorf("line() = %q, want %q", got, want)
	}
	p.Set(300, 200) // a file that grew
	if got := p.line("x"); !strings.Contains(got, "100 %") {
		t.Errorf("line() = %q, want at most 100 %%", got)
	}
}

func TestProgressTurns(t *testing.T) {
	var p Progress
	p.Set(1, 2)
	p.Turn("Copying", true)
	if got, want := p.line("Copying"), "Copying …  (Ctrl+C to stop)"; got != want {
		t.Errorf("line() = %q, want %q", got, want)
	}
	p.Set(50, 200)
	p.Turn("Copying", true) // it goes on
	if got, want := p.line("Copying"), "Copying  [#####               ]  25 %  50 of 200 rows  (Ctrl+C to stop)"; got != want {
		t.Errorf("line() = %q, want %q", got, want)
	}
}

func TestProgressIsQuietWhenQuick(t *testing.T) {
	for _, test := range []struct {
		name  string
		lasts time.Duration
		bar   bool
		want  bool
	}{{"quick", 100 * time.Millisecond, true, false}, {"long", 2 * time.Second, true, true}, {"long_without_terminal", 2 * time.Second, false, false}} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out lockedBuffer
				a := &App{Env: Env{Stderr: &out}, Bar: test.bar}
				p := a.Progress("Reading")
				time.Sleep(test.lasts)
				p.Stop()
				if got := out.String(); (got != "") != test.want || test.want && !strings.HasSuffix(got, "\r\x1b[K") {
					t.Errorf("after %v: %q, want drawn %v and wiped", test.lasts, got, test.want)
				}
			})
		})
	}
}
