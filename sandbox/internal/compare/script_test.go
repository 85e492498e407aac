package compare

import (
	"math/rand"
	"testing"
)

// TestShortest holds the scripts of small random texts to the longest common subsequence, found
// by the table that every textbook has.
func TestShortest(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 4000 {
		x, y := noise(r, r.Intn(14), 1+r.Intn(4)), noise(r, r.Intn(14), 1+r.Intn(4))
		budget := work
		s := search{x: x, y: y, goneX: make([]bool, len(x)), newY: make([]bool, len(y)), budget: &budget}
		s.shortest(change{0, len(x), 0, len(y)})
		kept := 0
		for _, gone := range s.goneX {
			if !gone {
				kept++
			}
		}
		if want := longest(x, y); kept != want || s.coarse {
			t.Fatalf("%v and %v: %d in common, want %d", x, y, kept, want)
		}
	}
}

func noise(r *rand.Rand, n, letters int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(r.Intn(letters))
	}
	return out
}

func longest(x, y []int32) int {
	row := make([]int, len(y)+1)
	for i := range x {
		corner := 0
		for j := range y {
			above := row[j+1]
			if x[i] == y[j] {
				row[j+1] = corner + 1
			} else {
				row[j+1] = max(row[j+1], row[j])
			}
			corner = above
		}
	}
	return row[len(y)]
}

// FuzzScript holds that a script turns one text into the other, whatever the budget.
func FuzzScript(f *testing.F) {
	f.Add([]byte("abcabba"), []byte("cbabac"), 1000)
	f.Add([]byte("xaybzc"), []byte("czbyax"), 0)
	f.Fuzz(func(t *testing.T, before, after []byte, budget int) {
		x, y := things(before), things(after)
		changes, coarse := script(x, y, 256, &budget)
		i, j, last := 0, 0, -1
		for _, c := range changes {
			if c.x0 < i || c.y0 < j || c.x0-i != c.y0-j || c.x0 == c.x1 && c.y0 == c.y1 || c.x0 == last {
				t.Fatalf("%v after %d, %d", c, i, j)
			}
			for ; i < c.x0; i, j = i+1, j+1 {
				if x[i] != y[j] {
					t.Fatalf("%q and %q: %d and %d are not equal", before, after, i, j)
				}
			}
			i, j, last = c.x1, c.y1, c.x1
		}
		if len(x)-i != len(y)-j {
			t.Fatalf("%q and %q end differently: %v", before, after, changes)
		}
		for ; i < len(x); i, j = i+1, j+1 {
			if x[i] != y[j] {
				t.Fatalf("%q and %q: %d and %d are not equal", before, after, i, j)
			}
		}
		if coarse && budget > 0 {
			t.Fatalf("coarse with %d left", budget)
		}
	})
}

func things(b []byte) []int32 {
	out := make([]int32, len(b))
	for i, c := range b {
		out[i] = int32(c)
	}
	return out
}
