package storejournal

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// maxTrail is how many entries of a trail are shown. In a longer trail, those in the middle, after the first trailHeadSize,
// are folded into one.
const maxTrail, trailHeadSize = 300, 100

// shortenTrail folds the middle of a long trail. It returns how many versions became the entry at trailHeadSize, or 0 if it
// changed nothing.
func shortenTrail(r *store.Record) (folded int) {
	if len(r.Trail) <= maxTrail {
		return 0
	}
	rest := len(r.Trail) - (maxTrail - trailHeadSize)
	folded = rest - trailHeadSize
	lines := make([][]byte, 0, folded)
	raised, closed := false, false
	for i := trailHeadSize; i < rest; i++ {
		lines = append(lines, r.Trail[i].Line)
		if r.File == figs.Asks {
			raised, closed = raised || r.Raises[i], closed || r.Closes[i]
		}
	}
	middle := r.Trail[rest-1]
	middle.Line, middle.Event = figs.AppendObject(nil, figs.Fold(lines)), ""
	r.Trail = replaceMiddle(r.Trail, rest, middle)
	if r.File == figs.Asks {
		r.Rounds = replaceMiddle(r.Rounds, rest, r.Rounds[rest-1])
		r.Raises, r.Closes = replaceMiddle(r.Raises, rest, raised), replaceMiddle(r.Closes, rest, closed)
	}
	return folded
}

// replaceMiddle replaces the items from trailHeadSize to rest by one.
func replaceMiddle[T any](list []T, rest int, one T) []T {
	short := append(make([]T, 0, maxTrail+1), list[:trailHeadSize]...)
	return append(append(short, one), list[rest:]...)
}
