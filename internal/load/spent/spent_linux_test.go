package spent

import (
	"math"
	"os"
	"testing"
	"time"
)

// TestSpent holds the system's figures to what this process says of itself.
func TestSpent(t *testing.T) {
	before, err := By(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	x := 0.0
	for begun := time.Now(); time.Since(begun) < 20*time.Second; {
		for n := range 1_000_000 {
			x += math.Sqrt(float64(n))
		}
		if after, err := By(os.Getpid()); err != nil || after >= before+100*time.Millisecond {
			if family, wrong := ByFamily(os.Getpid()); err != nil || wrong != nil || family < after {
				t.Errorf("spent %v, %v; with its children %v, %v", after, err, family, wrong)
			}
			return
		}
	}
	t.Errorf("a busy process spends nothing (%v)", x)
}
