package figs

// WaitSummary is for how long asks have waited for humans, in microseconds of clock time.
type WaitSummary struct {
	Asks  int   // that have waited
	Lasts int   // that wait now
	Sum   int64 // of all waits, of each ask for itself
	Union int64 // in which at least one ask waited
	Held  int64 // in which at least one ask waited whose job was in flight
}

// WaitMonth is the part of it that lies in one month of UTC.
type WaitMonth struct {
	From             int64 // its first instant, microseconds since 1970 UTC
	Asks             int   // of which a wait touches the month
	Sum, Union, Held int64
}

// WaitCounter sums up waits as they are told of, ask by ask.
type WaitCounter struct {
	now         int64
	waits, held []Span
	first       []int // of waits, by ask
	total       WaitSummary
}

// NewWaitCounter begins a sum. now is when what lasts is measured; NoTime leaves it out, because nobody knows.
func NewWaitCounter(now int64) *WaitCounter { return &WaitCounter{now: now} }

// Add tells of one ask: its waits, and when the job that it names was in flight. It returns what they are alone.
func (x *WaitCounter) Add(waits []Wait, flights []Span) WaitSummary {
	spans := make([]Span, 0, len(waits))
	one := WaitSummary{}
	for i := range waits {
		spans = append(spans, waits[i].Span)
		if waits[i].Lasts {
			one.Lasts = 1
		}
	}
	spans = MergeSpans(spans, x.now)
	if len(spans)+one.Lasts > 0 {
		one.Asks = 1
	}
	held := overlap(spans, MergeSpans(flights, x.now))
	one.Sum = length(spans)
	one.Union, one.Held = one.Sum, length(held)
	x.first = append(x.first, len(x.waits))
	x.waits = append(x.waits, spans...)
	x.held = append(x.held, held...)
	x.total.Asks += one.Asks
	x.total.Lasts += one.Lasts
	x.total.Sum += one.Sum
	return one
}

// Sum is what all asks come to, and at most the newest so many months of it, oldest first, without a gap.
func (x *WaitCounter) Sum(most int) (WaitSummary, []WaitMonth) {
	union, held := MergeSpans(x.waits, x.now), MergeSpans(x.held, x.now)
	x.total.Union, x.total.Held = length(union), length(held)
	if len(union) == 0 {
		return x.total, nil
	}
	last := union[len(union)-1].To
	begins := []int64{}
	year, month := 1970, 1
	for {
		at := int64(daysSince1970(year, month, 1)) * 86400 * second
		if month++; month > 12 {
			year, month = year+1, 1
		}
		next := int64(daysSince1970(year, month, 1)) * 86400 * second
		if next > union[0].From {
			begins = append(begins, at)
		}
		if next >= last || year > 9999 {
			begins = append(begins, next)
			break
		}
	}
	begins = begins[max(0, len(begins)-1-most):]
	months := make([]WaitMonth, len(begins)-1)
	for i := range months {
		m, in := &months[i], []Span{{begins[i], begins[i+1]}}
		m.From = begins[i]
		m.Union, m.Held = length(overlap(union, in)), length(overlap(held, in))
	}
	ask := 0
	counted := -1 // the newest month that counts the present ask
	for i := range x.waits {
		for ask+1 < len(x.first) && x.first[ask+1] <= i {
			ask++
			counted = -1
		}
		w := x.waits[i]
		for n := range months {
			if from, to := max(w.From, begins[n]), min(w.To, begins[n+1]); from < to {
				months[n].Sum += to - from
				if n > counted {
					months[n].Asks++
					counted = n
				}
			}
		}
	}
	return x.total, months
}

// MergeSpans returns the time that spans cover, in order and apart. What lasts ends now, and nothing later counts;
// what has no beginning or no length is left out. now may be NoTime: then what lasts is left out too.
func MergeSpans(spans []Span, now int64) []Span {
	order := make([]int, 0, len(spans))
	for i := range spans {
		order = append(order, i)
	}
	Sort(order, func(a, b int) bool { return spans[a].From < spans[b].From })
	var out []Span
	for _, i := range order {
		s := spans[i]
		if s.To == NoTime || now != NoTime && s.To > now {
			s.To = now
		}
		if s.From == NoTime || s.To <= s.From { // also where nobody knows what time it is
			continue
		}
		if n := len(out) - 1; n >= 0 && s.From <= out[n].To {
			out[n].To = max(out[n].To, s.To)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// overlap is what two lists of joined spans share.
func overlap(a, b []Span) []Span {
	var out []Span
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if from, to := max(a[i].From, b[j].From), min(a[i].To, b[j].To); from < to {
			out = append(out, Span{from, to})
		}
		if a[i].To < b[j].To {
			i++
		} else {
			j++
		}
	}
	return out
}

//go:noinline
func length(spans []Span) (sum int64) {
	for _, s := range spans {
		sum += s.To - s.From
	}
	return sum
}
