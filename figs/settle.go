package figs

// settle sorts the findings that stand, lists at most PerRule of each rule, counts the rest,
// and writes their sentences.
func (f *Folder) settle() *Report {
	r := &Report{Now: f.opt.Now}
	if f.now == NoTime {
		r.Now = ""
	}
	f.settleOwed()
	standing := make([]int, 0, len(f.pend))
	for i := range f.pend {
		if f.stands(&f.pend[i]) {
			standing = append(standing, i)
		}
	}
	Sort(standing, func(x, y int) bool { return f.pend[x].before(&f.pend[y]) })
	why, speaks := f.misshapes(standing)
	for file := range f.ledgers {
		if why[file] != wellShaped {
			for code, n := range f.ledgers[file].lost {
				f.counts[code] -= n
			}
		}
	}
	listed := [256]int{}
	for _, i := range standing {
		p := &f.pend[i]
		if p.file < Ledgers && why[p.file] != wellShaped { // one finding names the cause; the rest follows from it
			if i == speaks[p.file] {
				listed[p.code]++
				r.tally(p.code, 1)
				r.Findings = append(r.Findings, f.describe(p))
				f.explain(&r.Findings[len(r.Findings)-1], p.file, why[p.file])
			}
			continue
		}
		r.tally(p.code, 1)
		if listed[p.code]++; listed[p.code] <= PerRule {
			r.Findings = append(r.Findings, f.describe(p))
		}
	}
	for c := range Codes() {
		r.tally(c, f.counts[c])
		if more := max(0, listed[c]-PerRule) + f.counts[c]; more > 0 {
			r.More = append(r.More, Overflow{c, more})
		}
	}
	if f.past != nil {
		r.Resolved = f.mended()
	}
	if f.past != nil && f.whole == nil {
		f.pend = f.pend[:f.past.noted]
	} else {
		f.pend = nil
	}
	return r
}

//go:noinline
func (r *Report) tally(c Code, n int) {
	switch c.Severity() {
	case Error:
		r.Errors += n
	case Warning:
		r.Warnings += n
	default:
		r.Infos += n
	}
}

// before is the order of the report: severity, file, line, column, rule.
func (p *pending) before(q *pending) bool {
	switch {
	case p.code.Severity() != q.code.Severity():
		return p.code.Severity() > q.code.Severity()
	case p.file != q.file:
		return p.file < q.file
	case p.name != q.name:
		return p.name < q.name
	case p.line != q.line:
		return p.line < q.line
	case p.col != q.col:
		return p.col < q.col
	}
	return p.code < q.code
}
