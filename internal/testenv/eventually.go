package testenv

import (
	"testing"
	"time"
)

// The pause between two looks starts short and doubles up to the longest.
const (
	firstPause   = time.Millisecond
	longestPause = 20 * time.Millisecond
)

// Eventually waits until cond reports true. If it hasn't done so within the given time, the test fails and says what it
// was waiting for. Like Fatal, call it from the test's own goroutine; cond may end the test as well.
func Eventually(t testing.TB, within time.Duration, what string, cond func() bool) {
	t.Helper()
	if !Poll(within, cond) {
		t.Fatalf("waited %s in vain for %s", within, what)
	}
}

// Poll calls cond every few milliseconds until it reports true, and returns false if it hasn't done so within the given
// time. It is for programs that are no tests, for other goroutines, and for tests that have more to say when they fail.
func Poll(within time.Duration, cond func() bool) bool {
	end := time.Now().Add(within)
	for pause := firstPause; !cond(); pause = min(2*pause, longestPause) {
		if time.Now().After(end) {
			return false
		}
		time.Sleep(pause)
	}
	return true
}
