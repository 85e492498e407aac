package report

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// percentile is the plain definition: the smallest value of the list that at least so many per cent of its values don't
// exceed.
func percentile(values []int64, percent int) int64 {
	best := int64(-1)
	for _, v := range values {
		n := 0
		for _, other := range values {
			if other <= v {
				n++
			}
		}
		if n*100 >= percent*len(values) && (best < 0 || v < best) {
			best = v
		}
	}
	return max(best, 0)
}

func timesOf(all []Decision, keep func(*Decision) bool) (t Times, decisions int) {
	var waits []int64
	for i := range all {
		if keep(&all[i]) {
			decisions++
			if all[i].Waited >= 0 {
				waits = append(waits, all[i].Waited)
			}
		}
	}
	return Times{N: len(waits), Median: percentile(waits, 50), Percentile: percentile(waits, 90)}, decisions
}

// TestFiguresAreTheirDefinitions tests each figure against its definition, counted again for each, over random histories.
func TestFiguresAreTheirDefinitions(t *testing.T) {
	const day, weeks = 86400_000000, 4
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		from := int64(r.IntN(100)) * day
		all := make([]Decision, r.IntN(60))
		for i := range all {
			all[i] = Decision{No: int64(i), At: from + r.Int64N(weeks*7*day), Agent: string(rune('a' + r.IntN(5))), Person: string(rune('p' + r.IntN(3))),
				Outcome: []Outcome{-1, 1, 2, 2, 3, 4, 5}[r.IntN(7)], Round: 1 + r.IntN(8), Waited: r.Int64N(6) - 1, Unviewed: r.IntN(4) - 1, JobFailed: r.IntN(3) == 0}
		}
		slices.SortFunc(all, func(a, b Decision) int { return int(a.At - b.At) })
		f := Of(all, from, from+weeks*7*day)
		count := func(keep func(*Decision) bool) int { _, n := timesOf(all, keep); return n }
		everything, n := timesOf(all, func(*Decision) bool { return true })
		if f.Waits != everything || f.Decisions != n {
			t.Fatalf("seed %d: %+v of %d, want %+v of %d", seed, f.Waits, f.Decisions, everything, n)
		}
		if len(f.ByWeek) != weeks {
			t.Fatalf("seed %d: %d weeks", seed, len(f.ByWeek))
		}
		for i, g := range f.ByWeek {
			begin := from + int64(i)*7*day
			want, n := timesOf(all, func(d *Decision) bool { return d.At >= begin && d.At < begin+7*day })
			if g.At != begin || g.Times != want || g.Decisions != n {
				t.Fatalf("seed %d: week %d is %+v, want %+v of %d", seed, i, g, want, n)
			}
		}
		for _, by := range []struct {
			groups []Group
			key    func(*Decision) string
		}{{f.ByAgent, func(d *Decision) string { return d.Agent }}, {f.ByPerson, func(d *Decision) string { return d.Person }}} {
			sum := 0
			for i, g := range by.groups {
				want, n := timesOf(all, func(d *Decision) bool { return by.key(d) == g.Key })
				if g.Times != want || g.Decisions != n || i > 0 && by.groups[i-1].Decisions < n {
					t.Fatalf("seed %d: %+v, want %+v of %d", seed, g, want, n)
				}
				sum += n
			}
			if sum != len(all) {
				t.Fatalf("seed %d: groups have %d decisions of %d", seed, sum, len(all))
			}
		}
		is := func(o ...Outcome) func(*Decision) bool {
			return func(d *Decision) bool { return slices.Contains(o, d.Outcome) }
		}
		approved := is(Approved)
		for what, got := range map[string][2]int{
			"approved": {f.Approved, count(approved)}, "changes": {f.Changes, count(is(Changes))}, "contradicted": {f.Contradicted, count(is(Contradicted))},
			"sign-offs": {f.SignOffs, count(is(Approved, Changes, Declined))},
			"checked":   {f.Checked, count(func(d *Decision) bool { return approved(d) && d.Unviewed != -1 })},
			"unviewed":  {f.Unviewed, count(func(d *Decision) bool { return approved(d) && d.Unviewed > 0 })},
			"failed":    {f.JobFailed, count(func(d *Decision) bool { return approved(d) && d.JobFailed })},
			"round 2":   {f.Rounds[1], count(func(d *Decision) bool { return is(Approved, Declined)(d) && d.Round == 2 })},
			"round 5+":  {f.Rounds[4], count(func(d *Decision) bool { return is(Approved, Declined)(d) && d.Round >= 5 })},
			"notes":     {len(f.ChangeNumbers), min(20, f.Changes)},
		} {
			if got[0] != got[1] {
				t.Fatalf("seed %d: %s: %d, want %d", seed, what, got[0], got[1])
			}
		}
	}
}
