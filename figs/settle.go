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
		if p := &f.pend[i]; f.stands(p) {
			standing = append(standing, i)
			r.tally(p.code, 1)
		}
	}
	Sort(standing, func(x, y int) bool { return f.pend[x].before(&f.pend[y]) })
	listed := [256]int{}
	for _, i := range standing {
		p := &f.pend[i]
		if listed[p.code]++; listed[p.code] <= PerRule {
			r.Findings = append(r.Findings, f.describe(p))
		}
	}
	for c := range Codes() {
		r.tally(c, f.counts[c])
		if more := max(0, listed[c]-PerRule) + f.counts[c]; more > 0 {
			r.More = append(r.More, Uncounted{c, more})
		}
	}
	if f.past != nil {
		r.Mended = f.mended()
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
