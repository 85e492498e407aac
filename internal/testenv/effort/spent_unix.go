//go:build unix

package effort

import (
	"syscall"
	"testing"
	"time"
)

// Spent is the processor time of this process: the clock on the wall measures the neighbours.
func Spent(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
