package figs

// deriveStates tells where every ask stands and to which round every reply belongs (§6).
func (f *Folder) deriveStates() {
	asks := &f.ledgers[Asks]
	f.states = make([]AskState, asks.recs.n)
	f.rounds = make([]uint16, f.messages.n)
	f.earlier = make([]bool, f.messages.n)
	from := 0
	for rec := range f.states {
		to := from
		for to < len(f.threads) && f.askOf(f.threads[to]) == rec {
			to++
		}
		f.states[rec] = f.derive(rec, f.threads[from:to])
		from = to
	}
}

// orderMessages sorts the first event of each id by ask, then instant, then place; orphans
// come last. An unreadable instant stands where the file has it (§4.5).
func (f *Folder) orderMessages() {
	last := int64(NoTime)
	f.threads = make([]int, f.messages.n)
	for i := range f.threads {
		f.threads[i] = i
		m := f.messages.at(i)
		if m.at == NoTime {
			m.at = last
		}
		last = m.at
	}
	Sort(f.threads, func(x, y int) bool {
		if a, b := uint(f.askOf(x)), uint(f.askOf(y)); a != b {
			return a < b
		}
		return f.messages.at(x).at < f.messages.at(y).at
	})
}

// askOf returns the ask's record that a reply belongs to, or -1.
//
//go:noinline
func (f *Folder) askOf(message int) int {
	return f.ledgers[Asks].ids.record(f.messages.at(message).ask)
}

// turn is a line that may put the ask to a human once more.
type turn struct {
	at     int64
	reopen bool
	folded bool   // the first version that a store has, in which lines before it may be folded
	change uint32 // number of the change that the line makes without a type, from 1; 0: it has a type
}

// derive works out one ask. thread holds its replies in order.
func (f *Folder) derive(rec int, thread []int) AskState {
	l := &f.ledgers[Asks]
	r := l.recs.at(rec)
	facts := f.asks.at(int(r.ext))
	state := AskState{Round: 1, Reply: -1, Since: l.lines.at(int(r.first)).ts}
	start := 0 // the first reply of the present round
	facts.changed = 0
	if facts.reopened || len(thread) > 0 && (facts.again || f.ledgers[Asks].lines.at(int(r.first)).flags&lineFolded != 0) {
		replies := f.replies(thread)
		for _, t := range f.turns(rec) {
			pos := max(start, replies.before(t))
			switch {
			case t.change == 0:
				facts.changed = 0
			case pos > start:
				facts.changed, facts.before = t.change, uint32(thread[pos-1])
			}
			f.number(thread[start:pos], state.Round)
			start = pos
			if t.reopen || start > 0 {
				state.Round++
				state.Since = t.at
			}
		}
	}
	if start < len(thread) {
		facts.changed, facts.before = f.untimed(rec), uint32(thread[len(thread)-1])
	}
	f.number(thread[start:], state.Round)
	for i, m := range thread {
		f.earlier[m] = i < start
	}
	state.Phase, state.Reply = f.phase(r, facts, thread, start)
	state.Reported = state.Reply >= 0
	return state
}

// number gives replies their round.
//
//go:noinline
func (f *Folder) number(thread []int, round int) {
	for _, m := range thread {
		f.rounds[m] = uint16(min(round, 1<<16-1))
	}
}

// turns lists the raise lines after the first, and the reopenings, in file order; of a store also
// the first.
func (f *Folder) turns(rec int) []turn {
	l := &f.ledgers[Asks]
	var all []turn
	raised, changes := false, uint32(0)
	for _, i := range l.chain(rec) {
		ln := l.lines.at(int(i))
		t, ok := ln.turn(&raised)
		if ln.flags&lineChanges != 0 {
			changes++
			t.change = changes
		}
		if ok {
			all = append(all, t)
		}
	}
	return all
}

// untimed returns the number of the newest change that has no time, if it is newer than the newest round; else 0.
func (f *Folder) untimed(rec int) (number uint32) {
	l := &f.ledgers[Asks]
	if f.asks.at(int(l.recs.at(rec).ext)).changes == 0 {
		return 0
	}
	raised, changes := false, uint32(0)
	for _, i := range l.chain(rec) {
		ln := l.lines.at(int(i))
		if ln.flags&lineChanges != 0 {
			changes++
		}
		if _, ok := ln.turn(&raised); ok {
			number = 0
		} else if ln.flags&(lineChanges|lineRaises) == lineChanges {
			number = changes
		}
	}
	return number
}

