package effort_test

import (
	"testing"
	"time"

	"github.com/figs-web/figs-web/internal/testenv/effort"
)

// failed takes the place of a test that should fail.
type failed struct {
	testing.TB
	errors int
}

func (f *failed) Helper()               {}
func (f *failed) Errorf(string, ...any) { f.errors++ }

func busy(t testing.TB, d time.Duration) {
	for start := effort.Spent(t); effort.Spent(t)-start < d; {
		continue
	}
}

func TestWithin(t *testing.T) {
	f := &failed{TB: t}
	effort.Within(f, 1000, "small", func() { busy(t, 450*time.Millisecond) })
	if f.errors != 0 {
		t.Error("a job within its limit failed")
	}
	runs := 0
	effort.Within(f, 0.001, "large", func() { runs++; busy(t, 450*time.Millisecond) })
	if f.errors != 1 || runs != 3 {
		t.Errorf("a job over its limit: %d errors after %d runs", f.errors, runs)
	}
}
