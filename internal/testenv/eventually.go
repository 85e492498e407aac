package testenv

import (
	"testing"
	"time"
)

// The pause between two looks starts short and doubles up to the longest: 20 milliseconds, or a tenth of the time that has
// passed where that is longer, up to 100 milliseconds. A look may cost a millisecond of processor time, and some tests wait
// for ten seconds.
const (
	firstPause   = time.Millisecond
	usualPause   = 20 * time.Millisecond
	longestPause = 100 * time.Millisecond
)

// Eventually waits until cond reports true. If it hasn't done so within the given time, the test fails and says what it
// was waiting for. Like Fatal, call it from the test's own goroutine; cond may end the test as well.
func Eventually(t testing.TB, within time.Duration, what string, cond func() bool) {
	t.Helper()
	if !Poll(within, cond) {
		t.Fatalf("waited %s in vain for %s", within, what)
	}
}

// Poll calls cond again and again until it reports true, and returns false if it hasn't done so within the given
// time. It is for programs that are no tests, for other goroutines, and for tests that have more to say when they fail.
func Poll(within time.Duration, cond func() bool) bool {
	begun := time.Now()
	for pause := firstPause; !cond(); {
		waited := time.Since(begun)
		if waited > within {
			return false
		}
		time.Sleep(pause)
		pause = min(2*pause, max(usualPause, waited/10), longestPause)
	}
	return true
}
