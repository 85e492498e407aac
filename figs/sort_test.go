package figs

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 70 {
		a := make([]int, n)
		for i := range a {
			a[i] = r.IntN(10)*1000 + i // equal tens keep the order of their ones
		}
		want := slices.Clone(a)
		slices.SortStableFunc(want, func(x, y int) int { return x/1000 - y/1000 })
		Sort(a, func(x, y int) bool { return x/1000 < y/1000 })
		if !slices.Equal(a, want) {
			t.Fatalf("Sort of %d numbers = %v, want %v", n, a, want)
		}
	}
}
