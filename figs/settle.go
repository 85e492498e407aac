package figs

import (
	"cmp"
	"slices"
)

// settle sorts the findings that stand, lists at most PerRule of each rule, counts the rest,
// and writes their sentences.
func (f *Folder) settle() *Report {
	r := &Report{Now: f.opt.Now}
	if f.now == NoTime {
		r.Now = ""
	}
	standing := make([]*pending, 0, len(f.pend))
	for i := range f.pend {
		if p := &f.pend[i]; f.stands(p) {
			standing = append(standing, p)
			r.tally(p.code, 1)
		}
	}
	slices.SortStableFunc(standing, comparePending)
	listed := [256]int{}
	for _, p := range standing {
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
	f.pend = nil
	return r
}

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

func comparePending(a, b *pending) int {
	if c := cmp.Compare(b.code.Severity(), a.code.Severity()); c != 0 {
		return c
	}
	if c := cmp.Compare(a.file, b.file); c != 0 {
		return c
	}
	if c := cmp.Compare(a.name, b.name); c != 0 {
		return c
	}
	if c := cmp.Compare(a.line, b.line); c != 0 {
		return c
	}
	if c := cmp.Compare(a.col, b.col); c != 0 {
		return c
	}
	return cmp.Compare(a.code, b.code)
}
