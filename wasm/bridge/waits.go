package bridge

import "github.com/figs-web/figs-web/figs"

// idleMonths is how many months of waiting a page shows.
const idleMonths = 24

// WaitReport is how long an agent's asks have waited for humans, as the page "waits" has it in its text.
type WaitReport struct {
	Total  figs.WaitSummary
	Months []figs.WaitMonth // the newest, without a gap, oldest first
}

// waiting works out, once, what each ask has waited in all, and what all have together.
func (a *agent) waiting() {
	if a.costs != nil {
		return
	}
	now, _ := figs.ParseTime(a.report.Now)
	if a.whole != nil {
		now = a.whole.f.MomentOf(a.f.End())
	}
	x := figs.NewWaitCounter(now)
	a.costs = make([]int64, a.f.Records(figs.Asks))
	for ask := range a.costs {
		var flights []figs.Span
		if job := a.f.JobOf(ask); job >= 0 {
			flights = a.f.Flights(job)
		}
		a.costs[ask] = x.Add(a.f.Waits(ask), flights).Sum
	}
	total, months := x.Sum(idleMonths)
	var l list
	l.put(total.Asks, total.Lasts, int(total.Sum), int(total.Union), int(total.Held), len(months))
	for _, m := range months {
		l.put(int(m.From), m.Asks, int(m.Sum), int(m.Union), int(m.Held))
	}
	a.idle = l.b
}

// costly lists the asks, those that have waited longest in all first. grouped keeps those that need a human before the
// others, as lists of asks do.
func (a *agent) costly(grouped bool) []int {
	a.waiting()
	list := append([]int(nil), a.listAsks()...)
	figs.Sort(list, func(x, y int) bool {
		if p, q := a.group(x), a.group(y); grouped && p != q {
			return p < q
		}
		return a.costs[x] > a.costs[y]
	})
	return list
}

// waits takes the asks that have waited longest in all, and what all have together.
func (x *selector) waits() {
	x.list(figs.Asks, x.a.costly(false))
	x.text = x.a.idle
}

// WaitReport reads the text of the page "waits".
func (s *Selection) Idle() (i WaitReport, ok bool) {
	d := &decoder{b: s.Text}
	d.nums(&i.Total.Asks, &i.Total.Lasts)
	i.Total.Sum, i.Total.Union, i.Total.Held = d.int(), d.int(), d.int()
	for range d.size(idleMonths + 1) {
		m := figs.WaitMonth{From: d.int(), Asks: d.num()}
		m.Sum, m.Union, m.Held = d.int(), d.int(), d.int()
		i.Months = append(i.Months, m)
	}
	return i, !d.bad
}
