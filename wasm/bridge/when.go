package bridge

import "github.com/figs-web/figs-web/figs"

const (
	// lifeSlices is in how many parts a timeline is drawn.
	lifeSlices = 120
	// linesBefore and linesBehind are how many lines around a point a timeline lists.
	linesBefore, linesBehind = 9, 6
)

// lifeSlice is a part of a timeline.
type lifeSlice struct {
	lines               [figs.Ledgers]int
	failed, needs, step int
	until               int64 // its last moment
}

// timeline tells how the agent's folder came to be, for a page about all of it. In rows of Days: how many slices there
// are; the first and the last moment; the slices of equal time, then those of equally many lines, two rows each; then the
// lines around the point: ledger, number of the line, step.
func (x *selector) timeline() {
	f := x.end.f
	step := x.f.Steps()
	x.a, x.f = x.end, f // lines behind the point are listed too
	if x.end.life == nil {
		x.end.draw()
	}
	x.row(lifeSlices, number(!x.e.keep), 0)
	x.days.n += x.end.lifeRows
	x.days.b = append(x.days.b, x.end.life...)
	for n := max(1, step-linesBefore); n <= min(f.Steps(), step+linesBehind); n++ {
		x.step(n)
	}
}

func (x *selector) row(a, b, c int) {
	x.days.n++
	x.days.put(a, b, c)
}

// step lists a line with what tells of it.
func (x *selector) step(n int) (figs.File, figs.LineRef) {
	file, ref := x.end.f.Step(n)
	x.row(int(file), ref.Number, n)
	if ref.Aside() {
		x.line(file, &ref)
		return file, ref
	}
	x.record(Ref{file, ref.Record})
	if file == figs.Messages {
		if ask := x.f.AskOf(ref.Record); ask >= 0 {
			x.record(Ref{figs.Asks, ask})
		}
	}
	return file, ref
}

// draw works out the slices, which do not depend on where one looks from.
func (a *agent) draw() {
	f := a.f
	n := f.Steps()
	moments, last := make([]int64, n), int64(figs.NoTime)
	from := last
	now, timed := figs.ParseTime(a.report.Now)
	for i := range moments {
		// A time ahead of the present is a broken clock's, and would leave the rest no room.
		if _, ref := f.Step(i + 1); !timed || ref.TS <= now+aDay {
			last = max(last, ref.TS)
		}
		if moments[i] = last; from == figs.NoTime {
			from = last
		}
	}
	var rows list
	put := func(a, b, c int) {
		rows.n++
		rows.put(a, b, c)
	}
	put(int(from), int(last), 0)
	for _, byTime := range [...]bool{true, false} {
		all := make([]lifeSlice, lifeSlices)
		for i := range all {
			s := &all[i]
			if byTime && last != figs.NoTime {
				s.until = from + (last-from)/lifeSlices*int64(i+1)
				if i == lifeSlices-1 {
					s.until = last
				}
				s.step = upTo(moments, s.until)
			} else if s.step = n * (i + 1) / lifeSlices; s.step > 0 {
				s.until = moments[s.step-1]
			} else {
				s.until = figs.NoTime
			}
		}
		a.fill(all)
		for i := range all {
			s := &all[i]
			put(s.lines[figs.Runs], s.lines[figs.Asks], s.lines[figs.Messages])
			put(s.failed, s.needs, s.step)
		}
	}
	a.life, a.lifeRows = rows.b, rows.n
}

// upTo is how many of moments, which never fall, are not behind one.
func upTo(moments []int64, at int64) int {
	low, high := 0, len(moments)
	for low < high {
		if middle := (low + high) / 2; moments[middle] <= at {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// fill counts what happened in each slice.
func (a *agent) fill(all []lifeSlice) {
	f, i := a.f, 0
	for n := range f.Steps() {
		for n >= all[i].step {
			i++
		}
		file, ref := f.Step(n + 1)
		all[i].lines[file]++
		if file == figs.Runs && !ref.Aside() && f.Outcome(ref.Record) == figs.OutcomeFail {
			_, end, _ := f.Ends(file, ref.Record)
			all[i].failed += number(end.Index == ref.Index)
		}
	}
	ends := make([]int64, len(all))
	for i := range all {
		ends[i] = all[i].until
	}
	for ask := range f.Records(figs.Asks) {
		for _, w := range f.Waits(ask) {
			if w.From == figs.NoTime {
				continue
			}
			for i := upTo(ends, w.From-1); i < len(all) && (w.To == figs.NoTime || all[i].until < w.To); i++ {
				all[i].needs++
			}
		}
	}
}

// lineStep takes the line with which the folder came to the point, with its record as it stands then, and what the line did
// to the findings. In rows of Days: ledger, number of the line, step; how many steps there are, the step before of the same
// record or thread, and the next; how many of the findings are new, the rest being those that it
// mended, and whether there are more than are listed, so that not all can be told.
func (x *selector) lineStep() bool {
	n := x.f.Steps()
	if n == 0 {
		return false
	}
	file, ref := x.step(n)
	x.row(x.end.f.Steps(), x.neighbour(n, -1), x.neighbour(n, 1))
	if !ref.Aside() {
		r := Ref{file, ref.Record}
		if file == figs.Messages {
			if ask := x.f.AskOf(ref.Record); ask >= 0 {
				r = Ref{figs.Asks, ask}
			}
		}
		x.show(r)
	}
	before := x.e.at(x.end, x.end.f.PointOf(n-1)).report
	x.apart(x.a.report, before)
	x.row(x.findings.n, number(len(before.More)+len(x.a.report.More) > 0), 0)
	x.apart(before, x.a.report)
	return true
}

// apart adds the findings of a report that another has not, at most 50.
func (x *selector) apart(a, b *figs.Report) {
	most := x.findings.n + 50
	for i := range a.Findings {
		f, known := &a.Findings[i], false
		for j := range b.Findings {
			g := &b.Findings[j]
			known = known || f.Line == g.Line && f.Code == g.Code && f.File == g.File && f.Pointer == g.Pointer && f.Record == g.Record
		}
		if !known && x.findings.n < most {
			x.finding(f)
		}
	}
}

// neighbour is the next step in a direction that is about the same record, or of an ask or the replies to it; 0: none.
func (x *selector) neighbour(n, by int) int {
	f := x.end.f
	about := func(n int) Ref {
		file, ref := f.Step(n)
		if file == figs.Messages && !ref.Aside() {
			if ask := f.AskOf(ref.Record); ask >= 0 {
				return Ref{figs.Asks, ask}
			}
		}
		return Ref{file, ref.Record}
	}
	r := about(n)
	if r.Record < 0 {
		return 0
	}
	for n += by; n >= 1 && n <= f.Steps(); n += by {
		if about(n) == r {
			return n
		}
	}
	return 0
}
