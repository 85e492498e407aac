package storejournal

import (
	"github.com/figs-web/figs-web/figs"
	"github.com/figs-web/figs-web/internal/store"
)

// longTrail is how many moments of a record are told; of a longer trail those in the middle,
// after the first trailHead, are folded into one.
const maxTrail, trailHeadSize = 300, 100

// shorten folds the middle of a long trail; folded is how many versions became the one at
// trailHead, 0 when the trail is as it was.
func shorten(r *store.Record) (folded int) {
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

// instead puts one item in the place of those from trailHead to before rest.
func replaceMiddle[T any](list []T, rest int, one T) []T {
	short := append(make([]T, 0, maxTrail+1), list[:trailHeadSize]...)
	return append(append(short, one), list[rest:]...)
}
