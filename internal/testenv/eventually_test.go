package testenv

import (
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

func (f *fakeTB) Fatalf(format string, args ...any) {
	f.failed = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// waitFor calls Eventually in a goroutine of its own, which Fatalf ends.
func waitFor(within time.Duration, cond func() bool) (failed string) {
	tb, done := &fakeTB{}, make(chan struct{})
	go func() {
		defer close(done)
		Eventually(tb, within, "the door to open", cond)
	}()
	<-done
	return tb.failed
}

func TestEventually(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		if failed := waitFor(time.Minute, func() bool { return time.Since(begun) >= time.Second }); failed != "" {
			t.Errorf("of what is true after a second: %q", failed)
		}
		if took := time.Since(begun); took > time.Second+longestPause {
			t.Errorf("what was true after a second was noticed after %v", took)
		}
		begun = time.Now()
		if failed, want := waitFor(time.Minute, func() bool { return false }), "waited 1m0s in vain for the door to open"; failed != want {
			t.Errorf("of what is never true: %q, want %q", failed, want)
		}
		if took := time.Since(begun); took < time.Minute || took > time.Minute+2*longestPause {
			t.Errorf("it gave up after %v, want a minute", took)
		}
		if failed := waitFor(0, func() bool { return true }); failed != "" {
			t.Errorf("without any time, of what is true already: %q", failed)
		}
	})
}
