package charts

import (
	"math/rand/v2"
	"testing"

	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/journal"
)

// TestJoined holds that every instant of a wait stays one, that no other becomes one, and that none counts twice.
func TestJoined(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		waits := make([]journal.Wait, r.IntN(6))
		for i := range waits {
			from := r.Int64N(20)
			waits[i] = journal.Wait{From: from, To: from + r.Int64N(8)}
			switch r.IntN(12) {
			case 0:
				waits[i].To = figs.NoTime
			case 1:
				waits[i].From = figs.NoTime
			}
		}
		got := MergeWaits(waits)
		for i := 1; i < len(got); i++ {
			if got[i-1].To == figs.NoTime || got[i].From <= got[i-1].To {
				t.Fatalf("joined(%v) = %v: the parts touch", waits, got)
			}
		}
		for at := range int64(32) {
			if in(got, at) != in(waits, at) {
				t.Fatalf("joined(%v) = %v: they disagree about %d", waits, got, at)
			}
		}
	}
}

func in(waits []journal.Wait, at int64) bool {
	for _, w := range waits {
		if w.From != figs.NoTime && w.From <= at && (w.To == figs.NoTime || at <= w.To) {
			return true
		}
	}
	return false
}
