//go:build nodestest

package main

import (
	"os"
	"time"
)

// now is a clock that is off by FIGS_NODESTEST_CLOCK, as in "1h" or "-1h", so that a test can have a
// machine whose clock is wrong. No program that is shipped has it.
func now() time.Time { return time.Now().Add(off) }

var off = func() time.Duration {
	d, err := time.ParseDuration(os.Getenv("FIGS_NODESTEST_CLOCK"))
	if err != nil {
		panic("FIGS_NODESTEST_CLOCK: " + err.Error())
	}
	return d
}()
