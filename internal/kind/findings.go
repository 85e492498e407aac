package kind

import "github.com/figs-web/figs-web/figs"

// mostKept is how many findings are kept before those are dropped that no report would list.
const mostKept = 1 << 15

// Add notes a finding. Whoever adds it says the rule and the place; the sentences come from the rule, with the values
// for % and & in them.
func (l *Findings) Add(f figs.Finding, values ...string) {
	s := l.say(f.Code)
	f.Severity = f.Code.Severity()
	f.Message, f.Hint = Fill(s.Message, values...), Fill(s.Hint, values...)
	if f.Expected == "" {
		f.Expected = Fill(s.Expected, values...)
	}
	l.counts[f.Code]++
	if l.list = append(l.list, f); len(l.list) >= max(mostKept, 2*l.sorted) {
		l.sort()
	}
}

// Report sorts what was noted: errors first, then by file, line, column and rule. Of one rule it lists at most
// figs.PerRule findings and counts the rest.
func (l *Findings) Report(now string) *figs.Report {
	l.sort()
	r := &figs.Report{Now: now, Findings: l.list}
	for c := range figs.Codes() {
		n := l.counts[c]
		switch c.Severity() {
		case figs.Error:
			r.Errors += n
		case figs.Warning:
			r.Warnings += n
		default:
			r.Infos += n
		}
		if n > figs.PerRule {
			r.More = append(r.More, figs.Overflow{Code: c, Count: n - figs.PerRule})
		}
	}
	return r
}

// sort sorts the list, and keeps of each rule the first that a report lists: hostile files break rules by the
// hundred thousand.
func (l *Findings) sort() {
	order := make([]int, len(l.list))
	for i := range order {
		order[i] = i
	}
	figs.Sort(order, func(x, y int) bool { return before(&l.list[x], &l.list[y]) })
	var kept []figs.Finding
	var counts [256]int
	for _, i := range order {
		f := &l.list[i]
		if counts[f.Code]++; counts[f.Code] <= figs.PerRule {
			kept = append(kept, *f)
		}
	}
	l.list, l.sorted = kept, len(kept)
}

func before(a, b *figs.Finding) bool {
	switch {
	case a.Severity != b.Severity:
		return a.Severity > b.Severity
	case a.File != b.File:
		return a.File < b.File
	case a.Line != b.Line:
		return a.Line < b.Line
	case a.Column != b.Column:
		return a.Column < b.Column
	}
	return a.Code < b.Code
}

// Fill puts the first value for % and the second for &, each on one line with its hidden characters as code points.
func Fill(s string, values ...string) string {
	start, out := 0, ""
	for i := 0; i < len(s); i++ {
		at := -1
		switch s[i] {
		case '%':
			at = 0
		case '&':
			at = 1
		}
		if at >= 0 && at < len(values) {
			out += s[start:i] + visible(values[at])
			start = i + 1
		}
	}
	return out + s[start:]
}

// most is how many bytes of a value a sentence quotes.
const most = 200

func visible(s string) string {
	cut := ""
	if len(s) > most {
		end := most
		for end > 0 && s[end]&0xC0 == 0x80 {
			end--
		}
		s, cut = s[:end], "…"
	}
	out := make([]byte, 0, len(s)+len(cut))
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			out = append(out, ' ')
		case figs.IsHidden(r):
			out = append(out, "[U+"...)
			for shift := 20; shift >= 0; shift -= 4 {
				if digit := r >> shift & 15; r>>shift != 0 || shift < 16 {
					out = append(out, "0123456789ABCDEF"[digit])
				}
			}
			out = append(out, ']')
		default:
			out = append(out, string(r)...)
		}
	}
	return string(append(out, cut...))
}