// turn tells whether a line may put its ask to a human once more; raised says that a line before
// it put it to one.
func (ln *line) turn(raised *bool) (t turn, ok bool) {
	t = turn{ln.ts, ln.flags&lineReopens != 0, ln.flags&lineFolded != 0, 0}
	ok = t.reopen || ln.flags&lineRaises != 0 && (*raised || t.folded)
	*raised = *raised || ln.flags&(lineRaises|lineReopens) != 0
	return t, ok
}

// replies are the thread of an ask while its rounds are told apart.
type replies struct {
	f        *Folder
	thread   []int
	requests []int // places in the thread of requests for changes
	raised   int   // re-raises so far that may have answered one
}

func (f *Folder) replies(thread []int) *replies {
	r := &replies{f: f, thread: thread}
	for i, m := range thread {
		if f.messages.at(m).verdict == verdictChangesRequested {
			r.requests = append(r.requests, i)
		}
	}
	return r
}

// before counts the replies given before a turn. Clocks are whole seconds: when they tie, the
// n-th re-raise answers the n-th request for changes, and any other tied reply counts as given
// before, so that nothing looks approved that was not seen (§6). A line raised again before any
// reply answers none. Without a time every reply may tie. With the first version of a store a
// request for changes that ties was given before, lest nobody be asked; any other reply that ties counts.
func (r *replies) before(t turn) int {
	first, after := 0, len(r.thread)
	if t.at != NoTime {
		first, after = r.since(t.at), r.since(t.at+1)
	}
	if t.folded && !t.reopen {
		for r.raised < len(r.requests) && r.requests[r.raised] < first {
			r.raised++ // a raise that is folded away answered it
		}
		for r.raised < len(r.requests) && r.requests[r.raised] < after {
			first = r.requests[r.raised] + 1
			r.raised++
		}
		return first
	}
	if t.reopen || after == 0 {
		return after
	}
	if r.raised++; r.raised <= len(r.requests) {
		if answered := r.requests[r.raised-1]; answered >= first && answered < after {
			return answered + 1
		}
	}
	return after
}

// since finds the first reply at an instant or later.
func (r *replies) since(at int64) int {
	lo, hi := 0, len(r.thread)
	for lo < hi {
		if mid := (lo + hi) / 2; r.f.messages.at(r.thread[mid]).at < at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// phase tells where the ask stands, and which reply of the thread says so.
func (f *Folder) phase(r *record, facts *askFacts, thread []int, start int) (Phase, int) {
	if facts.terminal || r.status >= statusResolved && r.status <= statusRejected {
		cited := -1
		for i, m := range thread {
			if facts.answer != 0 && f.messageID(m) == facts.answer {
				cited = i
			}
		}
		switch {
		case facts.terminal:
			return Rejected, cited
		case r.status == statusWithdrawn:
			return Withdrawn, cited
		}
		return Resolved, cited
	}
	phase, said := NeedsYou, -1
	for i := start; i < len(thread); i++ {
		switch m := f.messages.at(thread[i]); {
		case m.kind == kindVerdict && m.verdict == verdictRejectedAsk:
			return Declined, i // no further reply is taken (§6)
		case m.kind == kindVerdict && m.verdict == verdictChangesRequested:
			phase, said = BeingRevised, i
		case m.kind == kindAnswer, m.kind == kindVerdict && m.verdict == verdictApproved:
			phase, said = Replied, i
		}
	}
	return phase, said
}

// messageID returns the id of a reply.
func (f *Folder) messageID(message int) sym {
	l := &f.ledgers[Messages]
	return l.recs.at(int(l.lines.at(int(f.messages.at(message).line)).rec)).id
}

// chain lists a record's lines in file order.
func (l *ledger) chain(rec int) []uint32 {
	r := l.recs.at(rec)
	lines := make([]uint32, r.count)
	i := r.last
	for n := len(lines) - 1; n >= 0; n-- {
		lines[n] = i
		i = l.lines.at(int(i)).prev - 1
	}
	return lines
}
