package jsonl

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestPlanBounded reads lines no two of which are spelled alike.
func TestPlanBounded(t *testing.T) {
	var plan Plan
	var b []byte
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 20_000 {
		b = append(b, `{"id":"a"`...)
		for range r.IntN(8) {
			b = fmt.Appendf(b, `,"k%d":"some text"`, r.IntN(1<<30))
		}
		b = fmt.Appendf(b, `,"last%d":%d}`+"\n", i, i)
	}
	var s Scanner
	for i := 0; i < len(b)-1000; {
		var ln Line
		if _, ok := s.Follow(&ln, &plan, b, i); !ok {
			ln = s.Scan(b, i)
			s.Learn(&plan, b, i, ln, 0)
		}
		i = ln.Next
	}
	if len(plan.stops) > maxStops || len(plan.shapes) > maxShapes || plan.learned > firstTries+plan.hits/8+plan.misses/256 {
		t.Errorf("the plan has %d stops, %d shapes, of %d lines", len(plan.stops), len(plan.shapes), plan.learned)
	}
}
